"""JSON Schema of answers, requests and kinds, made of the annotations of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from .kinds import Kind
from .requests import Asked, Option

__all__ = ["DIALECT", "Schema", "either", "of_kind", "request_of", "schema_of", "shape_of"]

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
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


def _named(name: str, of: str, scalar: bool) -> str:
    del of, scalar
    return name


def _is_plain(hint: Any) -> bool:
    """Whether a type is none of arrays, beside which a number may stand."""
    return getattr(get_origin(hint), "__name__", "") != "ndarray"


def shape_of(shape: type, key: Callable[[str, str, bool], str] = _named) -> Schema:
    """Return the schema of a dataclass as `asdict` has it, or of a TypedDict.

    `key` tells of a field, its class and whether it is one value what JSON calls it, ``name?``
    where it may be absent; a field that it calls nothing is left out.
    """
    hints = hints_of(shape, include_extras=True)
    if is_dataclass(shape):
        hints = {each.name: hints[each.name] for each in fields(shape)}
    properties, required = {}, []
    for name, hint in hints.items():
        optional = get_origin(hint) is NotRequired
        if not key(name, shape.__name__, False):
            continue
        found = schema_of(get_args(hint)[0] if optional else hint, key)
        called = key(name, shape.__name__, _is_scalar(found))
        optional = optional or called.endswith("?")
        called = called.removesuffix("?")
        properties[called] = _described(called, found)
        if not optional:
            required.append(called)
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


def schema_of(hint: Any, key: Callable[[str, str, bool], str] = _named) -> Schema:
    """Return the schema of a value of this type in an answer."""
    origin, args = get_origin(hint), get_args(hint)
    kind = origin if isinstance(origin, type) else object
    if hint is Any:
        return {}
    if origin is Annotated:
        more = {"description": args[1]} if isinstance(args[1], str) else dict(args[1])
        return {**schema_of(args[0]), **more}
    if origin in {Union, UnionType}:
        ways = [each for each in args if _is_plain(each)]  # one is a number
        return either([schema_of(each, key) for each in ways])
    if issubclass(kind, Mapping | Sequence):
        inner = schema_of(args[-1] if issubclass(kind, Mapping) else args[0], key)
        return (
            {"type": "object", "additionalProperties": inner}
            if issubclass(kind, Mapping)
            else {"type": "array", "items": inner}
        )
    if origin is Literal:
        return {"enum": list(args)}
    return {"type": _PLAIN[hint]} if hint in _PLAIN else shape_of(hint, key)


def either(ways: list[Schema]) -> Schema:
    """Return that one of some schemas holds; a null beside one of them is a type of it."""
    nothing = {"type": "null"}
    some = [way for way in ways if way != nothing]
    if len(some) == 1 and some[0].get("type"):
        types = _types(some[0])
        more = [] if len(some) == len(ways) or "null" in types else ["null"]
        return {**some[0], "type": [*types, *more] if len(types) + len(more) > 1 else types[0]}
    return {"anyOf": ways}


def request_of(request: type[Asked]) -> Schema:
    """Return the schema of the fields of a request, those of a request inside among them."""
    properties: Schema = {}
    hints = hints_of(request)
    for each in fields(request):
        option = each.metadata.get("option")
        if "inner" in each.metadata:
            properties |= {each.name: request_of(each.metadata["inner"])}
        elif option is None:
            if each.name != "said":
                properties[each.name] = schema_of(hints[each.name])
        else:
            properties[each.name] = _said(option)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _said(option: Option) -> Schema:
    words = option.help(str)
    if option.kind is None:
        return {"description": words, "type": "boolean"}
    kind = option.kind
    one = of_kind(kind, numbers=True)
    if option.repeated:
        one = {"anyOf": [one, {"type": "array", "items": one}]}
    unit = f"A number is in [{kind.unit}]." if kind.unit else ""
    return {
        "description": " ".join(filter(None, (words, f"It must be {kind.wanted}.", unit))),
        **one,
    }


def of_kind(kind: Kind, *, numbers: bool) -> Schema:
    """Return what a value of a kind is in JSON: text, or a number where it takes `numbers`."""
    if kind.words and kind.wanted.startswith("one of "):
        return {"enum": list(kind.words)}
    if not (numbers and _takes(kind, 1.0)):
        text = {"type": "string"}
        listed = {"type": "string"} if kind.many else {"type": "number"}
        several = numbers and (kind.many or _takes(kind, [1]))
        return {"anyOf": [text, {"type": "array", "items": listed}]} if several else text
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


def _takes(kind: Kind, value: object) -> bool:
    try:
        kind.take(value)
    except (TypeError, ValueError):
        return False
    return True
