"""Utility expressions from the command line, read by a whitelist over the syntax tree.

Nothing is ever evaluated by Python itself: each allowed node becomes one NumPy operation on
float64, so that an expression can neither reach a name nor build a huge integer. `program` writes
the same nodes behind their operands, for compiled code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..._libm import exps, logs, logs2, powers
from ...records import FloatArray
from .program import NAMES, Op, Program, Step, program_of

__all__ = ["Expression", "by_time", "parse_expression"]

Values: TypeAlias = Mapping[str, FloatArray]
Function: TypeAlias = Callable[..., FloatArray]

_LONGEST = 400
_DEEPEST = 32
_OF_JOBS = ("wait", "walltime", "nodes", "user", "project", "queue")  # others: the same for all


def _first_if(first: bool) -> Function:
    """Return the least of two, or the largest; nan if one is."""

    def chosen(left: FloatArray, right: FloatArray) -> FloatArray:
        found = np.where((left < right) == first, left, right)
        return np.where(np.isnan(left) | np.isnan(right), np.nan, found)

    return chosen


def _holds(compare: Function) -> Function:
    return lambda left, right: compare(left, right).astype(np.float64)


def _where(condition: FloatArray, yes: FloatArray, no: FloatArray) -> FloatArray:
    return np.asarray(np.where(np.not_equal(condition, 0.0), yes, no))


_WHAT: dict[Op, Function] = {
    Op.ADD: np.add,
    Op.SUBTRACT: np.subtract,
    Op.MULTIPLY: np.multiply,
    Op.DIVIDE: np.divide,
    Op.POWER: powers,
    Op.LEAST: _first_if(first=True),
    Op.MOST: _first_if(first=False),
    Op.LESS: _holds(np.less),
    Op.LESS_OR_EQUAL: _holds(np.less_equal),
    Op.EQUAL: _holds(np.equal),
    Op.UNEQUAL: _holds(np.not_equal),
    Op.WHERE: _where,
    Op.NEGATE: np.negative,
    Op.ABSOLUTE: np.absolute,
    Op.ROOT: np.sqrt,
    Op.EXP: exps,
    Op.LOG: logs,
    Op.LOG2: logs2,
}
_SIGNS: dict[type[ast.operator], Op] = {
    ast.Add: Op.ADD,
    ast.Sub: Op.SUBTRACT,
    ast.Mult: Op.MULTIPLY,
    ast.Div: Op.DIVIDE,
    ast.Pow: Op.POWER,
}
# Of a comparison the step, and whether its sides change places.
_COMPARISONS: dict[type[ast.cmpop], tuple[Op, bool]] = {
    ast.Lt: (Op.LESS, False),
    ast.LtE: (Op.LESS_OR_EQUAL, False),
    ast.Gt: (Op.LESS, True),
    ast.GtE: (Op.LESS_OR_EQUAL, True),
    ast.Eq: (Op.EQUAL, False),
    ast.NotEq: (Op.UNEQUAL, False),
}
_FUNCTIONS: dict[str, tuple[Op, int]] = {
    "abs": (Op.ABSOLUTE, 1),
    "exp": (Op.EXP, 1),
    "log": (Op.LOG, 1),
    "log2": (Op.LOG2, 1),
    "sqrt": (Op.ROOT, 1),
    "max": (Op.MOST, 2),
    "min": (Op.LEAST, 2),
    "where": (Op.WHERE, 3),
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
class _Applied:
    op: Op
    operands: tuple[_Node, ...]

    @property
    def of_jobs(self) -> bool:
        return any(each.of_jobs for each in self.operands)

    def values(self, values: Values) -> FloatArray:
        return np.asarray(_WHAT[self.op](*(each.values(values) for each in self.operands)))

    def steps(self) -> list[Step]:
        op = self.op
        if op is Op.POWER and not self.operands[1].of_jobs:
            op = Op.POWER_FOR_ALL
        return [*(step for each in self.operands for step in each.steps()), (op, 0.0)]


_Node: TypeAlias = _Number | _Name | _Applied


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
        Numbers, names (`NAMES` of `program`), ``+ - * / **``, comparisons of two, which are 1
        or 0, parentheses, and the functions log2, log, exp, sqrt, abs, min, max and
        ``where(condition, yes, no)``; at most 400 characters.

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


def by_time(scores: Sequence[Expression], times: Sequence[float]) -> Expression:
    """Return the first of the expressions, and from each of the rising `times` [s] on the next."""
    *before, last = (each.root for each in scores)
    for root, time in zip(reversed(before), reversed(times), strict=True):
        early = _Applied(Op.LESS, (_Name("time"), _Number(float(time))))
        last = _Applied(Op.WHERE, (early, root, last))
    return Expression(last)


def _node(node: ast.expr, depth: int) -> _Node:  # noqa: PLR0911 - a kind, a return
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
            return _applied(_SIGNS[type(sign)], (left, right), depth)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _node(operand, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _applied(Op.NEGATE, (operand,), depth)
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARISONS:
            op, swapped = _COMPARISONS[type(sign)]
            return _applied(op, (right, left) if swapped else (left, right), depth)
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]) if name in _FUNCTIONS:
            return _called(name, operands, depth)
        case _:
            raise ValueError(
                f"expression must be built from numbers, {', '.join(NAMES)}, + - * / **, "
                f"comparisons of two and {', '.join(_FUNCTIONS)}, got {type(node).__name__}"
            )


def _applied(op: Op, operands: Sequence[ast.expr], depth: int) -> _Applied:
    return _Applied(op, tuple(_node(each, depth + 1) for each in operands))


def _called(name: str, operands: Sequence[ast.expr], depth: int) -> _Applied:
    op, count = _FUNCTIONS[name]
    if count == 2 and len(operands) > 2:  # of several the least is that of two, and of the rest
        first, *rest = operands
        return _Applied(op, (_node(first, depth + 1), _called(name, rest, depth + 1)))
    if len(operands) != count:
        raise ValueError(f"expression must give {name} {count} values, got {len(operands)}")
    return _applied(op, operands, depth)


def _constant(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError("expression must use numbers below 1e308, got a larger one") from None
