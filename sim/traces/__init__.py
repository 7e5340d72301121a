"""Readers and writers of job and failure logs.

Every reader returns a `Trace`: a pandas frame, a report of every problem met on the way, and what
the log says about itself. Nothing is dropped or repaired in silence: each rule has a name and a
count, and ``strict=True`` raises on the first malformed line. A file that holds more than `Limits`
is refused; ``Limited(path, Limits(...))`` in place of a path raises them.
"""

from .failures.csv import read_failures_csv
from .failures.fta import read_fta, read_fta_table
from .failures.infinitehbd import read_infinitehbd
from .failures.lanl import read_lanl
from .failures.metacentrum import read_metacentrum_failures
from .failures.ras import midplane_of, read_bgl_ras, read_mira_ras
from .failures.uptimes import Uptimes, uptimes
from .formats import FAILURE_FORMATS, JOB_FORMATS, read_failures, read_jobs
from .generated.intrepid_like import INTREPID_HEADER, intrepid_like
from .generated.jobs import generate_jobs
from .generated.lanl_like import lanl_like, write_lanl
from .jobs.gwf import GWF_COLUMNS, read_gwf
from .jobs.mwf import read_mwf
from .jobs.sacct import read_sacct
from .jobs.swf import read_swf
from .jobs.swf_dialects import DIALECTS, SWF_COLUMNS
from .jobs.swf_writer import write_swf
from .machines.metacentrum import read_metacentrum_machines
from .machines.node_names import read_node_names
from .parsing.report import Problem, Report, Trace
from .parsing.sources import Limited, Limits
from .public.catalogue import CATALOGUE, Entry, entry
from .public.download import fetch
from .public.lookup import locate

__all__ = [
    "CATALOGUE",
    "DIALECTS",
    "FAILURE_FORMATS",
    "GWF_COLUMNS",
    "INTREPID_HEADER",
    "JOB_FORMATS",
    "SWF_COLUMNS",
    "Entry",
    "Limited",
    "Limits",
    "Problem",
    "Report",
    "Trace",
    "Uptimes",
    "entry",
    "fetch",
    "generate_jobs",
    "intrepid_like",
    "lanl_like",
    "locate",
    "midplane_of",
    "read_bgl_ras",
    "read_failures",
    "read_failures_csv",
    "read_fta",
    "read_fta_table",
    "read_gwf",
    "read_infinitehbd",
    "read_jobs",
    "read_lanl",
    "read_metacentrum_failures",
    "read_metacentrum_machines",
    "read_mira_ras",
    "read_mwf",
    "read_node_names",
    "read_sacct",
    "read_swf",
    "uptimes",
    "write_lanl",
    "write_swf",
]
