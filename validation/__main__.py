"""``python -m validation``: compare every formula with the simulators, then every mutant."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import NoReturn

import click
from rich.console import Console

from . import ROOT
from .catalogue import run_catalogue
from .judge.report import as_json, print_report
from .judge.run import Tier
from .kept import Kept
from .reproduction import PAPERS, PLACES
from .reproduction.shown import Shown
from .subjects import CASES, PROPERTIES
from .tiers import full, quick


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--full", "thorough", is_flag=True, help="Run the full tier: minutes, with a fresh seed."
)
@click.option(
    "--only",
    metavar="NAME",
    help="Only formulas whose name contains NAME; with --reproduction, only that place: fig4.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Repeat the run of this seed.")
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
@click.option("--property", "properties", is_flag=True, help="Draw the points at random.")
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    help="With --property: points per formula, 50 by default.",
)
@click.option(
    "--map", "as_map", is_flag=True, help="Show the ratios at which each formula is compared."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that share the formulas, 1 by default, or with --reproduction the replays, 2; "
    "the verdicts are the same with any number.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep what is found in this folder, a JSON file per formula or a file of simulations per "
    "paper; a run that was stopped goes on from there.",
)
@click.option(
    "--advisor",
    is_flag=True,
    help="Show what jobs lose that follow the advisor, on failure logs and drawn failures.",
)
@click.option(
    "--reproduction",
    type=click.Choice(tuple(PAPERS)),
    help="Repeat the experiments of a paper and print our results beside the paper's.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=2),
    help="With --reproduction: runs of each experiment, 10 by default.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --reproduction: folder to write JSON, the table of the page and figures to.",
)
@click.option(
    "--figures",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --reproduction: folder to write figures alone to, as SVG.",
)
@click.option(
    "--text",
    is_flag=True,
    help="With --reproduction qsim or aucore: play the paper's text alone; other readings "
    "stay as the JSON in --out has them.",
)
def main(
    *,
    thorough: bool,
    only: str | None,
    seed: int | None,
    as_data: bool,
    properties: bool,
    examples: int | None,
    as_map: bool,
    workers: int | None,
    keep: Path | None,
    advisor: bool,
    reproduction: str | None,
    seeds: int | None,
    out: Path | None,
    figures: Path | None,
    text: bool,
) -> None:
    """Compare the formulas of perfmodel with simulations of the same models by sim.

    Prints one verdict per formula and point, then the mutants: wrong formulas that the same
    trials must reject. The exit code is 1 if any formula fails or any mutant survives.
    """
    if reproduction is not None:
        _check_place(reproduction, only)
        if text and reproduction not in ("aucore", "qsim"):
            raise click.UsageError("--text is for --reproduction qsim and aucore")
        shown = Shown(
            figures=figures,
            as_data=as_data,
            only=(only or "").lower(),
            keep=keep,
            text=text,
            workers=workers or 2,
        )
        sys.exit(import_module(PAPERS[reproduction]).main(seeds=seeds or 10, out=out, shown=shown))
    if seeds is not None or out is not None or figures is not None or text:
        raise click.UsageError("--seeds, --out, --figures and --text need --reproduction")
    workers = workers or 1
    if examples is not None and not properties:
        raise click.UsageError("--examples needs --property")
    _check_runs(thorough=thorough, properties=properties, as_map=as_map, workers=workers)
    _check_keep(keep, other=properties or as_map or advisor)
    if advisor:
        if only is not None or as_data or properties or as_map or workers != 1:
            raise click.UsageError("--advisor is a run of its own: it takes --full and --seed")
        _show_advisor(_tier(seed, thorough=thorough))
    console = Console(width=None if sys.stdout.isatty() else 160, file=sys.stdout)
    if as_map:
        _show_map(only, seed, console, as_data)
    if properties:
        _run_properties(only, seed, 50 if examples is None else examples, console, as_data)
    began = monotonic()
    tier, kept = _begin(keep, seed, thorough=thorough)
    try:
        outcome = run_catalogue(tier, only=only, workers=workers, show=not as_data, kept=kept)
    except KeyboardInterrupt:
        _interrupted(keep)
    if not outcome.verdicts:
        raise _unknown(only, (case.formula for case in CASES))
    if as_data:
        click.echo(as_json(tier, outcome))
    else:
        print_report(console, tier, outcome)
        click.echo(
            f"{tier.name} tier: {(monotonic() - began) / 60.0:.1f} min by the clock, "
            f"{outcome.processor_s / 60.0:.1f} min of processor"
        )
    sys.exit(0 if outcome.passed else 1)


def _interrupted(keep: Path | None) -> NoReturn:
    """End as a program that was stopped, and say how to go on."""
    how = "the same command begins anew; with --keep FOLDER it goes on"
    if keep is not None:
        how = f"what was judged is kept in {keep}, from which the same command goes on"
    click.echo(f"Interrupted: {how}.", err=True)
    sys.exit(130)


def _begin(keep: Path | None, seed: int | None, *, thorough: bool) -> tuple[Tier, Kept | None]:
    """Return the tier, with the seed of what is kept if there is any, and where to keep more."""
    if keep is None:
        return _tier(seed, thorough=thorough), None
    kept = Kept(keep)
    try:
        tier = _tier(kept.seed() if seed is None else seed, thorough=thorough)
        kept.begin(tier, ROOT)
    except (OSError, ValueError, KeyError) as error:
        raise click.UsageError(f"--keep: {error}") from error
    return tier, kept


def _check_place(paper: str, only: str | None) -> None:
    if only is not None and only.lower() not in PLACES[paper]:
        places = ", ".join(PLACES[paper])
        raise click.BadParameter(f"--only must be one of {places} of {paper}, got {only!r}")


def _check_runs(*, thorough: bool, properties: bool, as_map: bool, workers: int) -> None:
    if properties and thorough:
        raise click.UsageError("--full and --property are different runs: give one of them")
    if workers != 1 and (properties or as_map):
        raise click.UsageError("--workers is for runs without --property and --map")
    if as_map and (properties or thorough):
        raise click.UsageError("--map is a run of its own: give it without --full and --property")


def _check_keep(keep: Path | None, *, other: bool) -> None:
    if keep is not None and other:
        raise click.UsageError("--keep is for runs without --property, --map and --advisor")


def _show_advisor(tier: Tier) -> NoReturn:
    from .subjects.advisor.regrets import print_regrets

    sys.exit(0 if print_regrets(tier) else 1)


def _tier(seed: int | None, *, thorough: bool) -> Tier:
    if thorough:
        return full(secrets.randbits(32) if seed is None else seed)
    return quick(seed)


def _show_map(only: str | None, seed: int | None, console: Console, as_data: bool) -> NoReturn:
    from .ranges import coverage

    found = coverage.spans(only=only, seed=1 if seed is None else seed)
    if not found:
        raise _unknown(only, (case.formula for case in CASES))
    if as_data:
        click.echo(coverage.as_json(found))
    else:
        coverage.print_map(console, found)
    sys.exit(0 if all(each.judged for each in found) else 1)


def _run_properties(
    only: str | None, seed: int | None, examples: int, console: Console, as_data: bool
) -> NoReturn:
    from .judge import property_report
    from .judge.search import search_all

    run_seed = secrets.randbits(32) if seed is None else seed
    run = search_all(PROPERTIES, only=only, seed=run_seed, examples=examples)
    if not run.results:
        raise _unknown(only, (subject.formula for subject in PROPERTIES))
    if as_data:
        click.echo(property_report.as_json(run))
    else:
        property_report.print_report(console, run)
    sys.exit(0 if run.passed else 1)


def _unknown(only: str | None, formulas: Iterable[str]) -> click.BadParameter:
    names = ", ".join(dict.fromkeys(formulas))
    return click.BadParameter(f"NAME must be part of one of {names}, got {only!r}")


if __name__ == "__main__":
    main()
