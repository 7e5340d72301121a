"""The regret table of the advisor: what is lost on each log and by whom, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .logs import logs
from .plays import Makes
from .shares import SPANS, Mean, advisor_shares, mean_over_logs, rival_shares
from .targets import TARGETS, Target, compared

__all__ = ["differences", "found_on_logs", "losses", "of_each_log", "targets"]

_RIVALS = {
    "a": "best constant (a)",
    "b": "exact, log's MTBF (b)",
    "c": "Young (c)",
    "d": "hourly (d)",
    "own": "exact, window's rate",
}
_HOUR = 3600.0


def losses(right: Makes, options: Mapping[str, Makes], worse: Mapping[str, Makes]) -> Iterator[str]:
    """Yield the table of what is lost, in per cent of the window, in the mean over logs."""
    yield from _head(
        "window",
        "logs",
        *_RIVALS.values(),
        "**advisor, history**",
        "**advisor, nothing known**",
        *options,
        *worse,
    )
    # Spans in which other advisors are shown, too: those with options, and worse ones.
    longer, short = (*SPANS[:2], *SPANS[3:6]), (SPANS[0], *SPANS[3:5])
    for span in SPANS:
        mine = [advisor_shares(right, prior, span) for prior in ("history", "nothing")]
        others = [
            _percent(advisor_shares(make, "history", span)) if span in spans else ""
            for makes, spans in ((options, longer), (worse, short))
            for make in makes.values()
        ]
        rivals = [_percent(rival_shares(name, span)) for name in _RIVALS]
        cells = [*rivals, *map(_percent, mine), *others]
        yield _row(str(span), str(len(mine[0])), *cells)


def differences(right: Makes) -> Iterator[str]:
    """Yield the table of what is lost more than by others, with intervals over logs."""
    priors = {"history": "history", "nothing": "nothing known"}
    against = {"a": "(a) [points]", "b": "(b) [points]", "own": "window's rate [%]"}
    yield from _head(
        "window",
        *(f"{words}, against {rival}" for words in priors.values() for rival in against.values()),
    )
    for span in SPANS:
        cells = [
            _with_limits(mean_over_logs(compared(right, prior, rival, span)))
            for prior in priors
            for rival in against
        ]
        yield _row(str(span), *cells)


def of_each_log(right: Makes) -> Iterator[str]:
    """Yield the table of each log, windows of 30 days: in points above the best constant."""
    yield from _head(
        "log",
        "MTBF [h]",
        "(a) loses [%]",
        *("(b)", "(c)", "(d)"),
        "advisor, history",
        "advisor, nothing known",
    )
    month = SPANS[1]
    best = rival_shares("a", month)
    shares = [rival_shares(name, month) for name in ("b", "c", "d")]
    shares += [advisor_shares(right, prior, month) for prior in ("history", "nothing")]
    for log in sorted(logs(), key=lambda log: log.mtbf):
        if log.name not in best:
            continue
        above = [f"{100.0 * (share[log.name] - best[log.name]):+.2f}" for share in shares]
        mtbf = f"{log.mtbf / _HOUR:.1f}"
        yield _row(log.name, mtbf, f"{100.0 * best[log.name]:.2f}", *above)


def targets(found: Iterable[tuple[Target, Mean]]) -> Iterator[str]:
    """Yield the table of what was asked for and what was found."""
    yield from _head("target", "unit", "mean at most", "mean", "worst at most", "worst log", "met")
    for target, mean in found:
        yield _row(
            target.name,
            target.unit,
            f"{target.mean:g}",
            _with_limits(mean),
            f"{target.worst:g}" if target.worst < float("inf") else "",
            f"{mean.worst:+.2f} {mean.where}",
            _met(target, mean),
        )


def _met(target: Target, found: Mean) -> str:
    above = found.above(target.worst)
    if above and target.met(found):
        return f"**not on {', '.join(above)}**"
    return "yes" if target.met(found) else "**no**"


def found_on_logs(right: Makes) -> list[tuple[Target, Mean]]:
    """Return each target with what was found."""
    return [(target, target.found(right)) for target in TARGETS]


def _head(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield "|" + "---|" * len(names)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _percent(shares: Mapping[str, float]) -> str:
    return f"{100.0 * mean_over_logs(shares).mean:.2f}"


def _with_limits(found: Mean) -> str:
    return f"{found.mean:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"
