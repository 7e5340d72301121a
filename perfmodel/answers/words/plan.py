"""The page of a plan: what to do, how sure that is, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator

from asking.units import DURATIONS, human_duration, natural_unit

from ...estimate import Estimate
from ...planning import Plan
from ...planning.answers import (
    BreakEven,
    CheckpointPlan,
    Completion,
    ConstantRate,
    Costs,
    Foretold,
    Goodput,
    Sensitivity,
    SparePlan,
)
from ...protocols.situation import Situation
from ...protocols.table import protocol_of
from ..known.outlook import kept_words
from ..parts.training import LOSSES
from ..shown import (
    Facts,
    Heading,
    Lines,
    Part,
    Table,
    change,
    in_one_unit,
    in_unit,
    money,
    never_by,
    percent,
    shared_unit,
)

_KWH = 3.6e6  # J
_UNLIKELY = 5e-4  # a share that would be printed as 0.0 %
_SURE = 0.9995  # a share that would be printed as 100 %
_SAME = 5e-5  # a relative loss that would be printed as 0.00 %
_MOST = 12  # rows of spares
_ADVANCES = 0.01  # share of the time below which a job hardly advances
_ALONE = 1.005  # failures in a cluster that would be printed as 1
_HOPELESS = 100.0  # relative loss of a protocol that is not worth a line


def plan_parts(plan: Plan, *, titled: bool = True) -> Iterator[Part]:
    """Yield the page, below its title if it is `titled`."""
    if titled and plan.scenario.title is not None:
        yield Lines.of(plan.scenario.title)
    yield Heading("What to do")
    yield Lines.of(*_answers(plan))
    yield Heading("How sure")
    yield from _certainty(plan)
    if plan.break_evens:
        yield from _break_evens(plan.break_evens, ", at a constant rate" if plan.by else "")
    if plan.checkpoint is None:
        return
    yield Heading("Why")
    if plan.by:
        yield Lines.of("But for the losses, what follows is at a constant rate.")
    yield from _law(plan)
    yield from _protocols(plan.checkpoint)
    yield from _losses(plan)
    yield from _sensitivities(plan)
    yield from _worth(plan)
    if plan.spares is not None:
        yield from _spares(plan, plan.spares)


def _answers(plan: Plan) -> Iterator[str]:
    """Yield what to do, and what comes of it."""
    best, job, goodput, when = plan.checkpoint, plan.job, plan.goodput, plan.completion
    if best is None or job is None or goodput is None or when is None:
        key = plan.break_evens[0].key if plan.break_evens else "what is missing"
        yield f"Find out {key}, which the scenario does not say. What it must be:"
        return
    yield _what_to_write(best)
    yield (
        f"The job takes {human_duration(when.mean)} on average for "
        f"{human_duration(job.work)} of work{plan.by}: a goodput of {percent(goodput.value, 2)} %"
        f"{_within(goodput)}."
    )
    if goodput.value < _ADVANCES:
        yield "The machine fails so often that the job hardly advances."
    if goodput.tokens_per_day is not None:
        yield f"{large(goodput.tokens_per_day)} tokens a day are kept."
    if when.deadline is not None:
        if when.on_time is None:
            yield f"To end within {human_duration(when.deadline)}: unknown, {when.why_not}."
        elif when.on_time == 0.0 and when.deadline <= job.work:
            yield never_by(when.deadline)
        else:
            yield (
                f"It ends within {human_duration(when.deadline)} with a probability of "
                f"{probability(when.on_time)} %{plan.by}{_sure(when)}."
            )
    if when.constant_rate is not None:
        yield from _at_constant_rate(when.constant_rate, when.deadline)
    if plan.spares is not None:
        yield _what_to_spare(plan.spares, " at a constant rate" if plan.by else "")
        if plan.spares.standbys is not None:
            yield _what_is_spared(plan.spares.standbys, job)
    elif plan.scenario.spares is not None:
        yield "How many spares: unknown without spares.mttr, the time of a repair."
    yield from _costs(plan)
    present = best.present_interval
    if present is not None and best.present_loss is not None:
        yield (
            f"With synchronous checkpoints every {human_duration(present)} as now it takes "
            f"{_longer(best.present_loss)}."
        )


def _at_constant_rate(steady: ConstantRate, deadline: float | None) -> Iterator[str]:
    """Say what a constant rate gives for the numbers that are by the forecast."""
    mean = "" if steady.mean is None else f", {human_duration(steady.mean)} on average"
    words = (
        f"At a constant rate, as so far: every {human_duration(steady.interval)}{mean}, a "
        f"goodput of {percent(steady.goodput, 2)} %"
    )
    if deadline is not None and steady.on_time is not None:
        words += f", in time with {probability(steady.on_time)} %"
    yield f"{words}."
    if steady.mean is None:
        yield "The mean time is that of a constant rate: over the rates to come it has no end."


def _what_to_write(best: CheckpointPlan) -> str:
    words = protocol_of(best.protocol).writes.format(interval=human_duration(best.interval))
    if best.steps is not None:
        words += f" ({best.steps:,} step{'' if best.steps == 1 else 's'}"
        words += f", {large(best.tokens)} tokens)" if best.tokens is not None else ")"
    if best.durable_every > 1.0:
        words += f"; one in {best.durable_every:,.0f} survives all failures, the others are local"
    return f"{words}."


def _what_to_spare(spares: SparePlan, of: str) -> str:
    each, some = ("node", "nodes") if spares.block_nodes == 1 else ("block", "blocks")
    what = each if spares.needed == 1 else some
    if spares.block_nodes > 1:
        what += f" of {spares.block_nodes} nodes"
    words = f"Keep {spares.needed:,} spare {what}: enough in {100.0 * spares.confidence:g} % of "
    words += f"the time{of}"
    if spares.best is not None and spares.best > 1:
        words += f"; {spares.best:,} pay for themselves"
    elif spares.best is not None:
        words += f"; {spares.best or 'none'} pays for itself"
    return f"{words}."


def _what_is_spared(standbys: int, job: Situation) -> str:
    """Say what the spares do that there are."""
    words = f"With the {standbys:,} that there are" if standbys else "Without any, as now"
    if not job.waits:
        return f"{words}, nearly no failure waits for one."
    return f"{words}, a failure waits {human_duration(job.wait)} for one on average."


def _costs(plan: Plan) -> Iterator[str]:
    costs, currency = plan.costs, plan.scenario.prices.currency
    if costs is None:
        return
    if costs.job is not None and costs.job_lost is not None and plan.checkpoint is not None:
        lost_to = protocol_of(plan.checkpoint.protocol).lost_to
        yield (
            f"The job costs {money(costs.job)} {currency} for its nodes, "
            f"{money(costs.job_lost)} of it for {lost_to}."
        )
    if costs.per_year is not None and costs.lost_per_year is not None:
        yield _of_a_year(plan, costs)
    if costs.why_no_energy is not None:
        yield f"Its energy: unknown, {costs.why_no_energy}."
    if costs.energy is not None:
        words = f"It takes {money(costs.energy / _KWH)} kWh{_steady(costs)}"
        if costs.energy_cost is not None:
            words += f", which cost {money(costs.energy_cost)} {currency}"
        yield f"{words}."


def _steady(costs: Costs) -> str:
    return "" if costs.energy_law is None else " at a constant rate"


def _of_a_year(plan: Plan, costs: Costs) -> str:
    """Say what a year of the machine costs, by what it goes to."""
    currency, lost = plan.scenario.prices.currency, money(costs.lost_per_year or 0.0)
    nodes = money(costs.per_year or 0.0)
    if costs.spares_per_year is None and costs.energy_per_year is None:
        return f"A year of the nodes costs {nodes} {currency}, of which {lost} are lost."
    pieces = [f"{nodes} for the nodes, of which {lost} are lost"]
    if costs.spares_per_year is not None:
        pieces.append(f"{money(costs.spares_per_year)} for the spares")
    if costs.energy_per_year is not None:
        pieces.append(f"{money(costs.energy_per_year)} for energy{_steady(costs)}")
    return f"A year costs {money(costs.all_per_year or 0.0)} {currency}: {'; '.join(pieces)}."


def _within(goodput: Goodput) -> str:
    """Say in brackets what the limits of the MTBF leave of a goodput."""
    if goodput.low is None:
        return ""
    upper = "or more" if goodput.high is None else f"to {percent(goodput.high, 2)}"
    return f" ({percent(goodput.low, 2)} {upper})"


def _sure(when: Completion) -> str:
    """Say in brackets what the limits of the MTBF leave of the probability to be on time."""
    if when.on_time_low is None:
        return ""
    high = when.on_time_high
    upper = "or more" if high is None else f"to {probability(high)}"
    return f" ({probability(when.on_time_low)} {upper})"


def _longer(loss: float) -> str:
    """Say how much longer a job takes."""
    return "no longer" if loss < _SAME else f"{percent(loss, 2)} % longer"


def large(value: float) -> str:
    """Return a large number in words, such as 62.3 billion."""
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if size <= value < 1e18:
            return f"{value / size:,.4g} {word}"
    return f"{value:,.4g}" if value < 1e4 or value >= 1e18 else f"{value:,.0f}"


def large_money(value: float) -> str:
    """Return an amount of money to be read at a glance, such as 53.9 million."""
    return (
        f"{value / 1e6:,.3g} million"
        if 1e6 <= abs(value) < 1e9
        else (f"{value / 1e9:,.3g} billion" if 1e9 <= abs(value) < 1e15 else money(value))
    )


def probability(value: float) -> str:
    """Return a probability in percent, and never a false 0 or 100."""
    if value >= _SURE:
        return ">99.95"
    return percent(value, 1) if value >= _UNLIKELY else "<0.1"


def _certainty(plan: Plan) -> Iterator[Part]:
    """Say what is known of the MTBF, and what follows from that for every answer."""
    known, best = plan.mtbf, plan.checkpoint
    goodput, when = plan.goodput, plan.completion
    if known is None:
        yield Lines.of("MTBF: unknown.")
        return
    if known.low is None or known.high is None:
        words = "" if best is None else " The tables below say what half and twice of it would do."
        yield Lines.of(
            f"MTBF {human_duration(known.value)} ({known.words}), without limits.{words}"
        )
    else:
        confidence = plan.scenario.questions.confidence or 0.95
        value, low, *high = in_one_unit(
            known.value, known.low, *([known.high] if math.isfinite(known.high) else [])
        )
        upper = f"to {high[0]}" if high else "or more"
        said = [f"MTBF {value} ({known.words}); {low} {upper} with {100.0 * confidence:g} %."]
        if plan.by and plan.mtbf_ahead is not None:
            said.append(_to_come(plan.mtbf_ahead, confidence))
        said[-1] += " Then:"
        yield Lines.of(*said)
        yield Facts.of(_limits(best, goodput, when))
    if when is None:
        return
    unknown = [key for key in plan.scenario.unknown if key.startswith("job.")]
    yield Lines.of(
        *(() if best is None else _error(best)),
        *(f"{key} is unknown, and taken as 0." for key in unknown),
        *_assumed(plan),
        close=True,
    )
    if not when.percentiles:
        yield Lines.of(f"Percentiles of the time: unknown, {when.why_not}.")
        if when.foretold is not None:
            yield Lines.of(*_foretold(when.foretold))
        return
    yield from _percentiles(when)


def _to_come(mtbf: Estimate, confidence: float) -> str:
    """Say how often failures are to come, one by one, in clusters if they do."""
    size = mtbf.failures_per_burst or 1.0
    value, low, high = in_one_unit(*(each / size for each in (mtbf.value, *mtbf.limits)))
    clusters = f", in clusters of {size:.3g}, each taken for one" if size > _ALONE else ""
    return (
        f"To come {value} ({mtbf.words}{clusters}); {low} to {high} with {100.0 * confidence:g} %."
    )


def _assumed(plan: Plan) -> Iterator[str]:
    """Say what is taken for a number that changes the answer, and that nobody gave."""
    job, how = plan.scenario.job, plan.scenario.checkpoint
    if how.local_cost is not None and how.local_recovery is None and job.recovery:
        yield (
            f"A local copy is read back in {human_duration(job.recovery)} as any other: "
            "checkpoint.local_recovery is not said."
        )


def _error(best: CheckpointPlan) -> Iterator[str]:
    """Say how far off the times may be, where the protocol chosen has a rule for them."""
    for row in best.protocols:
        if row.protocol == best.protocol and row.error > 0.0:
            known = math.isfinite(row.error)
            error = f"{percent(row.error, 1)} %" if known else "an amount that is not known here"
            yield f"Times are those of a rule, wrong by up to {error}."


def interval_limits(best: CheckpointPlan) -> str:
    """Return the limits of the interval in its unit; empty without any."""
    ends = [end for end in (best.interval_low, best.interval_high) if end is not None]
    _, *texts = in_one_unit(best.interval, *ends)
    return " to ".join(texts) + (" or more" if len(ends) == 1 else "")


def _limits(
    best: CheckpointPlan | None, goodput: Goodput | None, when: Completion | None
) -> Iterator[tuple[str, str]]:
    """Yield what becomes of the answers within the limits of the MTBF."""
    if best is not None and best.interval_low is not None:
        yield "interval", interval_limits(best)
    if goodput is not None and goodput.low is not None:
        upper = "or more" if goodput.high is None else f"to {percent(goodput.high, 2)} %"
        yield "goodput", f"{percent(goodput.low, 2)} % {upper}"
    if when is not None and when.on_time_low is not None:
        high = when.on_time_high
        upper = "or more" if high is None else f"to {probability(high)} %"
        yield "on time", f"{probability(when.on_time_low)} % {upper}"


def _percentiles(when: Completion) -> Iterator[Part]:
    unit, factor = shared_unit(each.time for each in when.percentiles)
    limited = any(each.high is not None for each in when.percentiles)
    told = when.foretold
    headings = ["of all such jobs", f"end within\n[{unit}]"]
    rows = [[f"{100.0 * each.q:g} %", in_unit(each.time, factor)] for each in when.percentiles]
    if limited:
        headings += ["at the high\nMTBF", "at the low\nMTBF"]
        for row, each in zip(rows, when.percentiles, strict=True):
            row += ["-" if end is None else in_unit(end, factor) for end in (each.low, each.high)]
    steady = () if when.constant_rate is None else when.constant_rate.percentiles
    if told is not None and steady:
        headings[1:] = [f"forecast\n[{unit}]", f"constant\nrate [{unit}]"]
        if told.law == "posterior":
            headings[1] = f"rate\nuncertain [{unit}]"
        for row, each in zip(rows, steady, strict=True):
            row.append(in_unit(each.time, factor))
    yield Table.of(headings, rows)
    if told is not None:
        yield Lines.of(*_foretold(told))
    if when.predictive:
        yield Lines.of("Over all MTBFs that the failures seen leave open, by their probability.")


def _foretold(told: Foretold) -> Iterator[str]:
    """Say why there is no forecast, and how often such percentiles were kept so far."""
    if told.no_forecast:
        how = "at the mean so far"
        if told.law == "posterior":
            how = "as uncertain as the number of failures leaves it"
        yield f"No forecast: {told.no_forecast}. A constant rate counts, {how}."
    if told.past is not None:
        yield kept_words(told.past)


def _break_evens(rows: tuple[BreakEven, ...], of: str) -> Iterator[Part]:
    """Yield what unknown inputs must be, then the margins of those that are known."""
    for unknown in (True, False):
        chosen = [row for row in rows if row.unknown == unknown]
        if not chosen:
            continue
        title = f"Break-even, one input changed{of}:"
        if unknown:
            title = "Unknown, and what it must be:"
        yield Lines.of(title)
        yield Table.of(
            ["", "must be", "so that"],
            [[row.key, side_of(row), row.goal] for row in chosen],
            words=3,
        )


def side_of(row: BreakEven) -> str:
    """Say what an input must be."""
    if row.value is None:
        return "no value suffices"
    if row.value == 0.0 or math.isinf(row.value):
        return "any value does"
    return f"{row.side} {amount(row.value, row.unit, digits=3)}"


def amount(value: float, unit: str, *, digits: int = 4) -> str:
    """Return a number with its unit: a duration, a bandwidth, or a share in percent."""
    if unit == "s" and digits > 3:
        return human_duration(value)
    if unit == "s":
        name, factor = natural_unit(value)
        return f"{value / factor:.{digits}g} {name}"
    if unit == "bytes/s":
        power = min(max(int(math.log10(value) // 3), 0), 6) if value > 0.0 else 0
        return f"{value / 1000.0**power:.{digits}g} {('', 'k', 'M', 'G', 'T', 'P', 'E')[power]}B/s"
    return f"{100.0 * value:.{digits}g} %"


def _law(plan: Plan) -> Iterator[Part]:
    """Say what is assumed of failures where they depend on the time since the last one."""
    job = plan.job
    if job is not None and job.ages:
        spread = f"shape {job.shape:g}" if job.shape is not None else f"cv {job.cv:g}"
        yield Lines.of(f"Uptimes are {job.law} ({spread}), and each failure renews the machine.")


def _protocols(best: CheckpointPlan) -> Iterator[Part]:
    if not best.protocols:
        return
    plans = [row for row in best.protocols if row.regret <= _HOPELESS]
    unit, factor = shared_unit(row.interval for row in plans)
    long, long_factor = shared_unit(row.expected_time for row in plans)
    yield Lines.of("Protocols, each at its best for this job:", close=True)
    yield Table.of(
        ["", f"interval\n[{unit}]", f"time\n[{long}]", "longer than\nthe best [%]"],
        [
            [
                protocol_of(row.protocol).known_as,
                in_unit(row.interval, factor),
                in_unit(row.expected_time, long_factor),
                percent(row.regret, 2),
            ]
            for row in plans
        ],
    )


def _losses(plan: Plan) -> Iterator[Part]:
    goodput = plan.goodput
    if goodput is not None and goodput.why_not is not None:
        yield Lines.of(f"Where the time of a long run goes: unknown, {goodput.why_not}.")
    if goodput is None or not goodput.losses:
        return
    yield Lines.of("Where the time of a long run goes:")
    shares = {"goodput": goodput.value, **goodput.losses}
    yield Table.of(
        ["", "share\n[%]", "of each\nday"],
        [
            [
                LOSSES.get(name, name),
                percent(share, 2),
                human_duration(share * DURATIONS["d"]) if name in LOSSES else "",
            ]
            for name, share in shares.items()
        ],
    )


def _sensitivities(plan: Plan) -> Iterator[Part]:
    rows = plan.sensitivities
    if not rows or plan.completion is None:
        return
    mean = plan.completion.steady_mean
    yield Lines.of("What matters: change of the time with one input, the largest first:")
    yield Table.of(
        ["", "now", "with half\nof it [%]", "with twice\nof it [%]"],
        [[row.key, amount(row.value, row.unit), *_changes(row, mean)] for row in rows],
        words=2,
    )


def _changes(row: Sensitivity, mean: float) -> list[str]:
    return [change(time, mean) for time in (row.time_halved, row.time_doubled)]


def _worth(plan: Plan) -> Iterator[Part]:
    if not plan.worth:
        return
    priced = plan.worth[0].per_hour is not None
    currency = plan.scenario.prices.currency
    headings = ["", "gain\n[points]"]
    if priced:
        headings += [f"{currency}\nan hour", f"{currency}\na year"]
    rows = []
    for each in plan.worth:
        row = [each.change, f"{100.0 * each.gain:+.2f}"]
        if each.per_hour is not None and each.per_year is not None:
            row += [money(each.per_hour), money(each.per_year)]
        rows.append(row)
    yield Lines.of("What changes are worth, in points of the time that advances the job:")
    yield Table.of(headings, rows)


def _spares(plan: Plan, spares: SparePlan) -> Iterator[Part]:
    """Yield the goodput by the number of spares, about those that matter."""
    if spares.why_not is not None:
        yield Lines.of(f"Goodput by the spares: unknown, {spares.why_not}.")
        return
    middle = max(spares.needed, spares.best or 0)
    first = max(0, middle - _MOST + 4)
    rows = [row for row in spares.table if first <= row.standbys <= middle + 3]
    priced = any(row.worth_per_year is not None for row in rows)
    headings = ["spares", "goodput\n[%]"]
    if priced:
        headings.append(f"the last one is worth\n{plan.scenario.prices.currency} a year")
    yield Lines.of("Goodput by the spares, with checkpoints as planned:")
    yield Table.of(
        headings,
        [
            [
                f"{row.standbys:,}",
                percent(row.goodput, 2),
                *(
                    ["-" if row.worth_per_year is None else money(row.worth_per_year)]
                    if priced
                    else []
                ),
            ]
            for row in rows
        ],
    )
