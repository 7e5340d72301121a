"""``python -m validation.promises``: how often what forecasters say of jobs came true, on logs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import click
import numpy as np

from ..advice.logs import FailureLog, logs
from .entries import ENTRIES, Forecaster
from .table import Row, rows_of

ATTEMPTS = Path(__file__).with_name("attempts.csv")
_LEFT_OUT = ("GLM-130B", "Mira, all grouped")  # too short; the same machine twice
_CONTROLS = 6
_COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "windows": lambda row: f"{row.windows:,}",
    "50 %": lambda row: f"{100 * row.held[0]:.1f}",
    "80 %": lambda row: f"{100 * row.held[1]:.1f}",
    "90 % held": lambda row: (
        f"{100 * row.held[2]:.1f} [{100 * row.limits[0]:.0f}, {100 * row.limits[1]:.0f}]"
    ),
    "worst": lambda row: f"{100 * row.worst:.0f}",
    "CRPS": lambda row: f"{row.crps:.2f}",
    "ratio": lambda row: f"{row.ratio:.2f}",
    "width": lambda row: f"{row.width:.1f}",
    "> 0.975 kept": lambda row: f"{row.late:.3f}",
    "difference": lambda row: f"{row.difference:.3f}",
    "ms": lambda row: f"{1e3 * row.cost_s:.0f}",
}


def open_logs() -> tuple[FailureLog, ...]:
    """Return the logs that anybody may tune on: every other one, LANL 3 the first."""
    return _split()[0]


def checked_logs() -> tuple[FailureLog, ...]:
    """Return the logs that are reported: nobody tunes on them, and each look is counted."""
    return _split()[1]


def _split() -> tuple[tuple[FailureLog, ...], tuple[FailureLog, ...]]:
    known = [log for log in logs() if log.name not in _LEFT_OUT]
    lanl = [log for log in known if log.name.startswith("LANL ")]
    rest = [log for log in known if log not in lanl]
    odd = [log for log in lanl if int(log.name.split()[1]) % 2 == 1] + rest[::2]
    return tuple(odd), tuple(log for log in known if log not in odd)


def drawn_logs(seed: int) -> tuple[FailureLog, ...]:
    """Return machines of a constant rate, on which caution only costs."""
    found = []
    for number in range(_CONTROLS):
        rng = np.random.default_rng([seed, number])
        gaps = rng.exponential(86_400.0 * (number + 1) / 2.0, 2000)
        times = np.cumsum(gaps)
        found.append(FailureLog(f"constant {number + 1}", times[times < 3.0 * 365.0 * 86_400.0]))
    return tuple(found)


def entered(name: str) -> Forecaster:
    """Return the forecaster that ``package.module:name`` names."""
    module, _, attribute = name.partition(":")
    try:
        found: Forecaster = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.UsageError(
            f"--entry must be package.module:name of a function, got {name!r} ({error})"
        ) from None
    return found


def noted(file_of: Path, tier: str, rows: Sequence[Row]) -> int:
    """Count an attempt of each row on logs that are reported; return how many there were."""
    with file_of.open("a", newline="") as file:
        for row in rows:
            held = ";".join(f"{each:.4f}" for each in row.held)
            csv.writer(file).writerow(
                [datetime.now(UTC).date().isoformat(), tier, row.name, held, f"{row.ratio:.4f}"]
            )
    with file_of.open(newline="") as file:
        return sum(1 for line in csv.DictReader(file) if line["logs"] == tier)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--logs",
    "tier",
    type=click.Choice(["open", "checked", "constant"]),
    default="open",
    show_default=True,
    help="Open ones, to tune on; checked ones, where each run is counted; drawn constant rates.",
)
@click.option("--entry", help="A forecaster of your own, package.module:name, beside the others.")
@click.option("--only", help="Only entries whose name contains this, and the exponential.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
def main(tier: str, entry: str | None, only: str | None, seed: int, as_data: bool) -> None:
    """Print how often intervals and deadlines that forecasters state came true."""
    entries = {
        name: each
        for name, each in ENTRIES.items()
        if only is None or only in name or name.startswith("exponential")
    }
    if entry is not None:
        entries[entry] = entered(entry)
    chosen = {"open": open_logs, "checked": checked_logs}.get(tier, lambda: drawn_logs(seed))()
    if not chosen:
        raise click.ClickException("logs must be at hand, got none: PERFMODEL_TRACES names them")
    rows = rows_of(entries, chosen, seed=seed)
    if tier == "checked":
        attempts = noted(ATTEMPTS, tier, [row for row in rows if row.name in entries])
        click.echo(f"{attempts} attempts on these logs so far: {ATTEMPTS.name}", err=True)
    if as_data:
        click.echo(json.dumps([row.as_json() for row in rows], indent=2))
        return
    width = max(len(row.name) for row in rows)
    click.echo("  ".join([" " * width, *_COLUMNS]))
    for row in rows:
        cells = [form(row).rjust(len(name)) for name, form in _COLUMNS.items()]
        click.echo("  ".join([row.name.ljust(width), *cells]))


if __name__ == "__main__":
    main()
