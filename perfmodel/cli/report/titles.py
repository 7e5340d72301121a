"""A sentence for what JSON answers, told by its keys: the title of its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from asking.units import human_count, human_duration

from ...answers.shown import percent
from ..output.cells import named_factor

_Answer: TypeAlias = Mapping[str, Any]
_MOST = 3  # names in a title


def title_of_answers(answers: Any) -> str | None:
    """Return what is answered, in a sentence; None for what no command prints."""
    # Whoever changes JSON by hand gets a page with another title.
    with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError, ArithmeticError):
        first = answers if isinstance(answers, Mapping) else answers[0]
        key = next((key for key in _KINDS if set(key.split()) <= set(first)), None)
        if key is None:
            return None
        several, sentence = _KINDS[key]
        if first is answers:
            return sentence(first)
        return f"{several}, by {_listed([named_factor(name) for name in first['given']])}"
    return None


def _listed(names: Sequence[str]) -> str:
    """Return a few names, and how many more there are."""
    *first, last = names if len(names) <= _MOST else [*names[:2], f"{len(names) - 2:,} more"]
    return f"{', '.join(first)} and {last}" if first else last


def _of_log(answer: _Answer) -> str:
    return f"jobs of {answer['options']['log']}"


def _replayed(answer: _Answer) -> str:
    rows = answer.get("results") or answer.get("means") or [answer]
    jobs, first = _of_log(answer), rows[0]
    if "accuracy" in first:
        said = f"Deadlines promised to the {jobs}"
    elif "case" in first:
        said = f"Ways to recover the failed {jobs}"
    else:
        policies = list(dict.fromkeys(str(row["policy"]) for row in rows))
        grid = "scenario" in first
        said = f"The {jobs} on several clusters" if grid else f"The {jobs} replayed"
        said += f" under {_listed(policies)}"
    seeds = answer.get("seeds")
    return f"{said}, {seeds:,} seeds" if isinstance(seeds, int) and seeds > 1 else said


def _fitted(answer: _Answer) -> str:
    failures, mtbf = answer["failures"], answer["mtbf_s"]
    whose = "a node MTBF" if answer["nodes_named"] is not None else "an MTBF"
    if mtbf is None:
        return human_count(failures, "failure")
    return f"{human_count(failures, 'failure')}: {whose} of {human_duration(mtbf)}"


def _spared(answer: _Answer) -> str:
    chance, count = min(answer["spares"].items())
    nodes = human_count(answer["nodes"], "node")
    enough = "1 spare node suffices" if count == 1 else f"{count:,} spare nodes suffice"
    return f"{enough} for {nodes} with a probability of {chance}"


def _planned(answer: _Answer) -> str:
    job, when = answer["job"], answer["completion"]
    if job is None or when is None:
        return "A plan in which something is missing"
    where = f" on {human_count(job['nodes'], 'node')}" if job["nodes"] else ""
    done = human_duration(when["mean_s"])
    return f"{human_duration(job['work_s'])} of work{where}, done in {done}"


def _completed(answer: _Answer) -> str:
    return f"{_work(answer)}, done in {human_duration(answer['mean_s'])} on average"


def _work(answer: _Answer) -> str:
    return f"{human_duration(answer['work_s'])} of work"


def _interval(answer: _Answer) -> str:
    return f"A checkpoint after every {human_duration(answer['recommended_interval_s'])} of work"


# The keys that only this answer has: what several of the kind are, and the sentence for one.
_KINDS: Mapping[str, tuple[str, Callable[[_Answer], str]]] = {
    "loss_of_waiting_s due": (
        "Checkpoints of a running job",
        lambda answer: f"A checkpoint is {'' if answer['due'] else 'not yet '}due",
    ),
    "suspects covered node_mtbf_s": (
        "A site",
        lambda answer: (
            f"A node MTBF of {human_duration(answer['node_mtbf_s'])} "
            f"in the last {human_duration(answer['since_s'])}"
        ),
    ),
    "uptime_fits": ("Failures", _fitted),
    "spares mean_nodes_down": ("Spare nodes", _spared),
    "blocks needed most_goodput": (
        "Standby blocks",
        lambda answer: f"Standbys for a job on {answer['blocks']:,} blocks",
    ),
    "offers turns": (
        "Offers",
        lambda answer: f"Offers: {_listed([each['name'] for each in answer['offers']])}",
    ),
    "sensitivities break_evens": ("Plans", _planned),
    "recommended_interval_s": ("Intervals between checkpoints", _interval),
    "percentiles mtbf_to_come_s": ("Forecasts", _completed),
    "goodput losses": (
        "Goodput",
        lambda answer: f"A goodput of {percent(answer['goodput'], 2)} %",
    ),
    "comparisons replications": (
        "Simulated jobs",
        lambda answer: f"{_work(answer)}, played {human_count(answer['replications'], 'time')}",
    ),
    "mean_s percentiles_s": ("Completion times", _completed),
    "best_nodes counts": (
        "Numbers of nodes",
        lambda answer: f"{answer['best_nodes']:,} nodes finish soonest",
    ),
    "uses best": (
        "Uses of one more node",
        lambda answer: f"One more node: best as a {answer['best']}",
    ),
    "processes machines": (
        "Jobs shared out",
        lambda answer: (
            f"{_work(answer)} shared among {answer['processes']:,} of "
            f"{answer['machines_available']:,} machines"
        ),
    ),
    "strategies machines_available": (
        "Ways to share a job out",
        lambda answer: f"{_work(answer)} shared out: {answer['best']} is best",
    ),
    "offers jobs_before": (
        "Quotes",
        lambda answer: f"Deadlines for one more job among the {_of_log(answer)}",
    ),
    "jobs_by_hour sizes": ("Job logs", lambda answer: f"A log of {answer['jobs']:,} jobs"),
    "policy mean_wait_s options": ("Replays", _replayed),
    "results options": ("Replays", _replayed),
}
