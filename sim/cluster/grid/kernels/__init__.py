"""The compiled core of replays on a grid, the plans of its policies and the search over them."""
