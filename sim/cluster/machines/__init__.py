"""A plain machine; others stand with their policies in `bluegene` and `grid`."""
