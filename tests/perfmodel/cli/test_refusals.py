"""Every refusal in full: the option or file, what it must be, what came, and what to do."""

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

JOBS = """; MaxProcs: 64
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 2 2 -1 -1
3 9 -1 5 4 -1 -1 4 5 -1 1 1 1 1 2 2 -1 -1
"""
FILES = {
    "jobs.swf": JOBS,
    "unsized.swf": JOBS.partition("\n")[2],
    "empty.swf": "; MaxProcs: 4\n",
    "idle.swf": "; MaxProcs: 4\n1 0 -1 0 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n",
    "none.csv": "time,node\n",
    "failures.csv": "time,node,repair\n10,1,5\n20,2,5\n40,1,5\n",
    "elsewhere.csv": "time,node,repair\n10,gpu7,5\n20,gpu8,5\n",
    "names.txt": "a\nb\n",
    "planned.csv": "start,end,kind,nodes\n5,9,planned,\n",
    "wide.csv": "job,cost\n1,2\n",
    "short.csv": "job,interval,cost\n1,2\n",
    "stranger.csv": "job,interval,cost\n7,2,1\n",
    "twice.csv": "job,interval,cost\n1,2,1\n01,2,1\n",
    "never.csv": "job,interval,cost\n1,0,1\n",
    "slow.csv": "job,interval,cost\n1,2,quick\n",
    "two.toml": '[[cluster]]\nname = "a"\nmachines = 2\nprocessors_per_machine = 4\n'
    '[[cluster]]\nname = "b"\nmachines = 3\nprocessors_per_machine = 4\n',
    "one.toml": '[[cluster]]\nname = "a"\nmachines = 2\nprocessors_per_machine = 4\nspeed = 2\n',
    "fast.toml": '[[cluster]]\nname = "a"\nmachines = 2\nprocessors_per_machine = 4\nspeed = 2\n'
    '[[cluster]]\nname = "b"\nmachines = 3\nprocessors_per_machine = 4\nspeed = 1\n',
    "asked.csv": "job,clusters\nseven,a\n",
    "both.csv": "partition,queue,cluster\n1,1,a\n",
    "bare.csv": "partition,cluster\n",
    "zone.csv": "partition,cluster\n9,a\n",
    "site.csv": "partition,cluster\n1,z\n",
    "again.csv": "partition,cluster\n1,a\n1,b\n",
    "systems.csv": "time,system,node\n1,x,n1\n5,x,n2\n2,y,n1\n9,y,n3\n",
    "nameless.csv": "time\n1\n5\n9\n",
    "lanl.csv": "time,node\n1,a\n2,b\n",
    "sacct.txt": "JobID|Submit|Start|End|NNodes|State\n"
    "1|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-02T00:00:00|4|COMPLETED\n"
    "2|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-02T00:00:00|4|NODE_FAIL\n",
    "started.txt": "JobID|Submit|Start|End|NNodes|State\n"
    "1|2024-01-01T00:00:00|Unknown|Unknown|4|PENDING\n",
    "fleet.csv": "speed,mtbf\n1,500h\n2,300h\n",
    "unnamed.csv": "speed\n1\n",
    "headless.csv": "",
    "rowless.csv": "speed,mtbf\n",
    "spread.csv": "speed,mtbf,mttr_std,mttr_cv\n1,1h,1min,1\n",
    "double.csv": "speed,speed,mtbf\n1,1,1h\n",
    "named.csv": "name,host,speed,mtbf\na,b,1,1h\n",
    "ragged.csv": "speed,mtbf\n1,1h,2\n",
    "still.csv": "speed,mtbf\n0,1h\n",
    "word.csv": "speed,mtbf,mttr_cv\n1,1h,big\n",
    "unitless.csv": "speed,mtbf\n1,5\n",
    "minus.csv": "speed,mtbf,mttr_cv\n1,1h,-1\n",
    "slowly.csv": "speed,mtbf,mttr\n1,1h,2h\n",
    "certain.csv": "speed,mtbf,mttr,mttr_std\n1,1h,0h,1min\n",
    "broken.csv": "speed,mtbf\n1,\x00\n",
    "failures.toml": '[failures]\nformat = "csv"\n',
    "number.toml": "[failures]\nlog = 5\n",
    "absent.toml": '[failures]\nlog = "absent.csv"\n',
    "slurm.toml": '[failures]\nlog = "sacct.txt"\n',
    "preset.toml": 'preset = "daly-206"\n',
    "strange.toml": 'preset = "xyz"\n',
    "wrong.toml": "[failures\n",
}
BYTES = {"latin.csv": b"speed,mtbf\n1,\xff\n", "latin.toml": b"\xff = 1\n"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (path / name).write_text(text)
    for name, content in BYTES.items():
        (path / name).write_bytes(content)
    (path / "large.toml").write_text("#" * 2_000_001)
    return path


def refusal(arguments):
    done = runner().invoke(main, arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    return done.stderr


SWF = ["replay", "jobs.swf"]
BLUE = ["replay", "jobs.swf", "--machine", "bluegene:1x1"]
DRAWN = [*SWF, "--mtbf", "10h"]
READ = [*SWF, "--failures", "failures.csv"]
CHECKPOINTS = "--checkpoint-interval or --job-checkpoints"
IDLE = [
    *((SWF, f"{flag} 2", "--mtbf") for flag in ("--weibull-shape", "--burst-size")),
    *((SWF, flag, "--mtbf") for flag in ("--new-nodes", "--stationary", "--lemon-share 0.1")),
    (DRAWN, "--burst-span 1h", "--burst-size above 1"),
    (DRAWN, "--burst-within node", "--burst-size above 1"),
    (DRAWN, "--rack-size 4", "--burst-within rack"),
    ([*DRAWN, "--burst-size", "2"], "--rack-size 4", "--burst-within rack"),
    (DRAWN, "--lemon-factor 3", "--lemon-share above 0"),
    (DRAWN, "--failure-format csv", "--failures"),
    (DRAWN, "--node-names names.txt", "--failures"),
    (DRAWN, "--failures-from-start", "--failures"),
    (DRAWN, "--log-start 5", "--failures, --maintenance, --since or --before"),
    (SWF, "--mttr 1h", "--mtbf or --failures"),
    (SWF, "--on-failure new", "--mtbf, --failures or --maintenance"),
    (BLUE, "--reboots partition", "--mtbf, --failures or --maintenance"),
    (DRAWN, "--recovery-cost 1s", CHECKPOINTS),
    (DRAWN, "--checkpoints-in-walltime", CHECKPOINTS),
    (SWF, "--use-out use.csv", "--use-over-time"),
    (BLUE, "--sensitivity 0.5", "--fault-aware"),
    (BLUE, "--specificity 0.5", "--fault-aware"),
    (SWF, "--metric wait_s", "--until"),
    (SWF, "--workers 2", "--seeds or --until"),
]


@pytest.mark.parametrize(("command", "option", "lead"), IDLE)
def test_an_option_without_effect_is_refused_with_what_it_needs(
    command, option, lead, folder, monkeypatch
):
    monkeypatch.chdir(folder)
    flag = option.partition(" ")[0]
    assert refusal([*command, *option.split()]) == (
        f"Error: {flag} must come with {lead}, got it alone\n"
    )


PLAIN = "must be left out unless --machine is a Blue Gene"
OF_BLUE_GENES = [
    *("--utility wfp3", "--utility-expr wait", "--threshold 1", "--scheduler head"),
    *("--fault-aware", "--allocation printed", "--alpha 1", "--beta 1"),
]


@pytest.mark.parametrize("option", OF_BLUE_GENES)
def test_options_of_a_blue_gene_are_refused_on_a_plain_machine(option, folder, monkeypatch):
    monkeypatch.chdir(folder)
    expected = f"Error: {option.partition(' ')[0]} {PLAIN}\n"
    assert refusal([*SWF, *option.split()]) == expected


EMPTY = "(empty: 1 dropped; first at line 1: the file holds no "
NO_JOB, NO_FAILURE = f"{EMPTY}job)", f"{EMPTY}failure)"
LINES = [
    # Machine, size and jobs of a replay
    ("replay empty.swf", "empty.swf must hold jobs, got none of 0 " + NO_JOB),
    ("replay idle.swf", "idle.swf must hold jobs that ran, got none"),
    (
        "replay unsized.swf",
        "--processors must be given where the log's header does not say MaxProcs",
    ),
    (
        "replay jobs.swf --processors 4 --machine flat:4",
        "--processors must be left out with --machine",
    ),
    (
        "replay jobs.swf --machine round:4",
        "--machine must be intrepid, intrepid:XML, bluegene:RxC or flat:N (N processors), "
        "got 'round:4'",
    ),
    (
        "replay jobs.swf --machine flat:0",
        "--machine must be intrepid, intrepid:XML, bluegene:RxC or flat:N (N processors), "
        "got 'flat:0'",
    ),
    (
        "replay jobs.swf --machine bluegene:8",
        "--machine bluegene must be ROWSxRACKS, got 'bluegene:8'",
    ),
    (
        "replay jobs.swf --processors 8 --processors-per-node 9",
        "--processors-per-node must be <= the 8 of the machine, got 9",
    ),
    (
        "replay jobs.swf --since +5s --before +5s",
        "--before must be later than --since",
    ),
    (
        "replay jobs.swf --since +3s --before +5s",
        "--since and --before must leave jobs, got 0 of 3",
    ),
    # Walltimes and checkpoints
    (
        "replay jobs.swf --missing-walltime runtime --walltime-factor 2",
        "--walltime-factor must be left out with --missing-walltime runtime",
    ),
    (
        "replay jobs.swf --missing-walltime factor",
        "--missing-walltime factor must have a --walltime-factor",
    ),
    (
        "replay jobs.swf --checkpoint-interval 1h",
        "--checkpoint-interval and --checkpoint-cost must be given together; --checkpoint-cost 0s "
        "writes them in no time",
    ),
    (
        "replay jobs.swf --checkpoint-cost 1h",
        "--checkpoint-interval and --checkpoint-cost must be given together",
    ),
    (
        "replay jobs.swf --checkpoint-interval 1us --checkpoint-cost 1s",
        "--checkpoint-interval must leave at most 1,000,000 checkpoints a job, got about 9e+06",
    ),
    (
        "replay jobs.swf --job-checkpoints wide.csv",
        "wide.csv must begin with a line job,interval,cost and, where known, recovery, "
        "got 'job,cost'",
    ),
    (
        "replay jobs.swf --job-checkpoints short.csv",
        "short.csv, line 2: must have 3 columns, got 2",
    ),
    (
        "replay jobs.swf --job-checkpoints stranger.csv",
        "stranger.csv, line 2: job must be one of LOG, got '7'",
    ),
    (
        "replay jobs.swf --job-checkpoints twice.csv",
        "twice.csv, line 3: job must be one of its own, got '1' as in line 2",
    ),
    (
        "replay jobs.swf --job-checkpoints never.csv",
        "never.csv, line 2: interval must be > 0 or none, got '0'",
    ),
    (
        "replay jobs.swf --job-checkpoints slow.csv",
        "slow.csv, line 2: cost must be seconds or a duration with a unit, such as 90 or 30min, "
        "got 'quick'",
    ),
    # Policies
    (
        "replay jobs.swf --policy easy --compare fcfs",
        "--policy must be left out with --compare",
    ),
    (
        "replay jobs.swf --policy nowhere:Mine",
        "--policy must name a policy as package.module:Name, got 'nowhere:Mine' "
        "(ModuleNotFoundError: No module named 'nowhere')",
    ),
    (
        "replay jobs.swf --policy math:floor",
        "--policy must name a policy as package.module:Name, got 'math:floor' "
        "(TypeError: math.floor() takes exactly one argument (0 given))",
    ),
    (
        "replay jobs.swf --compare fcfs,builtins:dict",
        "--compare must name a policy as package.module:Name that has name, runs_on and begin, "
        "or a class of such, got 'builtins:dict' of kind dict",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --order wait",
        "--order must be left out on a Blue Gene; give --utility-expr",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --policy easy",
        "--policy must be left out on a Blue Gene, or be package.module:Name; give --utility, "
        "got 'easy'",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --policy a:b --utility wfp3",
        "--utility must be left out with --policy a:b",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --compare a:b --fault-aware",
        "--fault-aware must be left out with --compare a:b",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --policy a:b --compare c:d",
        "--policy must be left out with --compare",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --scheduler head --threshold 0.5",
        "--threshold must be left out with --scheduler head, which tries all jobs",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --utility wfp3 --utility-expr wait",
        "only one must be given of --utility, --utility-expr and --compare",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --fault-aware --allocation least-blocking",
        "--allocation must be one of printed, neighbours, june-2009 or released with --fault-aware",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --fault-aware --alpha 2",
        "--alpha must be left out unless --allocation is one of printed, neighbours, june-2009; "
        "it is released",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --beta 2",
        "--beta must be left out unless --allocation is one of printed, neighbours, june-2009; "
        "it is least-blocking",
    ),
    # Failures of a replay
    (
        "replay jobs.swf --failures failures.csv --mtbf 1h",
        "--failures must be left out with --mtbf",
    ),
    (
        "replay jobs.swf --mtbf 10h --new-nodes --stationary",
        "--stationary must be left out with --new-nodes",
    ),
    (
        "replay jobs.swf --mtbf 10h --burst-size 2 --burst-within rack --rack-size 65",
        "--rack-size must be <= the 64 nodes of the machine, got 65",
    ),
    (
        "replay jobs.swf --mtbf 10h --burst-size 2 --burst-within rack",
        "--burst-within rack must come with --rack-size, got it alone",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --mtbf 10h --burst-size 2 --burst-within rack "
        "--rack-size 2",
        "--rack-size must be left out on a Blue Gene, got 2",
    ),
    (
        "replay jobs.swf --mtbf 10h --lemon-share 0.001",
        "--lemon-share must be at least one and not all of the 64 nodes, got 0.001",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --mtbf 10h --lemon-share 1",
        "--lemon-share must be at least one and not all of the 2 midplanes, got 1",
    ),
    (
        "replay jobs.swf --failures none.csv",
        "none.csv must hold failures, got none of 0 " + NO_FAILURE,
    ),
    (
        "replay jobs.swf --failures elsewhere.csv --node-names names.txt",
        "--node-names must name the 64 nodes of the machine, got 2",
    ),
    (
        "replay jobs.swf --processors 2 --failures elsewhere.csv --node-names names.txt",
        "elsewhere.csv must name nodes of the machine, such as 'a', got none in 2 failures, the "
        "first at 'gpu7'",
    ),
    (
        "replay jobs.swf --failures failures.csv --max-machines 63",
        "--failures must strike a machine of at most 63 nodes, got 64; raise --max-machines, or "
        "give --processors-per-node",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --failures failures.csv --node-names names.txt",
        "--node-names must be left out on a Blue Gene: midplanes have names",
    ),
    (
        "replay jobs.swf --failures jobs.swf",
        "jobs.swf must be a failure log, got one of jobs by its first lines: --failure-format csv "
        "reads it all the same",
    ),
    (
        "replay jobs.swf --machine bluegene:1x1 --maintenance planned.csv",
        "planned.csv, line 2: kind must be outage on a Blue Gene, whose scheduler knows of no "
        "planned windows, got planned",
    ),
    # Recovery options that users pay for
    (
        "recovery jobs.swf --credits A=0",
        "--credits must have a price for each option of the cases, got none for B",
    ),
    (
        "recovery jobs.swf --credits A=2,B=3,C=4,D=5,E=6 --allowance 1",
        "--allowance must be at least the lowest price, 2, got 1",
    ),
    # Grids
    ("grid empty.swf --machines two.toml", "empty.swf must hold jobs that ran, got none"),
    (
        "grid jobs.swf --machines one.toml --scale-runtimes",
        "--scale-runtimes must have clusters of different speeds, got 2 for all of them",
    ),
    (
        "grid jobs.swf --machines two.toml --failures none.csv",
        "none.csv must hold failures, got none of 0 " + NO_FAILURE,
    ),
    (
        "grid jobs.swf --machines two.toml --mtbf 10h --lemon-share 0.01",
        "--lemon-share must be at least one and not all of the 5 machines, got 0.01",
    ),
    ("grid jobs.swf --machines two.toml --mtbf 10h --mttr 0s", "--mttr must be > 0, got 0s"),
    (
        "grid jobs.swf --machines two.toml --requirements log",
        "--requirements log must be left out unless LOG is .mwf or GWF",
    ),
    (
        "grid jobs.swf --machines two.toml --requirements absent",
        "--requirements must be a readable file, reconstruct or log, got 'absent'",
    ),
    (
        "grid jobs.swf --machines two.toml --requirements asked.csv",
        "asked.csv, line 2: job must be a whole number, got 'seven'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partitions 1=a "
        "--partition-map zone.csv",
        "--partitions must be left out with --partition-map",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partition-map both.csv",
        "both.csv, line 1: columns must be partition or queue, got both",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partition-map bare.csv",
        "bare.csv must hold partitions and their clusters, got none",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partition-map zone.csv",
        "zone.csv, line 2: partition must be one of 1, 2, as in LOG, got '9'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partition-map site.csv",
        "site.csv, line 2: cluster must be one of a, b, got 'z'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partition-map again.csv",
        "again.csv, line 3: partition must be named once, got '1' again",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partitions 1",
        "--partitions must be pairs such as 1=a,2=b, got '1'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partitions 3=a",
        "--partitions must name partitions of LOG, 1, 2, got '3'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partitions 1=c",
        "--partitions must name clusters of the machines, a, b, got 'c'",
    ),
    (
        "grid jobs.swf --machines fast.toml --scale-runtimes --partitions 1=a,1=b",
        "--partitions must name each partition once, got '1' again",
    ),
    (
        "grid jobs.swf --machines two.toml --policies fcfs,best",
        "--policies must be of fcfs, fcfs-lb, easy, cons, ls, got 'best'",
    ),
    (
        "grid jobs.swf --machines two.toml --order wait --policies ls",
        "--policies must be of fcfs, fcfs-lb, easy, cons with --order, got 'ls'",
    ),
    # Failure logs
    (
        "fit systems.csv --format swf",
        "--format must be csv, lanl, sacctmgr, mira-ras, bgl-ras, fta, metacentrum, infinitehbd, "
        "prometheus, skypilot, xid, sacct, sacct-json, pbs, lsf, table, acme or helios, got 'swf'",
    ),
    (
        "fit systems.csv --since 9 --until 2",
        "--until must be after --since, got 2 and 9",
    ),
    (
        "fit lanl.csv --format lanl --system x",
        "--system must be a number in a LANL log, got 'x'",
    ),
    ("fit none.csv", "none.csv must hold failures, got none of 0 " + NO_FAILURE),
    ("fit nameless.csv --by node", "--by node must have a LOG that names nodes, got none"),
    (
        "fit systems.csv --by node --nodes 9",
        "--nodes must come with --system, got 2 systems",
    ),
    (
        "fit systems.csv --by node --nodes 1 --system x",
        "--nodes must be >= the 2 nodes named in LOG, got 1",
    ),
    (
        "fit sacct.txt --system x",
        "--system must be left out for jobs of sacct, which name none",
    ),
    (
        "interval --checkpoint-cost 6min --log sacct.txt",
        "--nodes must be given with sacct.txt, a log of jobs",
    ),
    (
        "spares --nodes 100 --log failures.csv --failures 3",
        "--failures must be left out with --log",
    ),
    (
        "spares --nodes 100 --log failures.csv --node-mtbf 3h",
        "--node-mtbf must be left out with --log",
    ),
    ("spares --nodes 100 --format csv", "--format must come with --log, got it alone"),
    ("spares --nodes 100 --failures 3", "--failures must come with --observed, got it alone"),
    ("spares --nodes 100 --observed 3h", "--observed must come with --failures, got it alone"),
    (
        "spares --nodes 100 --failures 3 --observed 3h --node-mtbf 3h",
        "--node-mtbf must be left out with --failures",
    ),
    (
        "spares --nodes 100 --log lanl.csv",
        "--mttr must be given, as lanl.csv has no repairs",
    ),
    # Tables of machines
    ("partition unnamed.csv --work 1h", "unnamed.csv must have a column mtbf, got speed"),
    ("partition headless.csv --work 1h", "headless.csv must have a column speed, got none"),
    ("partition rowless.csv --work 1h", "rowless.csv must have a row for each machine, got none"),
    ("partition spread.csv --work 1h", "spread.csv must have mttr_std or mttr_cv, got both"),
    ("partition double.csv --work 1h", "double.csv must have one column speed, got more"),
    ("partition named.csv --work 1h", "named.csv must have one column of names, got 2"),
    ("partition ragged.csv --work 1h", "ragged.csv, line 2 must have 2 cells, got 3"),
    ("partition still.csv --work 1h", "still.csv, line 2: speed must be a number > 0, got '0'"),
    (
        "partition word.csv --work 1h",
        "word.csv, line 2: mttr_cv must be a number >= 0, got 'big'",
    ),
    (
        "partition minus.csv --work 1h",
        "minus.csv, line 2: mttr_cv must be a number >= 0, got '-1'",
    ),
    (
        "partition slowly.csv --work 1h",
        "slowly.csv, line 2: mttr must be < mtbf, got 2 h and 60 min",
    ),
    (
        "partition certain.csv --work 1h",
        "certain.csv, line 2: mttr_std must be 0 where mttr is, got 60 s",
    ),
    (
        "partition latin.csv --work 1h",
        "latin.csv must be text in UTF-8, got the byte 0xff",
    ),
    (
        "partition fleet.csv --work 1h --max-machines 1",
        "fleet.csv must hold at most 1 machines, got more; raise --max-machines if it is what it "
        "should be",
    ),
    # Scenarios
    ("plan failures.toml", "failures.format must come with failures.log, got it alone"),
    ("plan number.toml", "failures.log must be a text, got 5"),
    ("plan absent.toml", "failures.log must be a readable file, got 'absent.csv'"),
    (
        "plan slurm.toml",
        "failures.log must count failures of the machine, got jobs of sacct: perfmodel fit tells "
        "their node MTBF, for node_mtbf",
    ),
    ("plan large.toml", "large.toml must have at most 2,000,000 bytes, got 2,000,001"),
    ("plan latin.toml", "latin.toml must be UTF-8, got invalid start byte"),
    # The job of a formula
    (
        "interval",
        "the MTBF must come in exactly one form: --mtbf, --node-mtbf with --nodes, --failures "
        "with --observed, --failure-rate with --nodes, --log, or --preset; got none",
    ),
    (
        "interval --mtbf 8h",
        "the checkpoint must come in exactly one form: --checkpoint-cost, or --checkpoint-size "
        "with --bandwidth; got none",
    ),
    (
        "interval --mtbf 8h --node-mtbf 9h --checkpoint-cost 1min",
        "the MTBF must come in exactly one form: --mtbf, --node-mtbf with --nodes, --failures "
        "with --observed, --failure-rate with --nodes, --log, or --preset; got --mtbf and "
        "--node-mtbf",
    ),
    (
        "interval --node-mtbf 9h --checkpoint-cost 1min",
        "--node-mtbf must come with --nodes, got it alone",
    ),
    (
        "interval --mtbf 9h --checkpoint-cost 1min --system 3",
        "--system must come with --log, got --mtbf",
    ),
    (
        "interval --mtbf 9h --checkpoint-cost 1min --nodes 3",
        "--nodes must come with --node-mtbf, --failure-rate, --log or --price, got --mtbf, which "
        "is of the whole machine already",
    ),
    (
        "interval --log systems.csv --checkpoint-cost 1min --nodes 3",
        "--nodes must come with --system, got 2 systems",
    ),
]


@pytest.mark.parametrize(("command", "line"), LINES)
def test_a_refusal_says_all_there_is_to_say(command, line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert refusal(command.split()) == f"Error: {line}\n"


IN = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]
BLOCKS = "spares --blocks 4 --block-mtbf 9h --checkpoint-cost 1min"
MORE = [
    ("replay jobs.swf --seeds 1:2 --seed 3", "--seed must be left out with --seeds"),
    (
        "replay jobs.swf --seeds 5:1",
        "--seeds must be seeds such as 7, 1:200 or 1,5,9, got '5:1'",
    ),
    (
        "replay jobs.swf --seeds 1:1000001",
        "--seeds must be seeds such as 7, 1:200 or 1,5,9, got '1:1000001'",
    ),
    (
        "replay jobs.swf --mtbf 9h --until 0%",
        "--until must be a share of the mean, such as 2%, got '0%'",
    ),
    (
        "replay jobs.swf --scale-gaps 0",
        "--scale-gaps must be a number > 0, got '0'",
    ),
    (
        "replay jobs.swf --oversize shrink",
        "--oversize must be one of refuse, skip, got 'shrink'",
    ),
    (
        "replay jobs.swf --processors 0",
        "--processors must be a whole number >= 1, got '0'",
    ),
    (
        f"replay jobs.swf --processors {10**18}",
        f"--processors must be a whole number >= 1, got '{10**18}' (of more than 18 digits)",
    ),
    (
        "replay jobs.swf --out nowhere/file",
        "--out must be a writable file, got 'nowhere/file' (no such folder)",
    ),
    ("replay absent.swf", "LOG must be a readable file, got 'absent.swf' (no such file)"),
    ("replay .", "LOG must be a readable file, got '.' (a directory)"),
    # Spares
    (
        "spares --nodes 9 --node-mtbf 1h --mttr 1001h",
        "--mttr must be at most 1000 times --node-mtbf, got 1001 h",
    ),
    (f"{BLOCKS} --nodes 3", "--nodes must be left out with --blocks"),
    (f"{BLOCKS} --mtbf 3h", "--mtbf must be left out: give that of a block, --block-mtbf"),
    (
        "spares --nodes 9 --node-mtbf 1y --mttr 1h --may-miss 1",
        "--may-miss must come with --blocks, got it alone",
    ),
    (
        f"{BLOCKS} --mttr 1h --standbys 501",
        "--standbys must be at most 500, got 501: take larger blocks",
    ),
    (
        f"{BLOCKS} --mttr 1h --resize-time 1s",
        "--resize-time must come with --may-miss, got it alone",
    ),
    (
        f"{BLOCKS} --mttr 1h --under-repair 1",
        "--under-repair must come with --work, got it alone",
    ),
    (
        f"{BLOCKS} --mttr 1h --standbys 1 --may-miss 4",
        "--may-miss must be less than --blocks, got 4 of 4",
    ),
    (
        f"{BLOCKS} --mttr 1h --standbys 1 --may-miss 1 --work 1h",
        "--work must be left out with --may-miss",
    ),
    (
        f"{BLOCKS} --mttr 1h --standbys 1 --under-repair 2 --work 1h",
        "--under-repair must be at most --standbys, got 2 of 1",
    ),
    # Promises
    (
        "qos jobs.swf --out o.csv --resume r.json",
        "--out must be left out with --resume: finished cells are not played",
    ),
    (
        "qos jobs.swf --forecaster rate --accuracy 0.5",
        "--accuracy must come with --forecaster detectability, got it alone",
    ),
    (
        "qos jobs.swf --node-mtbf 1h",
        "--node-mtbf must come with --forecaster rate or calibrated, got it alone",
    ),
    (
        "qos jobs.swf --recall 0.5",
        "--recall must come with --forecaster calibrated, got it alone",
    ),
    (
        "qos jobs.swf --forecaster rate --sensitivity 0.5",
        "--sensitivity must come with --forecaster stated, got it alone",
    ),
    (
        "qos jobs.swf --failures failures.csv --failures-per-year 9",
        "--failures must be left out with --failures-per-year",
    ),
    # Options of a grid without effect
    ("grid jobs.swf --machines two.toml --mttr 1h", "--mttr must come with --mtbf, got it alone"),
    (
        "grid jobs.swf --machines two.toml --mtbf 9h --burst-span 1s",
        "--burst-span must come with --burst-size above 1 or --failures-like, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --mtbf 9h --lemon-factor 2",
        "--lemon-factor must come with --lemon-share above 0, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --unknown-repair 1h",
        "--unknown-repair must come with --failures, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --origin 5",
        "--origin must come with --failures or --maintenance, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --reconstruct-by user",
        "--reconstruct-by must come with --requirements reconstruct, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --partitions 1=a",
        "--partitions must come with --requirements reconstruct, --scale-runtimes or "
        "--from-first-use, got it alone",
    ),
    (
        "grid jobs.swf --machines two.toml --walltime-factor 2",
        "--walltime-factor must come with --estimates walltime or --kill, got it alone",
    ),
    (
        "recovery jobs.swf --case Z",
        "--case must be some of ff,mr,even,normal,all-b,all-c,all-d,all-e,all-f,own, got 'Z'",
    ),
    (
        "recovery jobs.swf --allowance 3",
        "--allowance must come with --credits, got it alone",
    ),
    # Intervals
    (
        "interval --mtbf 8h --checkpoint-cost 1min --sequence",
        "--sequence must come with --uptime-law, got it alone",
    ),
    (
        "interval --mtbf 8h --checkpoint-cost 1min --in-flight safe",
        "--in-flight must be one of overlap, single_buffer, skip, got 'safe'",
    ),
    (
        "interval --mtbf 8h --checkpoint-cost 1min --snapshot-cost 1s",
        "--snapshot-cost must come with --async-latency, got it alone",
    ),
    (
        "interval --mtbf 8h --checkpoint-cost 1min --overlap 0.5",
        "--overlap must come with --power, got it alone",
    ),
    (
        "interval --mtbf 8h --checkpoint-cost 1min --predictor recall=1%,precision=1%,cost=1s",
        "--predictor must come with --compare, got it alone",
    ),
    (
        "interval --uptime-law gamma:mean=1h,cv=1 --mtbf 8h --checkpoint-cost 1min",
        "--uptime-law must come without --mtbf, got both",
    ),
    (
        "interval --uptime-law gamma:mean=1h,cv=1 --nodes 8 --checkpoint-cost 1min",
        "--nodes must come with --price where --uptime-law is the law of the machine",
    ),
    (
        "interval --uptime-law gamma:mean=1h,cv=1 --checkpoint-cost 1min --compare",
        "--compare takes exponential uptimes: leave --uptime-law out",
    ),
    # Advice to a job
    (
        "advise --state s.json",
        "--cost must be given where s.json is not there yet, got none: the time for which a "
        "checkpoint stops the job",
    ),
    ("advise --cost 1s", "--state must be given, got none"),
    (
        "advise --state s.json --cost 1s --node-mtbf 1h",
        "--node-mtbf must come with --nodes, got it alone",
    ),
    (
        "advise --state s.json --cost 1s --observed 1h",
        "--observed must come with --failures, got it alone",
    ),
    (
        "advise --state s.json --cost 1s --mtbf 1h --node-mtbf 1h --nodes 3",
        "the MTBF must come in at most one form (--mtbf, --node-mtbf with --nodes, --failures "
        "with --observed), got --mtbf and --node-mtbf",
    ),
    (
        "advise --state s.json --cost 1s --failures failures.csv",
        "--failures must be a number without --sacct, got failures.csv",
    ),
    (
        "advise --state s.json --cost 1s --since 1d",
        "--since must come with --sacct, got it alone",
    ),
    (
        "advise --state s.json --cost 1s --on-level 1",
        "--on-level must come with --event begun or --event restored, got it without",
    ),
    (
        "advise --state s.json --cost 1s --on-level 3 --event begun",
        "--on-level must be from 1 to 1, got 3",
    ),
    # Advice to a site
    ("advise --sacct sacct.txt --cost 1s --step 4", "--step must be left out with --sacct"),
    (
        "advise --sacct sacct.txt --cost 1s --failures 4",
        "--failures must be a log with --sacct, got 4",
    ),
    ("advise --sacct sacct.txt", "--cost must be given, got none"),
    (
        "advise --sacct sacct.txt --cost 1s --failures failures.csv",
        "failures.csv must have its times on the clock of sacct.txt, got one of the two without "
        "dates",
    ),
    (
        "advise --sacct sacct.txt --cost 1s --now 5",
        "--now must be later than the first job of sacct.txt",
    ),
    (
        "advise --sacct sacct.txt --cost 1s --nodes 3",
        "--nodes must be >= the 4 nodes of the largest job, got 3",
    ),
    (
        "advise --sacct sacct.txt --cost 1s --failures sacct.txt",
        "sacct.txt must be a failure log, got jobs of sacct",
    ),
    (
        "advise --sacct started.txt --cost 1s",
        "started.txt must hold jobs with NNodes and Start, got 1 jobs without",
    ),
    # Studies
    ("sweep --example two.toml", "--example must come alone, got more"),
    ("sweep", "STUDY must be given, got none"),
    ("sweep two.toml", "--ledger must be given, got none"),
    ("sweep two.toml --ledger l", "--table must be given, got none"),
    (
        "sweep two.toml --ledger l --table t.txt",
        "--table must end with .csv, .parquet, .tex, .md or .html, got 't.txt'",
    ),
    (
        "traces formats swff",
        "NAME must be one of swf, sacct, sacct-json, pbs, lsf, batsim, table, acme, helios, "
        "alibaba-gpu, philly, gwf, mwf, csv, sacctmgr, lanl, fta, metacentrum, bgl-ras, "
        "mira-ras, infinitehbd, prometheus, skypilot, xid, got 'swff'",
    ),
    (
        "traces resample unsized.swf --load 0.5 --out r.swf",
        "--processors must be given with --load where the log's header does not say MaxProcs",
    ),
]


@pytest.mark.parametrize(("command", "line"), MORE)
def test_a_refusal_of_options_says_all_there_is_to_say(command, line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert refusal(command.split()) == f"Error: {line}\n"


ARGUMENTS = [
    ("--downtime-law", "cauchy:mean=1h", "(no law 'cauchy')"),
    ("--downtime-law", "gamma:mean=1h", "(gamma takes mean and cv or shape)"),
    ("--downtime-law", "lognormal:mean=1h", "(lognormal takes mean and cv)"),
    ("--downtime-law", "exponential:mean=1h,cv=1", "(exponential takes mean)"),
    ("--downtime-law", "exponential:mean=0h", "(mean not > 0)"),
    ("--downtime-law", "gamma:mean=1h,shape=0", "(shape of gamma not > 0)"),
    ("--downtime-law", "lognormal:mean=1h,cv=0", "(cv of lognormal not > 0)"),
    ("--downtime-law", "hyperexponential:mean=1h,cv=0.5", "(cv of hyperexponential not >= 1)"),
    ("--level", "cost=1s", "(a level takes cost, recovery, survives)"),
    (
        "--level",
        "cost=1s,recovery=1s,survives=x",
        "(survives not a share such as 85% or 0.85)",
    ),
    (
        "--level",
        "cost=1s,recovery=1s,survives=1",
        "(survives all failures, as the durable checkpoint does)",
    ),
    (
        "--predictor",
        "recall=1%,cost=1s",
        "(recall, precision and cost are needed, window may come with them)",
    ),
    (
        "--predictor",
        "recall=x,precision=1%,cost=1s",
        "(recall not a share > 0 such as 70% or 0.7)",
    ),
    (
        "--predictor",
        "recall=1%,precision=0,cost=1s",
        "(precision not a share > 0 such as 70% or 0.7)",
    ),
    (
        "--predictor",
        "recall=1%,precision=1%,cost=0s,window=1s",
        "(cost not > 0 with a window)",
    ),
    (
        "--predictor",
        "recall=1,precision=1%,cost=1s,window=1s",
        "(recall not < 1 with a window)",
    ),
    ("--power", "static=1W", "(static and compute are needed, io and down may come with them)"),
    ("--power", "static=0W,compute=1W", "(static not > 0)"),
]
RULES = {
    "--downtime-law": "log, or exponential, gamma, hyperexponential, lognormal or weibull with its "
    "mean and cv, or shape, such as lognormal:mean=2h,cv=4",
    "--level": "a level such as cost=10s,recovery=5s,survives=85%",
    "--predictor": "a predictor such as recall=70%,precision=60%,cost=1min",
    "--power": "powers such as static=8MW,compute=10MW,io=1MW",
}


@pytest.mark.parametrize(("flag", "text", "reason"), ARGUMENTS)
def test_an_argument_of_pairs_says_what_it_takes(flag, text, reason):
    command = "completion" if flag == "--downtime-law" else "interval"
    assert refusal([command, *IN[1:], flag, text]) == (
        f"Error: {flag} must be {RULES[flag]}, got '{text}' {reason}\n"
    )


GRIDS = "[study]\nformula = 'expected_makespan'\n[parameters]\n"
FULL = "work = '1d'\ninterval = '1h'\ncheckpoint_cost = '1min'\n"
DRAWS = "[study]\nsimulate = 'makespan'\n[parameters]\nmtbf = '9h'\n" + FULL
STUDIES = [
    ("", "study.toml.study must be given, got none"),
    ("study = 3\nparameters = 3\n", "study must be a table, got 3"),
    (
        "[study]\nsead = 3\n[parameters]\n",
        "study must have keys among formula, simulate, replay, seed, samples, paired (nearest: "
        "seed), got 'sead'",
    ),
    ("[study]\n[parameters]\n", "study must have one of formula, simulate, replay, got none"),
    (
        "[study]\nformula = 'a'\nreplay = 'b'\n[parameters]\n",
        "study must have one of formula, simulate, replay, got formula and replay",
    ),
    ("[study]\nformula = 3\n[parameters]\n", "study.formula must be a text, got 3"),
    (
        "[study]\nsimulate = 'all'\n[parameters]\n",
        "study.simulate must be makespan, got 'all'",
    ),
    (
        "[study]\nreplay = 'absent.swf'\n[parameters]\n",
        "study.replay must be a readable file, got 'absent.swf'",
    ),
    (
        "[study]\nformula = 'expected_makespn'\n[parameters]\n",
        "study.formula must be a function of the catalogue (nearest: expected_makespan), got "
        "'expected_makespn'",
    ),
    (f"{GRIDS}mtbf = []\n{FULL}", "parameters.mtbf must have one value at least, got []"),
    (
        f"{GRIDS}mtbf = {{from = '1h', to = '2h'}}\n{FULL}",
        "parameters.mtbf.points must be given, got none",
    ),
    (
        f"{GRIDS}mtbf = {{from = '1h', to = '2h', points = 1}}\n{FULL}",
        "parameters.mtbf.points must be a whole number from 2 on, got 1",
    ),
    (
        f"{GRIDS}mtbf = {{from = '1h', to = '2h', points = 2, spacing = 'even'}}\n{FULL}",
        "parameters.mtbf.spacing must be one of linear, log, got 'even'",
    ),
    (
        f"{GRIDS}mtbf = {{from = '0h', to = '2h', points = 2, spacing = 'log'}}\n{FULL}",
        "parameters.mtbf must be > 0 for logarithms, got 0",
    ),
    (
        f"{GRIDS}mtbf = {{draw = 'uniform', low = '2h', high = '1h'}}\n{FULL}",
        "parameters.mtbf.high must be > low = 7200, got 3600",
    ),
    (
        f"{GRIDS}mtbf = {{draw = 'normal', low = '1h', high = '2h'}}\n{FULL}",
        "parameters.mtbf.draw must be one of uniform, log-uniform, got 'normal'",
    ),
    (
        f"{GRIDS}mtbf = {{draw = 'uniform', low = '1h', high = '2h'}}\n{FULL}",
        'study.samples must come with a parameter that has "draw", and that with it, got mtbf '
        "alone",
    ),
    (
        f"{GRIDS.replace(chr(10), chr(10) + 'samples = 3' + chr(10), 1)}mtbf = '1h'\n{FULL}",
        'study.samples must come with a parameter that has "draw", and that with it, got samples '
        "alone",
    ),
    (
        f"{GRIDS}mtbf = 5\n{FULL}",
        "parameters.mtbf must be a duration with a unit, such as 30min, 1.5h or 2d12h, got 5",
    ),
    (f"{GRIDS}{FULL}", "parameters.mtbf must be given, got none"),
    (
        f"{DRAWS}[replications]\nmetric = 'makespan_s'\n",
        "replications.metric must come with until, got it alone",
    ),
    (
        f"{DRAWS}[replications]\nuntil = '1%'\nnumber = 3\n",
        "replications.number must be left out with until, got both",
    ),
    (
        f"{DRAWS}[replications]\nuntil = '1%'\nmetric = 3\n",
        "replications.metric must be a text, got 3",
    ),
    (
        f"{DRAWS}[replications]\nuntil = 0\n",
        'replications.until must be a share such as "1%", got 0',
    ),
    (
        f"{DRAWS}[replications]\nnumber = 0\n",
        "replications.number must be a whole number >= 1, got 0",
    ),
    (
        f"{DRAWS}[replications]\njobs = 1.5\n",
        "replications.jobs must be a whole number >= 1, got 1.5",
    ),
    (
        f"{GRIDS}mtbf = '1h'\n{FULL}[replications]\nnumber = 2\n",
        "replications must be left out with a formula, which draws nothing",
    ),
    (
        "[study]\nreplay = 'jobs.swf'\n[parameters]\n[replications]\njobs = 2\n",
        "replications.jobs must be left out with a replay, got it",
    ),
    (
        f"{DRAWS.replace(chr(10), chr(10) + 'seed = -1' + chr(10), 1)}",
        "study.seed must be a whole number >= 0, got -1",
    ),
    (
        f"{DRAWS.replace(chr(10), chr(10) + 'paired = [2]' + chr(10), 1)}",
        "study.paired must be a list of mtbf, work, interval, checkpoint_cost, got [2]",
    ),
]


@pytest.mark.parametrize(("text", "line"), STUDIES)
def test_a_study_is_refused_by_the_name_of_its_key(text, line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "study.toml").write_text(text)
    found = refusal(["sweep", "study.toml", "--ledger", "ledger", "--table", "table.csv"])
    assert found == f"Error: {line}\n"
    assert not (folder / "ledger").exists()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ("done", "--event done must follow --event begun, got it without"),
        (
            "durable",
            "--event durable must follow --event begun, or done if the first call had --latency, "
            "got it without",
        ),
    ],
)
def test_the_end_of_a_checkpoint_must_follow_its_beginning(event, line, tmp_path):
    calls = ["advise", "--state", str(tmp_path / "state.json"), "--cost", "1s"]
    assert runner().invoke(main, [*calls, "--event", "started", "--now", "5"]).exit_code == 0
    assert refusal([*calls, "--event", event, "--now", "6"]) == f"Error: {line}\n"
    # The clocks of two nodes may differ: less than a minute before the last event is its time.
    assert refusal([*calls, "--event", event, "--now", "4"]) == f"Error: {line}\n"
    assert runner().invoke(main, [*calls, "--event", "failed", "--now", "6"]).exit_code == 0
    line = f"--event {event} must come while the job runs, got it before --event started"
    assert refusal([*calls, "--event", event, "--now", "7"]) == f"Error: {line}\n"


STAGED = f"{BLOCKS} --automatic-time 1h --manual-time 1d --escalated 0.1 --standbys 2"
APART = [
    *(
        (STAGED, option, "--automatic-time")
        for option in (
            *("--mttr 1h", "--goodput 0.5", "--may-miss 1", "--resize-time 1s"),
            *("--stopped-hazard 0.5", "--work 1h", "--under-repair 1"),
        )
    ),
    *(
        (f"{BLOCKS} --mttr 1h --standbys 2 --may-miss 1", option, "--may-miss")
        for option in ("--goodput 0.5", "--work 1h")
    ),
    *(
        ("advise --sacct sacct.txt --cost 1s", option, "--sacct")
        for option in (
            *("--state s.json", "--step 3", "--event begun", "--end 5", "--latency 1s"),
            *("--mtbf 1h", "--node-mtbf 1h", "--observed 1h", "--on-level 1"),
            "--level cost=1s,recovery=1s,survives=50%",
        )
    ),
    *((BLOCKS, f"{flag} 9h", "--blocks") for flag in ("--node-mtbf",)),
    (BLOCKS, "--confidence 0.9", "--blocks"),
    *(
        (
            "replay jobs.swf --mtbf 9h --seeds 1:2",
            option,
            "--seeds, --until or several values",
        )
        for option in ("--timing", "--by-class", "--use-over-time 1h")
    ),
    *(
        (
            "grid jobs.swf --machines two.toml --mtbf 9h --seeds 1:2",
            option,
            "--seeds, --until or several values",
        )
        for option in ("--timing", "--by-class", "--use-over-time 1h", "--runs 3")
    ),
    ("recovery jobs.swf --seeds 1:2", "--timing", "--seeds, --until or several values"),
    *(
        ("qos jobs.swf --seeds 1:2", option, "--seeds, --until or several values")
        for option in ("--timing", "--resume r.json")
    ),
]


@pytest.mark.parametrize(("command", "option", "lead"), APART)
def test_options_that_do_not_go_together(command, option, lead, folder, monkeypatch):
    monkeypatch.chdir(folder)
    flag = option.partition(" ")[0]
    found = refusal([*command.split(), *option.split()])
    assert found == f"Error: {flag} must be left out with {lead}\n"


ALONE = [
    *(
        ("spares --nodes 9 --node-mtbf 1y --mttr 1h", option, "--blocks")
        for option in (
            *("--standbys 2", "--goodput 0.5", "--block-mtbf 1h", "--checkpoint-cost 1s"),
            *("--recovery-cost 1s", "--work 1h", "--crews 2", "--interval 1h"),
        )
    ),
    *(
        ("grid jobs.swf --machines two.toml", option, "--mtbf")
        for option in (
            *("--weibull-shape 2", "--burst-size 2", "--mttr 1h"),
            "--mttr 20min",  # also where it is the default
        )
    ),
    *(
        ("grid jobs.swf --machines two.toml --mtbf 9h", option, lead)
        for option, lead in (
            ("--burst-span 1s", "--burst-size above 1 or --failures-like"),
            ("--burst-size 1 --burst-span 1s", "--burst-size above 1 or --failures-like"),
            ("--lemon-factor 3", "--lemon-share above 0"),
            ("--unknown-repair 1s", "--failures"),
            ("--origin 5", "--failures or --maintenance"),
            ("--missing-walltime runtime", "--estimates walltime or --kill"),
            ("--use-out use.csv", "--use-over-time"),
            ("--metric wait_s", "--until"),
            ("--workers 2", "--seeds or --until"),
        )
    ),
    *(
        (command, option, lead)
        for command in ("recovery jobs.swf", "qos jobs.swf")
        for option, lead in (
            ("--failure-format csv", "--failures"),
            ("--node-names names.txt", "--failures"),
            ("--failures-from-start", "--failures"),
            ("--metric wait_s", "--until"),
            ("--workers 2", "--seeds or --until"),
        )
    ),
    *(
        ("recovery jobs.swf", option, lead)
        for option, lead in (
            ("--burst-span 1s", "--burst-size above 1"),
            ("--lemon-factor 3", "--lemon-share above 0"),
            ("--rack-size 4", "--burst-within rack"),
            ("--sensitivity 0.5", "--fault-aware"),
        )
    ),
    *(
        ("qos jobs.swf", option, lead)
        for option, lead in (
            ("--recall 0.5", "--forecaster calibrated"),
            ("--sensitivity 0.5", "--forecaster stated"),
        )
    ),
    ("grid jobs.swf --machines two.toml", "--lemon-share 0.5", "--mtbf or --failures-like"),
    ("grid jobs.swf --machines two.toml", "--failure-format csv", "--failures or --failures-like"),
    (
        "grid jobs.swf --machines two.toml",
        "--partition-map zone.csv",
        "--requirements reconstruct, --scale-runtimes or --from-first-use",
    ),
    (
        "grid jobs.swf --machines two.toml",
        "--missing-walltime runtime",
        "--estimates walltime or --kill",
    ),
    *(
        ("recovery jobs.swf", option, "--credits")
        for option in ("--deposit-limit 1", "--overdraft-limit 1", "--accounts a.csv")
    ),
    *(
        ("qos jobs.swf --forecaster rate", option, lead)
        for option, lead in (
            ("--precision 0.5", "--forecaster calibrated"),
            ("--specificity 0.5", "--forecaster stated"),
        )
    ),
    *(
        ("goodput --mtbf 8h --checkpoint-cost 1min", option, "--memory-cost")
        for option in ("--memory-recovery 1s", "--survived 0.5")
    ),
]


@pytest.mark.parametrize(("command", "option", "lead"), ALONE)
def test_further_options_without_effect(command, option, lead, folder, monkeypatch):
    monkeypatch.chdir(folder)
    flag = [word for word in option.split() if word.startswith("--")][-1]
    found = refusal([*command.split(), *option.split()])
    assert found == f"Error: {flag} must come with {lead}, got it alone\n"


@pytest.mark.parametrize("text", ["1_0", "1e12", "-1e12", "nan", "soon", "\u0661"])
def test_the_clock_of_an_advisor_is_in_seconds(text, folder, monkeypatch):
    monkeypatch.chdir(folder)
    found = refusal(["advise", "--state", "s.json", "--cost", "1s", f"--now={text}"])
    assert found.startswith("Error: --now must be ")
    assert f"got {text!r}" in found


WITH_LEADS = {
    "grid jobs.swf --machines two.toml": [
        (
            "--mtbf 9h",
            "--weibull-shape 2 --burst-size 2 --burst-span 1s --lemon-share 0.5 --mttr 1h",
        ),
        ("--mtbf 9h --lemon-share 0.5", "--lemon-factor 3"),
        ("--failures failures.csv", "--failure-format csv --unknown-repair 1s --origin 5"),
        ("--maintenance planned.csv", "--origin 5"),
        ("--requirements reconstruct", "--reconstruct-by user --partitions 1=a"),
        ("--scale-runtimes --machines fast.toml", "--partition-map zone.csv"),
        ("--kill", "--missing-walltime runtime"),
        ("--estimates walltime", "--walltime-factor 2"),
        ("--use-over-time 1h", "--use-out use.csv"),
        ("--until 2%", "--metric wait_s --workers 2"),
        ("--seeds 1:2", "--workers 2"),
    ],
    "replay jobs.swf": [
        ("--mtbf 9h", "--weibull-shape 2 --new-nodes --burst-size 2 --lemon-share 0.5 --mttr 1h"),
        ("--mtbf 9h", "--stationary --on-failure new --strikes jobs"),
        ("--mtbf 9h --burst-size 2", "--burst-span 1s --burst-within node"),
        ("--mtbf 9h --burst-size 2 --burst-within rack", "--rack-size 4"),
        ("--mtbf 9h --lemon-share 0.5", "--lemon-factor 3"),
        (
            "--failures failures.csv",
            "--failure-format csv --node-names names.txt --failures-from-start --mttr 1h "
            "--on-failure new --log-start 5 --strikes jobs",
        ),
        ("--maintenance planned.csv", "--log-start 5 --on-failure new"),
        (
            "--checkpoint-interval 1h --checkpoint-cost 1s",
            "--recovery-cost 1s --checkpoints-in-walltime",
        ),
        ("--job-checkpoints short.csv", "--recovery-cost 1s --checkpoints-in-walltime"),
        ("--fault-aware", "--sensitivity 0.5 --specificity 0.5"),
        ("--allocation printed", "--sensitivity 0.5"),
        ("--allocation released", "--specificity 0.5"),
        ("--mtbf 9h", "--reboots partition"),
        ("--use-over-time 1h", "--use-out use.csv"),
        ("--mtbf 9h --until 2%", "--metric wait_s --workers 2"),
        ("--mtbf 9h --seeds 1:2", "--workers 2"),
    ],
    "recovery jobs.swf": [
        ("", "--weibull-shape 2 --mttr 1h"),  # failures are drawn unless they are named
        ("--burst-size 2", "--burst-span 1s"),
        ("--failures failures.csv", "--failure-format csv --node-names names.txt"),
        ("--credits A=1", "--allowance 3 --deposit-limit 3 --overdraft-limit 3 --accounts a.csv"),
        ("--fault-aware", "--sensitivity 0.5"),
    ],
    "qos jobs.swf": [
        ("--failures failures.csv", "--failure-format csv --node-names names.txt"),
        ("--forecaster calibrated", "--recall 0.5 --precision 0.5 --node-mtbf 1y"),
        ("--forecaster stated", "--sensitivity 0.5 --specificity 0.5"),
        ("--forecaster rate", "--node-mtbf 1y"),
        ("--forecaster detectability", "--accuracy 0.5"),
    ],
}


@pytest.mark.parametrize(
    ("command", "lead", "options"),
    [(command, lead, options) for command, rows in WITH_LEADS.items() for lead, options in rows],
)
def test_options_beside_what_they_need_are_not_refused(command, lead, options, folder, monkeypatch):
    monkeypatch.chdir(folder)
    words = [*command.split(), *lead.split(), *options.split()]
    line = refusal([word.replace("jobs.swf", "empty.swf") for word in words])
    assert line.startswith("Error: empty.swf must hold jobs")  # all options were taken
