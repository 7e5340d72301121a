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
LOG_NODES, ADD, SUBTRACT = int(Op.LOG_NODES), int(Op.ADD), int(Op.SUBTRACT)
MULTIPLY, DIVIDE = int(Op.MULTIPLY), int(Op.DIVIDE)
POWER, POWER_FOR_ALL = int(Op.POWER), int(Op.POWER_FOR_ALL)
NEGATE, ZERO_IF_NEW = int(Op.NEGATE), int(Op.ZERO_IF_NEW)


# Divisions by zero give inf or nan, as NumPy's do.
@compiled(_nrt=False, error_model="numpy")
def score(  # noqa: PLR0912  (a case, a branch)
    ops: IntArray,
    numbers: FloatArray,
    stack: FloatArray,
    wait: float,
    walltime: float,
    nodes: float,
    log_nodes: float,
    smallest: float,
    queue_length: float,
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
            else:
                stack[top] = log_nodes
        elif op == NEGATE:
            stack[top] = -stack[top]
        elif op == ZERO_IF_NEW:
            if not wait > 0.0:
                stack[top] = 0.0
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
