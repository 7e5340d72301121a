"""Documented ranges."""
