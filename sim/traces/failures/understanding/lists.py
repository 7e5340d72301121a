"""What tools print of nodes, but which tells no failures."""

from __future__ import annotations

import re

from ..sacctmgr import EVENTS_COMMAND

LOOKED_AT = 1 << 12  # bytes in which a list of another kind is looked for
_KUBECTL = (
    "kubectl get events --all-namespaces --field-selector involvedObject.kind=Node -o json | "
    """jq -r '["time","node","event"], (.items[] | [.lastTimestamp, .involvedObject.name, """
    ".reason]) | @csv' > failures.csv"
)
# Of a JSON file: a key that stands in it, and the command that makes a table of it.
JSON_LISTS = {
    "involvedObject": _KUBECTL,
    "AlarmHistoryItems": "aws cloudwatch describe-alarm-history --history-item-type StateUpdate | "
    """jq -r '["time","node","state"], (.AlarmHistoryItems[] | [.Timestamp, .AlarmName, """
    ".HistorySummary]) | @csv' > failures.csv",
}
ANY_JSON = (
    "jq -rs 'flatten(1) | (.[0] | keys_unsorted) as $k | $k, (.[] | [.[$k[]] | tostring]) | @csv' "
    "makes a table of other keys"
)
NO_XID = (
    "a kernel log must have lines with NVRM: Xid, got none: as format xid it is one without a "
    'failure; of other failures: awk \'BEGIN {print "time,node"} /Kernel panic|Machine Check/ '
    '{print $1" "$2" 2026 "$3","$4}\' makes a table, of times such as Jan 5 08:00:00 of 2026'
)
_LAST = (
    'last -x --time-format iso reboot shutdown | awk \'BEGIN {print "time"} t && /^reboot/ '
    '{print t} {t = ""} /^reboot/ {t = $5}\' > failures.csv'
)
_PBS_DOWN = (
    'awk -F\';\' \'BEGIN {print "time;node;event"} $4 == "Node" && $6 ~ /down|up|offline|free/ '
    """{print $1";"$5";"$6}' server_logs/* > failures.csv"""
)
_OUT_NOW = (
    "a failure log must tell of nodes that came back, too, got a list of those that are out "
    f"now; the command is: {EVENTS_COMMAND}"
)
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}"
_OUT = rf"[^\n|]*\|[a-z_][\w.-]*(?:\([0-9]+\))?\|{_DATE}\|"
_LISTS = (
    (
        re.compile(r"\A[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9:.]{8,15};[0-9a-fx]{4,6};[^;\n]*;[^;\n]*;"),
        "a failure log must be a table of nodes, got all that a server of PBS wrote; to choose: "
        f"{_PBS_DOWN}",
    ),
    (
        re.compile(
            r"\A\S+ *\n +(?:Mom = |state = )|\A(?:\S+ +[\w,-]*\b(?:down|offline)\b[^\n:]*\n)+\Z"
        ),
        "a failure log must tell of nodes that came back, too, got what pbsnodes prints of now; "
        f"from the logs of the server: {_PBS_DOWN}",
    ),
    (
        re.compile(r"\A\s*<(?:!doctype|html|table|\?xml)\b", re.IGNORECASE),
        'a failure log must be a table of text, got a page; to make one of it: python -c "import '
        "pandas; pandas.read_html('page.html')[0].to_csv('failures.csv', index=False)\"",
    ),
    (
        re.compile(r"\A\s*Job: \S+ *\n"),
        "a log must hold all jobs, got what tracejob prints of one; to make one of them: "
        "cat $PBS_HOME/server_priv/accounting/20?????? > jobs.txt",
    ),
    (
        re.compile(r"\A\**\n?sdiag output at "),
        f"a failure log must hold when nodes failed, got counters of now; the command is: "
        f"{EVENTS_COMMAND}",
    ),
    (
        re.compile(r"\A(?:[^\n]*\n){,30}?(?:\[[0-9-]{10} |[EIW][0-9]{4} )[^\n]*\btorch[./]distr"),
        "a failure log must be a table, got what torchrun printed; the failures in it: awk 'BEGIN "
        '{print "time"} /failed \\(exitcode/ {print /^\\[/ ? substr($0, 2, 19) : "2026-" '
        'substr($1, 2, 2) "-" substr($1, 4, 2) " " $2}\' train.log > failures.csv',
    ),
    (
        re.compile(r"\AHOST_NAME +STATUS |\ASummary of time in (?:seconds|minutes) spent"),
        "a failure log must tell when jobs lost their nodes, got what bhosts or bhist prints; the "
        "file that does: perfmodel fit $LSB_SHAREDIR/CLUSTER/logdir/lsb.acct",
    ),
    (
        re.compile(r"\A=+ *\nqname "),
        "a log must be a table, got what qacct prints; to make one of jobs: qacct -j | awk 'BEGIN "
        '{print "job,start,end,processors,state"} {k = $1; $1 = ""; v[k] = substr($0, 2)} '
        'k == "exit_status" {print v["jobnumber"]","v["start_time"]","'
        'v["end_time"]","v["slots"]","(v["failed"] + 0 ? "FAILED" : "COMPLETED")}\' > jobs.csv',
    ),
    (
        re.compile(r"\A0[0-9]{2} \([0-9]+\.[0-9]+\.[0-9]+\) [0-9/-]+ [0-9:]+ "),
        "a failure log must be a table, got a log of HTCondor; jobs that lost their node: awk "
        """'BEGIN {print "time,job,cause"} /^0(04|22|24) / {print $3" "$4","$2","$7" "$8}' """
        "job.log > failures.csv",
    ),
    (
        re.compile(r"\A\[[0-9-]{10}T[0-9:.]{8,15}\] (?s:.*?)\b(?:slurm|not responding|Node )"),
        f"a failure log must be a table, got what slurmctld wrote: {EVENTS_COMMAND}",
    ),
    (
        re.compile(r"\A(?:\[[0-9]{9,10}\] [^\n]*\n)*?\[[0-9]{9,10}\] (?:CURRENT )?HOST "),
        "a failure log must hold when nodes went down and came up, got all that Nagios or Icinga "
        "wrote; to choose: awk -F'[][;]|: ' 'BEGIN {print \"time,node,state\"} "
        '/HOST ALERT.*;HARD;/ {print $2","$4","$5}\' nagios.log > failures.csv',
    ),
    (
        re.compile(
            r"\A(?:(?:\S+: *|reboot +)system boot|shutdown +system down|runlevel +\(to|IDX BOOT ID"
            r"| *-?[0-9]+ [0-9a-f]{32}) "
        ),
        f"a failure log must hold what stopped a node, got its boots; those after a crash: {_LAST}",
    ),
    (
        re.compile(r"\A *(?:(?:NAMESPACE +)?LAST SEEN +TYPE +REASON|NAME +STATUS +ROLES) "),
        f"a failure log must have times, got how long ago events were; the command is: {_KUBECTL}",
    ),
    (
        re.compile(r"\A(?:put )?[\w./-]+ [0-9]{10}(?:[0-9]{3})? [0-9.]+(?: \w+=[^ \n]+)+ *\n"),
        "a failure log must name its columns, got values as OpenTSDB exports them; to name them: "
        'awk \'BEGIN {print "time,up,node"} {print $2","$3","$4}\' > failures.csv',
    ),
    (
        re.compile(
            r"\A(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9: ]{16}\n)?"
            r"(?:NodeName=\S|(?=[^\n]*\b(?:TIMESTAMP|STATE)\b)[^\n]*\bNODELIST\b(?!\())"
        ),
        _OUT_NOW,
    ),
    (
        # Without its header: columns as wide as sinfo has them, one of Slurm's own users, or any
        # user beside a list of nodes.
        re.compile(
            rf"\A[^\n]{{20}} \S[^\n]{{8}}(?:[^\n]{{3}})? (?:{_DATE}|Unknown {{12}}) "
            r"(?:\S+ +)?\S+ *\n"
            rf"|\A(?=[^\n|,;\t]*([|,;\t])[^\n|,;\t]+\1{_DATE}\1)"
            rf"(?:[^\n]*\n)*?[^\n|,;\t]*\1(?:root|slurm)(?:\([0-9]+\))?\1{_DATE}\1"
            rf"|\A(?:{_OUT}\S+\n)*?{_OUT}[\w.,-]+\[[0-9,-]+\]"
        ),
        _OUT_NOW,
    ),
    (
        re.compile(
            r"\A\s*[0-9a-f]{1,4} *[|,] *(?:[0-9]{2}/[0-9]{2}/[0-9]{2,4} *[|,] *[0-9:]{8}|Pre-Init)"
            r"[^|,\n]*[|,]"
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
