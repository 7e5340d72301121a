"""Utility expressions from the command line, read by a whitelist over the syntax tree.

Nothing is ever evaluated by Python itself: each allowed node becomes one NumPy operation on
float64, so that an expression can neither reach a name nor build a huge integer.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from ..._libm import powers
from ...records import FloatArray

__all__ = ["NAMES", "parse_expression"]

NAMES = ("wait", "walltime", "nodes", "smallest", "queue_length")

Values: TypeAlias = Mapping[str, FloatArray]
Node: TypeAlias = Callable[[Values], FloatArray]

_LONGEST = 400
_DEEPEST = 32
_BINARY: dict[type[ast.operator], Callable[[FloatArray, FloatArray], FloatArray]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: powers,
}
_UNARY: dict[type[ast.unaryop], np.ufunc] = {ast.UAdd: np.positive, ast.USub: np.negative}


def parse_expression(text: str) -> Node:
    """Return a function of the named arrays for an expression such as ``(wait/walltime)**3*nodes``.

    Parameters
    ----------
    text : str
        Numbers, the names of `NAMES`, ``+ - * / **`` and parentheses; at most 400 characters.

    Returns
    -------
    callable
        Takes a mapping from each name to a float64 array, returns the score, [-], broadcast.

    Raises
    ------
    ValueError
        If the text holds anything else.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"expression must have at most {_LONGEST} characters, got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"expression must be arithmetic, got {text!r}") from None
    return _node(tree.body, 0)


def _node(node: ast.expr, depth: int) -> Node:
    if depth > _DEEPEST:
        raise ValueError(f"expression must be nested at most {_DEEPEST} deep, got more")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            constant = _constant(number)
            return lambda values: constant
        case ast.Name(id=name):
            if name not in NAMES:
                raise ValueError(f"expression must use only {', '.join(NAMES)}, got {name!r}")
            return lambda values: values[name]
        case ast.BinOp(left=left, op=binary, right=right) if type(binary) in _BINARY:
            combine, a, b = _BINARY[type(binary)], _node(left, depth + 1), _node(right, depth + 1)
            return lambda values: np.asarray(combine(a(values), b(values)))
        case ast.UnaryOp(op=unary, operand=operand) if type(unary) in _UNARY:
            change, inner = _UNARY[type(unary)], _node(operand, depth + 1)
            return lambda values: np.asarray(change(inner(values)))
        case _:
            raise ValueError(
                f"expression must be built from numbers, {', '.join(NAMES)} and + - * / **, "
                f"got {type(node).__name__}"
            )


def _constant(number: float) -> FloatArray:
    try:
        return np.asarray(float(number))
    except OverflowError:
        raise ValueError("expression must use numbers below 1e308, got a larger one") from None
