"""Which arguments, each allowed by itself, the docstrings allow together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

import perfmodel

from .call import Arguments, Made, build
from .comparable import are_comparable

__all__ = ["is_allowed", "near_full"]


def is_allowed(name: str, arguments: Arguments) -> bool:
    """Return whether the docstring allows these arguments, each allowed by itself, together."""
    rule = _RULES.get(name)
    return (
        all(is_allowed(made.name, made.arguments) for made in _made_in(arguments))
        and _broadcastable(arguments)
        and are_comparable(name, arguments)
        and (rule is None or rule(arguments))
        and (not arguments.get("downtime_at_risk", False) or _load(arguments) < 1.0)
    )


def near_full(arguments: Arguments) -> bool:
    """Return whether the load is so near 1 that its last digit decides."""
    if not {"downtime", "mtbf"} <= arguments.keys():
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        loads = (
            np.atleast_1d(_mean_of(arguments, "downtime"))
            / np.asarray(arguments["mtbf"])[..., None]
        )
    return bool(np.any(np.abs(loads - 1.0) < 1e-3))


def _load(arguments: Arguments) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(_mean_of(arguments, "downtime") / np.float64(np.min(arguments["mtbf"])))


def _looks_in_time(arguments: Arguments) -> bool:
    return bool(np.all(np.asarray(arguments["walltime"]) >= np.asarray(arguments["duration"])))


def _machines_recover(arguments: Arguments) -> bool:
    given = {"mttr": 0.0, "interval": 0.0, "checkpoint_cost": 0.0, **arguments}
    mttr, mtbf, interval, cost = (
        np.asarray(given[key]) for key in ("mttr", "mtbf", "interval", "checkpoint_cost")
    )
    stored = (cost == 0.0) | ((interval > 0.0) & (cost <= 1e100 * np.minimum(interval, 1e200)))
    with np.errstate(all="ignore"):
        share = np.where(cost > 0.0, interval / (interval + cost), 1.0)
        works = np.asarray(given["speed"]) * share > 1e-290
    return bool(np.all(mttr < mtbf) and np.all(stored) and np.all(works))


def _recovers(arguments: Arguments) -> bool:
    # The mean of a law in another unit may differ in its last digits.
    return _load(arguments) < 1.0 - 1e-12


def _recovers_in_time(arguments: Arguments) -> bool:
    # Beyond this the product of s and a repair has no digits.
    repair = build(arguments["downtime"])
    mean = repair.mean if isinstance(repair, perfmodel.Lifetime) else repair
    with np.errstate(over="ignore", invalid="ignore"):
        largest = np.max(np.abs(np.asarray(arguments["s"]))) * max(float(mean), 1e-8)
    return _recovers(arguments) and bool(largest < 1e299)


def _recovers_with_a_variance(arguments: Arguments) -> bool:
    costs = [build(arguments.get(name, 0.0)) for name in ("downtime", "recovery_cost")]
    laws = (each for each in costs if isinstance(each, perfmodel.Lifetime))
    return all(math.isfinite(law.variance) for law in laws) and _recovers(arguments)


def _counted(arguments: Arguments) -> bool:
    # Of more failures or segments than a float can count there is no law.
    work = np.max(arguments["work"])
    with np.errstate(all="ignore"):
        segments = work / np.min(arguments["interval"])
        busy = work + segments * np.max(arguments.get("checkpoint_cost", 0.0))
        failures = np.maximum(work, busy) / np.min(arguments["mtbf"])
        longest = 1e289 * np.float64(work)
    lost = max(_mean_of(arguments, name) for name in ("downtime", "recovery_cost"))
    return bool(segments < 1e15 and failures < 1e14 and lost < longest)


def _mean_of(arguments: Arguments, name: str) -> float:
    cost = build(0.0 if arguments.get(name) is None else arguments[name])
    mean = cost.mean if isinstance(cost, perfmodel.Lifetime) else cost
    return float(np.max(mean))


def _counted_in_phases(arguments: Arguments) -> bool:
    return _counted({**arguments, "work": arguments["work"] / arguments["phases"]})


def _counted_and_recovers(arguments: Arguments) -> bool:
    return _recovers(arguments) and _counted(arguments)


def _counted_and_recovers_with_a_variance(arguments: Arguments) -> bool:
    return _recovers_with_a_variance(arguments) and _counted(arguments)


def _apart_from_full(arguments: Arguments) -> bool:
    # With the rounding of a mean and of the ratio, which another unit may change.
    return _counted_and_recovers_with_a_variance(arguments) and _load(arguments) < 1.0 - 1.1e-6


def _losses_counted(arguments: Arguments) -> bool:
    # The losses of machines are summed one by one.
    with np.errstate(over="ignore"):
        return bool(np.max(np.float64(arguments["work"]) / arguments["spot_life"]) <= 9e5)


def _lives_reach(arguments: Arguments) -> bool:
    """Allow a work of at most 1000 mean lives, and an age that some machine outlives."""
    life, age = build(arguments["spot_life"]), arguments.get("age", 0.0)
    is_law = isinstance(life, perfmodel.Lifetime)
    mean = life.mean if is_law else float(np.mean(life))
    if not arguments["work"] <= 999.0 * mean or (age is None and not math.isfinite(mean)):
        return False
    return not age or bool(life.sf(age) > 0.0 if is_law else np.max(life) > age)


def _drains_followed(arguments: Arguments) -> bool:
    # Where snapshots are skipped, they are followed one by one.
    if arguments.get("in_flight", "overlap") != "skip":
        return True
    given = (arguments["latency"], arguments.get("slowdown", 0.0))
    latency, slowdown = (np.asarray(value, dtype=float) for value in given)
    work, interval = np.asarray(arguments["work"]), np.asarray(arguments["interval"])
    skips = ((1.0 - slowdown) * latency > interval) & (interval < work)
    with np.errstate(over="ignore"):
        return not np.any(skips & (work / interval > 9e5))


def _law_known(arguments: Arguments) -> bool:
    if not _counted(arguments):
        return False
    latency = arguments["latency"] * (1.0 - arguments.get("slowdown", 0.0))
    work, interval = arguments["work"], arguments["interval"]
    skips = arguments.get("in_flight", "overlap") == "skip"
    if not (skips and latency > min(interval, work)):
        return True
    # Of longer chains a law takes seconds.
    return bool(work / interval < 900.0 and latency / interval < 240.0)


def _staged_from_a_copy(arguments: Arguments) -> bool:
    given = (arguments["local_cost"], arguments["durable_cost"])
    local, durable = (np.asarray(value, dtype=float) for value in given)
    return arguments.get("rule") != "staged" or bool(np.max(local) <= np.min(durable))


def _two_levels_counted(arguments: Arguments) -> bool:
    with np.errstate(over="ignore"):
        segments = np.divide(arguments["work"], arguments["interval"])
    between = min(float(np.max(arguments["durable_every"])), float(np.max(segments)))
    return between <= 512.0 and bool(segments < 1e15) and _staged_from_a_copy(arguments)


def _ends(arguments: Arguments) -> bool:
    # Beyond this the mean time of one segment is more than a float can hold.
    costs = np.add(arguments["checkpoint_cost"], arguments.get("recovery_cost", 0.0))
    ends = bool(np.max(costs) < 300.0 * np.min(arguments["mtbf"]))
    # Of cheaper checkpoints more than 2^40 are best, at which the slowest task has no digits.
    work, mtbf = np.asarray(arguments["work"]), np.asarray(arguments["mtbf"])
    interval = math.sqrt(np.min(arguments["checkpoint_cost"])) * math.sqrt(np.min(mtbf))
    few, steady = np.max(work) < 1e12 * interval, np.min(work) > 2e8 * np.max(mtbf)
    return ends and bool(few or steady)


def _distinguishable(arguments: Arguments) -> bool:
    # Laws of any narrow width fit durations that differ by their rounding only, and where one is
    # 1e300 times the rounding of another, no float holds the probability of both; nor their ratio,
    # where one is 1e300 times another.
    ended, width = np.atleast_1d(arguments["durations"]), arguments.get("resolution") or 0.0
    further = np.atleast_1d([] if arguments.get("censored") is None else arguments["censored"])
    times = ended
    if further.dtype.kind != "b":
        times = np.append(ended, further)
    elif further.shape == ended.shape:
        ended = ended[~further]
    times = times[times > 0.0]
    near = bool(times.size) and float(np.log10(times.max()) - np.log10(times.min())) < 300.0
    held = width == 0.0 or np.max(ended, initial=0.0) / 1e299 < width
    distinct = bool(ended.size and np.ptp(ended) > 3.0 * width and held and near)
    return distinct and _watched_in_time(arguments, width)


def _watched_in_time(arguments: Arguments, width: float) -> bool:
    # A likelihood may rise without end where most of a duration was not watched; one has a maximum.
    if arguments.get("entered") is None:
        return True
    cut = np.asarray([] if arguments.get("censored") is None else arguments["censored"])
    known = cut.dtype.kind == "b" or not cut.size
    ages, times = np.asarray(arguments["entered"]), np.asarray(arguments["durations"])
    known &= ages.shape == times.shape
    # Over more decades the search takes its time.
    known &= bool(np.max(times) < 1e12 * np.min(times[times > 0.0]))
    watched = known and np.all(ages < times - 0.5 * width)
    return bool(watched and "exponential" in arguments.get("families", ("exponential",)))


def _of_a_bathtub(arguments: Arguments) -> bool:
    # Lives may be of another law, of which the likelihood of this one has no maximum.
    lives = np.asarray(arguments["durations"])
    cut = np.asarray([] if arguments.get("censored") is None else arguments["censored"])
    if cut.dtype.kind == "b" and cut.size:
        if cut.shape != lives.shape:
            return False
        lives, cut = lives[~cut], lives[cut]
    if np.unique(lives).size < 4 or not _distinguishable({"durations": lives, "censored": cut}):
        return False
    longest = arguments.get("longest") or float(lives.max())
    if max(lives.max(), cut.max(initial=0.0)) > longest:
        return False
    try:
        perfmodel.fit_bathtub(**arguments)
    except ValueError as error:
        return "without a maximum" not in str(error)
    return True


def _differ(arguments: Arguments) -> bool:
    samples = np.asarray(arguments["samples"], dtype=float)
    samples = samples / samples.max()
    return samples.size > 1 and bool(np.std(samples) > 3e-9 * np.mean(samples))


def _broadcastable(arguments: Arguments) -> bool:
    shapes = [
        np.shape(value)
        for key, value in arguments.items()
        if isinstance(value, list) and key not in _LISTS and not any(map(_is_made, value))
    ]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def _is_made(value: object) -> bool:
    return isinstance(value, Made)


def _made_in(arguments: Arguments) -> list[Made]:
    values = [value if isinstance(value, list) else [value] for value in arguments.values()]
    return [inner for value in values for inner in value if isinstance(inner, Made)]


# These arguments do not broadcast: each is a list with its own length.
_LISTS = frozenset(
    (
        *("censored", "checkpoint_after", "chosen", "durations", "families", "order", "samples"),
        *("entered", "gaps", "works", "levels", "counts", "half_lives", "means", "repairs"),
        *("shapes", "spreads", "weights"),
    )
)


def _in_pairs(arguments: Arguments) -> bool:
    return bool(arguments["nodes"] % 2 == 0)


def _sent_in_time(arguments: Arguments) -> bool:
    return bool(np.all(np.asarray(arguments["overhead"]) <= np.asarray(arguments["transfer_time"])))


def _described_whole(arguments: Arguments) -> bool:
    """Allow a protocol with all of its arguments or with none, and a quantity that is given.

    Patterns of two levels have costs between 1e-100 and 1e100 mtbf.
    """
    given = {name for name, value in arguments.items() if value is not None}
    together = (
        ("snapshot_cost", "latency"),
        ("local_cost", "survived"),
        ("recall", "precision", "proactive_cost"),
    )
    whole = all(len(given.intersection(names)) in {0, len(names)} for names in together)
    if "local_cost" in given:
        for name in ("local_cost", "checkpoint_cost"):
            whole = whole and 1e-99 <= arguments[name] / arguments["mtbf"] <= 1e99
    whole = whole and ("window" not in given or "recall" in given)
    if arguments.get("window"):
        whole = whole and arguments["recall"] < 1.0 and arguments["proactive_cost"] > 0.0
    quantity = arguments.get("quantity")
    return whole and (quantity is None or bool(arguments.get(quantity) or 0.0))


def _ended_by_one(arguments: Arguments) -> bool:
    ended = np.asarray(arguments["failures"], dtype=float)
    return arguments.get("truncation") != "failure" or bool(np.all(ended > 0.0))


def _known_well_enough(arguments: Arguments) -> bool:
    # Far more failures than were seen, or segments than can be counted, leave no law.
    work, time = np.float64(arguments["work"]), np.float64(arguments["observed_time"])
    interval = np.float64(min(arguments["interval"], work))
    with np.errstate(all="ignore"):
        segments = work / interval
        busy = work + segments * arguments["checkpoint_cost"]
        failures = busy / time * (arguments["failures"] + 1.0)
        longest = 1e289 * work
    counted = segments < 1e12 and failures < 1e9 and _mean_of(arguments, "downtime") < longest
    return bool(counted) and _ended_by_one(arguments)


def _drained_in_time(arguments: Arguments) -> bool:
    latency = np.asarray(arguments.get("latency", 0.0), dtype=float)
    period = np.asarray(arguments["interval"], dtype=float) + arguments["checkpoint_cost"]
    return bool(np.all(latency <= period))


def _one_for_each_task(arguments: Arguments) -> bool:
    costs = (arguments.get(name, 0.0) for name in ("checkpoint_costs", "recovery_costs"))
    return all(np.ndim(cost) == 0 for cost in costs)


def _in_digits(arguments: Arguments) -> bool:
    """Allow a bathtub whose phases floats can tell apart."""
    share, turn = arguments["share"], arguments["turn"]
    early, late = (arguments[name] / turn for name in ("early", "late"))
    ratios = all(1e-6 <= number <= 1e6 for number in (share, early, late))
    return ratios and 1e-150 <= turn <= 1e150 and bool(share * np.exp(-1.0 / late) <= 0.999999)


def _at_most(larger: str, smaller: str, less: float = 0.0) -> Callable[[Arguments], bool]:
    """Return the rule that one number is at most another, or below it."""

    def rule(arguments: Arguments) -> bool:
        few, many = arguments.get(smaller, 1), np.asarray(arguments[larger], dtype=float)
        return bool(np.all(np.asarray(few, dtype=float) <= many - less))

    return rule


def _fails_after_a_time(arguments: Arguments) -> bool:
    # A law of uptimes must have a finite mean above 0.
    law = build(arguments["uptime"])
    return bool(0.0 < law.mean < math.inf)


def _in_segments(arguments: Arguments) -> bool:
    # The time that they take grows as the square of their number; 20000 are documented.
    with np.errstate(over="ignore"):
        segments = np.divide(arguments["work"], arguments["interval"])
    return _fails_after_a_time(arguments) and bool(np.all(segments <= 2e3))


def _with_a_variance(arguments: Arguments) -> bool:
    repair = build(arguments.get("downtime", 0.0))
    return not isinstance(repair, perfmodel.Lifetime) or math.isfinite(repair.variance)


def _in_few_segments(arguments: Arguments) -> bool:
    few = 1000.0 * np.asarray(arguments["interval"]) >= np.asarray(arguments["work"])
    return _in_segments(arguments) and bool(np.all(few)) and _with_a_variance(arguments)


def _done_in_uptimes(arguments: Arguments) -> bool:
    # There is no law of jobs that fail more than 10000 times in the mean.
    if not _in_few_segments(arguments):
        return False
    numbers = {k: v for k, v in arguments.items() if k != "uptime"}
    law = build(arguments["uptime"])
    mean = perfmodel.expected_makespan_ageing(
        uptime=law, **{k: build(v) for k, v in numbers.items()}
    )
    return bool(mean < 9e3 * law.mean or not math.isfinite(mean))


def _used_for_a_time(arguments: Arguments) -> bool:
    return _fails_after_a_time(arguments) and math.isfinite(_mean_of(arguments, "downtime"))


def _by_age(arguments: Arguments) -> bool:
    if not _checkpoints_within_an_uptime(arguments):
        return False
    law, cost = build(arguments["uptime"]), arguments["checkpoint_cost"]
    if not 1.01e-5 <= cost / law.mean <= 0.99e5:
        return False
    # As many intervals as the hazard asks for, in the long run, or the rule of a Weibull law.
    ages = np.linspace(0.0, float(law.ppf(1.0 - 1e-12)), 20_001)[1:]
    young = math.sqrt(2.0 * cost * law.mean)
    with np.errstate(over="ignore"):
        lazy = 1.0 / (young * (ages / young) ** (1.0 - getattr(law, "shape", 1.0)) + cost)
    several = np.maximum(lazy, np.sqrt(law.hazard(ages) / (2.0 * cost)))
    return bool(np.mean(several) * ages[-1] < 5e3)


def _planned(arguments: Arguments) -> bool:
    # The plan is searched on a grid of at most 200 intervals of Young's rule.
    if not _checkpoints_within_an_uptime(arguments):
        return False
    law, cost = build(arguments["uptime"]), arguments["checkpoint_cost"]
    costs = (cost, arguments.get("recovery_cost", 0.0), _mean_of(arguments, "downtime"))
    given = [float(x) for x in (arguments["work"], law.mean, *costs) if x > 0.0]
    young = math.sqrt(2.0 * cost) * math.sqrt(law.mean)
    return bool(arguments["work"] < 199.0 * young and max(given) / 1e99 < min(given))


def _platform_fails_after_a_time(arguments: Arguments) -> bool:
    if not _fails_after_a_time(arguments):
        return False
    law = build(arguments["uptime"])
    shape = float(getattr(law, "shape", 1.0))
    if math.log10(law.mean) - math.log10(arguments["nodes"]) / shape < -280.0:
        return False
    # Of laws with a far tail, or that stay in step, only so many mean uptimes.
    shortest = law.mean / arguments["nodes"] ** max(1.0 / shape, 1.0)
    light = isinstance(law, perfmodel.Exponential | perfmodel.Gamma) and 1e-3 < law.scv < 9.0
    return bool(light or np.max(arguments.get("time", 0.0)) < 9e3 * shortest)


def _platform_checkpoints(arguments: Arguments) -> bool:
    if not _platform_fails_after_a_time(arguments):
        return False
    law = build(arguments["uptime"]).first_of(int(arguments["nodes"]))
    costs = arguments["checkpoint_cost"] + arguments.get("recovery_cost", 0.0)
    return bool(law.sf(costs) > 0.01 and arguments["checkpoint_cost"] >= 1.01e-10 * law.mean)


def _platform_in_segments(arguments: Arguments) -> bool:
    if not (_platform_fails_after_a_time(arguments) and _in_segments(arguments)):
        return False
    first = build(arguments["uptime"]).first_of(int(np.max(arguments["nodes"]))).mean
    given = (arguments.get(name, 0.0) for name in ("work", "checkpoint_cost", "recovery_cost"))
    costs = [float(x) for value in given for x in np.ravel(value) if x > 0.0]
    return all(1e-99 * first < cost < 1e99 * first for cost in costs)


def _levelled(arguments: Arguments) -> bool:
    levels = [level.arguments for level in arguments["levels"]]
    shares = [level["survives"] for level in levels]
    costs = [level["cost"] / arguments["mtbf"] for level in levels]
    alone = len(shares) == 1 or shares[-2] < 1.0
    read = all(level["recovery"] <= 99.0 * arguments["mtbf"] for level in levels)
    written = all(1.01e-8 <= cost <= 99.0 for cost in costs)
    return alone and read and written and shares == sorted(shares)


def _counted_levels(arguments: Arguments) -> bool:
    shares = [level.arguments["survives"] for level in arguments["levels"]]
    ends = bool(shares) and shares == sorted(shares) and shares[-1] == 1.0
    return ends and len(arguments["counts"]) == len(shares) - 1


def _struck_nodes_counted(arguments: Arguments) -> bool:
    keys = ("nodes", "machine_nodes", "burst_size")
    nodes, machine, size = (np.asarray(arguments[key], dtype=float) for key in keys)
    if not _at_most("machine_nodes", "nodes")(arguments):
        return False
    if arguments.get("placement", "random") == "random":
        terms = np.minimum(machine - nodes, 40.0 * np.minimum(size, machine / nodes))
        return bool(np.all(terms <= 2e7))
    return arguments["placement"] != "strided" or bool(np.all(machine % nodes == 0))


def _checkpoints_within_an_uptime(arguments: Arguments) -> bool:
    if not _fails_after_a_time(arguments):
        return False
    law = build(arguments["uptime"])
    costs = arguments["checkpoint_cost"] + arguments.get("recovery_cost", 0.0)
    return bool(law.sf(costs) > 0.01 and arguments["checkpoint_cost"] >= 1.01e-10 * law.mean)


def _checkpoints_fit(arguments: Arguments) -> bool:
    # One at a time, the checkpoints of all jobs must find room.
    names = ("jobs", "checkpoint_cost", "period", "nodes", "recovery_cost")
    given = (arguments.get(name, 0.0) for name in names)
    jobs, cost, period, *_ = np.broadcast_arrays(*(np.atleast_1d(value) for value in given))
    with np.errstate(over="ignore"):
        return bool(np.all(np.sum(jobs * cost / period, axis=-1) < 1.0))


def _watched_for_a_time(arguments: Arguments) -> bool:
    # A node may fail 1e7 times at most; a lemon does more often, and a rate may be above its mean.
    with np.errstate(over="ignore"):
        failures = np.divide(arguments["observed"], arguments["node_mtbf"])
    failures, factor = np.minimum(failures, 1e30), np.max(arguments.get("lemon_factor", 1.0))
    spread = (1.0 + 12.0 * np.max(arguments.get("cv", 0.0))) ** 2
    few = bool(np.max(failures) * max(factor, spread * 60.0) < 1e6)
    return few and _at_most("nodes", "removed", 1.0)(arguments)


def _rarely_struck(arguments: Arguments) -> bool:
    with np.errstate(over="ignore"):
        failures = np.divide(arguments["observed"], arguments["node_mtbf"])
    few = bool(np.max(failures) * np.max(arguments["lemon_factor"]) < 1e9)
    return few and _at_most("nodes", "lemons")(arguments)


def _few_standbys(arguments: Arguments) -> bool:
    standbys = np.asarray(arguments.get("standbys", 0), dtype=float)
    return bool(np.all(np.isinf(standbys) | (standbys <= 500)))


def _degraded(arguments: Arguments) -> bool:
    cut = arguments.get("interval") is not None
    return _few_standbys(arguments) and (
        cut or bool(np.all(np.asarray(arguments["checkpoint_cost"]) > 0.0))
    )


def _some_mended(arguments: Arguments) -> bool:
    given = {"automatic_false": 0.0, "manual_false": 0.0, **arguments}
    names = ("escalated", "manual_false", "automatic_false")
    late, manual, automatic = (np.asarray(given[name], dtype=np.float64) for name in names)
    broken = late * manual + (1.0 - late) * automatic
    return _few_standbys(arguments) and bool(np.all(broken < 1.0))


def _reached_with_standbys(arguments: Arguments) -> bool:
    # A goodput that 500 standbys do not reach is refused.
    most = {key: value for key, value in arguments.items() if key != "goodput"}
    with np.errstate(all="ignore"):
        reached = perfmodel.spares_goodput(standbys=500, **most)
    return bool(np.all(np.asarray(arguments["goodput"]) < 0.999999 * reached))


def _patterned(arguments: Arguments) -> bool:
    costs = [arguments[name] / arguments["mtbf"] for name in ("local_cost", "durable_cost")]
    return all(1e-99 <= cost <= 1e99 for cost in costs)


def _window_in_segments(arguments: Arguments) -> bool:
    window, cost = (np.asarray(arguments[key]) for key in ("window", "proactive_cost"))
    return bool(np.all(window / 1e99 <= cost))


def _mixed_and_counted(arguments: Arguments) -> bool:
    # Of more failures a law takes seconds.
    work = arguments["work"]
    with np.errstate(all="ignore"):
        segments = max(math.ceil(min(np.divide(work, arguments["interval"]), 1e15)), 1)
        busy = work + segments * arguments["checkpoint_cost"]
        return bool(segments < 1e12 and busy * np.max(arguments["means"]) < 50.0)


def _beside_a_day(arguments: Arguments) -> bool:
    times = (arguments["observed_time"], arguments["window"], 86_400.0)
    return bool(max(times) < 1e99 * min(times))


def _comparable_counts(arguments: Arguments) -> bool:
    """Take counts of which a test has digits, and times that do not vanish beside each other."""
    counts = [np.max(np.asarray(arguments[name])) for name in ("failures_before", "failures")]
    now, before = (np.asarray(arguments[name]) for name in ("observed", "observed_before"))
    near = np.max(now) <= 1e99 * np.min(before) and np.max(before) <= 1e99 * np.min(now)
    return bool(max(counts) <= 1e12 and near)


_RULES: Mapping[str, Callable[[Arguments], bool]] = {
    "forecast_failures": _beside_a_day,
    "mixed_makespan": _mixed_and_counted,
    "rate_change": _comparable_counts,
    "deadline_probability_spot": _losses_counted,
    "expected_cost_safety_net": _losses_counted,
    "spot_outlook": _lives_reach,
    "spot_probability_safety_net": _losses_counted,
    "bad_node_power": _rarely_struck,
    "best_window_segments": _window_in_segments,
    "effective_mtbf_bursts": _struck_nodes_counted,
    "exact_makespan_ageing": _done_in_uptimes,
    "expected_makespan_ageing": _in_segments,
    "expected_makespan_rejuvenated": _platform_in_segments,
    "hazard_intervals": _by_age,
    "lazy_intervals": _by_age,
    "makespan_variance_ageing": _in_few_segments,
    "mean_stop": _few_standbys,
    "degraded_goodput": _degraded,
    "two_stage_goodput": _some_mended,
    "spares_goodput": _few_standbys,
    "expected_makespan_standbys": _few_standbys,
    "spares_for": _reached_with_standbys,
    "node_mtbf_without_worst": _watched_for_a_time,
    "node_mtbf_without_worst_gamma": _watched_for_a_time,
    "optimal_pattern_two_levels": _patterned,
    "optimal_pattern_levels": _levelled,
    "optimal_pattern_levels_first_order": _levelled,
    "expected_pattern_time": _counted_levels,
    "optimal_interval_rejuvenated": _platform_checkpoints,
    "exact_makespan_two_levels": _two_levels_counted,
    "optimal_interval_ageing": _checkpoints_within_an_uptime,
    "optimal_intervals_ageing": _by_age,
    "pair_mtbf_bursts": _at_most("machine_nodes", "distance", 1.0),
    "platform_failures_from_new": _platform_fails_after_a_time,
    "platform_failures_rejuvenated": _platform_fails_after_a_time,
    "platform_failures_stationary": _fails_after_a_time,
    "useful_share_ageing": _used_for_a_time,
    "waste_shared": _checkpoints_fit,
    "mtbf_posterior": _ended_by_one,
    "predictive_makespan": _known_well_enough,
    "goodput": _drained_in_time,
    "training_shares": _drained_in_time,
    "expected_makespan_chain": _one_for_each_task,
    "makespan_variance_chain": _one_for_each_task,
    "optimal_checkpoints_chain": _one_for_each_task,
    "expected_manual_wait": _looks_in_time,
    "pairs_crossover": _in_pairs,
    "waste_of_buddies": _sent_in_time,
    "waste_of_buddies_first_order": _sent_in_time,
    "optimal_interval_buddies": _sent_in_time,
    "recommend": _described_whole,
    "Bathtub": _in_digits,
    "Machines": _machines_recover,
    "fit_bathtub": _of_a_bathtub,
    "fit_lifetime": _distinguishable,
    "mean_posterior": _differ,
    "optimal_plan_ageing": _planned,
    "optimal_interval_parallel": _ends,
    "busy_period_mean": _recovers,
    "busy_period_variance": _recovers,
    "busy_period_transform": _recovers_in_time,
    "exact_makespan": _counted,
    "expected_makespan_phases": _counted_in_phases,
    "exact_makespan_async": _law_known,
    "expected_makespan_async": _drains_followed,
    "makespan_variance_async": _drains_followed,
    "expected_makespan_two_levels": _staged_from_a_copy,
    "makespan_variance_two_levels": _staged_from_a_copy,
    "wsj_compound": _counted_and_recovers,
    "wsj_makespan": _recovers_with_a_variance,
    "gamma_error": _apart_from_full,
    "compare_extra_node": _counted_and_recovers_with_a_variance,
}
