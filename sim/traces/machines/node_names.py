"""The names of the nodes of a machine, one a line, in the order in which they are numbered."""

from __future__ import annotations

from ..parsing.report import Findings
from ..parsing.sources import Source, open_source, text_lines


def read_node_names(source: Source) -> tuple[str, ...]:
    """Read the names of nodes.

    Parameters
    ----------
    source : path or file object
        One name a line: the first is that of node 0.

    Returns
    -------
    tuple of str
        The names without blanks around them.

    Raises
    ------
    ValueError
        If there is none, a line between is blank, or a name comes twice: all that would number
        the nodes after it wrongly.
    TypeError
        If `source` is neither a path nor a file object.
    """
    findings = Findings()
    content = open_source(source, findings)
    names = [line.strip() for line in text_lines(content, findings)]
    findings.report(content.name, records=len(names), rows=len(names), strict=True)
    while names and not names[-1]:
        names.pop()
    if not names:
        raise ValueError(f"{content.name} must hold a name a line, got none")
    first: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        if not name:
            raise ValueError(f"line {number}: must be a name, got a blank line")
        if first.setdefault(name, number) != number:
            raise ValueError(
                f"line {number}: must be a name of its own, got {name[:60]!r} as in line "
                f"{first[name]}"
            )
    return tuple(names)
