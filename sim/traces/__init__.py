"""Readers and writers of job and failure logs.

Every reader returns a `Trace`: a pandas frame, a report of every problem met on the way, and what
the log says about itself. Nothing is dropped or repaired in silence: each rule has a name and a
count, and ``strict=True`` raises on the first malformed line. A file that holds more than `Limits`
is refused; ``Limited(path, Limits(...))`` in place of a path raises them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .described.description import JobLogDescription as JobLogDescription
    from .described.description import describe_jobs as describe_jobs
    from .described.measures import MEASURES as MEASURES
    from .described.states import node_hours_by_state as node_hours_by_state
    from .failures.csv import read_failures_csv as read_failures_csv
    from .failures.fta import read_fta as read_fta
    from .failures.fta import read_fta_table as read_fta_table
    from .failures.infinitehbd import read_infinitehbd as read_infinitehbd
    from .failures.job_ends import uptimes_of_jobs as uptimes_of_jobs
    from .failures.lanl import read_lanl as read_lanl
    from .failures.lifetimes import read_lifetimes as read_lifetimes
    from .failures.log import FailureLog as FailureLog
    from .failures.log import failure_log as failure_log
    from .failures.log import failures_of as failures_of
    from .failures.maintenance import Window as Window
    from .failures.maintenance import read_maintenance as read_maintenance
    from .failures.metacentrum import read_metacentrum_failures as read_metacentrum_failures
    from .failures.outages import Outages as Outages
    from .failures.outages import outages as outages
    from .failures.prometheus import read_prometheus as read_prometheus
    from .failures.ras import midplane_of as midplane_of
    from .failures.ras import read_bgl_ras as read_bgl_ras
    from .failures.ras import read_mira_ras as read_mira_ras
    from .failures.sacctmgr import read_sacctmgr as read_sacctmgr
    from .failures.skypilot import read_skypilot as read_skypilot
    from .failures.understanding.sheet import Columns as Columns
    from .failures.uptimes import Unit as Unit
    from .failures.uptimes import Uptimes as Uptimes
    from .failures.uptimes import uptimes as uptimes
    from .failures.xid import read_xid as read_xid
    from .first_lines import failure_format_of as failure_format_of
    from .first_lines import job_format_of as job_format_of
    from .first_lines import log_kind_of as log_kind_of
    from .formats import FAILURE_FORMATS as FAILURE_FORMATS
    from .formats import JOB_FORMATS as JOB_FORMATS
    from .formats import read_failures as read_failures
    from .formats import read_jobs as read_jobs
    from .generated.intrepid_like import INTREPID_HEADER as INTREPID_HEADER
    from .generated.intrepid_like import intrepid_like as intrepid_like
    from .generated.intrepid_month import intrepid_month as intrepid_month
    from .generated.jobs import generate_jobs as generate_jobs
    from .generated.lanl_like import lanl_like as lanl_like
    from .generated.lanl_like import write_lanl as write_lanl
    from .jobs.batsim import read_batsim as read_batsim
    from .jobs.gwf import GWF_COLUMNS as GWF_COLUMNS
    from .jobs.gwf import read_gwf as read_gwf
    from .jobs.lsf import read_lsf as read_lsf
    from .jobs.mwf import read_mwf as read_mwf
    from .jobs.pbs import read_pbs as read_pbs
    from .jobs.philly import read_philly as read_philly
    from .jobs.sacct import read_sacct as read_sacct
    from .jobs.sacct_json import read_sacct_json as read_sacct_json
    from .jobs.swf import read_swf as read_swf
    from .jobs.swf_dialects import DIALECTS as DIALECTS
    from .jobs.swf_dialects import SWF_COLUMNS as SWF_COLUMNS
    from .jobs.swf_writer import write_swf as write_swf
    from .jobs.table import read_job_table as read_job_table
    from .machines.metacentrum import read_metacentrum_machines as read_metacentrum_machines
    from .machines.node_names import read_node_names as read_node_names
    from .parsing.limits import Limits as Limits
    from .parsing.report import Argument as Argument
    from .parsing.report import LogRefused as LogRefused
    from .parsing.report import Problem as Problem
    from .parsing.report import Report as Report
    from .parsing.report import Trace as Trace
    from .parsing.report import Watch as Watch
    from .parsing.sources import Limited as Limited
    from .public.catalogue import CATALOGUE as CATALOGUE
    from .public.catalogue import Entry as Entry
    from .public.catalogue import entry as entry
    from .public.download import fetch as fetch
    from .public.lookup import locate as locate
    from .resampled.condition import Condition as Condition
    from .resampled.resample import resample_jobs as resample_jobs
    from .samples import SAMPLES as SAMPLES
    from .samples import Sample as Sample

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
