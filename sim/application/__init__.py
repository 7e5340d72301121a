"""One job under failures."""
