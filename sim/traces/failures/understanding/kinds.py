"""What a row is: an outage, an event, the state of a node, or a number of failures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NoReturn, TypeAlias

import numpy as np

from ...parsing.values import instants, number_reader
from ..conditions import Condition, condition_of, is_begun, is_no_failure, is_planned
from . import words
from .sheet import CAUSE, KIND, NODE, SAMPLE, STATE, Column, Sheet, first_named

Meaning: TypeAlias = Literal["rows", "events", "states", "counts"]

_FEW = 20  # different values of a column that tells kinds of rows apart
_NONE = frozenset({"-", "", "none", "None", "NULL", "null", "nan"})
# Columns, and some of their values in lower case.
Values: TypeAlias = tuple[tuple[int, frozenset[str]], ...]
_Order: TypeAlias = list[tuple[str, float, int, str]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What rows are by a column; its values, in lower case, that are `down`, `planned`, neither."""

    column: Column | None = None
    meaning: Meaning = "rows"
    down: frozenset[str] = frozenset()
    planned: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def counts_of(
    sheet: Sheet, time: Column, node: Column | None, end: Column | None
) -> tuple[Column | None, Column | None]:
    """Return the columns of counts and of nodes, if each row counts the failures of a time."""
    names = words.NAMES["counts"] if node is None and end is None else words.COUNTS
    if node is not None and end is None and _in_days(_step(sheet, time)):
        names = (*words.COUNTS, *words.COUNTED)
    if node is None and time.has_clocks() and not _step(sheet, time):
        names = tuple(name for name in names if name not in words.COUNTED)
    free = sheet.free("number", "flag")
    lasting = first_named(words.NAMES["repair"], sheet.free("number", "duration"))
    chosen = first_named(names if lasting is None else words.COUNTS, free)
    if chosen is None or time.kind not in ("date", "number"):
        return None, None
    read = number_reader(chosen.texts, commas=sheet.table.delimiter == ",")
    wholes = all(
        number is not None and number >= 0 and number % 1 == 0 for number in map(read, chosen.known)
    )
    if not wholes or chosen.unit or (chosen.kind == "flag" and not chosen.plain.endswith("s")):
        return None, None
    sheet.said.append(f'failures counted in "{sheet.take(chosen).name}"')
    one = node is not None and node.kind == "number" and len(node.texts) == 1 < len(sheet.table)
    machine = node if node is not None else sheet.by_name("machine", "number", "flag")
    machine = machine if one or node is None else None  # "Knoten" is one or many
    if machine is not None:
        sheet.said.append(f'nodes "{machine.name}"')
    return chosen, machine


def _step(sheet: Sheet, time: Column) -> float:
    """Return the time between rows, [s], if it is the same or as months are; else 0."""
    rows = np.arange(min(len(sheet.table), SAMPLE))
    steps = np.diff(np.unique(instants(sheet.table.columns[time.place].taken(rows))[0]))
    alike = time.kind == "date" and steps.size > 1 and steps.max() <= 1.2 * steps.min()
    return float(steps.min()) if alike else 0.0


def _in_days(step: float) -> bool:
    """Whether rows come at steps of a day, a week, a month or more."""
    return step in (86_400.0, 604_800.0) or step >= 28 * 86_400.0


def refuse_counts(sheet: Sheet, time: Column, node: Column | None) -> None:
    """Refuse rows of which some say a number that is not used, and may be of failures."""
    found = first_named(words.COUNTED, sheet.free("number", "flag"))
    told = node is not None or time.has_clocks()
    if found is not None and told and set(found.known) != {"1"}:
        some = next(text for text in found.known if text != "1")
        sheet.refuse(
            f'"{found.name}" may count failures or how often one was told, got {some}: name it '
            "failures if it counts them; ",
            *(CAUSE, f" {found.name!r} takes each row for one"),
        )


def leave_out(sheet: Sheet) -> Values:
    """Return which words of columns say that rows are no failures; the sheet forgets them."""
    found, columns = [], [*sheet.columns]
    conditions = _status_of_conditions(sheet) is not None
    for place, column in enumerate(sheet.columns):
        none = _few(column, is_no_failure)
        if conditions and column.plain in words.CONDITIONS:
            none = [text for text in column.known if text != "Ready"]
        if column.plain == "impact":
            none += [t for t in column.known if t.lower() in ("no", "none", "no impact")]
        if column.kind == "flag" and column.says(words.FALSE):
            none = [text for text in column.known if words.is_set(text)]
        if none and len(none) < len(column.known) and column.name not in _named(sheet):
            sheet.said.append(f'no failure where "{column.name}" is {_listed(none)}')
            found.append((place, _lower(none)))
            columns[place] = replace(column, texts=tuple(t for t in column.texts if t not in none))
    sheet.columns = tuple(columns)
    return tuple(found)


def _status_of_conditions(sheet: Sheet) -> Column | None:
    """Return the column that says whether nodes of Kubernetes are Ready, as another names it."""
    if not any(c.plain in words.CONDITIONS and "Ready" in c.texts for c in sheet.columns):
        return None
    values = {"true", "false", "unknown"}
    return next((c for c in sheet.free() if "true" in _lower(c.known) <= values), None)


def planned_words(sheet: Sheet) -> Values:
    """Return which words of free columns that tell kinds say that the work was planned."""
    found = []
    for column in sheet.free("words"):
        planned = _few(column, is_planned) if _may_tell(column) else []
        if planned and len(planned) < len(column.known):
            sheet.said.append(f'planned work where "{column.name}" is {_listed(planned)}')
            found.append((column.place, _lower(planned)))
    return tuple(found)


def _few(column: Column, says: Callable[[str], bool]) -> list[str]:
    """Return the values that say something, of a column that tells rows apart by few words."""
    if column.kind != "words" or len(column.known) >= _FEW:
        return []
    return [text for text in column.known if says(text)]


def _named(sheet: Sheet) -> set[str | None]:
    return {sheet.given.kind} if sheet.given.state else set()


def planned_flag(sheet: Sheet) -> tuple[Column | None, bool]:
    """Return the flag that says which rows are planned work, and which of its values does."""
    for what, when in (("planned", True), ("unplanned", False)):
        for column in sheet.free("flag"):
            if column.says(words.FLAGS[what]):
                is_so = when is not column.says(words.NOT)
                sheet.said.append(f'planned work where "{column.name}" is {column.spelt(is_so)}')
                return sheet.take(column), is_so
    return None, True


def kind_of(sheet: Sheet, time: Column, node: Column | None, *, lasting: bool) -> Kind:
    """Return what rows are; `lasting` if they have an end or a length."""
    column = sheet.named("kind")
    if sheet.given.state:
        column = column or sheet.by_name("kind", "words", "flag", "number")
        column = column or sheet.by_name("cause", "words")
        if column is None:
            sheet.refuse(
                *(STATE, " must come with a column of kinds, got none in "),
                *(f"{sheet.names()!r}: ", KIND, " names it"),
            )
        return _of_states(sheet, column, _order(sheet, column, time, node), lasting=lasting)
    if column is None and not lasting and (status := _status_of_conditions(sheet)) is not None:
        sheet.said.append(f'down while "{sheet.take(status).name}" of Ready is not True')
        return Kind(status, "states", _lower(status.known) - {"true"})
    if column is None and (alert := _alerts(sheet, lasting=lasting)) is not None:
        nones = _NONE if alert.kind == "words" else _NONE | {"0"}
        none = next(text or "empty" for text in alert.texts if text in nones)
        sheet.said.append(f'failures where "{alert.name}" is not {none}')
        return Kind(alert, "events", _lower(set(alert.texts) - nones))
    if column is None and not lasting:
        if node is None and sheet.given.cause is None:
            _refuse_wide(sheet, time)
        _refuse_numbers(sheet)
    column = column or _telling_flag(sheet) or _telling_words(sheet, lasting=lasting)
    if column is None:
        return Kind()
    if sheet.take(column).kind == "flag":
        return _of_flag(sheet, column, lasting=lasting)
    return _of_words(sheet, column, _order(sheet, column, time, node), lasting=lasting)


def _alerts(sheet: Sheet, *, lasting: bool) -> Column | None:
    """Return the column that marks which of many messages are alerts, such as - or none.

    Or the one of codes of errors, of which 0 is none.
    """
    for column in [] if lasting else sheet.free("number", "flag"):
        if column.says(words.CODES) and "0" in column.texts and len(column.known) > 1:
            return sheet.take(column)
    for column in sheet.free():
        marked = column.plain in words.ALERTS and not _NONE.isdisjoint(column.texts)
        if marked and not set(column.texts) <= _NONE:
            return sheet.take(column)
    return None


def _refuse_numbers(sheet: Sheet) -> None:
    """Refuse states and codes of which 0 is one, and none is said to be a failure."""
    for column in sheet.free("number"):
        unsure = column.plain in words.UNSURE or column.last_says({"code", "state", "status"})
        if unsure and "0" in column.texts and len(column.known) < min(_FEW, len(sheet.table)):
            _refuse_words(sheet, column)


def _refuse_wide(sheet: Sheet, time: Column) -> None:
    """Refuse a column of states for each node, whose names differ in words with a digit alone."""
    alike: dict[tuple[str, ...], list[Column]] = {}
    for column in sheet.free("flag", "words"):
        told = column.kind == "flag" or {*map(condition_of, column.known)} <= {"down", "up"}
        same = tuple(token for token in column.tokens if not _has_digit(token))
        if told and len(same) < len(column.tokens):
            alike.setdefault(same, []).append(column)
    columns = max(alike.values(), key=len, default=[])
    if len(columns) > 1:
        said = any(column.kind == "words" for column in columns)
        rows, value = ("rows", "state") if said else ("rows, where 1 is up", "up")
        apart = "" if sheet.table.delimiter == "," else f", sep={sheet.table.delimiter!r}"
        names = " and ".join(column.name[:60] for column in columns[:2])
        sheet.refuse(
            f"each row must be of one node, got a column for each, as {names}; to make {rows}: "
            f"python -c \"import pandas; pandas.read_csv('samples.csv'{apart}).melt("
            f"{time.name!r}, var_name='node', value_name={value!r})"
            ".to_csv('failures.csv', index=False)\""
        )


def _has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


def _telling_flag(sheet: Sheet) -> Column | None:
    """Return a flag whose name says what it is set for, or one that must say it."""
    flags = sheet.free("flag")
    unsure = [c for c in flags if c.plain in words.UNSURE]
    return next(iter([*filter(_set_for, flags), *unsure]), None)


def _telling_words(sheet: Sheet, *, lasting: bool) -> Column | None:
    """Return the column of words that tells best what a row is."""
    free = sheet.free("words")
    telling = [c for c in free if _is_kind(c, lasting=lasting)]
    if not telling and not lasting:
        telling = [c for c in free if _must_tell(c)]
    known = {name: place for place, name in enumerate(words.NAMES["kind"])}

    def rank(column: Column) -> tuple[bool, bool, int]:
        turns = {"down", "up"} <= {condition_of(text) for text in column.texts}
        return not turns, column.says(words.BEFORE), known.get(column.plain, len(known))

    return min(telling, key=rank, default=None)


def _conditions(column: Column) -> dict[str, Condition]:
    """Return what each value says; an alert that is active beside one resolved is of no node up."""
    found = {text: condition_of(text) for text in column.known}
    if "ticket" in found.values() and "down" not in found.values():
        found |= {text: "ticket" for text in found if text.lower() == "active"}
    return found


def _is_kind(column: Column, *, lasting: bool) -> bool:
    """Whether words say what happened to a node: down and up, or planned and not."""
    found = {*_conditions(column).values()}
    known = _may_tell(column)
    if lasting:
        return known and ("planned" in found or (_may_be_up(column) and {"up"} < found))
    if len(column.known) > 1 and {"down", "up"} <= found <= {"down", "up", "planned"}:
        return len(column.known) < _FEW
    return known and len(found) > 1 and not found.isdisjoint({"up", "planned"})


def _may_tell(column: Column) -> bool:
    """Whether words may say what happened, by the name of their column."""
    names = (*words.NAMES["kind"], *words.NAMES["cause"][:6])
    return column.plain in names or column.last_says(names)


def _may_be_up(column: Column) -> bool:
    """Whether words may say that a node was up, by the name of their column; reasons do not."""
    return column.plain in words.NAMES["kind"] or column.last_says(words.NAMES["kind"])


def _must_tell(column: Column) -> bool:
    """Whether words must tell kinds of rows apart, by the name of their column."""
    texts = _lower(column.known)
    turns = {_of_ticket(text, condition_of(text), told=True) for text in texts}
    if column.last_says({"type"}) and turns >= {"down", "up"}:
        return True
    different = len(texts) > 1 and set(map(condition_of, texts)) != {"down"}
    return different and column.last_says(words.TELLING)


def _set_for(column: Column) -> str | None:
    """Return what a flag is set for, by its name."""
    what = next((one for one in ("up", "down", "failure") if column.says(words.FLAGS[one])), None)
    if what is not None and column.says(words.NOT | {"no"}):
        return {"up": "down", "down": "up"}.get(what)
    return what


def _of_flag(sheet: Sheet, column: Column, *, lasting: bool) -> Kind:
    what = _set_for(column)
    if what is None:
        one, zero = column.spelt(True), column.spelt(False)
        sheet.refuse(
            f'"{column.name}" must say which of its values is a failure, got {zero} and {one}: ',
            *(STATE, f" {zero} or ", STATE, f" {one} decides"),
        )
    failing = what != "up"
    down = _lower(text for text in column.known if words.is_set(text) == failing)
    events = what == "failure" or lasting
    verb = "failures where" if events else "down while"
    sheet.said.append(f'{verb} "{column.name}" is {column.spelt(failing)}')
    down = down or frozenset({"1" if failing else "0"})
    return Kind(column, "events" if events else "states", down)


def _of_states(sheet: Sheet, column: Column, order: _Order, *, lasting: bool) -> Kind:
    """Return what rows are by the values that the user named."""
    wanted, held = _lower(sheet.given.state), _lower(column.texts)
    if missing := sorted(wanted - held):
        some = ", ".join(column.known)[:200]
        sheet.refuse(STATE, f' must be one of "{column.name}" ({some}), got {missing[0]!r}')
    ups = held - wanted - {""}
    turns = any(condition_of(text) == "up" or text in words.TRUE | {"0"} for text in ups)
    states = not lasting and (turns or _followed(order, wanted, ups) > 0.8)
    verb = "down while" if states else "failures where"
    sheet.said.append(f'{verb} "{column.name}" is {" or ".join(sheet.given.state)}')
    return Kind(column, "states" if states else "events", wanted)


def _of_words(sheet: Sheet, column: Column, order: _Order, *, lasting: bool) -> Kind:
    """Return what rows are by what the words of a column say."""
    found = _conditions(column)
    planned = _those(found, "planned")
    if not lasting and "ticket" in found.values():
        # Start and end of what the log is of, in turn; or what has become of a report.
        told = {"down", "up"} <= {*found.values()}
        begun = told or any(map(is_begun, found))
        turned = {text: _of_ticket(text, what, told=begun) for text, what in found.items()}
        share = 1.0 if told else _followed(order, _those(turned, "down"), _those(turned, "up"))
        if share > 0.8:
            found = turned
        elif share > 0.2:
            _refuse_words(sheet, column)
        elif "up" not in found.values():
            return Kind(column, "rows", planned=planned)
    if not lasting and {"up", "planned"}.isdisjoint(found.values()) and column.kind == "words":
        _refuse_words(sheet, column)
    if lasting and not _may_be_up(column):  # a reason such as normal wear
        found = {text: "other" if what == "up" else what for text, what in found.items()}
    ups = [text for text, what in found.items() if what == "up"]
    downs = [text for text, what in found.items() if what in ("down", "other", "ticket")]
    down = _lower(downs)
    if not ups:
        if planned:
            sheet.said.append(f'planned work where "{column.name}" is {_listed(sorted(planned))}')
        return Kind(column, "events", down, planned)
    if lasting:
        if column.last_says(words.UNSURE):  # of what is neither, such as booting, no node is down
            downs = [text for text in downs if found[text] == "down"] or downs
        sheet.said.append(f'failures where "{column.name}" is {_listed(downs)}')
        return Kind(column, "events", _lower(downs), planned)
    others = [text for text in downs if found[text] == "other"]
    if len(others) == len(downs) and not planned:
        _refuse_words(sheet, column)
    down -= _lower(others)
    if others:
        sheet.said.append(f'"{column.name}" {_listed(others)} left out')
    falls = _listed([text for text in downs if text.lower() in down])
    sheet.said.append(f'down from "{column.name}" {falls} to {_listed(ups)}')
    return Kind(column, "states", down, planned, _lower(others))


def _refuse_words(sheet: Sheet, column: Column) -> NoReturn:
    sheet.refuse(
        f'"{column.name}" must say which of its values are failures, got {_listed(column.known)}: ',
        *(KIND, f" {column.name!r} ", STATE, f" {column.known[0]!r} takes rows of that one, "),
        *(CAUSE, f" {column.name!r} takes each row"),
    )


def _order(sheet: Sheet, kind: Column, time: Column, node: Column | None) -> _Order:
    """Return the values of a column, node by node in the order of time."""
    rows = np.arange(min(len(sheet.table), SAMPLE))
    seconds, _ = instants(sheet.table.columns[time.place].taken(rows))
    names = [""] * rows.size
    if node is not None:
        names = sheet.table.columns[node.place].taken(rows).texts()
    values = [text.lower() for text in sheet.table.columns[kind.place].taken(rows).texts()]
    return sorted(zip(names, seconds.tolist(), rows.tolist(), values, strict=True))


def _followed(order: _Order, begin: Collection[str], end: Collection[str]) -> float:
    """Return the share of ends that come right after a beginning of the same node."""
    order = [row for row in order if row[3] in begin or row[3] in end]
    ends = [
        (one[0] == other[0] and one[3] in begin)
        for one, other in pairwise([("", 0.0, 0, ""), *order])
        if other[3] in end
    ]
    return sum(ends) / len(ends) if ends else 0.0


def node_of_turns(sheet: Sheet, kind: Kind, time: Column) -> Column | None:
    """Return the column of words of which none comes up twice in turn, where no node is named.

    Nodes that go down and up among each other, and are nowhere named, are refused.
    """
    assert kind.column is not None
    order = _order(sheet, kind.column, time, None)
    downs, ups = _again(order, kind)
    if not ups:
        return None
    turning = [
        column
        for column in sheet.free("words")
        if 2 * len(column.known) <= len(order)
        and not _again(_order(sheet, kind.column, time, column), kind)[1]
    ]
    if len(turning) == 1:
        sheet.said.append(f'node "{turning[0].name}"')
        return sheet.take(turning[0])
    falls = sum(row[3] in kind.down for row in order)
    rises = sum(row[3] not in kind.down | kind.planned | kind.others for row in order)
    steps = np.diff(np.unique([row[1] for row in order]))
    sampled = steps.size and steps.max() < 1.5 * steps.min()
    if downs and not sampled and abs(falls - rises) <= max(1, falls // 10):
        sheet.refuse(
            f'a column must name the nodes, which go down and up among each other, got "'
            f'{kind.column.name}" alone: ',
            *(NODE, " names it; where it stands within a text, write it in a column of its own"),
        )
    return None


def refuse_turns(sheet: Sheet, time: Column, node: Column | None, cause: Column | None) -> None:
    """Refuse rows that say two things in turn, of which nobody knows that one is down."""
    words_of = [c for c in (*sheet.free("words"), cause) if c and c.kind == "words"]
    for column in (c for c in words_of if len(c.known) == 2):
        order = [row for row in _order(sheet, column, time, node) if row[3]]
        one, other = (set(words.tokens_of(text)) for text in column.known)
        pairs = [(a[3], b[3]) for a, b in pairwise(order) if a[0] == b[0]]
        if all(a != b for a, b in pairs) and len(pairs) > (2 if one & other else 4):
            _refuse_words(sheet, column)


def _again(order: _Order, kind: Kind) -> tuple[int, int]:
    """Return how often a node goes down that is down, and comes up that is up."""
    each = dict.fromkeys((name, time, value) for name, time, _, value in order)
    told = [row for row in each if row[2] and row[2] not in kind.others]
    downs = [(name, value in kind.down or value in kind.planned) for name, _, value in told]
    alike = [one[1] for one, other in pairwise(downs) if one == other]
    return sum(alike), len(alike) - sum(alike)


def _of_ticket(text: str, what: Condition, *, told: bool) -> Condition:
    """Return what start and end of an outage mean, where rows are events.

    What is between them, such as pending, is neither where another word is `told` to mean down.
    """
    if what != "ticket":
        return what
    tokens = words.tokens_of(text)
    if not words.ENDS.isdisjoint(tokens):
        return "up"
    return "other" if told and not is_begun(text) else "down"


def _those(found: dict[str, Condition], what: Condition) -> frozenset[str]:
    return _lower(text for text, its in found.items() if its == what)


def _lower(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(text.lower() for text in texts)


def _listed(texts: Sequence[str]) -> str:
    return " or ".join(texts[:3]) + (f" (and {len(texts) - 3} more)" if len(texts) > 3 else "")
