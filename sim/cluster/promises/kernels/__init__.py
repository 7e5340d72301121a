"""A compiled loop for replays with negotiated deadlines.

- `play`: a replay in, its records and promises out; says what the loop does not take.
- `core`: the events of an instant, then a pass: outages, late reservations, negotiations, starts.
- `negotiation`: openings and offers. `calendar`: the slots, sorted by start and by end.
- `forecast`: what forecasters answer, and which checkpoints are granted. `state`: the tables.

The readable originals are `sim.cluster.loop`, `promises.negotiation`, `promises.calendar`,
`forecasts.windows` and `checkpointing`; tests hold both to the same records, bit by bit.
"""
