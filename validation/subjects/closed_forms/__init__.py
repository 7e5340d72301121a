"""Closed forms over their whole documented range, from their definitions at 60 digits."""
