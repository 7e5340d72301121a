"""Several tasks at once."""
