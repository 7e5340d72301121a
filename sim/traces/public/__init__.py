"""Published logs: their names, where copies lie, how to fetch them."""
