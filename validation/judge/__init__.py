"""Trials, comparisons and verdicts, for any formula; no formula is named here."""
