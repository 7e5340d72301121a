"""Periods with a predictor of failures."""
