"""A score as a program: each step takes its operands off a stack and puts its result there.

A program is two arrays, so that compiled code runs it for each job (`kernels.score`) without
calling back into Python. Its operands are the columns of `Waiting`; results are float64.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np

from ...records import FloatArray, IntArray

__all__ = ["NAMES", "Op", "Program", "Step", "program_of"]


class Op(IntEnum):
    """What a step does; those up to `LOG_NODES` put an operand on the stack."""

    NUMBER = 0
    WAIT = 1
    WALLTIME = 2
    NODES = 3
    SMALLEST = 4
    QUEUE_LENGTH = 5
    LOG_NODES = 6  # to the base 2
    ADD = 7
    SUBTRACT = 8
    MULTIPLY = 9
    DIVIDE = 10
    POWER = 11
    POWER_FOR_ALL = 12  # with an exponent that is the same for all jobs
    NEGATE = 13
    ZERO_IF_NEW = 14  # 0 for a job that has not waited


NAMES = {
    "wait": Op.WAIT,
    "walltime": Op.WALLTIME,
    "nodes": Op.NODES,
    "smallest": Op.SMALLEST,
    "queue_length": Op.QUEUE_LENGTH,
}

Step: TypeAlias = tuple[Op, float]


class Program(NamedTuple):
    """The steps of a score, and how deep the stack is that they need."""

    ops: IntArray
    numbers: FloatArray  # of each step `NUMBER`
    depth: int

    @property
    def by_length(self) -> bool:
        """Whether it asks how many jobs wait."""
        return bool((self.ops == Op.QUEUE_LENGTH).any())


def program_of(steps: Iterable[Step]) -> Program:
    """Return the program of some steps, each behind its operands."""
    ops, numbers = zip(*steps, strict=True)
    depth = highest = 0
    for op in ops:
        if op <= Op.LOG_NODES:
            depth += 1
        elif op not in (Op.NEGATE, Op.ZERO_IF_NEW):
            depth -= 1
        highest = max(highest, depth)
    return Program(np.array(ops, np.int64), np.array(numbers, np.float64), highest)
