"""The table of promised deadlines, a row for each pair of accuracy and confidence."""

from __future__ import annotations

import math

from asking.units import human_count
from sim.answers import PromisesAnswer, cell_label

from ...answers.shown import in_unit, percent, shared_unit
from .measures import engine_words
from .tables import print_facts, print_lines, print_table


def show_promises(found: PromisesAnswer, *, timed: bool) -> None:
    """Print what was replayed, and a row for each cell."""
    parts, objects = found.parts, found.rows
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(parts.notes)]
    facts.append(("machine", human_count(parts.processors, "processor")))
    took = f", computed in {sum(row['engine_s'] for row in objects):.3f} s" if timed else ""
    jobs, often = human_count(len(parts.workload), "job"), human_count(len(objects), "time")
    facts.append(("replayed", f"{jobs}, {often}{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in parts.workload.dropped.items())
    last = max(row["makespan_s"] for row in objects) + float(parts.workload.submit[0])
    times = parts.failures.time
    if times.size == 0 or times[-1] < last:
        facts.append(
            ("", "a replay lasts beyond the last failure: later jobs run without failures")
        )
    cells = [{**row, "policy": cell_label(row["accuracy"], row["confidence"])} for row in objects]
    print_facts([*facts, ("engine", engine_words(cells))])
    print_lines("")
    unit, factor = shared_unit(row["mean_wait_s"] for row in objects)
    most = max((row["lost_work_node_s"] / 3600.0 for row in objects), default=0.0)
    decimals = 0 if most == 0.0 else max(0, 2 - math.floor(math.log10(most)))
    headings = [
        "accuracy",
        "confi-\ndence",
        "QoS",
        "in use\n[%]",
        "lost\n[node h]",
        "kept\n[%]",
        "promised\n[%]",
        "Brier\nscore",
        f"mean wait\n[{unit}]",
    ]
    rows = [
        [
            "-" if row["accuracy"] is None else f"{row['accuracy']:g}",
            f"{row['confidence']:g}",
            f"{row['qos']:.4f}",
            percent(row["utilization"], 1),
            f"{row['lost_work_node_s'] / 3600.0:,.{decimals}f}",
            percent(row["kept"], 2),
            percent(row["mean_promised"], 2),
            f"{row['brier']:.4f}",
            in_unit(row["mean_wait_s"], factor),
        ]
        for row in objects
    ]
    print_table(headings, rows, words=0)
    print_lines(
        "",
        "QoS: work of the jobs that met their deadline, weighted by the probability promised. In "
        "use: execution without checkpoints. Lost: since the start of the last checkpoint.",
    )
