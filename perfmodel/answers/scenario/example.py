"""A scenario to start from, which `perfmodel plan --example` prints."""

from __future__ import annotations

EXAMPLE = """\
# What a plan is made for. Every key may be left out or be "unknown"; a list of values, as in
# nodes = [512, 1024], makes a table of all of them. Durations: 90s, 10min, 2d12h, 5y.

# title = "The new machine"        # what stands above a page of perfmodel report
# extends = "base.toml"            # another scenario, of which this one says what differs
# preset = "llama-3-405b"          # a known job that fills in what is not said here

[machine]
nodes = 1024                       # of the job
bandwidth = "200GB/s"              # at which its checkpoints are written
# static_power = "300W"            # of a node; compute_power is drawn on top of it
# compute_power = "500W"

[failures]                         # in one form: of the job's nodes together, ...
failures = 31                      # failures seen
observed = "60d"                   # in this time
# mtbf = "2d"                      # ... or this
# node_mtbf = "5y"                 # ... or this
# failure_rate = "6.5/1000node-days"
# log = "failures.csv"             # ... or a log, with its format: csv or lanl
# format = "csv"
# bursts = "count"                 # every failure of its bursts; each counts once else
# law = "weibull"                  # where failures depend on the time since the last one
# shape = 0.7                      # or cv = 1.5
# lemon_share = "2%"               # nodes that fail more often, with node_mtbf:
# lemon_factor = 20                # so many times as often
# lemons_watched = "30d"           # what it gains to take them out after this time
# burst_mtbf = "90d"               # failures that strike several nodes at once,
# burst_size = 16                  # with machine_nodes under [machine]

[job]
work = "30d"                       # without failures; or node_work, of all nodes together
downtime = "10min"                 # from a failure until the job is placed again
recovery = "2min"                  # to read a checkpoint
# detection = "5min"
# queue = "20min"
# warm_up = "3min"
step_time = "20s"
# tokens_per_step = 4e6

[checkpoint]
# protocol = "choose"              # or synchronous, asynchronous, two_levels, predicted
size = "12TB"                      # or cost, the time of one
snapshot_cost = "10s"              # a copy that is written out later: asynchronous
# latency = "2min"                 # until it is durable; else the time of a checkpoint
# local_cost = "8s"                # copies that survive a share of the failures: two levels
# survived = "85%"
# local_recovery = "4s"            # to read one back; else as long as any other
# present_interval = "1h"          # what you do now, to compare

[spares]
mttr = "2d"                        # to repair or replace a node
confidence = "99%"                 # share of the time in which the spares suffice
# standbys = 4                     # those that there are; else there is always one

[deadline]
time = "35d"
probability = "95%"

[prices]
currency = "EUR"
node_hour = 20.0
# spare_node_year = 60000          # else as dear as the others
# kwh = 0.25

[questions]
goodput = "90%"                    # what must each input be for this?
percentiles = "50%,90%,99%"
"""
