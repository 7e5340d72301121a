"""Mutation testing of `perfmodel`: small faults are planted, and tests must notice them."""
