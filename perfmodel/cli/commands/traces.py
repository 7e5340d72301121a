"""`perfmodel traces`: list public logs, fetch, describe and resample them, generate others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from asking.reading import JobLogReading
from asking.units import human_count
from sim.answers import JOB_FORMAT, of_file

from ..figures import plot_option
from ..options.example import example
from ..options.filling import in_words_of_options, options_of
from ..options.limits import log_limits
from ..options.types import COUNT, EVENTS, FOLDER, LOG_FILE, OUTPUT_FILE, POSITIVE, F, OneOf, wanted
from ..output.progress import doing, watched
from ..output.tables import print_json, print_lines, print_parts, print_table
from ..output.whole_file import whole_file
from ..plain import echo

_KEPT = ("Computer", "Installation", "UnixStartTime", "TimeZoneString", "MaxNodes", "MaxProcs")
_SEARCHED = "Logs are looked for in $PERFMODEL_TRACES, then in ../shared/traces."


@click.group(invoke_without_command=True, epilog=example("perfmodel traces list"))
@click.pass_context
def traces(ctx: click.Context) -> None:
    """List, fetch, describe, resample and generate logs."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@traces.command("list", epilog=example("perfmodel traces list"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_logs(*, as_json: bool) -> None:
    """List the public logs known by name, and which are at hand."""
    from sim.traces import CATALOGUE, locate

    found = {entry.name: locate(entry.path) for entry in CATALOGUE}
    if as_json:
        print_json(
            [
                {
                    "name": entry.name,
                    "about": entry.about,
                    "url": entry.url,
                    "size_bytes": entry.size,
                    "sha256": entry.sha256,
                    "terms": entry.terms,
                    "path": entry.path,
                    "local": None if found[entry.name] is None else str(found[entry.name]),
                }
                for entry in CATALOGUE
            ]
        )
        return
    print_table(
        ("name", "what", "at hand", "download"),
        (
            (
                entry.name,
                entry.about,
                "yes" if found[entry.name] else "no",
                "-" if entry.size is None else f"{entry.size / 1e6:.2f} MB",
            )
            for entry in CATALOGUE
        ),
        words=3,
    )
    print_lines(_SEARCHED, "perfmodel traces fetch NAME downloads one.")


@traces.command("formats", epilog=example("perfmodel traces formats sacct"))
@click.argument("names", metavar="[NAME]...", nargs=-1)
def show_formats(names: tuple[str, ...]) -> None:
    """Show a sample of each format that is read.

    Or of those with these names. Formats are told by the first lines of a log, and the answer of
    every command says which it took.
    """
    from sim.traces import DIALECTS, SAMPLES

    for name in names:
        if name not in SAMPLES:
            raise click.UsageError(f"NAME must be one of {', '.join(SAMPLES)}, got {name!r}")
    for name in names or SAMPLES:
        sample = SAMPLES[name]
        print_lines(f"{name} ({sample.kind}): {sample.about}", "")
        click.echo("".join(f"    {line}\n" for line in sample.text.splitlines()))
    if not names:
        others = [f"{name}: {dialect.about}" for name, dialect in DIALECTS.items()]
        print_lines("Dialects of swf:", "", *(f"  {words}." for words in others[1:]))


@traces.command(epilog=example("perfmodel traces fetch SDSC-SP2-1998-4.2-cln"))
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option(
    "--to",
    "folder",
    type=FOLDER,
    help="Folder of traces. Default: $PERFMODEL_TRACES, else ../shared/traces.",
)
@click.option(
    "--insecure-no-checksum",
    is_flag=True,
    help="Take logs whose checksum is not known as they are.",
)
def fetch(names: tuple[str, ...], *, folder: Path | None, insecure_no_checksum: bool) -> None:
    """Download logs by name, over https.

    An interrupted download continues where it stopped. Size and checksum are compared with the
    catalogue; for a log that is already there, the checksum alone.
    """
    from sim.traces import entry
    from sim.traces import fetch as fetch_log

    wanted = [entry(name) for name in names]
    _quiet_pooch()
    for one in wanted:
        try:
            with _progress_bar(one.name) as progress:
                path = fetch_log(
                    one,
                    folder=folder,
                    progress=progress,
                    insecure_no_checksum=insecure_no_checksum,
                )
        except RuntimeError as error:  # the extra that downloads is not installed
            raise click.ClickException(str(error)) from error
        checked = "content as expected" if one.sha256 else "taken as it is, no checksum is known"
        echo(f"{path}: {checked}")
        click.echo(f"Terms: {one.terms}")


@traces.command(epilog=example("perfmodel traces generate lanl-like --seed 7 --out failures.csv"))
@click.argument("kind", type=OneOf(["intrepid-like", "lanl-like"]))
@click.option("--seed", type=EVENTS, default=1, show_default=True, help="Decides every draw.")
@click.option(
    "--out",
    required=True,
    type=OUTPUT_FILE,
    help="File to write; .gz, .xz, .bz2 or .zip compresses a job log.",
)
def generate(kind: str, *, seed: int, out: Path) -> None:
    """Write a generated log.

    A job log like Intrepid's (SWF) or a failure log like LANL's (CSV).
    """
    import numpy as np

    from sim.traces import INTREPID_HEADER, intrepid_like, lanl_like, write_lanl, write_swf

    rng = np.random.default_rng(seed)
    if kind == "intrepid-like":
        frame = intrepid_like(rng)
        note = f"perfmodel traces generate intrepid-like --seed {seed}"
        header = {**INTREPID_HEADER, "MaxJobs": str(len(frame)), "Note": note}
        with whole_file(out) as part:
            write_swf(frame, part, header=header)
        echo(f"{out}: {human_count(len(frame), 'job')}")
    else:
        frame = lanl_like(rng)
        with whole_file(out) as part:
            write_lanl(frame, part)
        echo(f"{out}: {human_count(len(frame), 'failure')}")


def _of_job_log(command: F) -> F:
    """Add what a command that reads a job log takes."""
    options = (
        click.argument("log", type=LOG_FILE),
        click.option(
            "--format",
            "job_format",
            type=wanted(JOB_FORMAT),
            metavar="NAME",
            help="Format of LOG.  [default: by its first lines] perfmodel traces formats shows "
            "a sample of each.",
        ),
        options_of(JobLogReading),
        click.option(
            "--processors",
            type=COUNT,
            help="Of the machine, in the unit of LOG.  [default: the log's header]",
        ),
        click.option("--strict", is_flag=True, help="Refuse a log with malformed lines."),
        log_limits,
    )
    command = in_words_of_options()(command)
    for add in reversed(options):
        command = add(command)
    return command


@traces.command(epilog=example("perfmodel traces describe jobs.swf --plot jobs.svg"))
@_of_job_log
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
def describe(
    log: Path,
    *,
    job_format: str | None,
    columns: tuple[tuple[str, str], ...],
    fields: str | None,
    date_order: str | None,
    processors: int | None,
    strict: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Say what a job LOG is like.

    When jobs arrive and how they follow each other, sizes, running times and requests, users,
    sessions and runs of equal jobs, and load over time: of the whole log, and how far its weeks
    differ. A session is what a user submits with at most 20 minutes in between; jobs of a user are
    equal if they have the same size and requested time.
    """
    from sim.traces import describe_jobs

    from ...answers.logs import read_job_log
    from ...answers.logs.node_hours import node_hours_parts, plain_node_hours
    from ..output.job_log import plain_description, show_description

    reading = JobLogReading(columns=columns, fields=fields, date_order=date_order)
    with doing(f"describing {log.name}"):
        read = read_job_log(log, job_format, processors=processors, strict=strict, reading=reading)
        frame = read.trace.frame
        with of_file(log):
            found = describe_jobs(frame, processors=read.processors, clock=read.clock or 0.0)
    if plot is not None:
        from ..figures.job_logs import plot_description

        plot_description(found, frame["runtime"].to_numpy(), frame["walltime"].to_numpy(), plot)
    hours = plain_node_hours(frame)
    if as_json:
        said = {**plain_description(found), "node_hours_by_state": hours}
        print_json({**said, "log": list(read.notes)})
    else:
        show_description(found, read.notes, dated=read.clock is not None)
        if hours:
            print_lines("")
            print_parts(node_hours_parts(hours))


@traces.command(
    epilog=example(
        "perfmodel traces resample month.swf --load 0.8 --days 60 --by day \\",
        "    --seed 7 --out drawn.swf",
    )
)
@_of_job_log
@click.option(
    "--by",
    type=OneOf(["user", "day", "week"]),
    default="user",
    show_default=True,
    help="What is drawn with its inner order: all that a user did, or all of a day or a week.",
)
@click.option("--days", type=POSITIVE, help="Length of the drawn log.  [default: that of LOG]")
@click.option(
    "--load",
    type=POSITIVE,
    help="Offered load, such as 0.8, reached by drawing more users or fewer.",
)
@click.option(
    "--like",
    type=LOG_FILE,
    help="CSV of printed numbers to meet: measure (jobs, processors, runtime, walltime), from, "
    "below, value. With from or below a share of the jobs, else a mean.",
)
@click.option("--seed", type=EVENTS, default=1, show_default=True, help="Decides every draw.")
@click.option(
    "--out",
    required=True,
    type=OUTPUT_FILE,
    help="SWF to write; .gz, .xz, .bz2 or .zip compresses it.",
)
def resample(
    log: Path,
    *,
    job_format: str | None,
    columns: tuple[tuple[str, str], ...],
    fields: str | None,
    date_order: str | None,
    processors: int | None,
    strict: bool,
    by: Any,
    days: float | None,
    load: float | None,
    like: Path | None,
    seed: int,
    out: Path,
) -> None:
    """Draw a log of another load and length from a job LOG.

    Users, days or weeks are drawn as they are, so that bursts, runs of equal jobs, the hours of
    the day and the days of the week stay. More load is more users, not smaller gaps.
    """
    import numpy as np

    from sim.answers import refuse_without_submit
    from sim.traces import describe_jobs, resample_jobs, write_swf

    from ...answers.logs import conditions_of, read_job_log
    from ..output.job_log import show_comparison

    reading = JobLogReading(columns=columns, fields=fields, date_order=date_order)
    with doing(f"reading {log.name}"):
        read = read_job_log(log, job_format, processors=processors, strict=strict, reading=reading)
    refuse_without_submit(log, read.trace)
    if load is not None and read.processors is None:
        raise click.UsageError(
            "--processors must be given with --load where the log's header does not say MaxProcs"
        )
    notes = list[str]()
    conditions = [] if like is None else conditions_of(like, notes)
    with doing(f"drawing from {log.name}"), of_file(log):
        drawn = resample_jobs(
            read.trace.frame,
            np.random.default_rng(seed),
            by=by,
            days=days,
            load=load,
            processors=read.processors,
            like=conditions,
        )
    length = "" if days is None else f" --days {days:g}"
    said = f"perfmodel traces resample --by {by}{length} --seed {seed}: {log.name}"
    kept = {name: read.trace.header[name] for name in _KEPT if name in read.trace.header}
    header = {**kept, "MaxJobs": str(len(drawn)), "Note": said}
    with doing(f"writing {out.name}"), whole_file(out) as part:
        write_swf(drawn, part, header=header)
    print_lines(*notes, f"{out}: {human_count(len(drawn), 'job')}")
    own = describe_jobs(read.trace.frame, processors=read.processors)
    if len(drawn) > 1:
        show_comparison(own, describe_jobs(drawn, processors=read.processors))


def _quiet_pooch() -> None:
    """Silence all but its warnings: the progress bar shows the download."""
    try:
        import pooch
    except ImportError:
        return
    pooch.get_logger().setLevel("WARNING")


@contextmanager
def _progress_bar(name: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Yield a function that shows the progress of a download; None off a terminal."""
    if not watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TransferSpeedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
