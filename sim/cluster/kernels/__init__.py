"""One compiled core for every replay on a flat machine, failures and checkpoints included.

- `play`: a replay in, its records out; says what the core does not take.
- `core`: the loop, with the events of an instant by order; then a pass of the policy.
- `easy`, `conservative`: passes. `failures`: strikes, repairs and what becomes of the jobs.
- `attempts`, `course`, `queue`, `line`, `nodes`, `heap`, `structures`: what these are built of;
  `places` holds the processors of attempts, `state` the tables, `decorators` how it is compiled.
- `instants`, `struck`, `tables`, `written`: what does not depend on the machine; the core of Blue
  Genes has these too.

The readable originals are `sim.cluster.loop`, `backfill`, `checkpointing.periodic`, `recovery` and
`machines.flat`; tests hold both to the same records, bit by bit. What the core does not take goes
through these.
"""
