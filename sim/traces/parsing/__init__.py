"""What the readers share: sources, tables, numbers, times, and reports of problems."""
