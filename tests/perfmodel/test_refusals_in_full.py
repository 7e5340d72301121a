"""What each formula cannot use is refused in full words."""

import re

import numpy as np
import pytest

from perfmodel import (
    Level,
    Machines,
    bad_node_power,
    bad_nodes,
    best_window_segments,
    credible_interval,
    deadline_probability_spot,
    degraded_goodput,
    effective_mtbf_bursts,
    equal_time_partition,
    evaluate_formula,
    evaluate_set,
    exact_makespan_two_levels,
    expected_head_delay,
    expected_makespan,
    expected_makespan_async,
    expected_makespan_chain,
    expected_makespan_iterations,
    expected_makespan_standbys,
    expected_makespan_two_levels,
    expected_manual_wait,
    expected_pattern_time,
    expected_speedup,
    failure_clusters,
    failure_pattern,
    fit_bathtub,
    fit_lifetime,
    mean_posterior,
    mean_stop,
    mtbf_confidence,
    mtbf_posterior,
    node_mtbf_without_worst,
    optimal_checkpoints_chain,
    optimal_interval,
    optimal_interval_parallel,
    optimal_pattern_levels,
    optimal_pattern_two_levels,
    optimal_period_windows,
    pair_mtbf_bursts,
    pairs_crossover,
    schedule_exhaustive,
    schedule_speed,
    share_lost_with_buddies,
    slowest,
    slowest_of,
    spares_needed,
    training_shares,
    two_stage_goodput,
    waste_of_buddies,
    waste_shared,
)

inf = np.inf

CALLS = [
    (
        lambda: waste_of_buddies(9.0, mtbf=9.0, transfer_time=1.0, overhead=2.0),
        "overhead must be at most transfer_time, got 2.0 > 1.0",
    ),
    (
        lambda: waste_of_buddies(9.0, mtbf=9.0, transfer_time=1.0, overhead=0.5, protocol="x"),
        "protocol must be one of 'double', 'double_blocking', 'triple', got 'x'",
    ),
    (
        lambda: share_lost_with_buddies(node_mtbf=9.0, risk=0.1, group=4),
        "group must be 2 or 3, got 4",
    ),
    (
        lambda: effective_mtbf_bursts(
            5, machine_nodes=12, burst_mtbf=1.0, burst_size=2.0, placement="strided"
        ),
        "machine_nodes must be a multiple of nodes = 5 for a strided placement, got 12",
    ),
    (
        lambda: effective_mtbf_bursts(13, machine_nodes=12, burst_mtbf=1.0, burst_size=2.0),
        "nodes must be <= machine_nodes = 12, got 13",
    ),
    (
        lambda: effective_mtbf_bursts(2, machine_nodes=1e9, burst_mtbf=1.0, burst_size=1e9),
        "machine_nodes must be so few that the sum over random places has at most "
        "2e+07 terms, got 1e+09",
    ),
    (
        lambda: effective_mtbf_bursts(
            2, machine_nodes=12, burst_mtbf=1.0, burst_size=2.0, placement="near"
        ),
        "placement must be one of 'random', 'contiguous', 'strided', got 'near'",
    ),
    (
        lambda: pair_mtbf_bursts(12, machine_nodes=12, burst_mtbf=1.0, burst_size=2.0),
        "distance must be < machine_nodes = 12, got 12",
    ),
    (
        lambda: pair_mtbf_bursts(1, machine_nodes=1, burst_mtbf=1.0, burst_size=2.0),
        "machine_nodes must be a whole number >= 2, got 1.0",
    ),
    (
        lambda: optimal_checkpoints_chain([1.0] * 5001, mtbf=9.0, checkpoint_costs=0.1),
        "works must be at most 5000 tasks, got 5001",
    ),
    (
        lambda: expected_makespan_chain(
            [1.0, 2.0], checkpoint_after=[True], mtbf=9.0, checkpoint_costs=0.1
        ),
        "checkpoint_after must be 2 flags, one for each task, got [True]",
    ),
    (
        lambda: expected_makespan_chain(
            [0.0, 0.0], checkpoint_after=[True, True], mtbf=9.0, checkpoint_costs=0.1
        ),
        "works must be a list of times, some of them > 0, got [0.0, 0.0]",
    ),
    (
        lambda: expected_makespan_chain(
            [1.0, 2.0], checkpoint_after=[True, True], mtbf=9.0, checkpoint_costs=[0.1] * 3
        ),
        "checkpoint_costs must be a number or 2 numbers, one for each task, got 3",
    ),
    (
        lambda: waste_shared(1.0, nodes=4, jobs=3, checkpoint_cost=0.5, node_mtbf=9.0),
        "period must leave time for all checkpoints, one at a time, got 1.5 of it "
        "taken: optimal_periods_shared finds periods that do",
    ),
    (
        lambda: waste_shared(1.0, nodes=[[4, 4]], jobs=3, checkpoint_cost=0.5, node_mtbf=9.0),
        "nodes must be one number per kind of job, got shape (1, 2)",
    ),
    (lambda: mean_posterior([1.0]), "samples must be at least two numbers in a row, got [1.0]"),
    (
        lambda: mean_posterior([1.0, 1.0]),
        "samples must differ, got [1.0, 1.0]: equal ones leave nothing open; give the cost itself",
    ),
    (
        lambda: mtbf_posterior(1, 1.0, truncation="end"),
        "truncation must be 'time' or 'failure', got 'end'",
    ),
    (
        lambda: fit_bathtub([1.0, 2.0, 3.0], longest=9.0),
        "durations must include 4 different values seen to end, got 3",
    ),
    (
        lambda: fit_bathtub([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], longest=9.0),
        "longest must be given and at least every duration, 10.0, got 9.0",
    ),
    (lambda: failure_clusters([[1.0, 2.0]]), "gaps must be a list of numbers, got shape (1, 2)"),
    (lambda: failure_clusters([1.0, 2.0]), "gaps must be 10 or more, got 2"),
    (lambda: failure_clusters([0.0] * 100), "gaps must include one > 0, got only 0.0"),
    (lambda: failure_pattern([[1.0, 2.0]]), "gaps must be a list of numbers, got shape (1, 2)"),
    (lambda: failure_pattern([1.0, 2.0]), "gaps must be 10 or more, got 2"),
    (lambda: failure_pattern([0.0] * 100), "gaps must include one > 0, got only 0.0"),
    (
        lambda: fit_lifetime([1.0, 2.0], censored=[True, True]),
        "durations must include one seen to end, got only censored ones: "
        "mtbf_confidence gives a lower limit from none",
    ),
    (
        lambda: fit_lifetime([1.0, 1.0]),
        "durations must include two different values for exponential, weibull, gamma, "
        "lognormal, got only 1.0",
    ),
    (
        lambda: fit_lifetime([1.0, 1.0], families="weibull"),
        "durations must include two different values for weibull, got only 1.0",
    ),
    (
        lambda: fit_lifetime([1.0, 1.1], resolution=1.0, families=("weibull", "gamma")),
        "families must include one with a maximum of the likelihood, got none in "
        "weibull, gamma: durations must differ by more than their resolution, and "
        "exponential asks for the least",
    ),
    (
        lambda: fit_lifetime([1.0, 2.0], censored=[0, 1]),
        "censored must be booleans, one per duration, or durations, got only zeros and "
        "ones, [0, 1]",
    ),
    (
        lambda: fit_lifetime([0.0, 2.0]),
        "durations must be finite and > 0, or rounded to a given resolution, got 0.0",
    ),
    (
        lambda: fit_lifetime([1.0, 2.0], entered=[0.5]),
        "entered must be one age per duration, got shape (1,) for (2,)",
    ),
    (
        lambda: fit_lifetime([1.0, 2.0], entered=[0.5, 0.5], censored=[3.0, 4.0]),
        "entered must come with censored as booleans, one per duration, got [3.0, 4.0]",
    ),
    (
        lambda: fit_lifetime([1.0, 2.0], entered=[0.5, 2.5]),
        "entered must be below the durations, and below their cells if they are "
        "rounded, got 2.5 for 2.0",
    ),
    (
        lambda: fit_lifetime(["a", "b"]),
        "durations must be a number or an array of numbers, got ['a', 'b']",
    ),
    (
        lambda: fit_lifetime([1.0, 2.0], censored=[True]),
        "censored must be one flag per duration, got shape (1,) for (2,)",
    ),
    (lambda: fit_lifetime([[1.0, 2.0]]), "durations must be a list of numbers, got shape (1, 2)"),
    (lambda: fit_lifetime([1.0, 2.0], families=5), "families must be names of families, got 5"),
    (
        lambda: fit_lifetime([1.0, 2.0], families="normal"),
        "families must be among exponential, weibull, gamma, lognormal, got 'normal'",
    ),
    (lambda: fit_lifetime([1.0, 2.0], families=()), "families must be non-empty, got ()"),
    (
        lambda: mtbf_confidence(1, 1.0, confidence=1.0),
        "confidence must be a number in (0, 1), got 1.0",
    ),
    (
        lambda: mtbf_confidence(1, 1.0, confidence=0.0),
        "confidence must be a number in (0, 1), got 0.0",
    ),
    (
        lambda: mtbf_confidence(1, 1.0, confidence="x"),
        "confidence must be a number or an array of numbers, got 'x'",
    ),
    (lambda: bad_nodes([[1, 2]]), "failures must be a list of numbers, got shape (1, 2)"),
    (
        lambda: bad_nodes([1, 2, 3], observed=[1.0, 2.0]),
        "observed must be one time or one for each of 3 nodes, got shape (2,)",
    ),
    (lambda: bad_nodes([1, 2, 3], false_alarm=1.0), "false_alarm must be in (0, 1), got 1.0"),
    (lambda: bad_nodes([1, 2, 3], false_alarm=0.0), "false_alarm must be in (0, 1), got 0.0"),
    (
        lambda: bad_node_power(1e10, nodes=4, node_mtbf=1.0, lemon_factor=2.0),
        "observed/node_mtbf must leave at most 2e+09 failures of a node, got 2e+10",
    ),
    (
        lambda: bad_node_power(1.0, nodes=4, node_mtbf=1.0, lemon_factor=2.0, lemons=5),
        "lemons must be <= nodes = 4, got 5",
    ),
    (
        lambda: bad_node_power(
            1.0, nodes=4, node_mtbf=1.0, lemon_factor=2.0, false_alarm=[0.5, 1.0]
        ),
        "false_alarm must be in (0, 1), got 1.0",
    ),
    (
        lambda: node_mtbf_without_worst(
            4, nodes=4, observed=1.0, node_mtbf=1.0, lemon_share=0.1, lemon_factor=2.0
        ),
        "removed must be < nodes = 4, got 4",
    ),
    (
        lambda: node_mtbf_without_worst(
            1, nodes=4, observed=1e9, node_mtbf=1.0, lemon_share=0.1, lemon_factor=2.0
        ),
        "observed/node_mtbf must leave at most 1e+07 failures of a node, got 1.81818e+09",
    ),
    (
        lambda: optimal_pattern_two_levels(
            mtbf=1.0, survived=0.5, local_cost=1e-101, durable_cost=0.1
        ),
        "local_cost/mtbf must be >= 1e-100 and <= 1e+100, got 1e-101",
    ),
    (
        lambda: optimal_pattern_two_levels(
            mtbf=1.0, survived=0.5, local_cost=1e-2, durable_cost=1e101
        ),
        "durable_cost/mtbf must be >= 1e-100 and <= 1e+100, got 1e+101",
    ),
    (
        lambda: exact_makespan_two_levels(
            [1.0],
            interval=1.0,
            durable_every=2,
            mtbf=1.0,
            survived=0.5,
            local_cost=0.1,
            durable_cost=0.2,
        ),
        "arguments must be single numbers, got shape (1,): one job a call",
    ),
    (
        lambda: exact_makespan_two_levels(
            1e17,
            interval=1.0,
            durable_every=2,
            mtbf=1e17,
            survived=0.5,
            local_cost=0.1,
            durable_cost=0.2,
        ),
        "work must be at most 4503599627370496 intervals, got 1e+17",
    ),
    (
        lambda: expected_makespan_two_levels(
            1.0,
            interval=1.0,
            durable_every=2,
            mtbf=1.0,
            survived=0.5,
            local_cost=0.1,
            durable_cost=0.2,
            rule="x",
        ),
        "rule must be one of reinstated, bare, staged, got 'x'",
    ),
    (
        lambda: expected_makespan_two_levels(
            1.0,
            interval=1.0,
            durable_every=2,
            mtbf=1.0,
            survived=0.5,
            local_cost=0.3,
            durable_cost=0.2,
            rule="staged",
        ),
        "durable_cost must be at least local_cost where it is staged, got 0.2 < 0.3",
    ),
    (lambda: optimal_pattern_levels([], mtbf=1.0), "levels must be one or more, got none"),
    (lambda: optimal_pattern_levels([1.0], mtbf=1.0), "levels must be of class Level, got 1.0"),
    (
        lambda: optimal_pattern_levels(
            [Level(0.1, 0.1, 0.5), Level(0.1, 0.1, 0.2), Level(0.1, 0.1, 1.0)], mtbf=1.0
        ),
        "levels must be sorted by the share that they survive, got [0.5, 0.2, 1.0]",
    ),
    (
        lambda: optimal_pattern_levels([Level(0.1, 0.1, 0.5)], mtbf=1.0),
        "levels must end with one that survives all failures, got survives=0.5",
    ),
    (
        lambda: optimal_pattern_levels([Level(0.1, 0.1, 1.0), Level(0.2, 0.1, 1.0)], mtbf=1.0),
        "levels must end with one that alone survives some failures, got another with "
        "survives=1.0 before it: leave one of them out",
    ),
    (
        lambda: optimal_pattern_levels([Level(1e-9, 0.1, 1.0)], mtbf=1.0),
        "cost/mtbf of a level must be from 1e-08 to 100, got 1e-09",
    ),
    (
        lambda: optimal_pattern_levels([Level(101.0, 0.1, 1.0)], mtbf=1.0),
        "cost/mtbf of a level must be from 1e-08 to 100, got 101.0",
    ),
    (
        lambda: optimal_pattern_levels([Level(0.1, 101.0, 1.0)], mtbf=1.0),
        "recovery/mtbf of a level must be <= 100, got 101.0",
    ),
    (
        lambda: expected_pattern_time(
            [Level(0.1, 0.1, 0.5), Level(0.2, 0.1, 1.0)], interval=1.0, counts=[1, 2], mtbf=1.0
        ),
        "counts must be 1, one for each level but the last, got 2",
    ),
    (
        lambda: expected_pattern_time(
            [Level(0.1, 0.1, 0.5), Level(0.2, 0.1, 1.0)], interval=1.0, counts=[1.5], mtbf=1.0
        ),
        "counts must be whole, got 1.5",
    ),
    (
        lambda: expected_pattern_time(
            [Level(0.1, 0.1, 0.5), Level(0.2, 0.1, 1.0)],
            interval=1.0,
            counts=[1],
            mtbf=1.0,
            rule="x",
        ),
        "rule must be one of reinstated, escalate, got 'x'",
    ),
    (
        lambda: expected_makespan_async(
            1.0, interval=1.0, mtbf=1.0, checkpoint_cost=0.1, latency=0.1, in_flight="x"
        ),
        "in_flight must be one of 'overlap', 'single_buffer', 'skip', got 'x'",
    ),
    (
        lambda: expected_makespan_async(
            1.0, interval=0.0, mtbf=1.0, checkpoint_cost=0.0, latency=0.1
        ),
        "interval must be > 0, got 0.0: snapshots that drain cannot be written all the time",
    ),
    (
        lambda: expected_makespan_async(
            1e9, interval=1.0, mtbf=1.0, checkpoint_cost=0.1, latency=9.0, in_flight="skip"
        ),
        "work must be at most 1000000 intervals where snapshots are skipped, got 1e+09",
    ),
    (
        lambda: expected_makespan_iterations(
            9, iteration_time=1.0, every=3, mtbf=9.0, checkpoint_cost=0.1, redone="x"
        ),
        "redone must be 'anew' or 'alike', got 'x'",
    ),
    (
        lambda: expected_makespan(1.0, interval=0.0, mtbf=1.0, checkpoint_cost=0.1),
        "interval must be > 0, got 0.0: only free checkpoints can be written all the time",
    ),
    (
        lambda: spares_needed(4, 1.0, 1.0, 0.9, law="x"),
        "law must be 'poisson' or 'binomial', got 'x'",
    ),
    (lambda: spares_needed(4, 1.0, 1.0, 1.0), "confidence must be in [0, 1), got 1.0"),
    (lambda: slowest([]), "distributions must be non-empty, got no task"),
    (lambda: slowest([1.0]), "distribution must be a completion time, got 1.0"),
    (lambda: slowest_of(1.0, 2), "distribution must be a completion time, got 1.0"),
    (
        lambda: optimal_interval_parallel(2, work=1.0, mtbf=1.0, checkpoint_cost=0.1, quantile=0.0),
        "quantile must be in (0, 1), got 0.0",
    ),
    (
        lambda: optimal_interval_parallel(2, work=1.0, mtbf=1.0, checkpoint_cost=1e-30),
        "checkpoint_cost must be such that at most 1.1e+12 segments are best, or work "
        "beyond 1e+08 mtbf, got 1e-30: the slowest task has no digits",
    ),
    (
        lambda: optimal_interval_parallel(2, work=30.0, mtbf=1.0, checkpoint_cost=800.0),
        "work must be such that the slowest task ends, got inf for its time at 30 "
        "segments: give a quantile, cheaper checkpoints or a longer mtbf",
    ),
    (lambda: Machines([[1.0]], 9.0), "speed must be one-dimensional, got shape (1, 1)"),
    (lambda: Machines([1.0, 2.0], 9.0, [1.0, 9.0]), "mttr must be < mtbf = 9, got 9.0"),
    (
        lambda: Machines([1.0, 2.0], 9.0, 1.0, interval=0.0, checkpoint_cost=0.1),
        "interval must be > 0 where checkpoint_cost is, got 0.0",
    ),
    (
        lambda: Machines([1.0, 2.0], 9.0, 1.0, interval=1e-101, checkpoint_cost=0.2),
        "checkpoint_cost must be at most 1e100 times interval, got 0.2",
    ),
    (
        lambda: schedule_speed(1.0, Machines([1.0, 2.0], 9.0), processes=3),
        "processes must be a whole number <= 2, one per machine, got 3",
    ),
    (
        lambda: schedule_exhaustive(1.0, Machines([1.0] * 40, 9.0)),
        "machines must have at most most_sets = 200000 sets to search, got "
        "1099511627775 (40 machines)",
    ),
    (
        lambda: schedule_exhaustive(1.0, Machines([1.0] * 40, 9.0), processes=20),
        "machines must have at most most_sets = 200000 sets to search, got "
        "137846528820 (40 machines, 20 processes)",
    ),
    (
        lambda: evaluate_set(1.0, Machines([1.0, 2.0], 9.0), [0, 0]),
        "chosen must be distinct indices below 2, got [0, 0]",
    ),
    (
        lambda: evaluate_set(1.0, Machines([1.0, 2.0], 9.0), [2]),
        "chosen must be distinct indices below 2, got [2]",
    ),
    (lambda: evaluate_set(1.0, 5), "machines must be Machines, got 5"),
    (lambda: equal_time_partition(1.0, 5), "machines must be Machines, got 5"),
    (
        lambda: best_window_segments(
            mtbf=100.0,
            checkpoint_cost=1.0,
            proactive_cost=1e-120,
            recall=0.5,
            precision=0.5,
            window=1.0,
        ),
        "window must be at most 1e+100 proactive_cost, got 1.0 with 1e-120",
    ),
    (
        lambda: optimal_period_windows(
            mtbf=100.0,
            checkpoint_cost=1.0,
            proactive_cost=0.1,
            recall=1.0,
            precision=0.5,
            window=1.0,
        ),
        "recall must be < 1, got 1: without other failures no period is best",
    ),
    (
        lambda: pairs_crossover(5, checkpoint_cost=1.0),
        "nodes must be even, got 5: each is one of a pair",
    ),
    (
        lambda: expected_speedup(
            4, law="x", sequential_share=0.1, node_mtbf=9.0, checkpoint_cost=0.1
        ),
        "law must be one of amdahl, gustafson, got 'x'",
    ),
    (
        lambda: expected_manual_wait(2.0, walltime=1.0, mtbf=1.0),
        "walltime must be >= duration, got 1.0",
    ),
    (
        lambda: expected_head_delay(1.0, places=2, load=1.0, downtime=1.0),
        "load must be below 1, got 1.0",
    ),
    (
        lambda: expected_makespan_standbys(
            9.0,
            blocks=4,
            standbys=1,
            interval=1.0,
            block_mtbf=9.0,
            mttr=1.0,
            checkpoint_cost=0.1,
            under_repair=2,
        ),
        "under_repair must be at most standbys, got 2 of 1",
    ),
    (
        lambda: deadline_probability_spot(
            1e7, deadline=3e7, spot_life=1.0, spot_gap=1.0, start_time=0.1
        ),
        "work must be at most 1e+06 spot_life, got 1e+07 times it",
    ),
    (
        lambda: degraded_goodput(4, 1, may_miss=1, block_mtbf=9.0, mttr=1.0, checkpoint_cost=0.0),
        "interval must be given where checkpoint_cost is 0, got None",
    ),
    (
        lambda: two_stage_goodput(
            4,
            1,
            automatic_time=1.0,
            manual_time=1.0,
            escalated=0.5,
            automatic_false=1.0,
            manual_false=1.0,
            block_mtbf=9.0,
            checkpoint_cost=0.1,
        ),
        "automatic_false and manual_false must leave some blocks mended, got none",
    ),
    (
        lambda: mean_stop(4, inf, block_mtbf=1.0, mttr=9.0, crews=1),
        "standbys must be finite where crews cannot repair as fast as blocks fail, got inf",
    ),
    (
        lambda: mean_stop(4, 1e9, block_mtbf=1.0, mttr=9.0),
        "standbys must be at most 500, got 1000000000: take larger blocks, or inf",
    ),
    (
        lambda: training_shares(interval=1.0, mtbf=9.0, checkpoint_cost=0.1, latency=1.2),
        "latency must be at most interval + checkpoint_cost, so that a snapshot is "
        "durable before the next is due, got 1.2",
    ),
    (
        lambda: credible_interval(optimal_interval, {"mtbf": 1.0, "checkpoint_cost": 0.1}),
        "arguments must include a posterior, got ['checkpoint_cost', 'mtbf']: "
        "mtbf_posterior makes one of a count of failures",
    ),
    (
        lambda: credible_interval(lambda mtbf: "x", {"mtbf": mtbf_posterior(3, 1.0)}),
        "function must return numbers, got 'x': give a function that returns one number of it",
    ),
    (
        lambda: evaluate_formula(len),
        "function must be in the catalogue, got <built-in function len>: "
        "perfmodel.FORMULAS lists all",
    ),
    (
        lambda: expected_makespan(
            1.0, interval=[1.0, 2.0], mtbf=[1.0, 2.0, 3.0], checkpoint_cost=0.1
        ),
        "work, interval, mtbf, checkpoint_cost, recovery_cost, downtime must be "
        "broadcastable, got shapes (), (2,), (3,), (), (), ()",
    ),
    (
        lambda: expected_makespan(
            np.ma.masked_array([1.0], [True]), interval=1.0, mtbf=1.0, checkpoint_cost=0.1
        ),
        "work must be a number or an array of numbers, got a masked array: drop the "
        "masked elements",
    ),
    (
        lambda: expected_makespan([], interval=1.0, mtbf=1.0, checkpoint_cost=0.1),
        "work must be non-empty, got shape (0,)",
    ),
    (
        lambda: expected_makespan(True, interval=1.0, mtbf=1.0, checkpoint_cost=0.1),
        "work must be a number or an array of numbers, got True",
    ),
    (
        lambda: expected_makespan("1", interval=1.0, mtbf=1.0, checkpoint_cost=0.1),
        "work must be a number or an array of numbers, got '1'",
    ),
    (
        lambda: expected_makespan([[1.0], [1.0, 2.0]], interval=1.0, mtbf=1.0, checkpoint_cost=0.1),
        "work must be a number or an array of numbers, got [[1.0], [1.0, 2.0]]",
    ),
    (
        lambda: expected_makespan(
            1.0, interval=1.0, mtbf=1.0, checkpoint_cost=0.1, final_checkpoint=1
        ),
        "final_checkpoint must be True or False, got 1",
    ),
    (
        lambda: optimal_pattern_two_levels(
            mtbf=[1.0, 2.0], survived=0.5, local_cost=0.1, durable_cost=0.2
        ),
        "mtbf must be a single number, got shape (2,)",
    ),
]


@pytest.mark.parametrize(
    ("call", "message"), CALLS, ids=[message.partition(" must ")[0] for _, message in CALLS]
)
def test_it_is_said_what_must_be_and_what_was_given(call, message):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}$"):
        call()
