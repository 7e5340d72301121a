"""Formulas about one job, against jobs on a cluster."""
