"""How an advisor of running jobs is played: windows of logs and drawn ones, and its rivals."""
