"""One more node: as worker, replica or spare."""
