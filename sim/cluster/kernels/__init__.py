"""Compiled twins of the policies for a flat machine on which nothing fails.

Each iteration of a kernel's loop is one scheduling pass; which events precede it follows from
the event order, given by its place in `sim.cluster.loop.cluster.EVENT_ORDERS`. The readable
originals are `sim.cluster.loop` and `sim.cluster.backfill`; tests hold both to the same
schedule.

The events of an instant stand in both kernels, on purpose: as functions of their own, also where
the compiler inlines them, they made FCFS and EASY 13 to 30 % slower (40,000 jobs).
"""
