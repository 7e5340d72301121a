"""What several commands compute: advice, fits, jobs played with the recorded gaps."""
