"""The 18 columns of the Standard Workload Format, and how published logs depart from them."""

from __future__ import annotations

from dataclasses import dataclass

# Times in seconds, memory in KB per processor; a missing value is -1.
SWF_COLUMNS = (
    *("job", "submit", "wait", "runtime", "processors", "average_cpu", "memory"),
    *("requested_processors", "walltime", "requested_memory", "status", "user", "group"),
    *("executable", "queue", "partition", "preceding_job", "think_time"),
)
WHOLE_COLUMNS = frozenset(
    {"job", "processors", "requested_processors", "status", "user", "group", "executable"}
    | {"queue", "partition", "preceding_job"}
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one family of logs is laid out: numbers first, then `text` columns kept as words."""

    columns: tuple[str, ...]
    text: tuple[str, ...] = ()
    titled: bool = False
    about: str = ""


def _swapped(first: str, second: str) -> tuple[str, ...]:
    exchange = {first: second, second: first}
    return tuple(exchange.get(name, name) for name in SWF_COLUMNS)


DIALECTS = {
    "standard": Dialect(SWF_COLUMNS, about="18 columns, with or without header comments"),
    "walltime-in-6": Dialect(
        _swapped("average_cpu", "walltime"),
        about="requested time in column 6 instead of 9 (Mira 2018 and Theta 2023)",
    ),
    "placement": Dialect(
        SWF_COLUMNS,
        text=("placement", "queue_name", "request"),
        about="three more columns: the node of each processor, queue, request (wagap 2013)",
    ),
    "row-number": Dialect(
        ("original_row", *SWF_COLUMNS),
        about="19 columns, the first numbers the rows of the original (LANL Trinity)",
    ),
    "no-walltime": Dialect(
        ("job", "submit", "runtime", "processors", "comment", "percentage"),
        titled=True,
        about="Job_name Submit Runtime Nodes Comment Perc; processors are nodes as recorded",
    ),
}
