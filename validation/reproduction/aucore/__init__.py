"""The experiments of the paper `aucore`."""
