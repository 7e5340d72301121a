"""What the options of a command describe: a job, machines, logs, a replay."""
