"""The machine of a request, and what differs between a plain one and a Blue Gene."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from asking.refusals import Field, Refused, Said
from asking.units import human_count

from ...traces import Limited, locate, read_node_names
from ..attempts import ranges
from ..logs.reports import machine_size
from ..logs.words import of_file
from .policies import bluegene_policies, plain_policies
from .requests import OnFailure, SiteRequest
from .walltimes import missing_walltimes

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import BlueGene, Flat, Maintenance, Policy, Replay, Workload
    from ...traces import Trace

_MIDPLANES_OF_A_RACK = 2  # of a Blue Gene/P; their names, and so their numbers, follow each other


@dataclass(frozen=True, slots=True)
class PlainSite:
    """Nodes that are alike, of `processors_per_node` each if that is stated, else of one."""

    machine: Flat
    processors_per_node: int | None

    kind: ClassVar[str] = "policy"  # what replays are compared by
    counted: ClassVar[str] = "processors"  # what its size counts
    parts: ClassVar[str] = "nodes"  # what fails
    part_names: ClassVar[tuple[str, ...]] = ()  # of what fails, where it has any
    on_failure: ClassVar[OnFailure] = "original"  # what becomes of a struck job, unless said
    without_windows: ClassVar[str | None] = None  # whose scheduler knows no planned windows

    @property
    def unit(self) -> str:
        """What the machine is made of."""
        return "nodes" if self.processors_per_node else "processors"

    def workload(self, request: SiteRequest, frame: pd.DataFrame) -> Workload:
        """Return the jobs of a log."""
        return _workload(request, frame, "requested", self.processors_per_node or 1)

    def fitted(self, request: SiteRequest, workload: Workload, notes: list[str]) -> Workload:
        """Return the jobs with their sizes on this machine."""
        del request, notes
        return workload

    def maintained(self, maintenance: Maintenance) -> PlainSite:
        """Return the machine, whose scheduler knows the planned windows."""
        from ...cluster import maintained

        return replace(self, machine=maintained(self.machine, maintenance))

    def rack_size(self, request: SiteRequest) -> int | None:
        """Return how many nodes of a rack there are, if that is stated."""
        rack = request.rack_size
        if rack is not None and rack > self.machine.nodes:
            raise Refused(
                "{} must be <= the {:,} nodes of the machine, got {}",
                *(Field("rack_size"), self.machine.nodes, rack),
            )
        if rack is None and request.burst_within == "rack":
            raise Refused(
                "{} rack must come with {}, got it alone", Field("burst_within"), Field("rack_size")
            )
        return rack

    def names_in_log(self, request: SiteRequest) -> tuple[str, ...]:
        """Return the names of the nodes in a failure log; none where it has their numbers."""
        path, nodes = request.node_names, self.machine.nodes
        if path is None:
            return ()
        with of_file(path):
            names = read_node_names(Limited(path, request.limits))
        if len(names) != nodes:
            raise Refused(
                "{} must name the {:,} nodes of the machine, got {:,}",
                *(Field("node_names"), nodes, len(names)),
            )
        return names

    def mapping_in_words(self, frame: pd.DataFrame, names: tuple[str, ...]) -> list[str]:
        """Return how the nodes of a failure log became those of the machine."""
        from ...cluster.failures import mapping_in_words

        words = mapping_in_words(frame, nodes=self.machine.nodes, names=names)
        return [words] if words else []

    def struck_in_words(self) -> list[str]:
        """Return what a failure strikes, where that may surprise."""
        if self.processors_per_node is not None:
            return []
        per_node = Field("processors_per_node")
        return [Said("a failure strikes one processor; {} says how many a node has", per_node)]

    def policies(self, request: SiteRequest, notes: list[str]) -> dict[str, str | Policy]:
        """Return what to run by name."""
        return plain_policies(request, notes)

    def place_words(self) -> Callable[[Any], str]:
        """Return what writes a placement: numbers of nodes."""
        return ranges

    def row(self, name: str, numbers: Mapping[str, Any], result: Replay) -> dict[str, Any]:
        """Return the numbers of a replay, and those that only this machine has."""
        del name, result
        return dict(numbers)


@dataclass(frozen=True, slots=True)
class BlueGeneSite:
    """Midplanes, of which partitions are made; nodes of 4 processors unless it is stated."""

    machine: BlueGene
    processors_per_node: int | None

    kind: ClassVar[str] = "utility"  # what replays are compared by
    unit: ClassVar[str] = "nodes"  # what the machine is made of
    counted: ClassVar[str] = "nodes"  # what its size counts
    parts: ClassVar[str] = "midplanes"  # what fails
    on_failure: ClassVar[OnFailure] = "new"  # what becomes of a struck job, unless said
    without_windows: ClassVar[str | None] = (
        "a Blue Gene"  # whose scheduler knows no planned windows
    )

    @property
    def part_names(self) -> tuple[str, ...]:
        """What the parts are called."""
        return self.machine.table.midplanes

    def workload(self, request: SiteRequest, frame: pd.DataFrame) -> Workload:
        """Return the jobs of a log."""
        return _workload(request, frame, "allocated", self.processors_per_node or 4)

    def fitted(self, request: SiteRequest, workload: Workload, notes: list[str]) -> Workload:
        """Return the jobs with the sizes of their partitions."""
        if request.oversize == "skip":
            workload = workload.select(self.machine.fits(workload), rule="larger_than_machine")
        per_node = self.processors_per_node or 4
        notes.append(f"{per_node} processors a node; sizes are those of partitions")
        return self.machine.sized(workload)

    def maintained(self, maintenance: Maintenance) -> BlueGeneSite:
        """Return the machine, whose scheduler knows of no windows."""
        del maintenance
        return self

    def rack_size(self, request: SiteRequest) -> int | None:
        """Return how many midplanes of a rack there are."""
        if request.rack_size is not None:
            raise Refused(
                "{} must be left out on a Blue Gene, got {}", Field("rack_size"), request.rack_size
            )
        return _MIDPLANES_OF_A_RACK

    def names_in_log(self, request: SiteRequest) -> tuple[str, ...]:
        """Return the names of the midplanes."""
        if request.node_names is not None:
            raise Refused(
                "{} must be left out on a Blue Gene: midplanes have names", Field("node_names")
            )
        return self.part_names

    def mapping_in_words(self, frame: pd.DataFrame, names: tuple[str, ...]) -> list[str]:
        """Return nothing: a name in the log is that of a midplane."""
        del frame, names
        return []

    def struck_in_words(self) -> list[str]:
        """Return nothing: a failure strikes a midplane, as everybody expects."""
        return []

    def policies(self, request: SiteRequest, notes: list[str]) -> dict[str, str | Policy]:
        """Return what to run by name."""
        return bluegene_policies(request, self.machine, notes)

    def place_words(self) -> Callable[[Any], str]:
        """Return what writes a placement: the name of the partition."""
        names = self.machine.table.names
        return lambda placement: str(names[placement])

    def row(self, name: str, numbers: Mapping[str, Any], result: Replay) -> dict[str, Any]:
        """Return the numbers of a replay, and waits by size and slowdowns by length."""
        from ...metrics import length_class, mean_by_class, scale_class
        from ...metrics import replay as measures

        records = result.job_records
        waits, slowdowns = measures.wait(records), measures.bounded_slowdown(records)
        return {
            "utility": name,
            **numbers,
            "mean_wait_by_scale_s": mean_by_class(waits, scale_class(records.processors)),
            "mean_slowdown_by_length": mean_by_class(slowdowns, length_class(records.executed)),
        }


Site: TypeAlias = PlainSite | BlueGeneSite


def site_of(request: SiteRequest, trace: Trace, notes: list[str], files: list[Path]) -> Site:
    """Return the machine that a request names, or that the header of its log tells the size of."""
    name, processors = request.machine, request.processors
    if name is not None and name.partition(":")[0] in ("intrepid", "bluegene"):
        machine = _bluegene(request, name, notes, files)
        return BlueGeneSite(machine, request.processors_per_node)
    if name is not None:
        kind, _, size = name.partition(":")
        if kind != "flat" or re.fullmatch("0*[1-9][0-9]{0,17}", size) is None:
            raise Refused(
                "{} must be intrepid, intrepid:XML, bluegene:RxC or flat:N (N processors), "
                "got {!r}",
                *(Field("machine"), name),
            )
        processors = int(size)
    if processors is None:
        processors = _processors_of(trace, notes)
        notes.append(f"{human_count(processors, 'processor')}, as the log's header says")
    return PlainSite(_flat(request, processors, notes), request.processors_per_node)


def _flat(request: SiteRequest, processors: int, notes: list[str]) -> Flat:
    from ...cluster import flat

    per_node = request.processors_per_node or 1
    if per_node > processors:
        raise Refused(
            "{} must be <= the {:,} of the machine, got {}",
            *(Field("processors_per_node"), processors, per_node),
        )
    nodes, spare = divmod(processors, per_node)
    if spare:
        notes.append(
            f"{nodes:,} nodes of {per_node} processors; {spare} processors that fill no node are "
            "left out"
        )
    return flat(nodes)


def _processors_of(trace: Trace, notes: list[str]) -> int:
    found = machine_size(trace, notes)
    if found is None:
        raise Refused(
            "{} must be given where the log's header does not say MaxProcs", Field("processors")
        )
    return found


def _bluegene(request: SiteRequest, name: str, notes: list[str], files: list[Path]) -> BlueGene:
    from ...cluster import BlueGene, PartitionTable, regular

    reboots = request.reboots or "midplanes"
    kind, _, rest = name.partition(":")
    if kind == "bluegene":
        size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", rest)
        if size is None:
            raise Refused("{} bluegene must be ROWSxRACKS, got {!r}", Field("machine"), name)
        return BlueGene(regular(int(size[1]), int(size[2])), reboots)
    path = Path(rest) if rest else locate("machines/intrepid/simulator.xml.xz")
    if path is None:
        notes.append(
            "machines/intrepid/simulator.xml.xz is not at hand: a regular machine of 5 x 8 racks "
            "stands in"
        )
        return BlueGene(regular(5, 8), reboots)
    files.append(path)
    try:
        return BlueGene(PartitionTable.from_cobalt(Limited(path, request.limits)), reboots)
    except ModuleNotFoundError as error:
        library = str(error.name).partition(".")[0]
        raise Refused(
            "{} must have {}, which is not installed: pip install 'perfmodel[cluster]'",
            *(Field("machine"), library),
        ) from None


def _workload(request: SiteRequest, frame: pd.DataFrame, sizes: Any, per_node: int) -> Workload:
    from ...cluster import Workload

    missing, factor = missing_walltimes(request)
    return Workload.from_frame(
        frame,
        processors=sizes,
        processors_per_node=per_node,
        missing_walltime=missing,
        walltime_factor=factor,
        ties=request.ties,
    )
