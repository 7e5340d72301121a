"""A job on machines that differ."""
