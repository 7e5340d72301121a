"""The model of Wu, Sun and Jin."""
