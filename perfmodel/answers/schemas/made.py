"""JSON Schema of answers, requests and scenarios, made of the annotations of their fields."""

from __future__ import annotations

from dataclasses import fields

from asking.schemas import DIALECT, Schema, either, of_kind, request_of, schema_of, shape_of

from ... import answers
from ..parts.plan import json_name

_QUESTIONS = (
    *("interval", "completion", "goodput", "energy", "spares", "nodes", "partition", "fit"),
    *("extra", "forecast", "plan", "site", "simulate", "sweep"),
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
        asked = kind.removesuffix("-request")
        name = "Advise" if asked == "site" else asked.capitalize()
        found = request_of(getattr(answers, f"{name}Request"))
    else:
        found = _answer(kind)
    return {"$schema": DIALECT, "title": f"perfmodel {kind.replace('-', ' ')}", **found}


def _answer(question: str) -> Schema:
    from .shapes import ANSWERS

    if question == "plan":
        return _plan(*ANSWERS["plan"])
    shapes = [shape_of(shape) for shape in ANSWERS[question]]
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def _key(name: str, of: str, scalar: bool) -> str:
    """Return what JSON calls a field of a plan: its unit is added; a scenario is left out."""
    if name in ("foretold", "constant_rate"):
        return f"{name}?"  # absent where no log is given
    return "" if name == "scenario" else json_name(name, of=of, scalar=scalar)


def _plan(shape: type) -> Schema:
    """Return the schema of a plan, of several with the values by which they differ, of offers."""
    from .shapes import Turned

    one = shape_of(shape, _key)
    values = {"type": "object", "additionalProperties": {"type": ["string", "number"]}}
    several = {
        "description": "Plans for each combination of the values by which they differ.",
        "type": "object",
        "properties": {"variants": {"type": "array", "items": _with("values", values, one)}},
        "required": ["variants"],
        "additionalProperties": False,
    }
    offer = _with("name", {"type": "string"}, one)
    offers = {
        "description": "Plans of several scenarios, and what would turn the order of the two best.",
        "type": "object",
        "properties": {
            "offers": {"type": "array", "items": offer},
            "turns": {"type": "array", "items": shape_of(Turned)},
        },
        "required": ["offers", "turns"],
        "additionalProperties": False,
    }
    return {"oneOf": [one, several, offers]}


def _with(key: str, value: Schema, one: Schema) -> Schema:
    """Return the schema of an object that begins with one key more."""
    properties = {key: value, **one["properties"]}
    return {**one, "properties": properties, "required": [key, *one["required"]]}


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
            one = of_kind(takes.kind, numbers=not takes.kind.unit)
            if takes.may_be_unknown:
                one = either([one, {"const": "unknown"}])
            said = f"It must be {takes.kind.wanted}; a list makes a plan of each."
            several = {"type": "array", "items": one, "minItems": 1}
            keys[each.name] = {"description": said, "anyOf": [one, several]}
        if name == "failures":
            keys |= {key: schema_of(hint) for key, hint in LOG_KEYS.items()}
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
