"""Where jobs can run: plain clusters, Blue Gene partitions, grids."""
