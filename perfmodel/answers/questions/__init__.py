"""One module a question: a function from a request to its frozen answer."""
