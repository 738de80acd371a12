"""Model-free measures beside the same in plain Python."""
