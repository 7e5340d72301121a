"""Laws of durations."""
