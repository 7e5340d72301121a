"""Scheduling policies for grids."""
