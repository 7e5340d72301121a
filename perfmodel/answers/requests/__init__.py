"""What a question is asked with: fields, their defaults, known jobs."""
