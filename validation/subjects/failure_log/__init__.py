"""Names in a failure log, matched with the nodes of a machine."""
