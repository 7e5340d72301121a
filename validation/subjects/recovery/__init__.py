"""What recovery costs."""
