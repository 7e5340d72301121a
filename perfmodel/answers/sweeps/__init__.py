"""Many cells of a study: formulas, simulated jobs and replays, in a ledger."""
