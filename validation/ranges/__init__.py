"""Documented ranges: points drawn from them, and the map of the ratios that were judged."""
