"""Documented ranges: points drawn from them, and the map of what was judged."""
