"""One compiled core for every replay on a Blue Gene, failures and checkpoints included.

- `play`: a replay in, its records out; says what the core does not take.
- `core`: the loop, with the events of an instant by order; then a pass.
- `passes`: who starts next, of the jobs in `ranking`, by `separate` drains or by the schedulers
  that were `released`. `costs`: on which partition, with what a forecaster says.
- `machine`: which partitions are idle and until when the others are busy. `failures`: strikes,
  repairs and what becomes of the jobs. `state`: the tables.
- `neighbours`: what the readable pass calls most.

The readable originals are `cobalt`, `schedulers`, `allocation` and `machine` beside this folder, on
`sim.cluster.loop`; tests hold both to the same records, bit by bit. What the core does not take,
such as a score in Python, goes through these.
"""
