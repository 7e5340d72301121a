"""Many replays in place of one: means with intervals."""
