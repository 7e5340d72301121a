"""Formulas whose definition is a search, a count or a limit, over their documented range."""
