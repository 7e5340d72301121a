"""Scores of waiting jobs by their programs, compiled.

The readable twins are the functions of `utility` and the tree of `expression`. Products stand for
the powers that are products there, and the C library's power for the others.
"""

from __future__ import annotations

import math

from ..._compiled import compiled
from ...records import FloatArray, IntArray
from .program import Op

__all__ = ["score"]

NUMBER, WAIT, WALLTIME, NODES = int(Op.NUMBER), int(Op.WAIT), int(Op.WALLTIME), int(Op.NODES)
SMALLEST, QUEUE_LENGTH = int(Op.SMALLEST), int(Op.QUEUE_LENGTH)
USER, PROJECT, QUEUE, TIME = int(Op.USER), int(Op.PROJECT), int(Op.QUEUE), int(Op.TIME)
LOG_NODES, ADD, SUBTRACT = int(Op.LOG_NODES), int(Op.ADD), int(Op.SUBTRACT)
MULTIPLY, DIVIDE = int(Op.MULTIPLY), int(Op.DIVIDE)
POWER, POWER_FOR_ALL = int(Op.POWER), int(Op.POWER_FOR_ALL)
NEGATE, ZERO_IF_NEW = int(Op.NEGATE), int(Op.ZERO_IF_NEW)
LEAST, MOST, WHERE = int(Op.LEAST), int(Op.MOST), int(Op.WHERE)
LESS, LESS_OR_EQUAL = int(Op.LESS), int(Op.LESS_OR_EQUAL)
EQUAL, UNEQUAL = int(Op.EQUAL), int(Op.UNEQUAL)
ABSOLUTE, ROOT, EXP = int(Op.ABSOLUTE), int(Op.ROOT), int(Op.EXP)
LOG, LOG2 = int(Op.LOG), int(Op.LOG2)


# Divisions by zero give inf or nan, as NumPy's do.
@compiled(_nrt=False, error_model="numpy")
def score(  # noqa: PLR0912, PLR0915  (a case, a branch)
    ops: IntArray,
    numbers: FloatArray,
    stack: FloatArray,
    wait: float,
    walltime: float,
    nodes: float,
    log_nodes: float,
    smallest: float,
    queue_length: float,
    user: float,
    project: float,
    queue: float,
    time: float,
) -> float:
    """Return the score of one job, [-]; `stack` is room for as many numbers as the program says."""
    top = -1
    for step in range(ops.size):
        op = ops[step]
        if op <= LOG_NODES:
            top += 1
            if op == NUMBER:
                stack[top] = numbers[step]
            elif op == WAIT:
                stack[top] = wait
            elif op == WALLTIME:
                stack[top] = walltime
            elif op == NODES:
                stack[top] = nodes
            elif op == SMALLEST:
                stack[top] = smallest
            elif op == QUEUE_LENGTH:
                stack[top] = queue_length
            elif op == USER:
                stack[top] = user
            elif op == PROJECT:
                stack[top] = project
            elif op == QUEUE:
                stack[top] = queue
            elif op == TIME:
                stack[top] = time
            else:
                stack[top] = log_nodes
        elif op == ZERO_IF_NEW:
            if not wait > 0.0:
                stack[top] = 0.0
        elif op >= NEGATE:
            stack[top] = _of_one(op, stack[top])
        elif op == WHERE:
            top -= 2
            stack[top] = stack[top + 1] if stack[top] != 0.0 else stack[top + 2]
        elif op >= LEAST:
            top -= 1
            stack[top] = _of_two(op, stack[top], stack[top + 1])
        else:
            right = stack[top]
            top -= 1
            left = stack[top]
            if op == ADD:
                stack[top] = left + right
            elif op == SUBTRACT:
                stack[top] = left - right
            elif op == MULTIPLY:
                stack[top] = left * right
            elif op == DIVIDE:
                stack[top] = left / right
            elif op == POWER:
                stack[top] = math.pow(left, right)
            else:
                stack[top] = _power_for_all(left, right)
    return float(stack[0])


@compiled(_nrt=False, error_model="numpy", inner=True)
def _of_one(op: int, value: float) -> float:  # noqa: PLR0911 - a case, a return
    if op == NEGATE:
        return -value
    if op == ABSOLUTE:
        return abs(value)
    if op == ROOT:
        return math.sqrt(value) if value >= 0.0 else math.nan
    if op == EXP:
        return math.exp(value)
    if value == 0.0:
        return -math.inf
    if not value > 0.0:
        return math.nan
    return math.log(value) if op == LOG else math.log2(value)


@compiled(_nrt=False, inner=True)
def _of_two(op: int, left: float, right: float) -> float:
    if op == LESS:
        return 1.0 if left < right else 0.0
    if op == LESS_OR_EQUAL:
        return 1.0 if left <= right else 0.0
    if op == EQUAL:
        return 1.0 if left == right else 0.0
    if op == UNEQUAL:
        return 1.0 if left != right else 0.0
    if math.isnan(left) or math.isnan(right):
        return math.nan
    return left if (left < right) == (op == LEAST) else right


@compiled(_nrt=False, inner=True)
def _power_for_all(base: float, exponent: float) -> float:
    if exponent == 1.0:
        return base
    if exponent == 2.0:
        return base * base
    if exponent == 3.0:
        return base * base * base
    if exponent == 4.0:
        return base * base * base * base
    return math.pow(base, exponent)
