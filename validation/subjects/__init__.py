"""What is judged: one folder a subject, with its cases and its mutants."""
