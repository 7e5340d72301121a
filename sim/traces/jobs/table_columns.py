"""Which column of a table of jobs holds what: by its name, as a user says, or in a known layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = [
    "LAYOUTS",
    "ROLES",
    "asked_columns",
    "job_table_layout",
    "role_of_names",
    "tells_ends",
]

# What a column may hold -> names, those of one group first; two of one group are in doubt.
ROLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "job": (("job_id", "jobid"), ("job", "id"), ("job_name", "jobname", "name")),
    "submit": (
        ("submit", "submit_time", "submitted", "submitted_time", "submitted_at", "submission"),
        ("submission_time", "submittime", "submit_date"),
        ("creation_time", "created", "created_at", "create_time", "queued_at", "qtime"),
    ),
    "start": (
        ("start", "start_time", "started", "started_at", "starttime", "begin", "begin_time"),
        ("scheduled_time", "start_date"),
    ),
    "end": (
        ("end", "end_time", "ended", "ended_at", "endtime", "finish", "finish_time"),
        ("finished", "finished_at", "completed_at", "completion_time", "end_date"),
        ("deletion_time", "stop_time"),
    ),
    "duration": (
        ("duration", "runtime", "run_time", "elapsed", "elapsed_time", "elapsedraw"),
        ("execution_time", "wallclock_used", "walltime_used", "used_walltime", "actual_runtime"),
    ),
    "walltime": (
        ("walltime", "walltime_req", "wallclock_req", "req_walltime", "requested_walltime"),
        ("time_limit", "timelimit", "requested_time", "wallclock_limit", "time_req", "limit"),
    ),
    "nodes": (
        ("nodes_alloc", "alloc_nodes", "allocated_nodes", "nodes_used", "used_nodes"),
        ("nodes", "node_num", "num_nodes", "nnodes", "n_nodes", "node_count", "nodes_count"),
        ("number_of_nodes", "num_hosts", "hosts", "num_node"),
        ("nodes_req", "req_nodes", "requested_nodes", "nodes_requested"),
    ),
    "processors": (
        ("cpus_alloc", "alloc_cpus", "allocated_cpus", "cores_used", "used_cores", "alloccpus"),
        ("cpus", "cpu_num", "num_cpus", "ncpus", "cores", "num_cores", "ncores", "processors"),
        ("procs", "num_procs", "nprocs", "cpu_count", "core_count", "cpu"),
        ("processors_req", "cpus_req", "req_cpus", "requested_processors", "cores_req"),
    ),
    "gpus": (
        ("gpus", "gpu_num", "num_gpus", "ngpus", "num_gpu", "gpu_count", "gpus_alloc"),
        ("gpus_req", "req_gpus", "requested_gpus", "gpu"),
    ),
    "state": (
        ("state", "status", "job_state", "job_status", "final_state", "exit_state"),
        ("end_state", "pod_phase", "outcome"),
    ),
    "user": (("user", "user_id", "username", "user_name", "owner"), ("uid", "userid")),
    "account": (("account", "account_name", "project"), ("group", "vc", "project_id")),
    "partition": (("partition", "partition_name", "queue_name"), ("queue",)),
}
_GERMAN = {
    **{
        "auftrag": "job",
        "auftragsnummer": "job_id",
        "jobnummer": "job_id",
        "auftrags_id": "job_id",
    },
    **{"eingereicht": "submit", "abgeschickt": "submit", "beginn": "start", "ende": "end"},
    **{"dauer": "duration", "laufzeit": "runtime", "zeitlimit": "time_limit", "kerne": "cores"},
    **{"knoten": "nodes", "knotenzahl": "nodes", "anzahl_knoten": "nodes", "zustand": "state"},
    **{"benutzer": "user", "nutzer": "user", "projekt": "project", "warteschlange": "queue"},
}
_OF_ACME = {
    **{"job": "job_id", "user": "user", "nodes": "node_num", "gpus": "gpu_num"},
    **{"processors": "gpu_num", "state": "state", "submit": "submit_time"},
    **{"start": "start_time", "end": "end_time", "duration": "duration"},
}
# Public logs whose layout is known. Jobs of clusters of GPUs are scheduled by their GPUs.
LAYOUTS: dict[str, dict[str, str]] = {
    "acme": _OF_ACME,
    "helios": {**_OF_ACME, "account": "vc"},
    "alibaba-gpu": {
        **{"job": "name", "gpus": "num_gpu", "processors": "num_gpu", "state": "pod_phase"},
        **{"submit": "creation_time", "start": "scheduled_time", "end": "deletion_time"},
    },
}
_MARKS = {
    "alibaba-gpu": frozenset({"cpu_milli", "gpu_milli", "pod_phase", "creation_time"}),
    "acme": frozenset({"node_num", "gpu_num", "gpu_time", "submit_time", "state"}),
    "helios": frozenset({"node_num", "gpu_num", "vc", "submit_time", "state"}),
}


def plain_name(name: str) -> str:
    """Return a name without capitals, blanks, or the unit in brackets.

    Examples
    --------
    >>> plain_name("Submit Time"), plain_name("Duration (h)"), plain_name("Knoten")
    ('submit_time', 'duration', 'nodes')
    """
    spelt = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", re.sub(r"[(\[].*", "", name))
    plain = re.sub(r"[^a-z0-9]+", "_", spelt.lower()).strip("_")
    return _GERMAN.get(plain, plain)


_UNIT = re.compile(r"_(?:ns|us|ms|s|sec|secs|seconds|m|min|mins|minutes|h|hours|hrs|d|days)")


def role_of_names(header: Sequence[str], role: str) -> list[str]:
    """Return the columns whose names say that they hold something, the most telling alone."""
    plain = {name: plain_name(name) for name in header}
    for group in ROLES[role]:
        found = [name for name, spelt in plain.items() if spelt in group or _bare(spelt) in group]
        if found:
            return found
    return []


def _bare(name: str) -> str:
    found = re.search(_UNIT.pattern + r"$", name)
    return name if found is None else name[: found.start()]


def job_table_layout(header: Sequence[str]) -> str | None:
    """Return the layout of a table of jobs with these columns, ``table``, or None for no such."""
    names = {name.strip().lower() for name in header}
    for layout, marks in _MARKS.items():
        if marks <= names:
            return layout
    has = {role for role in ROLES if role_of_names(header, role)}
    length = "duration" in has or {"start", "end"} <= has
    told = length and {"job", "submit"} & has and {"nodes", "processors", "gpus"} & has
    # Jobs whose length or size has no known name are refused with what names it.
    submitted = any("job" in name for name in names) and any("submit" in name for name in names)
    return "table" if told or submitted else None


def tells_ends(header: Sequence[str]) -> bool:
    """Whether a table of jobs says how they ended and on how many nodes."""
    return bool(role_of_names(header, "state")) and bool(role_of_names(header, "nodes"))


def asked_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return a user's columns, or raise naming the roles that there are."""
    for role in columns:
        if role not in ROLES:
            raise ValueError(f"columns must be of {', '.join(ROLES)}, got {role[:60]!r}")
    return dict(columns)
