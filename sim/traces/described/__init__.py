"""What a job log is like: how jobs arrive, how large and long they are, who they are from."""
