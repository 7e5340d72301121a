"""What is known of a job and its machine, from whichever form a request has it in."""
