"""Failures drawn node by node, each node with its own law."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
