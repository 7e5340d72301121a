"""Compiled replays: what the cores of flat machines, Blue Genes, grids and promises are built of.

- `flat`: the core of flat machines. Those of other machines are beside the machines.
- `course`: how an attempt begins and what it has written; `struck`: what becomes of jobs that
  failed; `instants`: what happens next.
- `queue`, `line`, `heap`, `structures`: what holds jobs, ends and plans in order.
- `state` has the tables, `tables` fills them, `written` makes records of them; `places` holds the
  processors of attempts, `decorators` is how all of it is compiled.
"""
