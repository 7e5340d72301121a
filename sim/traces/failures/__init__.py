"""Readers of failure logs, and the uptimes that follow from them."""
