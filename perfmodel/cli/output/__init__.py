"""What the commands print and write: tables, pictures, progress, finished cells."""
