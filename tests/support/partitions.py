"""Small partition tables."""

from sim.cluster.bluegene import PartitionTable
from sim.traces.machines.cobalt_xml import PartitionHardware


def figure_one():
    """Return the eight midplanes A to H of `qsim` Fig. 1 with their pairs, halves and whole."""
    hardware = []
    for size in (1, 2, 4, 8):
        for start in range(0, 8, size):
            letters = "ABCDEFGH"[start : start + size]
            cards = frozenset(f"R0{letter}-M0-N{n:02d}" for letter in letters for n in range(16))
            hardware.append(PartitionHardware(letters, cards, frozenset(), frozenset()))
    return PartitionTable.from_hardware(hardware)
