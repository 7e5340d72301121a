"""The generator of grid failures."""
