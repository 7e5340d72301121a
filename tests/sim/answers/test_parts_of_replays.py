"""Parts of replays: a study has those of its single replays, and every clock has one origin."""

import lzma
import random
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from asking.refusals import Refused
from sim.answers.grids import setup as grid
from sim.answers.grids.request import GridRequest
from sim.answers.replays import setup as replay
from sim.answers.replays.requests import ReplayRequest
from tests.support.runner import words_of

HOUR = 3600.0
ROWS = "".join(
    f"{n} {1000 + 50 * n} {n % 3 - 1} {40 + 7 * n} {n} -1 -1 {n} {90 + 9 * n} -1 1 1 1 1 {n % 2} "
    f"{n % 2 + 1} -1 -1\n"
    for n in range(1, 13)
)
STARTED = 1_000_000_000
# Number, name, nodes, processors of each, speed and memory.
MACHINES = "0\tone\t2\t8\t1.0\t1000\n1\ttwo\t3\t6\t2.0\t1000\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text("; MaxProcs: 64\n" + ROWS)
    (tmp_path / "dated.swf").write_text(f"; MaxProcs: 64\n; UnixStartTime: {STARTED}\n" + ROWS)
    (tmp_path / "failures.csv").write_text("time,node,repair\n1090,1,5\n1200,2,\n1300,40,9\n")
    (tmp_path / "own.csv").write_text("job,interval,cost\n1,20,2\n3,none,0\n12,30,1\n")
    (tmp_path / "windows.csv").write_text(
        "start,end,kind,nodes\n1250,1290,planned,0-1\n1105,1109,outage,\n"
    )
    (tmp_path / "two.toml").write_text(
        '[[cluster]]\nname = "a"\nmachines = 8\nprocessors_per_machine = 4\n'
        '[[cluster]]\nname = "b"\nmachines = 32\nprocessors_per_machine = 1\n'
    )
    return tmp_path


def plain(value):
    """Return what a part holds, as values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if is_dataclass(value):
        return type(value).__name__, [plain(getattr(value, each.name)) for each in fields(value)]
    return repr(value)


def asked(rng):
    """Draw a request in which every part may be there or not."""
    options = {"log": Path(rng.choice(["jobs.swf", "dated.swf"]))}
    options |= rng.choice(
        [{}, {"mtbf": 10 * HOUR, "weibull_shape": 0.7}, {"failures": Path("failures.csv")}]
    )
    options |= rng.choice([{}, {"checkpoint_interval": 25.0, "checkpoint_cost": 2.0}])
    options |= rng.choice([{}, {"job_checkpoints": Path("own.csv"), "recovery_cost": 3.0}])
    options |= rng.choice([{}, {"checkpoints_in_walltime": True}])
    options |= rng.choice([{}, {"maintenance": Path("windows.csv")}])
    options |= rng.choice([{}, {"scale_gaps": 0.5}, {"scale_gaps": 2.0}])
    options |= rng.choice([{}, {"on_failure": "new"}, {"on_failure": "drop"}])
    options |= rng.choice(
        [{}, {"order": "wait"}, {"policy": "fcfs"}, {"compare": ("easy", "fcfs")}]
    )
    options |= rng.choice([{}, {"processors_per_node": 4}, {"walltime_factor": 3.0}])
    return ReplayRequest(**options, seed=rng.randrange(9))


PLAYED = ("workload", "site", "feeds", "checkpointing", "policies", "recovery")


@pytest.mark.parametrize("seed", range(25))
def test_a_cell_of_a_study_has_the_parts_of_its_single_replay(seed):
    request = asked(random.Random(seed))
    if request.scale_gaps is not None and request.failures is not None:
        request = replay.replace(request, failures=None)  # read for the gaps of the log
    (found,) = replay.variants([request])
    found = replay.of_seed(found, request)
    alone = replay.setup(request)
    for name in PLAYED:
        assert plain(getattr(found, name)) == plain(getattr(alone, name)), name
    assert (found.recorded, found.job_ids) == (None, {})
    again = replay.of_seed(found, replay.replace(request, seed=request.seed + 1))
    assert (plain(again.feeds) == plain(found.feeds)) is (request.mtbf is None)


def test_cells_share_a_log_and_keep_what_they_differ_in():
    base = {"log": Path("jobs.swf"), "job_checkpoints": Path("own.csv")}
    changes = [
        {"mtbf": HOUR},
        {"mtbf": 2 * HOUR, "scale_gaps": 2.0},
        {"mtbf": HOUR, "checkpoint_interval": 25.0, "checkpoint_cost": 1.0},
        {"mtbf": HOUR, "on_failure": "drop", "scale_gaps": 2.0},
    ]
    requests = [ReplayRequest(**base, **each) for each in changes]
    found = replay.variants(requests)
    for request, parts in zip(requests, found, strict=True):
        assert (parts.feeds.every, parts.feeds.failures) == (None, None)
        played, alone = replay.of_seed(parts, request), replay.setup(request)
        for name in PLAYED:
            assert plain(getattr(played, name)) == plain(getattr(alone, name)), name
    assert found[1].workload is found[3].workload
    assert found[0].workload is found[2].workload


def test_one_half_of_a_pair_of_checkpoint_options_is_refused():
    for half, more in {
        "checkpoint_interval": "; --checkpoint-cost 0s writes them in no time",
        "checkpoint_cost": "",
    }.items():
        for own in ({}, {"job_checkpoints": Path("own.csv")}):
            with pytest.raises(Refused) as refusal:
                replay.setup(ReplayRequest(log=Path("jobs.swf"), **own, **{half: 9.0}))
            said = "--checkpoint-interval and --checkpoint-cost must be given together"
            assert words_of(refusal.value) == said + more


def test_checkpoints_of_jobs_are_those_of_the_options_but_where_jobs_have_their_own():
    def rows(**options):
        found = replay.setup(ReplayRequest(log=Path("jobs.swf"), **options)).checkpointing
        if found is None:
            return None
        each = [
            np.broadcast_to(np.asarray(value, np.float64), 12).tolist()
            for value in (found.interval, found.cost, found.recovery)
        ]
        return [*zip(*each, strict=True)], found.in_walltime

    assert rows() is None
    common = {"checkpoint_interval": 25.0, "checkpoint_cost": 2.0, "recovery_cost": 7.0}
    assert rows(**common) == ([(25.0, 2.0, 7.0)] * 12, False)
    assert rows(**common, checkpoints_in_walltime=True)[1] is True
    own = {"job_checkpoints": Path("own.csv"), "checkpoints_in_walltime": True}
    inf = float("inf")
    found, within = rows(**common, **own)
    assert within is True
    assert found == [
        (20.0, 2.0, 7.0),
        (25.0, 2.0, 7.0),
        (inf, 0.0, 0.0),
        *[(25.0, 2.0, 7.0)] * 8,
        (30.0, 1.0, 7.0),
    ]
    found, _ = rows(job_checkpoints=Path("own.csv"), recovery_cost=7.0)
    assert found[1] == (inf, 0.0, 7.0)
    assert found[11] == (30.0, 1.0, 7.0)


def test_no_job_has_a_million_checkpoints():
    # The longest job runs for 40 + 7 * 12 = 124 s.
    least = 124.0 / 1e6
    assert 124.0 / least == 1e6  # to the last bit
    for own in ({}, {"job_checkpoints": Path("own.csv")}):
        asked = {"log": Path("jobs.swf"), "checkpoint_cost": 0.0, **own}
        Path("own.csv").write_text("job,interval,cost\n1,20,2\n")
        replay.setup(ReplayRequest(**asked, checkpoint_interval=least))
        with pytest.raises(Refused) as refusal:
            replay.setup(ReplayRequest(**asked, checkpoint_interval=least * 0.999))
        flag = "--job-checkpoints and --checkpoint-interval" if own else "--checkpoint-interval"
        assert words_of(refusal.value) == (
            f"{flag} must leave at most 1,000,000 checkpoints a job, got about 1e+06"
        )


def test_the_published_partitions_of_intrepid_are_used_where_they_are_at_hand(folder, monkeypatch):
    place = folder / "traces" / "machines" / "intrepid"
    place.mkdir(parents=True)
    monkeypatch.setenv("PERFMODEL_TRACES", str(folder / "traces"))
    monkeypatch.chdir(place)  # nothing lies beside it
    request = ReplayRequest(log=folder / "jobs.swf", machine="intrepid", processors_per_node=1)
    monkeypatch.setattr("sim.answers.replays.machines.locate", lambda name: None)
    without = replay.setup(request)
    assert without.site.machine.size == 5 * 8 * 1024
    assert without.files == ()
    assert (
        "machines/intrepid/simulator.xml.xz is not at hand: a regular machine of 5 x 8 racks "
        "stands in"
    ) in without.notes
    monkeypatch.undo()
    monkeypatch.setenv("PERFMODEL_TRACES", str(folder / "traces"))
    path = place / "simulator.xml.xz"
    cards = "".join(f"<NodeCard id='R00-M{m}-N{n:02d}'/>" for m in range(2) for n in range(16))
    half = "".join(f"<NodeCard id='R00-M0-N{n:02d}'/>" for n in range(16))
    xml = (
        f"<BG><PartitionList><Partition name='ANL-R00-1024'>{cards}</Partition>"
        f"<Partition name='ANL-R00-M0-512'>{half}</Partition></PartitionList></BG>"
    )
    path.write_bytes(lzma.compress(xml.encode()))
    found = replay.setup(request)
    assert found.site.machine.size == 1024
    assert found.files == (path,)
    assert not any("at hand" in note for note in found.notes)
    (folder / "own.xml").write_text(xml)
    request = replay.replace(request, machine=f"intrepid:{folder / 'own.xml'}")
    assert replay.setup(request).site.machine.size == 1024
    assert replay.setup(request).files == (folder / "own.xml",)


def test_a_blue_gene_has_as_many_racks_as_it_is_told():
    def machine(**options):
        asked = {"log": Path("jobs.swf"), "machine": "bluegene:1x3", **options}
        return replay.setup(ReplayRequest(**asked)).site.machine

    assert machine().size == 3 * 1024
    assert machine().reboots == "midplanes"
    assert machine(reboots="partition").reboots == "partition"
    for text in ("bluegene:", "bluegene:1", "bluegene:1x", "bluegene:1x100", "bluegene:1x3x"):
        with pytest.raises(Refused) as refusal:
            machine(machine=text)
        said = f"--machine bluegene must be ROWSxRACKS, got {text!r}"
        assert words_of(refusal.value) == said


def test_a_plain_machine_has_the_processors_it_is_told():
    def found(**options):
        return replay.setup(ReplayRequest(log=Path("jobs.swf"), **options))

    assert found().site.machine.nodes == 64
    assert found(processors=20).site.machine.nodes == 20
    assert found(machine="flat:0020").site.machine.nodes == 20
    assert found(machine="flat:20", processors_per_node=20, oversize="skip").site.machine.nodes == 1
    assert found(processors=21, processors_per_node=4).site.machine.nodes == 5
    assert (found().site.unit, found(processors_per_node=1).site.unit) == ("processors", "nodes")
    assert found(machine="bluegene:1x1").site.unit == "nodes"
    with pytest.raises(Refused) as refusal:
        found(processors=20, processors_per_node=21)
    said = "--processors-per-node must be <= the 20 of the machine, got 21"
    assert words_of(refusal.value) == said


def test_a_window_holds_the_jobs_from_its_start_to_before_its_end():
    def jobs(**options):
        found = replay.setup(ReplayRequest(log=Path("jobs.swf"), **options))
        return found.workload.job.tolist(), found.notes[-1]

    # Job n is submitted 50 (n - 1) s after the first.
    assert jobs(since="+50s")[0] == [*range(2, 13)]
    assert jobs(since=timedelta(seconds=50.1))[0] == [*range(3, 13)]
    assert jobs(before="+100s") == ([1, 2], "2 of 12 jobs were submitted in the window")
    assert jobs(before=timedelta(seconds=100.1))[0] == [1, 2, 3]
    assert jobs(since="+50s", before="+100s")[0] == [2]
    assert jobs(since="-50s")[0] == [11, 12]
    first = replay.setup(ReplayRequest(log=Path("jobs.swf"))).workload.submit[0]
    assert jobs(since=first + 100.0)[0] == [*range(3, 13)]
    began = datetime(2026, 1, 1)
    second_0 = int(began.replace(tzinfo=UTC).timestamp() - first)
    found = jobs(since=began + timedelta(seconds=500), log_start=second_0)
    assert found[0] == [11, 12]
    with pytest.raises(Refused, match="since must be seconds or a duration where the header of"):
        jobs(since=began)


@pytest.mark.parametrize(
    ("log", "times", "options", "origin"),
    [
        ("jobs.swf", "seconds", {}, 0.0),
        ("dated.swf", "seconds", {}, 0.0),
        ("dated.swf", "dates", {}, STARTED),
        ("dated.swf", "dates", {"log_start": STARTED + 7}, STARTED + 7),
        ("dated.swf", "seconds", {"log_start": 7}, 0.0),
        ("jobs.swf", "dates", {"log_start": STARTED}, STARTED),
        ("jobs.swf", "dates", {}, 0.0),
        ("jobs.swf", "seconds", {"failures_from_start": True}, "first"),
        ("dated.swf", "dates", {"failures_from_start": True}, "first"),
    ],
)
def test_failures_are_put_on_the_clock_of_the_jobs(log, times, options, origin):
    shift = STARTED if times == "dates" else 0
    times = [1090 + shift, 1200 + shift]
    Path("failures.csv").write_text("".join(["time,node\n", *(f"{t},1\n" for t in times)]))
    request = ReplayRequest(log=Path(log), failures=Path("failures.csv"), **options)
    if origin == "first":  # the first job is submitted at 1050
        origin = times[0] - 1050
    assert replay.setup(request).feeds.every.time.tolist() == [time - origin for time in times]


def grid_parts(log="jobs.swf", machines="two.toml", **options):
    return grid.grid_setup(GridRequest(log=Path(log), machines=Path(machines), **options))


def test_a_grid_is_described_by_its_own_file_or_by_that_of_the_archive():
    Path("machines").write_text(MACHINES)
    found = grid_parts(machines="machines")
    assert [each.name for each in found.grid.clusters] == ["one", "two"]
    assert (found.grid.nodes, found.grid.size) == (5, 2 * 8 + 3 * 6)
    assert any(note.startswith("machines: 2 records") for note in found.notes)
    Path("machines").write_text("# nothing\n")
    with pytest.raises(Refused, match=r"^machines must describe clusters, got none of "):
        grid_parts(machines="machines")


def test_each_seed_draws_the_failures_of_a_grid_anew():
    def failures(parts):
        return plain(parts.feeds.every)

    options = {"mtbf": HOUR, "weibull_shape": 0.6, "burst_size": 2.0, "burst_span": 30.0}
    options |= {"mttr": 600.0, "lemon_share": 0.1, "lemon_factor": 4.0}
    outage = "start,end,kind,nodes\n1105,1109,outage,\n"
    Path("windows.csv").write_text(outage)
    for more in ({}, {"maintenance": Path("windows.csv")}):
        parts = grid_parts(**options, **more, seed=3)
        for seed in (3, 4):
            request = GridRequest(
                log=Path("jobs.swf"), machines=Path("two.toml"), **options, **more, seed=seed
            )
            again = grid.of_seed(parts, request)
            assert failures(again) == failures(grid.grid_setup(request))
            assert (failures(again) == failures(parts)) is (seed == 3)
            assert again.workload is parts.workload
    still = GridRequest(log=Path("jobs.swf"), machines=Path("two.toml"), seed=9)
    parts = grid.grid_setup(still)
    assert grid.of_seed(parts, still) is parts
    # As often as asked: 90 days and some hours, in hours, within six standard errors of bursts.
    many = grid_parts(mtbf=HOUR, seed=1).feeds.every
    assert abs(len(many) - 2160) < 6 * np.sqrt(2160)


@pytest.mark.parametrize(
    ("log", "times", "origin", "shift"),
    [
        ("jobs.swf", "seconds", None, 0.0),
        ("jobs.swf", "dates", STARTED + 5.0, STARTED + 5.0),
        ("dated.swf", "dates", None, STARTED),
        ("dated.swf", "dates", STARTED + 5.0, STARTED + 5.0),
        ("dated.swf", "seconds", STARTED + 5.0, 0.0),
    ],
)
def test_failures_of_a_grid_are_put_on_the_clock_of_the_jobs(log, times, origin, shift):
    begin = STARTED if times == "dates" else 0
    Path("f.csv").write_text(
        f"time,system,node,repair\n{begin + 1090},a,1,60\n{begin + 1200},b,2,\n"
    )
    found = grid_parts(log, failures=Path("f.csv"), origin=origin, unknown_repair=77.0)
    assert found.feeds.every.time.tolist() == [begin + 1090 - shift, begin + 1200 - shift]
    assert found.feeds.every.repair.tolist() == [60.0, 77.0]


def test_dated_failures_of_a_grid_need_the_origin_of_jobs_without_dates():
    Path("f.csv").write_text(f"time,system,node,repair\n{STARTED},a,1,60\n")
    with pytest.raises(Refused) as refusal:
        grid_parts(failures=Path("f.csv"))
    assert words_of(refusal.value) == (
        "--origin must be given (Unix time of second 0 of the job log), as the failures are dated "
        "and the jobs are not"
    )
    Path("f.csv").write_text("time,system,node,repair\n5,x,1,60\n6,y,1,60\n")
    with pytest.raises(Refused) as refusal:
        grid_parts(failures=Path("f.csv"))
    assert words_of(refusal.value) == "f.csv must name clusters of the machines, got x, y"


def test_the_clock_of_a_grid():
    assert grid_parts().unix_start is None
    assert grid_parts("dated.swf").unix_start == STARTED
    assert grid_parts("dated.swf", origin=STARTED + 9.0).unix_start == STARTED + 9.0
    assert grid_parts(origin=5.0).unix_start is None
    Path("METACENTRUM-2009-2.swf").write_text("; MaxProcs: 64\n" + ROWS)
    assert grid_parts("METACENTRUM-2009-2.swf").unix_start == 1_228_910_204.0
    dates = ROWS.replace(" 1", f" {STARTED}", 1)
    Path("dates.swf").write_text("; MaxProcs: 64\n" + dates.splitlines(keepends=True)[0])
    assert grid_parts("dates.swf").unix_start == 0.0


def test_failures_expected_of_few_new_nodes_are_counted_from_none():
    # A node without memory fails once in 30 days; 90 days and twice eleven gaps of 50 s are drawn.
    request = ReplayRequest(
        log=Path("jobs.swf"), mtbf=30 * 24 * HOUR, new_nodes=True, processors_per_node=1, mttr=1.0
    )
    assert (
        "all nodes are new at the first submission: 3 failures are expected, 3 of nodes long in use"
    ) in replay.setup(request).notes
    two = replay.setup(replay.replace(request, burst_size=2.0, burst_span=1.0)).notes
    assert any("submission: 3 failures are expected, 3 of nodes" in note for note in two)


def test_words_on_what_is_drawn_do_not_depend_on_when_the_log_begins():
    from sim.answers.deadlines.setup import promises_setup
    from sim.answers.replays.requests import PromisesRequest

    def words(log):
        asked = {"log": Path(log), "oversize": "skip", "seed": 4}
        drawn = replay.setup(ReplayRequest(**asked, mtbf=HOUR)).notes
        promised = promises_setup(PromisesRequest(**asked)).notes
        of_grid = grid_parts(log, mtbf=HOUR, seed=4).notes
        notes = [*drawn, *promised, *of_grid]
        return [note for note in notes if note.startswith("failures drawn")]

    day = 86_400
    late = "".join(
        " ".join([line.split()[0], str(int(line.split()[1]) + 40 * day), *line.split()[2:]]) + "\n"
        for line in ROWS.splitlines()
    )
    Path("late.swf").write_text("; MaxProcs: 64\n" + late)
    assert words("late.swf") == words("jobs.swf")
    # Twice the 550 s of submissions and 90 days; thrice, which four digits do not show, and a year.
    assert [note.split(" after ")[0] for note in words("jobs.swf")] == [
        "failures drawn until 90.01 d",
        "failures drawn until 365 d",
        "failures drawn until 90.01 d",
    ]


def test_what_a_machine_does_where_nothing_is_asked():
    def found(**options):
        parts = replay.setup(ReplayRequest(log=Path("jobs.swf"), **options))
        site = parts.site
        return site.kind, site.unit, parts.recovery, [*parts.policies], parts.feeds.drawn

    assert found() == ("policy", "processors", "original", ["easy"], True)
    blue = {"machine": "bluegene:1x1"}
    assert found(**blue) == ("utility", "nodes", "new", ["wfp3"], True)
    for rule in ("original", "new", "drop"):
        assert found(on_failure=rule)[2] == rule
        assert found(**blue, on_failure=rule)[2] == rule
    assert found(failures=Path("failures.csv"))[4] is False
    parts = replay.setup(ReplayRequest(log=Path("jobs.swf")))
    assert (parts.job_ids, parts.files, parts.own_checkpoints) == ({}, (), None)


def test_jobs_of_slurm_keep_their_names():
    head = "JobID|Submit|Start|End|NNodes|State\n"
    day = "2024-01-0{}T00:00:00"
    rows = "".join(
        f"{name}|{day.format(n)}|{day.format(n)}|{day.format(n + 1)}|8|COMPLETED\n"
        for n, name in enumerate(("7", "9_4"), 1)
    )
    Path("s.txt").write_text(head + rows)
    parts = replay.setup(ReplayRequest(log=Path("s.txt"), processors=16))
    lines = parts.workload.line.tolist()
    assert parts.job_ids == dict(zip(lines, ("7", "9_4"), strict=True))
    assert replay.variants([ReplayRequest(log=Path("s.txt"), processors=16)])[0].job_ids == {}
