"""One module for each command: parse, ask, answer, print."""
