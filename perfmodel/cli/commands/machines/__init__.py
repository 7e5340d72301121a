"""Commands about machines: spare nodes, how many nodes, one more, which of them."""
