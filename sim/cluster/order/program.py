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


class Op(IntEnum):
    """What a step does; those up to `LOG_NODES` put an operand on the stack."""

    NUMBER = 0
    WAIT = 1
    WALLTIME = 2
    NODES = 3
    SMALLEST = 4
    QUEUE_LENGTH = 5
    USER = 6
    PROJECT = 7
    QUEUE = 8
    TIME = 9
    LOG_NODES = 10  # to the base 2
    ADD = 11
    SUBTRACT = 12
    MULTIPLY = 13
    DIVIDE = 14
    POWER = 15
    POWER_FOR_ALL = 16  # with an exponent that is the same for all jobs
    LEAST = 17
    MOST = 18
    LESS = 19  # 1 where it holds, else 0; so are those up to `UNEQUAL`
    LESS_OR_EQUAL = 20
    EQUAL = 21
    UNEQUAL = 22
    WHERE = 23  # the second of three where the first is not 0, else the third
    NEGATE = 24  # from here on of one operand
    ZERO_IF_NEW = 25  # 0 for a job that has not waited
    ABSOLUTE = 26
    ROOT = 27
    EXP = 28
    LOG = 29
    LOG2 = 30


NAMES = {
    "wait": Op.WAIT,
    "walltime": Op.WALLTIME,
    "nodes": Op.NODES,
    "smallest": Op.SMALLEST,
    "queue_length": Op.QUEUE_LENGTH,
    "user": Op.USER,
    "project": Op.PROJECT,
    "queue": Op.QUEUE,
    "time": Op.TIME,
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
        elif op < Op.NEGATE:
            depth -= 2 if op == Op.WHERE else 1
        highest = max(highest, depth)
    return Program(np.array(ops, np.int64), np.array(numbers, np.float64), highest)
