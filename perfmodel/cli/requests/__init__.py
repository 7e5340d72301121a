"""What a command is asked: the values of its options and their defaults, known jobs."""
