"""Advisors in training loops: a module for each library, which is loaded with the module only."""
