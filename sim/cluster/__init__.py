"""Many jobs on one machine."""
