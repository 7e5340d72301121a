"""The example at the end of a command's help."""

from __future__ import annotations


def example(*lines: str) -> str:
    """Return the epilog of a command: lines to type, which click must not wrap."""
    return "\n".join(["\b", "Example:", *(f"  {line}" for line in lines)])
