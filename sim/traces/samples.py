"""A few lines of every format, as they are told apart and read; all of them made up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .jobs.slurm_words import SACCT_COMMAND


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


_FINISHED = (
    '"JOB_FINISH" "10.1" {end} {job} 1001 33554434 64 {submit} 0 0 {start} "ann" "normal" "" "" "" '
    '"login1" "/home/ann" "" "" "" "1772352000.{job}" 0 2 "32*n1" "32*n2" {status} 1.0 "fit" '
    '"./fit" 10.5 1.2 2048 0 -1 0 0 10 0 0 0 0 -1 0 0 0 5 2 -1 "" "physics" {code} 64 "" "" 0 '
    '2048 4096 "" "" "" "" 0 "" {reason} "" -1 "" "" "" "" -1 "" ""\n'
)


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
        f"Slurm, as {SACCT_COMMAND} prints it; or any other table that sacct prints. With "
        "--duplicates also the attempts that a failure ended are there: those that ended as "
        "NODE_FAIL tell the MTBF of a node.",
        "JobIDRaw|Submit|Start|End|ElapsedRaw|Timelimit|AllocCPUS|NNodes|ReqMem|State|User\n"
        "811|2026-03-01T08:00:00|2026-03-01T08:10:00|2026-03-01T18:10:00|36000|1-00:00:00|256|8"
        "|64Gn|COMPLETED|ann\n"
        "812|2026-03-01T09:00:00|2026-03-01T09:00:05|2026-03-01T11:00:05|7200|12:00:00|32|1|64Gn"
        "|NODE_FAIL|bob\n",
    ),
    "sacct-json": Sample(
        "jobs",
        "Slurm: sacct --allusers --duplicates --json; any version.",
        '{"jobs": [\n'
        '  {"job_id": 811, "state": {"current": ["COMPLETED"]}, "allocation_nodes": 8, "time": '
        '{"submission": 1772352000, "start": 1772352600, "end": 1772388600, "elapsed": 36000, '
        '"limit": {"set": true, "infinite": false, "number": 1440}}, "required": {"CPUs": 256}, '
        '"user": "ann", "account": "physics", "partition": "batch"},\n'
        '  {"job_id": 812, "state": {"current": "NODE_FAIL"}, "allocation_nodes": 1, "time": '
        '{"submission": 1772355600, "start": 1772355605, "end": 1772362805, "elapsed": 7200, '
        '"limit": 720}, "required": {"CPUs": 32}, "user": "bob", "partition": "batch"}\n'
        "]}\n",
    ),
    "pbs": Sample(
        "jobs",
        "PBS, of Torque, OpenPBS or PBS Professional: server_priv/accounting, its days joined.",
        "03/01/2026 09:40:00;E;811.srv;user=ann group=physics queue=batch ctime=1772352000 "
        "qtime=1772352000 etime=1772352000 start=1772352600 exec_host=n1/0*32+n2/0*32 "
        "Resource_List.ncpus=64 Resource_List.nodect=2 Resource_List.walltime=24:00:00 "
        "end=1772358000 Exit_status=0 resources_used.walltime=01:30:00 run_count=1\n"
        "03/01/2026 11:00:05;R;812.srv;user=bob group=physics queue=batch ctime=1772355600 "
        "start=1772355605 exec_host=n3/0*32 Resource_List.ncpus=32 Resource_List.nodect=1 "
        "end=1772362805 Exit_status=-20 run_count=1\n",
    ),
    "lsf": Sample(
        "jobs",
        "LSF: lsb.acct, the records JOB_FINISH of any version.",
        _FINISHED.format(
            end=1772358000,
            job=811,
            submit=1772352000,
            start=1772352600,
            status=64,
            code=0,
            reason=0,
        )
        + _FINISHED.format(
            end=1772362805,
            job=812,
            submit=1772355600,
            start=1772355605,
            status=32,
            code=65280,
            reason=19,
        ),
    ),
    "batsim": Sample(
        "jobs",
        "A workload of Batsim; profiles of type delay have a runtime.",
        '{"nb_res": 64, "jobs": [\n'
        '  {"id": 1, "subtime": 0, "walltime": 7200, "res": 16, "profile": "hour"},\n'
        '  {"id": 2, "subtime": 30, "walltime": 7200, "res": 64, "profile": "hour"}\n'
        '], "profiles": {"hour": {"type": "delay", "delay": 3600}}}\n',
    ),
    "table": Sample(
        "jobs",
        "Any table of jobs, CSV or Parquet; columns are found by their names, or named by "
        "--columns submit=NAME,start=NAME,...: job, submit, start, end, duration, walltime, nodes, "
        "processors, gpus, state, user, account, partition.",
        "id,submitted,started,runtime_h,nodes,cores,status,owner\n"
        "811,2026-03-01 08:00:00+01:00,2026-03-01 08:10:00+01:00,10,8,256,completed,ann\n"
        "812,2026-03-01 09:00:00+01:00,2026-03-01 09:00:05+01:00,2,1,32,node_fail,bob\n",
    ),
    "acme": Sample(
        "jobs",
        "Acme (Shanghai AI Laboratory, 2023): trace_seren.csv, trace_kalos.csv; sizes are GPUs.",
        "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
        "queue,gpu_time\n"
        "811,u1,2,16,256,Other,COMPLETED,2026-03-01 08:00:00+08:00,2026-03-01 08:10:00+08:00,"
        "2026-03-01 09:10:00+08:00,3600,600,57600.0\n",
    ),
    "helios": Sample(
        "jobs",
        "Helios (SenseTime, 2020): cluster_log.csv; sizes are GPUs.",
        "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
        "queue\n"
        "811,u1,vc1,16,64,2,COMPLETED,2026-03-01 08:00:00,2026-03-01 08:10:00,"
        "2026-03-01 09:10:00,3600,600\n",
    ),
    "alibaba-gpu": Sample(
        "jobs",
        "Alibaba's GPU clusters (2023): openb_pod_list; pods as jobs, sizes are GPUs.",
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\n"
        "pod-0,12000,16384,1,1000,,LS,Succeeded,9437497,10769854,9437497\n",
    ),
    "philly": Sample(
        "jobs",
        "Microsoft's Philly clusters (2017): cluster_job_log; attempts as jobs, sizes are GPUs.",
        '[{"status": "Pass", "vc": "v1", "jobid": "application_1", "attempts": [\n'
        '  {"start_time": "2026-03-01 08:10:00", "end_time": "2026-03-01 09:10:00", '
        '"detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}], '
        '"submitted_time": "2026-03-01 08:00:00", "user": "u1"}]\n',
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
    "prometheus": Sample(
        "failures",
        "Prometheus: the answer to a range query of up, or of the conditions of Kubernetes nodes.",
        '{"status": "success", "data": {"resultType": "matrix", "result": [\n'
        ' {"metric": {"__name__": "up", "instance": "n7:9100"},\n'
        '  "values": [[1772348400, "1"], [1772348460, "0"], [1772348520, "1"]]},\n'
        ' {"metric": {"__name__": "up", "instance": "n9:9100"},\n'
        '  "values": [[1772348400, "1"], [1772348460, "1"], [1772348520, "1"]]}]}}\n',
    ),
    "skypilot": Sample(
        "failures",
        "Spot instances, as SkyPilot's authors publish and play them: how many are available in "
        "every interval; or, where the metadata say more than gap_seconds, 1 while preempted.",
        '{"metadata": {"gap_seconds": 600, "start_time": "2026-03-01T07:00:00", "zone": "a"},\n'
        ' "data": [0, 0, 0, 1, 1, 0, 0, 1]}\n',
    ),
    "xid": Sample(
        "failures",
        "Xid errors of NVIDIA GPUs in a kernel log: of dmesg, journalctl -k or syslog.",
        "2026-03-01T07:00:00+0000 n7 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, "
        "name=python, GPU has fallen off the bus.\n"
        "2026-03-01T07:00:09+0000 n9 kernel: EXT4-fs (sda1): re-mounted\n",
    ),
}
