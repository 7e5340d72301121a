"""Shares and sets of machines drawn from the documented range."""
