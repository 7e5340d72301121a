"""Estimates from data."""
