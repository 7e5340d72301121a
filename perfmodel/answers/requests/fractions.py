"""Fractions that keep the way they were written: as percentages, or as probabilities."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import Kind, instance_of


@dataclass(frozen=True, slots=True)
class Fractions:
    """Numbers in [0, 1] and the name of each, as it was written."""

    names: tuple[str, ...]
    values: tuple[float, ...]

    def __str__(self) -> str:
        """Return the names with commas between."""
        return ",".join(self.names)


def percentages(text: str) -> Fractions:
    """Read percentages with commas between, such as ``50,90,99``; raise ValueError."""
    names = tuple(name.strip().removesuffix("%").strip() for name in text.split(","))
    if not all(name.isascii() and "_" not in name for name in names):
        raise ValueError
    try:
        values = [float(name) for name in names]
    except ValueError:
        raise ValueError from None
    if not all(0.0 < value < 100.0 for value in values):
        raise ValueError("not between 0 and 100")
    if "%" not in text and max(values) < 1.0:
        fractions = ",".join(f"{100.0 * value:g}" for value in values)
        marked = ",".join(f"{name}%" for name in names)
        raise ValueError(f"write {fractions} for these fractions, or {marked} if percent is meant")
    return Fractions(names, tuple(value / 100.0 for value in values))


def probabilities(text: str) -> Fractions:
    """Read probabilities with commas between, such as ``0.95,99%``; raise ValueError."""
    found = {}
    for piece in text.split(","):
        name = piece.strip()
        if not name.isascii() or "_" in name:
            raise ValueError
        try:
            value = float(name.removesuffix("%")) / (100.0 if name.endswith("%") else 1.0)
        except ValueError:
            raise ValueError from None
        if not 0.0 <= value < 1.0:
            raise ValueError("not in [0, 1)")
        found[name] = value
    return Fractions(tuple(found), tuple(found.values()))


PERCENTAGES = Kind(
    "list", "percentages with commas between, such as 50,90,99", percentages, instance_of(Fractions)
)
PROBABILITIES = Kind(
    *("list", "probabilities with commas between, such as 0.95,0.99 or 95%"),
    *(probabilities, instance_of(Fractions)),
)
SHARES = Kind(
    "list",
    "shares with commas between, such as 0.8,0.9 or 90%",
    probabilities,
    instance_of(Fractions),
)
