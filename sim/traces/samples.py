"""A few lines of every format, as they are told apart and read; all of them made up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["SAMPLES", "Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """What logs of one format look like.

    Parameters
    ----------
    kind : {"jobs", "failures"}
        What the log is of.
    about : str
        Whose format it is, and what its columns are, in words.
    text : str
        A log of few lines.
    """

    kind: Literal["jobs", "failures"]
    about: str
    text: str


def _tabbed(text: str) -> str:
    return text.replace(" ; ", "\t")


SAMPLES: dict[str, Sample] = {
    "swf": Sample(
        "jobs",
        "Standard Workload Format: job, submission, wait, runtime, processors, CPU time, memory; "
        "requested processors, walltime and memory; status, user, group, executable, queue, "
        "partition, preceding job, think time. Unknown is -1.",
        "; MaxProcs: 128\n"
        "; UnixStartTime: 1767225600\n"
        "1 0 65 3600 16 -1 -1 16 7200 -1 1 3 1 -1 1 -1 -1 -1\n"
        "2 30 0 1200 128 -1 -1 128 3600 -1 1 4 1 -1 1 -1 -1 -1\n",
    ),
    "sacct": Sample(
        "jobs",
        "Slurm: sacct --allusers --parsable2 --format=JobIDRaw,Submit,Start,... Its jobs that "
        "ended as NODE_FAIL also tell the MTBF of a node.",
        "JobIDRaw|Submit|Start|ElapsedRaw|Timelimit|AllocCPUS|NNodes|ReqMem|State|User\n"
        "811|2026-03-01T08:00:00|2026-03-01T08:10:00|36000|1-00:00:00|256|8|64Gn|COMPLETED|ann\n"
        "812|2026-03-01T09:00:00|2026-03-01T09:00:05|7200|12:00:00|32|1|64Gn|NODE_FAIL|bob\n",
    ),
    "gwf": Sample(
        "jobs",
        "Grid Workloads Format: 29 columns, the first 11 those of swf.",
        _tabbed(
            "# JobID SubmitTime WaitTime RunTime NProcs ... 29 columns\n"
            "1 ; 0 ; 12 ; 900 ; 4 ; -1 ; -1 ; 4 ; 1800 ; -1 ; 1 ; ann ; physics ; fit ; short ; "
            "c1 ; site1 ; site1 ; UNITARY ; -1 ; -1 ; -1 ; -1 ; -1 ; -1 ; -1 ; -1 ; vo1 ; -1\n"
        ),
    ),
    "mwf": Sample(
        "jobs",
        "MetaCentrum: 14 columns, with the properties that a job requires of a node.",
        _tabbed(
            "0 ; ann ; short ; 16 ; 8 ; [p2,p3] ; 409600 ; 100 ; 130 ; 190 ; 60 ; 265 ; 42 ; 1.5\n"
        ),
    ),
    "csv": Sample(
        "failures",
        "One failure a line; columns are found by the names that operators use.",
        "node,down,up\nnid0007,2026-03-01 07:00,2026-03-01 09:30\nnid0498,2026-03-03 22:15,\n",
    ),
    "sacctmgr": Sample(
        "failures",
        "Slurm: sacctmgr show event --parsable2; nodes that were down, failed or drained.",
        "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n"
        "c1|n7|2026-03-01T07:00:00|2026-03-01T09:30:00|DOWN*|Not responding|slurm\n"
        "c1|n9|2026-03-03T22:15:00|Unknown|DRAIN|memory errors|root\n",
    ),
    "lanl": Sample(
        "failures",
        "Los Alamos, 1996 to 2005: of its 26 columns these are read.",
        "System,nodes,nodenumz,Prob Started,Prob Fixed,Down Time,Facilities,Hardware,"
        "Human Error,Network,Undetermined,Software\n"
        "20,512,3,6/21/2005 10:54,6/21/2005 11:00,6,,CPU,,,,\n",
    ),
    "fta": Sample(
        "failures",
        "Failure Trace Archive, event_trace.tab: type 0 is out of service.",
        "# event_id component_id node_id platform_id node_name event_type event_start_time "
        "event_stop_time event_end_reason\n"
        "0 0 0 5 n1 0 100 160 NULL\n"
        "1 0 0 5 n1 1 160 400 NULL\n",
    ),
    "metacentrum": Sample(
        "failures",
        "Start, cluster, seconds until repaired, its machines.",
        _tabbed("100 ; cluster_2 ; 50 ; 0 1 3 ; \n160 ; cluster_5 ; 7 ; 15\n"),
    ),
    "bgl-ras": Sample(
        "failures",
        "RAS events of Blue Gene/L: time, place, event.",
        "2026-06-05-01.55.06.697467 R26-M0-NB-C:J07-U11 RAS KERNEL FATAL link lost\n",
    ),
    "mira-ras": Sample(
        "failures",
        "RAS events of Mira: groups of related ones, each led by an event.",
        "#count=2\n"
        "event 7 00062001 70 FATAL Block MMCS 2026-01-02;00:00:00.5 2026-01-02;00:00:09 4 RMNJ"
        " R1F-M1-N04-J17 512\n"
        "\t0.25 8 000A000F 71 FATAL Card MC 2026-01-02;00:01:00 2026-01-02;00:01:00 1 NULL  0\n",
    ),
    "infinitehbd": Sample(
        "failures",
        "Starts and ends of faults of servers, in JSON; times in days.",
        '[{"node_id": "a", "event_time": 1.0, "event_type": "fault_start", "fault_type": '
        '{"Level": "Hardware Failure", "Class": "GPU", "Desc": "lost"}},\n'
        ' {"node_id": "a", "event_time": 3.5, "event_type": "fault_end", "fault_type": '
        '{"Level": "Hardware Failure", "Class": "GPU", "Desc": "lost"}}]\n',
    ),
}
