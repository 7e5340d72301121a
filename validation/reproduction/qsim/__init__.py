"""The experiments of the paper `qsim`."""
