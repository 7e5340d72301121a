"""The jobs of a log on one machine: what a replay of them needs, plays and tells."""
