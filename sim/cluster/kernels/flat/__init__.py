"""One compiled core for every replay on a flat machine, failures and checkpoints included.

- `play`: a replay in, its records out; says what the core does not take.
- `core`: the loop, with the events of an instant by order; then a pass of the policy.
- `easy`, `conservative`: passes. `failures`: strikes, repairs and what becomes of the jobs.
- `attempts`: how they start and leave. `nodes`: which processors are free.

The readable originals are `sim.cluster.loop`, `backfill`, `checkpointing.periodic`, `recovery` and
`machines.flat`; tests hold both to the same records, bit by bit. What the core does not take goes
through these.
"""
