"""What answers say: tables and sentences, made of the numbers in `parts`."""
