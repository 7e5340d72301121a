"""A study to start from, which `perfmodel sweep --example` prints."""

from __future__ import annotations

EXAMPLE = """\
# What is computed for every combination of the parameters below. In the table, durations are in
# seconds.

[study]
simulate = "makespan"              # jobs that are played; or one of:
# formula = "expected_makespan"    # a function of the catalogue
# replay = "jobs.swf"              # the jobs of a log, as perfmodel replay plays them
seed = 1
# samples = 100                    # draws of each parameter with "draw"
# paired = ["interval"]            # cells that differ in these alone meet the same failures

[parameters]                       # a value, a list, a range or a law to draw from
work = "2d"
mtbf = ["4h", "8h", "16h"]
interval = { from = "15min", to = "4h", points = 5, spacing = "log" }
checkpoint_cost = "5min"
recovery_cost = "10min"
downtime = "2min"
# shape = { draw = "uniform", low = 0.5, high = 1.0 }    # of Weibull failures

[replications]
until = "1%"                       # until the 95 % interval is within this of the mean of
metric = "makespan_s"
most = 2000                        # or, without these three: number = 100
jobs = 200                         # played in each replication
"""
