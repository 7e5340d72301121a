"""The makespan of a checkpointed job."""
