"""JSON Schema of answers, requests and scenarios, made of the annotations of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, Union, get_args, get_origin
from typing import get_type_hints as hints_of

import numpy as np

from asking.kinds import Kind

from ..parts.plan import json_name

__all__ = ["KINDS", "schema"]

Schema: TypeAlias = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# A number that is not finite becomes null in strict JSON.
_PLAIN: Mapping[Any, str | list[str]] = {
    float: ["number", "null"],
    str: "string",
    bool: "boolean",
    int: "integer",
    NoneType: "null",
    Path: "string",
    datetime: "string",
}
_UNITS = {"_s": "[s]", "_j": "[J]", "_w": "[W]"}
_QUESTIONS = (
    *("interval", "completion", "goodput", "energy", "spares", "nodes", "partition", "fit"),
    *("extra", "forecast", "plan", "site"),
)
KINDS = (*_QUESTIONS, *(f"{name}-request" for name in _QUESTIONS), "scenario")


def schema(kind: str) -> Schema:
    """Return the JSON Schema of an answer, of a request, or of the tables of a scenario.

    Parameters
    ----------
    kind : str
        One of `KINDS`: a question, such as ``interval``, for what `to_dict` returns; the same with
        ``-request`` for the fields of its request, as numbers in plain units or text with a unit;
        or ``scenario`` for the file that a plan is made for.

    Returns
    -------
    dict
        Of draft 2020-12, for ``json.dumps``. A number of an answer is null where none is finite.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> from perfmodel.answers import schema
    >>> schema("nodes")["required"]
    ['best_nodes', 'counts']
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "scenario":
        found = _scenario()
    elif kind.endswith("-request"):
        found = _request(kind.removesuffix("-request"))
    else:
        found = _answer(kind)
    return {"$schema": _DIALECT, "title": f"perfmodel {kind.replace('-', ' ')}", **found}


def _answer(question: str) -> Schema:
    from .shapes import ANSWERS

    if question == "plan":
        return _plan(*ANSWERS["plan"])
    shapes = [_shape(shape) for shape in ANSWERS[question]]
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def _plan(shape: type) -> Schema:
    """Return the schema of a plan, of several with the values by which they differ, of offers."""
    from .shapes import Turned

    one = _shape(shape, planned=True)
    values = {"type": "object", "additionalProperties": {"type": ["string", "number"]}}
    each = {
        **one,
        "properties": {"values": values, **one["properties"]},
        "required": ["values", *one["required"]],
    }
    several = {
        "description": "Plans for each combination of the values by which they differ.",
        "type": "object",
        "properties": {"variants": {"type": "array", "items": each}},
        "required": ["variants"],
        "additionalProperties": False,
    }
    offer = {
        **one,
        "properties": {"name": {"type": "string"}, **one["properties"]},
        "required": ["name", *one["required"]],
    }
    offers = {
        "description": "Plans of several scenarios, and what would turn the order of the two best.",
        "type": "object",
        "properties": {
            "offers": {"type": "array", "items": offer},
            "turns": {"type": "array", "items": _shape(Turned)},
        },
        "required": ["offers", "turns"],
        "additionalProperties": False,
    }
    return {"oneOf": [one, several, offers]}


def _shape(shape: type, *, planned: bool = False) -> Schema:
    """Return the schema of a dataclass as `asdict` has it, or of a TypedDict.

    Names of a plan get their unit on the way to JSON.
    """
    hints = hints_of(shape, include_extras=True)
    if is_dataclass(shape):
        hints = {each.name: hints[each.name] for each in fields(shape)}
    properties, required = {}, []
    for name, hint in hints.items():
        if planned and name == "scenario":
            continue
        optional = get_origin(hint) is NotRequired
        found = _of(get_args(hint)[0] if optional else hint, planned=planned)
        key = json_name(name, of=shape.__name__, scalar=_is_scalar(found)) if planned else name
        properties[key] = _described(key, found)
        if not optional and not (planned and name == "foretold"):  # where no log is given
            required.append(key)
    first = (shape.__doc__ or "").strip().partition("\n\n")[0].replace("\n    ", " ")
    return {
        "description": first,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _types(found: Schema) -> list[str]:
    types = found.get("type", [])
    return [types] if isinstance(types, str) else types


def _is_scalar(found: Schema) -> bool:
    return not {"object", "array"} & set(_types(found))


def _described(name: str, found: Schema) -> Schema:
    """Return the schema of a key whose name ends with its unit; durations are not below 0."""
    unit = next((unit for end, unit in _UNITS.items() if name.endswith(end)), None)
    return found if unit is None else {"description": unit, **found}


def _of(hint: Any, *, planned: bool = False) -> Schema:
    """Return the schema of a value of this type in an answer."""
    origin, args = get_origin(hint), get_args(hint)
    kind = origin if isinstance(origin, type) else object
    if origin is Annotated:
        more = {"description": args[1]} if isinstance(args[1], str) else dict(args[1])
        return {**_of(args[0]), **more}
    if origin in {Union, UnionType}:
        ways = [each for each in args if get_origin(each) is not np.ndarray]  # one is a number
        return _either([_of(each, planned=planned) for each in ways])
    if issubclass(kind, Mapping | Sequence):
        inner = _of(args[-1] if issubclass(kind, Mapping) else args[0], planned=planned)
        return (
            {"type": "object", "additionalProperties": inner}
            if issubclass(kind, Mapping)
            else {"type": "array", "items": inner}
        )
    if origin is Literal:
        return {"enum": list(args)}
    return {"type": _PLAIN[hint]} if hint in _PLAIN else _shape(hint, planned=planned)


def _either(ways: list[Schema]) -> Schema:
    """Return that one of some schemas holds; a null beside one of them is a type of it."""
    nothing = {"type": "null"}
    some = [way for way in ways if way != nothing]
    if len(some) == 1 and some[0].get("type"):
        types = _types(some[0])
        more = [] if len(some) == len(ways) or "null" in types else ["null"]
        return {**some[0], "type": [*types, *more] if len(types) + len(more) > 1 else types[0]}
    return {"anyOf": ways}


def _request(question: str) -> Schema:
    from asking.requests import Asked

    from ..requests.advise import AdviseRequest
    from ..requests.fit import FitRequest
    from ..requests.forecast import ForecastRequest
    from ..requests.job import CompletionRequest, EnergyRequest, IntervalRequest
    from ..requests.machines import ExtraRequest, NodesRequest, PartitionRequest, SparesRequest
    from ..requests.plan import PlanRequest
    from ..requests.training import GoodputRequest

    requests: Mapping[str, type[Asked]] = {
        "interval": IntervalRequest,
        "completion": CompletionRequest,
        "goodput": GoodputRequest,
        "energy": EnergyRequest,
        "spares": SparesRequest,
        "nodes": NodesRequest,
        "extra": ExtraRequest,
        "partition": PartitionRequest,
        "fit": FitRequest,
        "forecast": ForecastRequest,
        "plan": PlanRequest,
        "site": AdviseRequest,
    }
    properties, hints = {}, hints_of(requests[question])
    for each in fields(requests[question]):
        option = each.metadata.get("option")
        if option is None:
            if each.name != "said":
                properties[each.name] = _of(hints[each.name])
            continue
        words = option.help(str)
        if option.kind is None:
            properties[each.name] = {"description": words, "type": "boolean"}
            continue
        kind: Kind = option.kind
        one = _of_kind(kind, numbers=True)
        if option.repeated:
            one = {"anyOf": [one, {"type": "array", "items": one}]}
        said = " ".join(filter(None, (words, f"It must be {kind.wanted}.", _in_unit(kind))))
        properties[each.name] = {"description": said, **one}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _scenario() -> Schema:
    from ...planning.scenario import SECTIONS
    from ..scenario import LOG_KEYS

    sections = {}
    for name, section in SECTIONS.items():
        keys: Schema = {}
        for each in fields(section):
            takes = each.metadata["key"]
            if not takes.said:
                continue
            one = _of_kind(takes.kind, numbers=not takes.kind.unit)
            if takes.may_be_unknown:
                one = _either([one, {"const": "unknown"}])
            said = f"It must be {takes.kind.wanted}; a list makes a plan of each."
            several = {"type": "array", "items": one, "minItems": 1}
            keys[each.name] = {"description": said, "anyOf": [one, several]}
        if name == "failures":
            keys |= {key: _of(hint) for key, hint in LOG_KEYS.items()}
        sections[name] = {
            "description": (section.__doc__ or "").partition("\n")[0],
            "type": "object",
            "properties": keys,
            "additionalProperties": False,
        }
    preset = {"type": "string", "description": "A published case that fills in what is left out."}
    title = {"type": "string", "description": "What this is, in a line, for whoever reads a page."}
    extends = {"type": "string", "description": "A scenario that fills in what is left out."}
    return {
        "type": "object",
        "properties": {"title": title, "extends": extends, "preset": preset, **sections},
        "additionalProperties": False,
    }


def _in_unit(kind: Kind) -> str:
    return f"A number is in [{kind.unit}]." if kind.unit else ""


def _of_kind(kind: Kind, *, numbers: bool) -> Schema:
    """Return what a value of a kind is in JSON: text, or a number where it takes `numbers`."""
    if kind.words and kind.wanted.startswith("one of "):
        return {"enum": list(kind.words)}
    if not (numbers and _takes(kind, 1.0)):
        return {"type": "string"}
    whole = not _takes(kind, 1.5) and not _takes(kind, 0.5)
    number: Schema = {"type": "integer" if whole else "number"}
    if not _takes(kind, -1.0):
        if whole:
            number["minimum"] = 0 if _takes(kind, 0.0) else 1
        elif _takes(kind, 0.0):
            number["minimum"] = 0
        else:
            number["exclusiveMinimum"] = 0
    if not whole and not _takes(kind, 1.5):
        number["maximum"] = 1
    return {"anyOf": [number, {"type": "string"}]}


def _takes(kind: Kind, number: float) -> bool:
    try:
        kind.take(number)
    except (TypeError, ValueError):
        return False
    return True
