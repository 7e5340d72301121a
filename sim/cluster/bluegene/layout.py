"""Regular Blue Gene machines without a description file, wired by Intrepid's rules.

Midplanes stand on a grid of X (rows), Y (pairs of racks along a row) and Z (the four midplanes
of a pair). Along each axis a cable loop joins the midplanes of a line. A torus partition longer
than one midplane along Y or Z takes the whole loop of every line it touches, switches outside
it included; along X the loop folds back at the partition's last row. A mesh takes only the
cables between its own midplanes. The rules were inferred from `simulator.xml` of Intrepid; where
they differ from it, `docs/bluegene.md` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ..._checks import number
from ...traces.machines.cobalt_xml import PartitionHardware
from .partitions import PartitionTable

_CARDS = 16
_MIDPLANE_NODES = 512
# One loop visits the midplanes of a rack pair in this order: (rack of the pair, midplane).
_Z_LOOP = ((0, 0), (0, 1), (1, 1), (1, 0))


@dataclass(frozen=True, slots=True)
class _Box:
    """Midplanes `x` by `y` by `z` on the grid, wired as a torus or a mesh."""

    x: range
    y: range
    z: range
    torus: bool

    @property
    def midplanes(self) -> int:
        return len(self.x) * len(self.y) * len(self.z)


def regular(rows: int, racks: int) -> PartitionTable:
    """Return the partitions of `rows` rows of `racks` racks, 64 nodes and more.

    Parameters
    ----------
    rows : int
        Rows of racks, 1 to 10.
    racks : int
        Racks a row, 1 to 36; every second one closes a pair.

    Returns
    -------
    PartitionTable
        All partitions that can be scheduled, and which of them conflict.

    Raises
    ------
    ValueError
        If `rows` or `racks` is outside its range.
    """
    return PartitionTable.from_hardware(regular_hardware(rows, racks))


def regular_hardware(rows: int, racks: int) -> tuple[PartitionHardware, ...]:
    """Return the hardware of each partition of the regular machine."""
    if not 1 <= number("rows", rows) <= 10:
        raise ValueError(f"rows must be in 1 .. 10, got {rows!r}")
    if not 1 <= number("racks", racks) <= 36:
        raise ValueError(f"racks must be in 1 .. 36, got {racks!r}")
    grid = _Grid(rows, racks)
    found = {part.name: part for part in _below_midplane(grid)}
    for box in _boxes(grid):
        if all(grid.exists(x, y, z) for x, y, z in product(box.x, box.y, box.z)):
            part = grid.wired(box)
            found.setdefault(part.name, part)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Grid:
    rows: int
    racks: int

    @property
    def pairs(self) -> int:
        return (self.racks + 1) // 2

    def exists(self, x: int, y: int, z: int) -> bool:
        del x
        return 2 * y + _Z_LOOP[z][0] < self.racks

    def name(self, x: int, y: int, z: int) -> str:
        rack, midplane = _Z_LOOP[z]
        return f"{self.rack(x, 2 * y + rack)}-M{midplane}"

    @staticmethod
    def rack(row: int, column: int) -> str:
        return f"R{row}{'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column]}"

    def cells(self) -> Iterator[tuple[int, int, int]]:
        for cell in product(range(self.rows), range(self.pairs), range(4)):
            if self.exists(*cell):
                yield cell

    def wired(self, box: _Box) -> PartitionHardware:
        cells = list(product(box.x, box.y, box.z))
        switches: set[str] = set()
        wires: set[str] = set()
        for axis, label in enumerate("XYZ"):
            span = (box.x, box.y, box.z)[axis]
            for cell in cells:
                name = self.name(*cell)
                if len(span) > 1 or box.torus:
                    switches.add(f"{label}_{name}")
                    wires.update((f"{label}_{name}{name}", f"{name}{label}_{name}"))
            if len(span) > 1:
                for line in {cell[:axis] + cell[axis + 1 :] for cell in cells}:
                    loop = self._line(axis, line)
                    inside = [c for c in loop if c[axis] in span]
                    taken = loop if box.torus and label != "X" else inside
                    switches.update(f"{label}_{self.name(*c)}" for c in taken)
                    ends = taken[1:] + taken[:1] if box.torus else taken[1:]
                    wires.update(
                        f"{label}_{self.name(*a)}{label}_{self.name(*b)}"
                        for a, b in zip(taken, ends, strict=False)
                    )
        cards = frozenset(f"{self.name(*cell)}-N{n:02d}" for cell in cells for n in range(_CARDS))
        return PartitionHardware(self._title(box), cards, frozenset(switches), frozenset(wires))

    def _line(self, axis: int, rest: tuple[int, ...]) -> list[tuple[int, int, int]]:
        length = (self.rows, self.pairs, 4)[axis]
        cells = [(*rest[:axis], i, *rest[axis:]) for i in range(length)]
        return [(c[0], c[1], c[2]) for c in cells if self.exists(c[0], c[1], c[2])]

    def _title(self, box: _Box) -> str:
        kind = "ANL" if box.torus else "MESH"
        nodes = _MIDPLANE_NODES * box.midplanes
        if box.midplanes == 1:
            return f"{kind}-{self.name(box.x[0], box.y[0], box.z[0])}-{nodes}"
        first = self.rack(box.x[0], 2 * box.y[0] + _Z_LOOP[box.z[0]][0])
        last_rack = max(_Z_LOOP[z][0] for z in box.z)
        last = self.rack(box.x[-1], 2 * box.y[-1] + last_rack)
        place = first if first == last else f"{first}-{last}"
        return f"{kind}-{place}-{nodes}"


def _boxes(grid: _Grid) -> Iterator[_Box]:
    for x, y in product(range(grid.rows), range(grid.pairs)):
        place = (range(x, x + 1), range(y, y + 1))
        for z in range(4):
            yield _Box(*place, range(z, z + 1), torus=True)
        for rack in (range(2), range(2, 4)):
            yield _Box(*place, rack, torus=True)
            yield _Box(*place, rack, torus=False)
    for along, across in product(_spans(grid.pairs), _spans(grid.rows)):
        yield _Box(across, along, range(4), torus=True)
        if len(across) == 1 and len(along) == 2:
            yield _Box(across, along, range(4), torus=False)


def _spans(length: int) -> Iterator[range]:
    """Yield the aligned ranges whose lengths are powers of two, then the whole length."""
    size = 1
    while size < length:
        for start in range(0, length - size + 1, size):
            yield range(start, start + size)
        size *= 2
    yield range(length)


def _below_midplane(grid: _Grid) -> Iterator[PartitionHardware]:
    for cell in grid.cells():
        name = grid.name(*cell)
        for cards in (2, 4, 8):
            for start in range(0, _CARDS, cards):
                held = frozenset(f"{name}-N{n:02d}" for n in range(start, start + cards))
                title = f"ANL-{name}-N{start:02d}-{32 * cards}"
                yield PartitionHardware(title, held, frozenset(), frozenset())
