"""One module for each command: fill the request, compute the answer, print it."""
