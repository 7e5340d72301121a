"""What tools print of nodes, but which tells no failures."""

from __future__ import annotations

import re

from ..sacctmgr import EVENTS_COMMAND

LOOKED_AT = 1 << 12  # bytes in which a list of another kind is looked for
_LISTS = (
    (
        re.compile(r"\A(?:NodeName=\S|(?=[^\n]*\bTIMESTAMP\b)[^\n]*\bNODELIST\b)"),
        "a failure log must tell of nodes that came back, too, got a list of those that are out "
        f"now; the command is: {EVENTS_COMMAND}",
    ),
    (
        re.compile(
            r"\A\s*[0-9a-f]{1,4} *\| *(?:[0-9]{2}/[0-9]{2}/[0-9]{2,4} *\| *[0-9:]{8}|Pre-Init)"
            r"[^|\n]*\|"
        ),
        "a failure log must hold what stopped a node, got an IPMI log of all that sensors saw; "
        "to choose: ipmitool sel elist | awk -F' *[|] *' 'BEGIN {print \"time,cause\"} "
        '/Uncorrectable|Power off/ {print $2" "$3","$5}\' > failures.csv',
    ),
)


def refuse_lists(head: str) -> None:
    """Refuse what tools print of nodes, but which tells no failures, with what does."""
    for form, words in _LISTS:
        if form.search(head):
            raise ValueError(f"line 1: {words}")
