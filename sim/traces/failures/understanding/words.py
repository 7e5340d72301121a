"""Names of columns in the logs of operators, and what words in them say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...parsing.numbers import finite
from ...parsing.values import clock_of, unit_in_name
from .languages import in_english

__all__ = ["FLAGS", "NAMES", "is_header", "is_set", "plain_name", "tokens_of"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What a column is -> its names; the first that is known counts.
NAMES = {
    role: tuple(words.split())
    for role, words in {
        "time": "time start started start_time begin failed failure failure_time failed_at "
        "timestamp time_stamp ts t datetime date_time event_time occurred down down_since "
        "went_down date failure_date start_date last_transition_time last_transition",
        "end": "end stop stopped fixed repaired restored end_time stop_time up up_since back "
        "back_up ended returned end_date finish finished finish_time resolved recovered to till",
        "repair": "repair repair_time duration downtime down_time ttr outage time_to_repair "
        "outage_duration repair_duration lost_time",
        "node": "node host hostname nid node_id node_name nodename machine machine_id server "
        "identifier hardware_identifier hardware_id device instance serial_number serial drive "
        "disk host_name server_name asset cmdb_ci ci configuration_item service resource unit "
        "name alarm_name",
        "system": "system cluster system_id platform",
        "cause": "cause reason category type failure_type what_failed root_cause component "
        "failure failed error message description summary notes note comment comments remark "
        "remarks details title xid",
        "kind": "event evt state status kind event_type action transition condition up down type "
        "alert label node_state health value impact",
        "counts": "failures count failed failure n number failure_count n_failures num_failures "
        "failure_number errors incidents events crashes outages node_failures "
        "failed_nodes interruptions faults unplanned_outages unplanned_failures",
        "machine": "nodes node_count n_nodes num_nodes hosts servers machines",
    }.items()
}
# Those of the counts that tell it of columns of nodes and of ends, too.
COUNTS = _words(
    "failures n_failures num_failures crashes outages node_failures failed_nodes faults "
    "unplanned_outages unplanned_failures"
)

COUNTED = _words("count occurrences event_count error_count")  # of failures, or of messages

STARTS = _set(
    "began begin created detected down failed first from lost occurred onset opened "
    "raised reported since start started starts triggered"
)
ENDS = _set(
    "back clear cleared close closed completed end ended ends finish finished fixed last recover "
    "recovered recovery repaired resolve resolved restore restored returned stop stopped until up"
)
# Those that come after the repair, where both are there.
ENDS_LATE = _set("cleared close closed completed last until")
REPAIRS = _set(
    "down downtime duration elapsed fix lasted length mttr outage recover repair "
    "resolution resolve restore ttr"
)
DATES = _set("date failure_date start_date end_date day year")
DAYS = _words("date day year failure_date start_date down_date event_date end_date")
CLOCKS = _words("time time_of_day hour start_time failure_time time_failure down_time event_time")
TIMES = _set("time hour")
STRUCK = _set("failure failed outage down crash incident")
END_DAYS = _set("end_date up_date stop_date repair_date fixed_date")
END_CLOCKS = _set("end_time up_time stop_time repair_time fixed_time")
# Names of flags: 1 is up, is down, is a failure, is planned.
FLAGS = {
    "up": _set("up online available ready alive healthy ok reachable"),
    "down": _set("down offline unavailable outage notready dead broken"),
    "failure": _set("failed failure fail fails crash crashed fault"),
    "planned": _set("planned scheduled maintenance maint"),
    "unplanned": _set("unplanned unscheduled"),
}
FALSE = _set("false duplicate spurious fehlalarm")  # flags of what is no failure
NOT = _set("not non un")
CODES = _set("xid error errors fault faults alarm alarms")  # names of numbers of which 0 is none
NODES = _set("node host hostname nodename server machine")  # as last words of names
SHARES = _set("availability uptime percent verfügbarkeit disponibilité disponibilidad sla")
MEANS = _set("mtbf mttf mtti mtbi mtbsi")
UNSURE = _set("state status event value condition")  # flags that do not say what 1 is
# Last words of the names of columns whose values tell one kind of row from another.
TELLING = _set(
    "alert_type condition direction event event_type health level severity state status transition"
)
CONDITIONS = _set("condition condition_type type")  # of a node of Kubernetes
BEFORE = _set("before from last old prev previous")
SECONDS = _set("repair repair_time")  # documented to be in seconds
ALERTS = _set("label alert alert_type alert_category")
TRUE = _set("1 1.0 true yes t y ja j oui si sí wahr vrai verdadero vero x ☑ ☒ ✓ ✔ 是")


def is_header(names: Sequence[str]) -> bool:
    """Whether the fields of a line are names of columns of failures."""
    if any(name and (finite(name) is not None or clock_of(name) is not None) for name in names):
        return False
    known = {name for kinds in NAMES.values() for name in kinds}
    if not known.isdisjoint(map(plain_name, names)):
        return True
    tokens = {token for name in names for token in tokens_of(name)}
    return len(names) > 1 and not tokens.isdisjoint(STARTS | ENDS | {"date", "time", "timestamp"})


def is_of_node(tokens: Sequence[str]) -> bool:
    """Whether the words of a name end in a node, as those of "affected host" and "node name" do."""
    last = [token for token in tokens if token not in ("id", "name")][-1:]
    return bool(last) and last[0] in (NODES if tokens[-1:] == (*last,) else NODES | {"service"})


def counts_nodes(name: str) -> bool:
    """Whether a name of numbers says how many are up, or down."""
    return not (FLAGS["up"] | FLAGS["down"]).isdisjoint(tokens_of(name))


def is_set(text: str) -> bool:
    """Whether the value of a flag is true."""
    return text.lower() in TRUE


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the words in a name, in lower case and in English."""
    spelt = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return in_english(tuple(token for token in re.split(r"[\W_]+", spelt) if token))


def plain_name(name: str) -> str:
    """Return a name in lower case, without its unit and "number of"."""
    tokens = list(tokens_of(name))
    many = 2 if tokens[:2] == ["number", "of"] else int(tokens[:1] == ["number_of"])
    tokens = tokens[many:] or tokens
    if len(tokens) > 1 and tokens[-1] != "day" and unit_in_name(name) is not None:
        tokens = tokens[:-1] if unit_in_name(" ".join(tokens[:-1])) is None else tokens
    return "_".join(tokens)
