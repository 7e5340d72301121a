"""Repairs that failures prolong, and numbers of spares."""
