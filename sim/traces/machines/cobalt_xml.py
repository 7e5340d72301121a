"""Cobalt's description of a Blue Gene: which hardware each partition is wired from."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import IO, Any

from ..._checks import shown
from ..parsing.report import Findings
from ..parsing.sources import Content, Source, open_source

_DEEPEST = 8
_MOST_ELEMENTS = 2_000_000
# Which of two conflict is a table of this number squared.
_MOST_PARTITIONS = 10_000
_PARTS = ("NodeCard", "Switch", "Wire")


@dataclass(frozen=True, slots=True)
class PartitionHardware:
    """The node cards (32 nodes each), switches and wires that one partition takes."""

    name: str
    node_cards: frozenset[str]
    switches: frozenset[str]
    wires: frozenset[str]


class _RefusedError(ValueError):
    """What this reader refuses by itself, apart from what the parser cannot read."""


def read_cobalt_xml(source: Source) -> tuple[PartitionHardware, ...]:
    """Read the `Partition` elements of a Cobalt machine file.

    Parameters
    ----------
    source : path or binary file
        The XML document, plain or compressed.

    Returns
    -------
    tuple of PartitionHardware
        In the order of the file.

    Raises
    ------
    ValueError
        If the document is not well formed, declares a DTD or entities, is nested deeper than
        8 elements, or of more than 2,000,000 or 10,000 partitions, or a partition lacks a name
        or node cards.
    ModuleNotFoundError
        If defusedxml is not installed.
    """
    content = _whole(source)
    return _read(io.BytesIO(content.data), content.name)


def _whole(source: Source) -> Content:
    findings = Findings()
    content = open_source(source, findings)
    findings.report(content.name, records=0, rows=0, strict=True)
    # What Python takes for an element and an attribute.
    content.hold(400 * content.data.count(b"<") + 200 * content.data.count(b"="))
    return content


def _read(stream: IO[bytes], where: str) -> tuple[PartitionHardware, ...]:
    # Machine files come from outside: the standard parser would expand entities without end.
    try:
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import ParseError, iterparse
    except ImportError as error:
        needs = "reading Cobalt's XML needs defusedxml: pip install 'perfmodel[cluster]'"
        raise ModuleNotFoundError(needs, name="defusedxml") from error

    found: list[PartitionHardware] = []
    depth = elements = 0
    try:
        for event, element in iterparse(stream, events=("start", "end"), forbid_dtd=True):
            if event == "start":
                depth, elements = depth + 1, elements + 1
                if depth > _DEEPEST:
                    raise _RefusedError(f"{where} must be nested at most {_DEEPEST} deep, got more")
                if elements > _MOST_ELEMENTS:
                    raise _RefusedError(f"{where} must hold at most {_MOST_ELEMENTS:,} elements")
                continue
            depth -= 1
            if element.tag == "Partition":
                found.append(_partition(element, where))
                element.clear()
                if len(found) > _MOST_PARTITIONS:
                    raise _RefusedError(
                        f"{where} must hold at most {_MOST_PARTITIONS:,} partitions"
                    )
    except DefusedXmlException as refused:
        raise ValueError(f"{where} must be plain XML without DTD, got {refused}") from None
    except _RefusedError:
        raise
    except (ParseError, LookupError, ValueError) as broken:  # the latter two of its encoding
        raise ValueError(f"{where} must be well-formed XML, got {broken}") from None
    if not found:
        raise ValueError(f"{where} must describe at least one Partition, got none")
    return tuple(found)


def _partition(element: Any, where: str) -> PartitionHardware:
    name = element.get("name")
    parts: dict[str, set[str]] = {kind: set() for kind in _PARTS}
    for child in element:
        if child.tag in parts and child.get("id"):
            parts[child.tag].add(child.get("id"))
    if not name or not parts["NodeCard"]:
        raise _RefusedError(
            f"{where}: every Partition must have a name and node cards, got {shown(name)}"
        )
    return PartitionHardware(name, *(frozenset(parts[kind]) for kind in _PARTS))
