"""Utility expressions from the command line, read by a whitelist over the syntax tree.

Nothing is ever evaluated by Python itself: each allowed node becomes one NumPy operation on
float64, so that an expression can neither reach a name nor build a huge integer. `program` writes
the same nodes behind their operands, for compiled code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..._libm import powers
from ...records import FloatArray
from .program import NAMES, Op, Program, Step, program_of

__all__ = ["Expression", "parse_expression"]

Values: TypeAlias = Mapping[str, FloatArray]

_LONGEST = 400
_DEEPEST = 32
_OF_JOBS = ("wait", "walltime", "nodes")  # the others are the same for all jobs
_BINARY: dict[Op, Callable[[FloatArray, FloatArray], FloatArray]] = {
    Op.ADD: np.add,
    Op.SUBTRACT: np.subtract,
    Op.MULTIPLY: np.multiply,
    Op.DIVIDE: np.divide,
    Op.POWER: powers,
}
_SIGNS: dict[type[ast.operator], Op] = {
    ast.Add: Op.ADD,
    ast.Sub: Op.SUBTRACT,
    ast.Mult: Op.MULTIPLY,
    ast.Div: Op.DIVIDE,
    ast.Pow: Op.POWER,
}


@dataclass(frozen=True, slots=True)
class _Number:
    number: float
    of_jobs = False

    def values(self, values: Values) -> FloatArray:
        del values
        return np.asarray(self.number)

    def steps(self) -> list[Step]:
        return [(Op.NUMBER, self.number)]


@dataclass(frozen=True, slots=True)
class _Name:
    name: str

    @property
    def of_jobs(self) -> bool:
        return self.name in _OF_JOBS

    def values(self, values: Values) -> FloatArray:
        return values[self.name]

    def steps(self) -> list[Step]:
        return [(NAMES[self.name], 0.0)]


@dataclass(frozen=True, slots=True)
class _Binary:
    op: Op
    left: _Node
    right: _Node

    @property
    def of_jobs(self) -> bool:
        return self.left.of_jobs or self.right.of_jobs

    def values(self, values: Values) -> FloatArray:
        return np.asarray(_BINARY[self.op](self.left.values(values), self.right.values(values)))

    def steps(self) -> list[Step]:
        op = self.op
        if op is Op.POWER and not self.right.of_jobs:
            op = Op.POWER_FOR_ALL
        return [*self.left.steps(), *self.right.steps(), (op, 0.0)]


@dataclass(frozen=True, slots=True)
class _Minus:
    inner: _Node

    @property
    def of_jobs(self) -> bool:
        return self.inner.of_jobs

    def values(self, values: Values) -> FloatArray:
        return np.asarray(np.negative(self.inner.values(values)))

    def steps(self) -> list[Step]:
        return [*self.inner.steps(), (Op.NEGATE, 0.0)]


_Node: TypeAlias = _Number | _Name | _Binary | _Minus


@dataclass(frozen=True, slots=True)
class Expression:
    """Arithmetic that has been read.

    Parameters
    ----------
    root : node
        Of the syntax tree.
    """

    root: _Node

    def __call__(self, values: Values) -> FloatArray:
        """Return the score, [-], from a mapping of each name to a float64 array, broadcast."""
        return self.root.values(values)

    @property
    def program(self) -> Program:
        """The same as steps for the kernel."""
        return program_of(self.root.steps())


def parse_expression(text: str) -> Expression:
    """Return what an expression such as ``(wait/walltime)**3*nodes`` says.

    Parameters
    ----------
    text : str
        Numbers, names (`NAMES` of `program`), ``+ - * / **`` and parentheses; at most 400
        characters.

    Returns
    -------
    Expression
        A function of the named arrays, and a program.

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
    return Expression(_node(tree.body, 0))


def _node(node: ast.expr, depth: int) -> _Node:
    if depth > _DEEPEST:
        raise ValueError(f"expression must be nested at most {_DEEPEST} deep, got more")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _Number(_constant(number))
        case ast.Name(id=name):
            if name not in NAMES:
                raise ValueError(f"expression must use only {', '.join(NAMES)}, got {name!r}")
            return _Name(name)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _Binary(_SIGNS[type(sign)], _node(left, depth + 1), _node(right, depth + 1))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _node(operand, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _Minus(_node(operand, depth + 1))
        case _:
            raise ValueError(
                f"expression must be built from numbers, {', '.join(NAMES)} and + - * / **, "
                f"got {type(node).__name__}"
            )


def _constant(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError("expression must use numbers below 1e308, got a larger one") from None
