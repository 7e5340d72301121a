"""What the JSON of replays and of their requests looks like, as JSON Schema."""
