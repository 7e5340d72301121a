"""What several commands compute: advice, fits, jobs played on recorded gaps."""
