"""What each recovery option costs the jobs of a log."""
