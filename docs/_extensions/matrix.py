"""Which function answers what of which protocol: a table, written from the registry and `sim`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# Column -> how the names of its functions begin.
QUANTITIES: Mapping[str, tuple[str, ...]] = {
    "mean": (
        "expected_makespan",
        "expected_pattern_time",
        "expected_energy",
        "expected_saved_work",
        "wsj_mean",
    ),
    "variance": ("makespan_variance", "wsj_variance"),
    "law": (
        *("exact_makespan", "predictive_makespan", "mixed_makespan"),
        *("wsj_makespan", "wsj_compound"),
    ),
    "best interval": (
        *("optimal_interval", "optimal_period", "optimal_pattern", "optimal_plan"),
        *("optimal_checkpoint", "optimal_iterations", "best_segments", "best_window"),
        *("hazard_intervals", "lazy_intervals"),
    ),
    "losses": (
        *(
            "waste",
            "efficiency",
            "regret",
            "useful_share",
            "mixed_useful",
            "training_shares",
            "share_lost",
        ),
        *("goodput", "spares_goodput", "degraded_goodput", "two_stage_goodput"),
    ),
    "simulator": ("simulate_",),
}

# Row -> words in the names of its functions, of which the longest that is found decides.
PROTOCOLS: Mapping[str, tuple[str, ...]] = {
    "synchronous": ("",),
    "asynchronous": ("_async",),
    "two levels": ("two_level",),
    "several levels": ("_levels", "level_", "pattern_time"),
    "silent errors, verified": ("silent",),
    "silent errors, latent": ("detected_late",),
    "predicted failures": ("predicted",),
    "windows of predictions": ("window",),
    "ageing machine": ("ageing", "hazard", "lazy", "planned"),
    "ageing nodes, all renewed": ("rejuvenated", "platform_makespans"),
    "chain of tasks": ("chain",),
    "iterations redone": ("iteration", "iterative"),
    "tasks that wait for each other": ("parallel", "phase", "spare_makespans"),
    "standbys": ("standby", "spares_goodput", "degraded", "two_stage"),
    "pairs of replicas": ("_pairs", "replicated"),
    "buddies": ("buddies", "buddy", "failures_to_loss"),
    "shared file system": ("_shared",),
    "reservation that ends": ("checkpoint_margin", "saved_work"),
    "unknown MTBF": ("predictive", "mixed", "unknown_mtbf"),
    "training run": ("goodput", "training"),
    "training run in memory": ("shares_memory", "memory_runs"),
    "energy": ("energy", "energies"),
    "rework that never fails (Wu, Sun and Jin)": ("wsj",),
}

# Simulators of what is no protocol of one job.
APART = frozenset(
    (
        *("simulate_durations", "simulate_mtbfs", "simulate_delays_after_failure"),
        *("simulate_burst_gaps", "simulate_burst_interruptions", "simulate_platform_failures"),
        *("simulate_spot_jobs", "simulate_advised_job", "simulate_random_cost_makespans"),
    )
)


def quantity_of(name: str) -> str | None:
    """Return the column of a function, or None if it has none."""
    heads = {head: column for column, heads in QUANTITIES.items() for head in heads}
    found = [head for head in heads if name.startswith(head)]
    return heads[max(found, key=len)] if found and name not in APART else None


def protocol_of(name: str) -> str:
    """Return the row of a function."""
    words = {word: row for row, words in PROTOCOLS.items() for word in words}
    return words[max((word for word in words if word in name), key=len)]


def cells(names: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Return row and column -> the functions there, in their order."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in names:
        column = quantity_of(name)
        if column is not None:
            found.setdefault((protocol_of(name), column), []).append(name)
    return found


def matrix(names: Iterable[str]) -> str:
    """Return the table as Markdown."""
    there = cells(names)
    lines = [
        "| protocol | " + " | ".join(QUANTITIES) + " |",
        "| --- " * (len(QUANTITIES) + 1) + "|",
    ]
    for row in PROTOCOLS:
        filled = (
            "<br>".join(f"`{name}`" for name in there.get((row, column), ()))
            for column in QUANTITIES
        )
        lines.append(f"| {row} | " + " | ".join(filled) + " |")
    return "\n".join(lines)
