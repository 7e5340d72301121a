"""The options that `interval` and `simulate` share, and the job that they describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from ..requests.presets import PRESETS
from ..setups.estimates import (
    Mtbf,
    from_counts,
    from_failure_rate,
    from_log,
    from_node_mtbf,
    stated,
)
from ..setups.job import Job
from ..units import human_duration
from .limits import log_limits
from .log import CSV_LAYOUT
from .types import (
    BANDWIDTH,
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FAILURE_RATE,
    INSTANT,
    LOG_FILE,
    PRICE,
    SIZE,
    Typed,
)

__all__ = ["job_of", "job_options", "refuse_idle"]

Command = TypeVar("Command", bound=Callable[..., Any])

# Each form of the MTBF: its leading option, what must and what may come with it.
Forms: TypeAlias = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
FORMS: Forms = {
    "mtbf": ((), ()),
    "node_mtbf": (("nodes",), ()),
    "failures": (("observed",), ()),
    "failure_rate": (("nodes",), ()),
    "log": (("format",), ("system", "since", "until", "strict")),
}
COSTS: Forms = {"checkpoint_cost": ((), ()), "checkpoint_size": (("bandwidth",), ())}
FORMS_IN_WORDS = (
    "--mtbf, --node-mtbf with --nodes, --failures with --observed, --failure-rate with --nodes, "
    "--log with --format, or --preset"
)


def job_options(command: Command) -> Command:
    """Add the shared options, in the order in which the help shows them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _use_preset(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Let the preset fill in what is not on the command line."""
    del param
    if value is not None:
        if value not in PRESETS:
            raise click.UsageError(f"--preset must be one of {', '.join(PRESETS)}, got {value!r}")
        ctx.default_map = dict(PRESETS[value].options)
    return value


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--mtbf", type=DURATION, help="MTBF of the whole machine (or of your part)."),
    click.option("--node-mtbf", type=DURATION, help="MTBF of one node; needs --nodes."),
    click.option(
        "--failure-rate",
        type=FAILURE_RATE,
        help="Failures per node-time, such as 6.5/1000node-days; needs --nodes.",
    ),
    click.option("--nodes", type=COUNT, help="Number of nodes that must all be up."),
    click.option("--failures", type=EVENTS, help="Failures seen (may be 0); needs --observed."),
    click.option("--observed", type=DURATION, help="Time in which the --failures were seen."),
    click.option("--log", type=LOG_FILE, help="Failure log; needs --format."),
    click.option("--format", metavar="lanl|csv", help=f"Layout of the --log; {CSV_LAYOUT}"),
    click.option("--system", metavar="NAME", help="System of the --log."),
    click.option("--since", type=INSTANT, help="Use the --log from this date on."),
    click.option("--until", type=INSTANT, help="Use the --log up to this date."),
    click.option("--strict", is_flag=True, help="Refuse a --log with malformed lines."),
    log_limits,
    click.option("--checkpoint-cost", type=DURATION, help="Time to write one checkpoint."),
    click.option("--checkpoint-size", type=SIZE, help="Size of one; needs --bandwidth."),
    click.option("--bandwidth", type=BANDWIDTH, help="Rate at which checkpoints are written."),
    click.option(
        "--recovery-cost",
        type=COST,
        default="0s",
        show_default=True,
        help="Time to read a checkpoint back after a failure.",
    ),
    click.option(
        "--downtime",
        type=COST,
        default="0s",
        show_default=True,
        help="Dead time after a failure, before recovery starts.",
    ),
    click.option(
        "--work", type=DURATION, default="7d", show_default=True, help="Failure-free run time."
    ),
    click.option("--step-time", type=DURATION, help="Time of one iteration of the job."),
    click.option("--price", type=PRICE, help="Of one node-hour; of one hour without --nodes."),
    click.option(
        "--preset",
        metavar="NAME",
        is_eager=True,
        callback=_use_preset,
        help=f"Known job that fills in what is not given: {', '.join(PRESETS)}.",
    ),
)


def job_of(options: dict[str, Any]) -> Job:
    """Build the job from parsed options, or refuse the combination in one line."""
    form = _one_of(FORMS, options, "the MTBF", FORMS_IN_WORDS)
    cost = _one_of(
        COSTS,
        options,
        "the checkpoint",
        "--checkpoint-cost, or --checkpoint-size with --bandwidth",
    )
    nodes = options["nodes"]
    if _typed("nodes") and form not in {"node_mtbf", "failure_rate"} and options["price"] is None:
        raise click.UsageError(
            f"--nodes must come with --node-mtbf, --failure-rate or --price, got {_flag(form)}, "
            "which is of the whole machine already"
        )
    if cost == "checkpoint_cost":
        checkpoint_cost, words = options["checkpoint_cost"], "as given"
    else:
        size: Typed = options["checkpoint_size"]
        bandwidth: Typed = options["bandwidth"]
        checkpoint_cost = size.value / bandwidth.value
        words = f"{size.text} at {bandwidth.text}"
    if not 0.0 < checkpoint_cost < float("inf"):
        raise click.UsageError(f"the checkpoint must take some time, got {checkpoint_cost:g} s")
    return Job(
        mtbf=_mtbf(form, options),
        checkpoint_cost=checkpoint_cost,
        cost_words=words,
        recovery_cost=options["recovery_cost"],
        downtime=options["downtime"],
        work=options["work"],
        step_time=options["step_time"],
        price=options["price"],
        nodes=nodes,
    )


def _mtbf(form: str, options: dict[str, Any]) -> Mtbf:
    if form == "mtbf":
        mtbf = stated(options["mtbf"])
    elif form == "node_mtbf":
        mtbf = from_node_mtbf(options["node_mtbf"], options["nodes"])
    elif form == "failure_rate":
        rate: Typed = options["failure_rate"]
        mtbf = from_failure_rate(rate.value, options["nodes"], words=rate.text)
    elif form == "failures":
        mtbf = from_counts(options["failures"], options["observed"])
    else:
        path: Path = options["log"]
        mtbf = from_log(
            path,
            options["format"],
            system=options["system"],
            since=options["since"],
            until=options["until"],
            strict=options["strict"],
        )
    if not 0.0 < mtbf.value < float("inf"):
        raise click.UsageError(f"the MTBF must be finite and > 0, got {human_duration(mtbf.value)}")
    return mtbf


def _one_of(
    forms: Forms,
    options: dict[str, Any],
    what: str,
    wanted: str,
) -> str:
    """Return the one form that was given; what was typed comes before what a preset fills in."""
    typed = [form for form in forms if _typed(form)]
    given = typed or [form for form in forms if options[form] is not None]
    companions = {name for must, may in forms.values() for name in (*must, *may)}
    stray = [name for name in companions if _typed(name) and name != "nodes"]
    if len(given) != 1:
        got = " and ".join(map(_flag, given or sorted(stray))) or "none"
        raise click.UsageError(f"{what} must come in exactly one form: {wanted}; got {got}")
    (form,) = given
    must, may = forms[form]
    for name in must:
        if options[name] is None:
            raise click.UsageError(f"{_flag(form)} must come with {_flag(name)}, got it alone")
    for name in sorted(stray):
        if name not in (*must, *may):
            owner = next(lead for lead, (needs, takes) in forms.items() if name in needs + takes)
            raise click.UsageError(
                f"{_flag(name)} must come with {_flag(owner)}, got {_flag(form)}"
            )
    return form


def refuse_idle(names: Sequence[str], *, unless: bool, lead: str) -> None:
    """Refuse options that were typed but change nothing `unless` what `lead` names is there."""
    if unless:
        return
    for name in names:
        if _typed(name):
            raise click.UsageError(f"{_flag(name)} must come with {lead}, got it alone")


def _typed(name: str) -> bool:
    context = click.get_current_context(silent=True)
    source = None if context is None else context.get_parameter_source(name)
    return source in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
