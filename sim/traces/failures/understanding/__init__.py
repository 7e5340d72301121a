"""What the columns of a table of failures hold, by their names and by their values."""
