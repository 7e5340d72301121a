"""Words for planned work, and for nodes that are down or up."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Condition: TypeAlias = Literal["down", "up", "planned", "ticket", "other"]

# Work that is said to be planned, whatever the state; and what a drain without a fault is for.
_PLANNED = re.compile(
    r"\b(?:planned|scheduled|maint(?:enance)?|wartung|paused|decommission(?:ed|ing)?"
    r"|power[ _-]?sav(?:e|ing)|reboot asap|pm day|preventi(?:ve|va|vo|f)|geplante?[rsn]?"
    r"|planmäßige?[rsn]?|vorbeugende?|planifi(?:ée?|cad[oa])|prévue?|mantenimiento|programad[oa]"
    r"|manutenzione|manutenção|planejad[oa])\b|^(?:normal |standard )?change(?: request)?$"
)
_UNPLANNED = re.compile(
    r"\b(?:un-?|not |non |no )(?:planned|scheduled|planifi|prévu|program)"
    r"|\b(?:emergency|corrective|unscheduled|breakdown) maint|\bnicht geplant"
)
_WORK = re.compile(
    r"\b(?:firmware|upgrad(?:e|es|ing)|updat(?:e|es|ing)|patch(?:ing)?|re-?imag(?:e|ing)"
    r"|re-?install(?:ing)?|reboot(?:ing)?|burn-?in|relocat(?:e|ion)|move|reserved|reservation"
    r"|(?<![0-9] )pm)\b"
)
_WORDS = re.compile(r"[a-z]+")
_CHANGED = re.compile(r"(?:\bfrom\b.*\bto\b|[-=]>|→)([^.;]*[a-z][^.;]*)$")  # to what
# In English: what stands in a text, as Chinese and Japanese have no blanks between words.
_OTHERS = {
    **dict.fromkeys(("故障", "宕机", "离线", "异常", "障害", "異常", "停止"), " down "),
    **dict.fromkeys(("恢复", "正常", "在线", "上线", "恢復", "復旧", "稼働"), " restored "),
    **dict.fromkeys(("计划", "维护", "計画", "メンテナンス"), " planned "),
    **dict.fromkeys(("ausfall", "ausgefallen", "störung", "gestört", "defekt"), " down "),
    **dict.fromkeys(("panne", "hors service", "fallo", "avería", "caído", "caída"), " down "),
    **dict.fromkeys(("verfügbar", "erreichbar", "behoben"), " restored "),
    **dict.fromkeys(("rétabli", "en service", "restablecido", "recuperado"), " restored "),
    **dict.fromkeys(("nicht ", "kein "), " not "),
}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Tickets of no outage: all words are of these, one of the first.
_NO_FAILURE = _set(
    "anfrage aufgabe canceled cancelado cancelled declined demande duplicate duplikat enhancement "
    "epic false feature fehlalarm improvement invalid merged question rejected request requests "
    "rfi serviceanfrage solicitud storniert story subtask tarea task withdrawn won zusammengefasst"
)
_BESIDE = _set(
    "access alarm by caller catalog closed complete do general incomplete information item new "
    "normal of positive requested requester resolved service standard sub t user"
)
_UP = _set(
    "active alive alloc allocated available back betrieb boot booted connected deasserted "
    "exclusive free good healthy idle joined mix mixed normal ok okay online pass passed reachable "
    "ready recover recovered recovery repaired restore restored resume resumed return returned "
    "running succeeded success up"
)
_DOWN = _set(
    "alarm alert alerting asserted broken crash crashed critical dead disconnected down "
    "emergency error fail failed failing fails failure failures fatal fault faulty hang "
    "hung inactive lost notready offline outage panic preempted problem stopped unavail "
    "unavailable unhealthy unknown unreach unreachable unresponsive xid"
)
_BEGIN = _set("began begin firing open opened raised set start started trigger triggered")
_END = _set("clear cleared close closed completed done end ended fixed resolve resolved stop")
_BACK = _set("cleared deasserted recovered recovery resolved restored")
_TICKET = _set("acknowledge acknowledged assigned hold investigating new pending progress")
_POWER = _set("power powered switched turned on off")
_NOT = frozenset({"not", "no", "non", "un"})


def is_planned(text: str, *, drain: bool = False) -> bool:
    """Return whether a reason or a kind says that the work was planned.

    Of a node that was only drained, work such as an update of firmware was planned, too.

    Examples
    --------
    >>> is_planned("Scheduled maintenance"), is_planned("unplanned outage"), is_planned("bad dimm")
    (True, False, False)
    >>> is_planned("firmware update"), is_planned("firmware update", drain=True)
    (False, True)
    """
    text = _in_english(text.lower().replace("_", " "))
    if _UNPLANNED.search(text):
        return False
    return bool(_PLANNED.search(text) or (drain and _WORK.search(text)))


def is_no_failure(text: str) -> bool:
    """Return whether the type, the state or the resolution of a ticket says that nothing failed.

    Examples
    --------
    >>> is_no_failure("Service Request"), is_no_failure("Closed - Canceled"), is_no_failure("False")
    (True, True, False)
    """
    words = _WORDS.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    if words[:1] and words[0] in ("corrected", "correctable"):
        return True
    known = bool(words) and words != ["false"] and not _NO_FAILURE.isdisjoint(words)
    return known and all(word in _NO_FAILURE or word in _BESIDE for word in words)


def is_begun(text: str) -> bool:
    """Return whether a word says that something began, such as open."""
    return not _BEGIN.isdisjoint(_WORDS.findall(text.lower()))


def condition_of(text: str) -> Condition:
    """Return what a word in a column of states or events says of a node.

    ``ticket`` is the state of a report, not of a node, where a report has its own times.

    Examples
    --------
    >>> condition_of("NodeNotReady"), condition_of("node_ready"), condition_of("DOWN*")
    ('down', 'up', 'down')
    >>> condition_of("maintenance"), condition_of("resolved"), condition_of("fault_start")
    ('planned', 'ticket', 'down')
    >>> condition_of("Alarm updated from OK to ALARM"), condition_of("DOWN -> UP")
    ('down', 'up')
    """
    spelt = _in_english(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    spelt = re.sub(r"\b(down|up):.*", r"\1", spelt)  # and why
    if changed := _CHANGED.search(spelt):
        spelt = changed[1]
    words = _WORDS.findall(spelt)
    if is_planned(spelt):
        return "planned"
    if {*words} <= _POWER and not {"on", "off"}.isdisjoint(words):
        words = ["up" if "on" in words else "down"]
    if "down" in words and not _BACK.isdisjoint(words):
        return "up"  # from what
    negated = any(word in _NOT for word in words) or "notready" in words
    known = [word for word in words if word in _UP or word in _DOWN]
    begins, ends = any(w in _BEGIN for w in words), any(w in _END for w in words)
    if ends or begins:
        fault = any(word in _DOWN for word in words)
        if fault:
            return "up" if ends else "down"
        return "ticket"
    if not known:
        return "other" if _TICKET.isdisjoint(words) else "ticket"
    up = any(word in _UP for word in known) and not any(word in _DOWN for word in known)
    return "up" if up != negated else "down"


def _in_english(text: str) -> str:
    for word, english in _OTHERS.items():
        if word in text:
            text = text.replace(word, english)
    return text


_MARKS = re.compile(r"[*$~#!%@^-]+$")
_FAULTS = ("DOWN", "FAIL", "ERROR", "NOT_RESPONDING", "NO_RESPOND", "INVAL")
_OUT_BY_PLAN = ("MAINT", "REBOOT", "POWER")
_AT_WORK = ("ALLOC", "MIX", "COMPLETING", "COMP")


def of_slurm(
    state: str, reason: str = ""
) -> Literal["failure", "planned", "drain", "running-drain", "in-service"]:
    """Return what the state of a node in Slurm means, with its marks and its reason.

    A drain lets jobs go on; ``running-drain`` says that some still do.

    Examples
    --------
    >>> of_slurm("DOWN*", "Not responding"), of_slurm("DOWN~", "power save"), of_slurm("IDLE")
    ('failure', 'planned', 'in-service')
    >>> of_slurm("DRAIN", "bad dimm"), of_slurm("MIXED+DRAIN"), of_slurm("DRAIN", "firmware update")
    ('drain', 'running-drain', 'planned')
    """
    parts = [part.strip() for part in state.upper().split("+")]
    marks = "".join(found.group() for part in parts if (found := _MARKS.search(part)))
    names = [_MARKS.sub("", part) for part in parts]
    fails = any(name.startswith(_FAULTS) for name in names)
    drains = [name for name in names if name.startswith("DRAIN")]
    by_plan = any(name.startswith(_OUT_BY_PLAN) for name in names) or set(marks) & set("~#%!$^@")
    if fails and not by_plan and not is_planned(reason):
        return "failure"
    if fails:
        return "planned"
    if drains:
        if by_plan or is_planned(reason, drain=True):
            return "planned"
        running = "DRAINING" in drains or any(name.startswith(_AT_WORK) for name in names)
        return "running-drain" if running else "drain"
    return "planned" if by_plan else "in-service"
