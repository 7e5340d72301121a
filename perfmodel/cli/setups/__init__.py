"""From a request to what is computed on: a job, machines, logs, the parts of a replay."""
