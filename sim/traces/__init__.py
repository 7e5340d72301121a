"""Readers and writers of job and failure logs.

Every reader returns a `Trace`: a pandas frame, a report of every problem met on the way, and what
the log says about itself. Nothing is dropped or repaired in silence: each rule has a name and a
count, and ``strict=True`` raises on the first malformed line. A file that holds more than `Limits`
is refused; ``Limited(path, Limits(...))`` in place of a path raises them.
"""

from .bluegene import midplane_of, read_bgl_ras, read_mira_ras
from .catalogue import CATALOGUE, Entry, entry
from .download import fetch
from .failures_csv import read_failures_csv
from .formats import FAILURE_FORMATS, JOB_FORMATS, read_failures, read_jobs
from .fta import read_fta, read_fta_table
from .generators import generate_jobs
from .gwf import GWF_COLUMNS, read_gwf
from .infinitehbd import read_infinitehbd
from .intrepid_like import INTREPID_HEADER, intrepid_like
from .lanl import read_lanl
from .lanl_like import lanl_like, write_lanl
from .lookup import locate
from .metacentrum import read_metacentrum_failures, read_metacentrum_machines, read_mwf
from .node_names import read_node_names
from .report import Problem, Report, Trace
from .sacct import read_sacct
from .sources import Limited, Limits
from .swf import read_swf
from .swf_dialects import DIALECTS, SWF_COLUMNS
from .swf_writer import write_swf
from .uptimes import Uptimes, uptimes

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
