"""Whatever is typed: an answer, or exit code 2 and one line; never a traceback."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.cli import main
from tests.support.examples import examples
from tests.support.runner import runner

durations = st.one_of(
    st.sampled_from(["8h", "0s", "1ns", "5y", "2d12h", "8", "", "-1h", "nan", "1e300s", "1e-300s"]),
    st.builds("{}{}".format, st.floats(0.0, 1e9), st.sampled_from(["s", "min", "h", "d", "y"])),
    st.integers(-300, 300).map("1e{}s".format),
    st.text(max_size=6),
)
counts = st.sampled_from(["0", "1", "7", "4096", "1e3", "-1", "x", "9" * 18])
OPTIONS = {
    "--mtbf": durations,
    "--node-mtbf": durations,
    "--nodes": counts,
    "--failures": counts,
    "--observed": durations,
    "--failure-rate": st.sampled_from(["6.5/1000node-days", "0/node-day", "1e300/node-s", "6.5"]),
    "--checkpoint-size": st.sampled_from(["12TB", "0B", "1e300B", "12"]),
    "--bandwidth": st.sampled_from(["400GB/s", "1e-300B/s", "400"]),
    "--recovery-cost": durations,
    "--downtime": durations,
    "--work": durations,
    "--step-time": durations,
    "--price": st.sampled_from(["2.5", "1e308", "inf", "-0.0", "x"]),
    "--preset": st.sampled_from(["rsc-1", "nothing"]),
    "--checkpoint-cost": durations,
}


def refuse(name):
    raise AssertionError(f"{name} is not JSON")


@settings(deadline=None, max_examples=examples(150))
@given(
    few=st.fixed_dictionaries(
        {}, optional={name: OPTIONS[name] for name in list(OPTIONS)[:-1]}
    ).filter(lambda chosen: len(chosen) <= 5),
    cost=durations,
    mtbf=durations,
    as_json=st.booleans(),
)
def test_an_answer_or_one_line(few, cost, mtbf, as_json):
    arguments = ["interval", "--checkpoint-cost", cost, "--mtbf", mtbf]
    for name, value in few.items():
        arguments += [name, value]
    done = runner().invoke(main, [*arguments, *(["--json"] if as_json else [])])
    if done.exit_code == 0:
        assert not done.stderr
        if as_json:
            json.loads(done.stdout, parse_constant=refuse)
    else:
        assert done.exit_code == 2, (arguments, done.exception)
        assert done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
