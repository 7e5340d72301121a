"""``python -m validation.promises``: how often what forecasters say of jobs came true, on logs."""

from __future__ import annotations

import json
from datetime import datetime
from importlib import import_module
from pathlib import Path

import click

from .controls import CONTROLS, WRONG, drawn_windows, faults
from .entries import ENTRIES
from .laws import CODE, Forecaster, code_hash, code_of, limited
from .page import PAGE, RESULTS, table, with_tables
from .table import rows_of, scores_of, told
from .tiers import (
    ATTEMPTS,
    KINDS_PLAYED,
    checked_logs,
    noted,
    open_logs,
    sealed_windows,
    windows_of,
    windows_to_ship,
)
from .windows import FILE, Window, file_hash, write_asked

_OWN = click.option("--entry", help="A forecaster of your own, package.module:name.")
_SEED = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)


def entered(name: str) -> Forecaster:
    """Return the forecaster that ``package.module:name`` names."""
    module, _, attribute = name.partition(":")
    try:
        found: Forecaster = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.UsageError(
            f"--entry must be package.module:name of a function, got {name!r} ({error})"
        ) from None
    if (size := len(code_of(found))) > CODE:
        raise click.UsageError(f"--entry must have at most {CODE:,} bytes of code, got {size:,}")
    return found


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Count how often intervals and deadlines that forecasters state came true."""


@main.command()
@click.option(
    "--logs",
    "tier",
    type=click.Choice(["open", "checked", *CONTROLS]),
    default="open",
    show_default=True,
    help="Open ones, to tune on; checked ones, where each run is counted; drawn machines.",
)
@click.option(
    "--sealed",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A log of your own; only scores are printed. Give it again for more.",
)
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Jobs of --sealed from this day.")
@click.option("--kind", type=click.Choice([*KINDS_PLAYED]), default="whole", show_default=True)
@_OWN
@click.option("--only", help="Only entries whose name contains this, and the exponential.")
@_SEED
@click.option("--keep", is_flag=True, help="Keep the rows for the page.")
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
def play(  # noqa: PLR0917 - click gives them by name
    tier: str,
    sealed: tuple[Path, ...],
    since: datetime | None,
    kind: str,
    entry: str | None,
    only: str | None,
    seed: int,
    keep: bool,
    as_data: bool,
) -> None:
    """Print the table of entries on jobs of one kind."""
    entries = {
        name: each
        for name, each in ENTRIES.items()
        if only is None or only in name or name.startswith("exponential")
    }
    codes = {name: code_hash(each) for name, each in entries.items()}
    if entry is not None:
        own = entered(entry)
        entries[entry], codes[entry] = limited(own), code_hash(own)
    chosen: list[Window]
    if sealed:
        tier = "sealed"
        chosen = sealed_windows(sealed, kind, since.date() if since else None)
    elif tier in CONTROLS:
        chosen = list(drawn_windows(tier, seed))
    else:
        chosen = windows_of(open_logs() if tier == "open" else checked_logs(), kind)
    if not chosen:
        raise click.ClickException("logs must be at hand, got none: PERFMODEL_TRACES names them")
    rows = rows_of(entries, chosen)
    if tier == "checked":
        signed = [(row, codes[row.name]) for row in rows if row.name in codes]
        attempts = noted(ATTEMPTS, tier, kind, signed)
        click.echo(f"{attempts} attempts on these logs so far: {ATTEMPTS.name}", err=True)
    kept = {
        "logs": tier,
        "kind": kind,
        "windows": file_hash(),
        "rows": [row.as_json() for row in rows],
    }
    shown = json.dumps(kept, indent=1)
    if keep:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{tier} {kind}.json".replace(" ", "-")).write_text(shown + "\n")
    click.echo(shown if as_data else table([row.as_json() for row in rows]))


@main.command("windows")
def write_windows() -> None:
    """Make the file of windows again, from the logs that are at hand."""
    found = windows_to_ship()
    write_asked(found, FILE)
    click.echo(f"{len(found):,} windows of {len({each.log for each in found})} logs: {FILE.name}")


@main.command("controls")
@_OWN
@_SEED
def judge_controls(entry: str | None, seed: int) -> None:
    """Say who is at fault on drawn machines; who holds what it states is with 0.001 at most."""
    seers = {"mixture": told(ENTRIES["mixture"]), **WRONG}
    if entry is not None:
        seers = {entry: told(limited(entered(entry)))}
    drawn = [window for control in CONTROLS for window in drawn_windows(control, seed)]
    for name, seer in seers.items():
        said = faults(scores_of(seer, drawn)[0])
        click.echo(f"{name}: " + ("; ".join(said) if said else "no fault found"))


@main.command("page")
def write_page() -> None:
    """Write kept rows to the tables and figures of docs/promises.md."""
    from .figures import draw

    PAGE.write_text(with_tables(PAGE.read_text()))
    draw()


if __name__ == "__main__":
    main()
