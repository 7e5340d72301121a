"""All that predicts, and all that replays are made of or give, goes to other processes."""

import dataclasses
import importlib
import inspect
import io
import pickle
import pkgutil
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

import perfmodel
import sim
from perfmodel import (
    advisor,
    ageing,
    answers,
    chains,
    completion,
    energy,
    figures,
    fitting,
    lemons,
    levels,
    lifetimes,
    parallel,
    partition,
    planning,
    protocols,
    spot,
    training,
)
from perfmodel import forecasts as to_come
from perfmodel.completion.law import CompletionTime
from perfmodel.completion.repairs import Repair, repair_of
from perfmodel.lifetimes import Lifetime
from perfmodel.registry import FORMULAS, evaluate_formula
from perfmodel.validity import ValidityWarning
from sim import answers as replays
from sim import application, cluster, samplers, study, sweep, traces
from sim.cluster import bluegene, dialects, forecasts, grid, order, promises, recovery
from sim.records import Outcome
from sim.sweep.engines.engine import Answer
from tests.golden import INPUTS

PLANNED = {
    "machine": {"nodes": 9},
    "failures": {"mtbf": "8h"},
    "job": {"work": "9h"},
    "checkpoint": {"cost": "6min"},
    "spares": {"mttr": "1h"},
    "deadline": {"time": "10h"},
    "prices": {"node_hour": 1.0},
}
LAWS = (
    lifetimes.Bathtub(0.4, 0.1, 0.08, 2.4),
    lifetimes.Deterministic(2.0),
    lifetimes.Empirical(np.array([1.0, 2.0, 4.0])),
    lifetimes.Exponential(3.0),
    lifetimes.HyperExponential((0.25, 0.75), (1.0, 3.0)),
    lifetimes.Gamma(2.0, 3.0),
    lifetimes.LogNormal(0.5, 1.0),
    lifetimes.Weibull(0.7, 3.0),
)
FIRST = lifetimes.Gamma(2.0, 3.0).first_of(3), lifetimes.Weibull(0.002, 1.0).first_of(7)
# Laws for which another kind of repair is computed.
REPAIRS = (*LAWS, lifetimes.LogNormal(0.5, 1e-3), lifetimes.Weibull(900.0, 3.0))
JOB = {"mtbf": 8.0, "checkpoint_cost": 0.1, "interval": 2.0}

JOBS = cluster.Workload(
    submit=[0, 1, 2],
    runtime=[9, 5, 4],
    walltime=[10, 5, 8],
    processors=[3, 4, 1],
    dropped={"never_ran": 2},
)
STRIKE = cluster.Failures([3.0], [0], [2.0])
TABLE = bluegene.regular(1, 1)
GRID = cluster.Grid((cluster.ClusterSpec("a", 4, queues={"short": 60.0}),))
CELLS = {"easy": study.Cell("easy", study.DrawnFailures(4.0)), "fcfs": study.Cell("fcfs", STRIKE)}


def predicted():
    """Return what `perfmodel` makes."""
    yield from (*LAWS, *FIRST)
    for law in REPAIRS:
        yield repair_of(law)
        yield completion.exact_makespan(9.0, downtime=law, **JOB)
        yield completion.wsj_makespan(9.0, downtime=law, **JOB)
        yield completion.wsj_compound(9.0, downtime=law, **JOB)
        yield completion.wsj_compound(9.0, downtime=law, recovery_cost=0.5, **JOB)
    yield completion.exact_makespan(9.0, **{**JOB, "mtbf": np.inf})  # certain
    yield completion.exact_makespan(9.0, **{**JOB, "mtbf": 1e-3})  # never
    yield protocols.recommend(9.0, mtbf=8.0, checkpoint_cost=0.1)
    yield from planning.plans(PLANNED)
    asked = advisor.CheckpointAdvisor(cost=60.0)
    asked.started(5.0)
    yield from (asked, asked.recommendation(6.0))
    law = completion.exact_makespan(9.0, downtime=1.0, **JOB)
    yield parallel.slowest([law, law])
    yield parallel.FirstCompletionTime(law, 3.0)
    yield parallel.compare_extra_node(4, work=9.0, downtime=1.0, **JOB)
    machines = partition.Machines([1.0, 2.0], [9.0, 8.0])
    yield machines
    yield partition.Schedule(
        chosen=np.array([0, 1]),
        shares=np.array([0.5, 0.5]),
        subtask_time=1.0,
        expected_time=2.0,
        std=0.5,
        sets_evaluated=3,
    )
    copies = [levels.Level(0.1, 0.1, 0.8), levels.Level(0.5, 0.5, 1.0)]
    yield from (copies[0], levels.optimal_pattern_levels(copies, mtbf=8.0))
    yield levels.TwoLevelPattern(interval=2.0, durable_every=3.0)
    uptime = lifetimes.Weibull(0.7, 8.0)
    yield ageing.exact_makespan_ageing(4.0, interval=2.0, uptime=uptime, checkpoint_cost=0.1)
    yield ageing.optimal_plan_ageing(4.0, uptime=uptime, checkpoint_cost=0.5)
    yield training.training_shares(interval=2.0, mtbf=8.0, checkpoint_cost=0.1)
    yield training.training_shares_memory(
        interval=2.0, durable_every=2, mtbf=8.0, survived=0.9, memory_cost=0.1, checkpoint_cost=0.3
    )
    yield spot.spot_outlook(2.0, deadline=9.0, spot_life=uptime, spot_gap=lifetimes.Gamma(2.0, 1.0))
    yield chains.optimal_checkpoints_chain([1.0, 2.0], mtbf=8.0, checkpoint_costs=0.1)
    powers = {"static_power": 1.0, "compute_power": 2.0}
    yield energy.time_energy_curve(mtbf=8.0, checkpoint_cost=0.1, **powers)
    yield fitting.mtbf_confidence(failures=10, observed_time=1000.0)
    yield fitting.rate_change(10, 1000.0, 24, 1000.0)
    yield lemons.bad_nodes([0, 2, 1, 9])
    yield fitting.fit_lifetime([1.0, 2.0, 3.5, 0.4, 7.0])
    yield fitting.mtbf_posterior(10, 1000.0)
    yield fitting.mean_posterior([1.0, 2.0, 1.5])
    yield fitting.failure_clusters([1.0, 0.1] * 5)
    pace = np.repeat([9.0, 1.0], 40)
    yield fitting.failure_pattern(pace * np.tile([9.0, 0.002, 7.0, 0.001], 20))
    yield completion.predictive_makespan(
        9.0, failures=3, observed_time=90.0, interval=3.0, checkpoint_cost=0.1
    )
    machine = {"mtbf": fitting.mtbf_posterior(3, 90.0), "checkpoint_cost": 0.1}
    yield perfmodel.credible_interval(perfmodel.optimal_interval, machine)
    yield FORMULAS
    yield figures.Curve("one", np.ones(2), np.ones(2))
    yield from (figures.Mark("best", 1.0), figures.Span("near", 1.0, 2.0))
    yield evaluate_formula(perfmodel.expected_makespan, work=9.0, **JOB)
    yield from asked_and_answered()


def foretold():
    """Return a past, and what it says of the failures to come."""
    known = to_come.FailureHistory.of(np.arange(1.0, 40.0) * 86_400.0, 40.0 * 86_400.0)
    job = to_come.PlannedJob(work=86_400.0, interval=7_200.0, checkpoint_cost=300.0)
    outlook = to_come.outlook_of(known, job)
    yield from (known, job, outlook, outlook.rates, outlook.law(job))
    unit = 2.0**700  # whose powers no float holds
    yield to_come.mixed_makespan(
        40.0 * unit,
        weights=1.0,
        shapes=4.5,
        means=0.02 / unit,
        interval=5.0 * unit,
        checkpoint_cost=0.5 * unit,
    )


def asked_and_answered():
    job = {"mtbf": 9000.0, "checkpoint_cost": 60.0}
    blocks = {"blocks": 4, "block_mtbf": 1e6, "mttr": 1e4, "checkpoint_cost": 60.0}
    sequential = {"sequential_share": 0.01, "node_mtbf": 1e7, "checkpoint_cost": 60.0}
    for question, request in (
        (answers.interval, answers.IntervalRequest(**job)),
        (answers.completion, answers.CompletionRequest(**job)),
        (answers.goodput, answers.GoodputRequest(**job)),
        (answers.spares, answers.SparesRequest(nodes=4, node_mtbf=1e6, mttr=1e4)),
        (answers.spares, answers.SparesRequest(**blocks, standbys=1)),
        (answers.nodes, answers.NodesRequest(nodes=90, **sequential)),
        (answers.partition, answers.PartitionRequest(machines=INPUTS / "machines.csv", work=1e5)),
        (
            answers.partition,
            answers.PartitionRequest(
                machines=INPUTS / "machines.csv", work=1e5, algorithm="all", simulate=30
            ),
        ),
        (
            answers.extra,
            answers.ExtraRequest(
                nodes=2, work=9e5, node_mtbf=1e6, downtime=60.0, checkpoint_cost=60.0
            ),
        ),
        (answers.fit, answers.FitRequest(log=INPUTS / "failures.csv")),
        (answers.plan, answers.PlanRequest(scenario=INPUTS / "spares.toml")),
        (answers.site, answers.AdviseRequest(sacct=INPUTS / "sacct.txt", cost=300.0)),
        (answers.energy, answers.EnergyRequest(**job, power="static=8MW,compute=10MW")),
        (answers.simulate, answers.SimulateRequest(**job, replications=100)),
        (
            answers.forecast,
            answers.ForecastRequest(
                log=INPUTS / "failures.csv", work="2d", checkpoint_cost="5min", futures=9
            ),
        ),
    ):
        yield from (request, question(request))
    with TemporaryDirectory() as folder:
        study, ledger = Path(folder, "study.toml"), Path(folder, "ledger.db")
        study.write_text('[study]\nformula = "optimal_interval"\n[parameters]\n' + STUDIED)
        asked = answers.SweepRequest(study=study, ledger=ledger)
        yield from (asked, answers.sweep(asked))
        dearer = Path(folder, "dearer.toml")
        dearer.write_text((INPUTS / "spares.toml").read_text().replace('"45s"', '"90s"'))
        yield answers.offers([INPUTS / "spares.toml", dearer])


STUDIED = 'mtbf = ["8h", "9h"]\ncheckpoint_cost = "6min"\n'


def asked_of_replays():
    jobs, few = INPUTS / "jobs.swf", {"jobs": 9}
    yield replays.SiteRequest(log=jobs)
    quoted = replays.QuoteRequest(log=jobs, **few, nodes=2, runtime=60.0)
    yield from (quoted, replays.quote(quoted))
    grid = {"machines": INPUTS / "clusters.toml", "policies": ("fcfs",), "runs": 1}
    runs = []
    yield replays.grid(replays.GridRequest(log=jobs, **few, **grid), each=runs.append)
    yield runs
    study = replays.StudyRequest(seeds=(1, 2))
    site = {"log": jobs, "mtbf": 9e4}
    for question, request in (
        (replays.replay, replays.ReplayRequest(**site)),
        (replays.replay, replays.ReplayRequest(**site, study=study)),
        (replays.recovery, replays.RecoveryRequest(**site, cases=("ff",))),
        (
            replays.promises,
            replays.PromisesRequest(log=jobs, **few, accuracy=(0.5,), confidence=(0.9,)),
        ),
    ):
        yield from (request, question(request))


def played():
    """Return what reads logs, draws numbers and plays one job."""
    report = traces.Report("log", 3, 2, (traces.Problem(1, "rule", "why", "noted"),))
    yield report
    yield traces.Trace(pd.DataFrame({"job": [1, 2]}), report, {"MaxProcs": "4"})
    units = (traces.Unit("s", "n", 1, 9.0),)
    counts = {"outside": 1}
    yield traces.Uptimes(np.ones(2), np.array([True, False]), 1, 9.0, np.zeros(1), counts, units)
    yield traces.Limited("log", traces.Limits(max_lines=9))
    columns = traces.Columns(time="begun", kind="what", state=("down",))
    rows = "begun,node,what\n1,n1,down\n5,n1,up\n9,n2,down\n"
    log = traces.failure_log(io.StringIO(rows), "csv", columns=columns)
    yield from (columns, log, log.watch, traces.outages(log.failures), traces.Argument("fields"))
    yield traces.SAMPLES["swf"]
    yield from traces.CATALOGUE[:1]
    yield traces.describe_jobs(traces.intrepid_like(np.random.default_rng(1), jobs=40, days=9.0))
    yield traces.Condition("runtime", 0.2, 0.01, at_least=60.0)
    yield from (samplers.as_sampler("uptime", law) for law in (2.0, [1.0, 2.0]))
    yield from (
        samplers.Bathtub(0.45, 1.0, 0.8, 24.0),
        samplers.Deterministic(2.0),
        samplers.Empirical((1.0, 2.0)),
        samplers.Exponential(3.0),
        samplers.Gamma(2.0, 3.0),
        samplers.HyperExponential((0.25, 0.75), (1.0, 3.0)),
        samplers.LogNormal(0.5, 1.0),
        samplers.Weibull(0.7, 3.0),
    )
    yield application.Machine(mtbf=9.0, interval=2.0)
    yield application.Powers(static=1.0, compute=2.0)
    job = {"interval": 2.0, "checkpoint_cost": 0.1, "rng": np.random.default_rng(1)}
    uptime = samplers.Exponential(4.0)
    yield application.simulate_job(9.0, uptime=uptime, **job)
    predictor = {"recall": 0.5, "false_alarms": uptime, "proactive_cost": 0.1, "threshold": 0.5}
    yield application.simulate_predicted_job(9.0, uptime=uptime, **predictor, **job)
    tiers = {"durable_every": 2, "survived": 0.5, "local_cost": 0.1, "durable_cost": 0.2}
    two = {"interval": 2.0, "rng": np.random.default_rng(1), **tiers}
    yield application.simulate_two_level_job(9.0, uptime=uptime, **two)
    yield application.simulate_async_job(9.0, uptime=uptime, latency=0.5, **job)
    repair = application.TwoStageRepair(1.0, 9.0, 0.5)
    yield repair
    pool = application.TrainingCluster(
        servers=4, standbys=1, working=6, spare=2, mtbf=9.0, repair=repair
    )
    yield from (pool, application.simulate_training_jobs(3.0, cluster=pool, replications=2, seed=1))
    yield application.simulate_memory_runs(
        interval=2.0,
        durable_every=2,
        mtbf=8.0,
        survived=0.9,
        memory_cost=0.1,
        checkpoint_cost=0.3,
        replications=2,
        seed=1,
    )
    yield application.simulate_training_cycles(
        3, uptime=uptime, interval=2.0, checkpoint_cost=0.1, seed=1
    )
    yield application.simulate_wsj_job(9.0, mtbf=4.0, downtime=1.0, **job)
    followed = advisor.CheckpointAdvisor(cost=60.0)
    yield application.simulate_advised_job(
        followed, failures=[9.0], duration=20.0, checkpoint_costs=[1.0]
    )
    levelled = advisor.CheckpointAdvisor(cost=60.0, levels=[levels.Level(1.0, 1.0, 0.9)])
    shares = {"costs": [1.0, 60.0], "recoveries": [1.0, 60.0], "survives": [0.9, 1.0]}
    yield application.simulate_advised_level_job(
        levelled, 900.0, uptime=samplers.Exponential(500.0), rng=np.random.default_rng(1), **shares
    )


def replayed():
    """Return the parts of replays, and what they give."""
    maintenance = cluster.Maintenance((traces.Window(1.0, 2.0, "planned", ((0, 1),)),), 4)
    rng = np.random.default_rng(1)
    yield maintenance
    yield JOBS
    yield STRIKE
    yield cluster.flat(4)
    yield cluster.maintained(cluster.flat(4), maintenance)
    yield cluster.BlueGene(TABLE)
    yield GRID
    yield GRID.with_suitability(np.ones((3, 1), bool))
    yield grid.FailureModel(afc=0.1, gap_shape=0.7, repair_shape=1.0, repair_scale=2.0)
    yield grid.Requirement(frozenset({"fast"}), queue="short")
    yield from (cluster.NoCheckpoints(), cluster.Periodic(2.0, 0.1, 0.1))
    yield cluster.Periodic(np.array([2.0, 3.0, 4.0]), np.full(3, 0.1))
    forecaster = cluster.DetectabilityForecaster(0.5, 1)
    yield from (forecaster, cluster.RateForecaster(0.1))
    yield cluster.CalibratedForecaster(0.7, 0.5)
    qsim = cluster.QsimForecaster()
    yield from (qsim, cluster.StatedForecaster(qsim), forecasts.AlarmForecaster(0.6, 0.6, 1))
    outlook = forecaster.outlook(STRIKE, 4)
    yield cluster.Cooperative(2.0, 0.1, outlook)
    yield cluster.Negotiated(outlook, 0.5)
    yield promises.Promise(0.9, 5.0, 1.0)
    yield from cluster.POLICIES.values()
    yield from (policy(1) for policy in cluster.GRID_POLICIES.values())
    yield cluster.CancelStranded(cluster.GridEasy())
    yield grid.ScaledRuntimes(np.ones((3, 1)))
    yield from cluster.UTILITIES.values()
    yield cluster.utility_from_expression("(wait/walltime)**3*nodes", threshold=0.5)
    for allocation in (
        cluster.LeastBlocking(),
        cluster.FaultAware(qsim, alpha=2.0),
        cluster.ReleasedFaultAware(qsim),
    ):
        yield cluster.Cobalt(cluster.UTILITIES["fcfs"], allocation)
    yield from dialects.DIALECTS.values()
    for scheduler in bluegene.SCHEDULERS.values():
        yield cluster.Cobalt(scheduler=scheduler)
    yield from (cluster.Easy(order=cluster.all_bands), cluster.by_submission)
    yield cluster.Easy(order=order.order_from_expression("wait/walltime"))
    yield from cluster.RECOVERIES.values()
    yield from recovery.CASES.values()
    yield cluster.RecoverByOption(cluster.assign_options(rng, 3, recovery.CASES["normal"]))
    prices = cluster.Prices({name: 1.0 for name in cluster.OPTIONS}, 9.0, 1.0, 1.0)
    yield prices
    yield from CELLS.values()
    for engine in ("kernel", "general"):
        for failures in (None, STRIKE):
            yield cluster.replay(JOBS, cluster.flat(4), failures=failures, engine=engine)
    done = cluster.replay(JOBS, cluster.BlueGene(TABLE), policy=cluster.Cobalt())
    yield from (done, done.node_time, Outcome.COMPLETED)
    on_grid = cluster.replay_grid(JOBS, GRID, policy="ls", seed=1, failures=STRIKE)
    yield from (on_grid, on_grid.use_by_cluster, cluster.ANY, cluster.POOLS)
    yield cluster.replay_promises(
        JOBS, processors=4, forecaster=forecaster, confidence=0.5, failures=STRIKE
    )
    yield cluster.replay_credits(
        JOBS, cluster.flat(4), wanted=["A"] * 3, prices=prices, failures=STRIKE
    )
    yield study.play_study(JOBS, cluster.flat(4), CELLS, seeds=[1, 2])


def swept():
    """Return the parts of sweeps."""
    cell = sweep.Cell({"mtbf": 3.0, "policy": "easy"}, paired=("policy",))
    yield from (cell, cell.task(2, seed=1), sweep.Rule(until=0.1, metric="loss"))
    yield Answer([cell.task(0, seed=1)], ())


def same(mine, other):  # noqa: PLR0911 - a kind, a return
    """Return whether two things are equal, arrays bit by bit and as read-only."""
    if type(mine) is not type(other):
        return False
    if isinstance(mine, np.ndarray):
        equal = mine.dtype == other.dtype and mine.tobytes() == other.tobytes()
        return equal and mine.shape == other.shape
    if isinstance(mine, pd.DataFrame):
        return mine.equals(other)
    if isinstance(mine, Mapping):
        return list(mine) == list(other) and all(same(mine[key], other[key]) for key in mine)
    if isinstance(mine, list | tuple):
        pairs = zip(mine, other, strict=False)
        return len(mine) == len(other) and all(same(a, b) for a, b in pairs)
    if isinstance(mine, answers.CompletionAnswer):  # a law that was asked keeps what it found
        return mine.to_dict() == other.to_dict()
    if isinstance(mine, float):
        return np.float64(mine).tobytes() == np.float64(other).tobytes()
    if dataclasses.is_dataclass(mine):
        return all(
            same(getattr(mine, entry.name), getattr(other, entry.name))
            for entry in dataclasses.fields(mine)
        )
    own = state_of(mine)
    return mine == other if own is None else same(own, state_of(other))


def state_of(thing):
    """Return what an object of a class of ours, or a curve, holds; None for all others."""
    homes = ("sim.", "perfmodel.", "scipy.interpolate.")
    if inspect.isfunction(thing) or not type(thing).__module__.startswith(homes):
        return None
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(thing, name) for name in names} | getattr(thing, "__dict__", {})


@pytest.fixture(scope="module")
def things():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # of laws beyond the range of a formula
        return [*predicted(), *foretold(), *played(), *replayed(), *asked_of_replays(), *swept()]


def test_everything_comes_back_as_it_went(things):
    for thing in things:
        again = pickle.loads(pickle.dumps(thing))
        assert same(thing, again), thing
        if isinstance(thing, cluster.Replay | cluster.GridReplay):
            assert again.metrics == thing.metrics


# States of one replay, which begin and end with it.
STATES = {
    *("Accounts", "Attempt", "BlueGeneOccupancy", "Cluster", "Ended", "Engine", "GridOccupancy"),
    *("Handle", "Job", "News", "NumberedOccupancy", "Plan", "PoolProfile", "Profile", "Progress"),
    *("Calendar", "Choice", "Ledger", "Timeline", "Waiting", "Findings", "Content", "Resuming"),
    "Scene",
}


def kinds_within(things, found):
    """Return the classes of things and of all that they hold."""
    for thing in things:
        found.add(type(thing))
        if isinstance(thing, Mapping):
            kinds_within(thing.values(), found)
        elif isinstance(thing, list | tuple):
            kinds_within(thing[:100], found)
        elif dataclasses.is_dataclass(thing):
            inner = [getattr(thing, entry.name) for entry in dataclasses.fields(thing)]
            kinds_within(inner, found)
        elif (state := state_of(thing)) is not None:
            kinds_within(state.values(), found)
    return found


INNER = re.compile(r"\.cli|\.answers\.")  # what no door of a package leads to


def offered():
    """Return every class at the doors of both packages, and every law."""
    for package in (perfmodel, sim):
        walked = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        doors = [module.name for module in walked if module.ispkg and not INNER.search(module.name)]
        for name in (package.__name__, *doors, "sim.records", "sim.samplers"):
            module = importlib.import_module(name)
            named = [getattr(module, name) for name in getattr(module, "__all__", ())]
            yield from filter(inspect.isclass, named)
    for base in (Lifetime, CompletionTime, Repair):
        yield from below(base)


def below(base):
    for kind in base.__subclasses__():
        if kind.__module__.startswith("perfmodel."):  # tests make laws of their own
            yield kind
        yield from below(kind)


def can_be_made(kind):
    return not (
        inspect.isabstract(kind)
        or kind is answers.Answer  # what all answers share
        or getattr(kind, "_is_protocol", False)
        or issubclass(kind, BaseException)
    )


def test_what_differs_is_not_the_same():
    law = completion.exact_makespan(9.0, downtime=1.0, **JOB)
    other = completion.exact_makespan(9.0, downtime=2.0, **JOB)
    later = cluster.Failures([4.0], [0], [2.0])
    for mine, another in ((law, other), (STRIKE, later), (1.0, 1), (0.0, -0.0), ([1], [1, 2])):
        assert same(mine, mine)
        assert not same(mine, another)


def test_everything_that_is_offered_was_tried(things):
    # By name: of a dataclass with slots there is also the class from which it was made.
    tried = {full_name(kind) for kind in kinds_within(things, set())}
    offers = {kind for kind in offered() if can_be_made(kind) and kind.__name__ not in STATES}
    assert {full_name(kind) for kind in offers} - tried == set()


def full_name(kind):
    return f"{kind.__module__}.{kind.__name__}"
