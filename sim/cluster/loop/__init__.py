"""The loop of a replay: jobs, instants, and what it asks of machine and policy."""
