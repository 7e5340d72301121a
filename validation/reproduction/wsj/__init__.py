"""The experiments of the paper `wsj`."""
