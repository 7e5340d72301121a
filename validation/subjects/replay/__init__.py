"""Expected failures of one job, against replays of logs."""
