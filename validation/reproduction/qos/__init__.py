"""The experiments of the paper `qos`."""
