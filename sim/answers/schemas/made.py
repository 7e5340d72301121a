"""JSON Schema of replays and of their requests, made of the annotations of their fields."""

from __future__ import annotations

from asking.schemas import DIALECT, Schema, request_of, shape_of

_QUESTIONS = ("replay", "recovery", "promises", "quote", "grid")
KINDS = (*_QUESTIONS, *(f"{name}-request" for name in _QUESTIONS))


def schema(kind: str) -> Schema:
    """Return the JSON Schema of an answer about replays, or of its request.

    Parameters
    ----------
    kind : str
        One of `KINDS`: a question, such as ``replay``, for what `to_dict` returns, with or without
        what a command line adds; the same with ``-request`` for the fields of its request, as
        numbers in plain units or text with a unit.

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
    >>> from sim.answers import schema
    >>> schema("quote")["properties"]["at_s"]
    {'description': '[s]', 'type': ['number', 'null']}
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    question = kind.removesuffix("-request")
    found = _answer(question) if question == kind else _request(question)
    return {"$schema": DIALECT, "title": f"perfmodel {kind.replace('-', ' ')}", **found}


def _answer(question: str) -> Schema:
    from .shapes import ANSWERS

    shapes = [shape_of(shape) for shape in ANSWERS[question]]
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def _request(question: str) -> Schema:
    from ..grids.request import GridRequest
    from ..replays.requests import PromisesRequest, QuoteRequest, RecoveryRequest, ReplayRequest

    return request_of(
        {
            "replay": ReplayRequest,
            "recovery": RecoveryRequest,
            "promises": PromisesRequest,
            "quote": QuoteRequest,
            "grid": GridRequest,
        }[question]
    )
