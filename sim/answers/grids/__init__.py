"""The jobs of a log on several clusters."""
