"""The table of claims at the top of a paper's page, written from the JSON beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .claims import CAUSES, Judged

BEGIN, END = "<!-- written by --reproduction from the JSON -->", "<!-- end of what is written -->"
_COLUMNS = ("", "place", "the paper says", "printed", "ours, by its text", "holds in", "verdict")


def claims_table(found: Sequence[Judged]) -> str:
    """Return one line for each claim, and the causes that occur."""
    lines = [f"| {' | '.join(_COLUMNS)} |", "|---" * len(_COLUMNS) + "|"]
    lines += [_line(number, judged) for number, judged in enumerate(found, start=1)]
    causes = {judged.claim.cause for judged in found if _stated(judged)}
    words = ", ".join(f"{key} {text}" for key, text in CAUSES.items() if key in causes)
    return "\n".join([*lines, "", f"Causes: {words}."] if words else lines)


def _line(number: int, judged: Judged) -> str:
    claim, text = judged.claim, judged.readings[0]
    ours = text.ours
    if len(text.steps) > 1:
        ours += f"; {text.seen(claim)} of {len(text.steps)} steps seen"
    verdict = f"**{judged.verdict}**"
    if _stated(judged):
        verdict += f" · {claim.cause}"
    if "open" in judged.words and not claim.ruled:
        verdict += f" · {judged.needed:,} seeds" if judged.needed else " · no number of seeds"
    if claim.why and judged.verdict != "holds":
        verdict += f": {claim.why}"
    cells = (f"{number}", claim.place, claim.says, claim.printed, ours, judged.bar(), verdict)
    return f"| {' | '.join(cells)} |"


def _stated(judged: Judged) -> bool:
    return bool(judged.claim.cause) and judged.verdict != "holds"


def effects_table(found: Sequence[Judged]) -> str:
    """Return in how many readings each claim holds, by each level of each factor that matters."""
    lines = ["| | rule | holds with | seeds |", "|---|---|---|---|"]
    for number, judged in enumerate(found, start=1):
        effects = "; ".join(
            f"*{factor}* "
            + ", ".join(f"{level}: {counts[0]} of {sum(counts)}" for level, counts in each.items())
            for factor, each in judged.effects().items()
            if len({counts[0] / sum(counts) for counts in each.values()}) > 1
        )
        text = max(step.seeds for step in judged.readings[0].steps)
        seeds = f"{judged.seeds:,}" if judged.seeds else ""
        seeds += f"; text {text:,}" if text > judged.seeds else ""
        lines.append(f"| {number} | {judged.claim.rule} | {effects} | {seeds} |")
    return "\n".join(lines)


def written(found: Sequence[Judged]) -> str:
    """Return what stands between the marks of a page."""
    parts = (claims_table(found), "By each factor alone:", effects_table(found))
    return "\n\n".join((BEGIN, *parts, END))


def renew(page: Path, found: Sequence[Judged]) -> None:
    """Write the table into a page, between its marks, or a page with nothing else."""
    text = page.read_text() if page.exists() else f"{BEGIN}\n{END}\n"
    between = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    page.write_text(between.sub(lambda _: written(found), text, count=1))
