"""How measures agree with human scores, and with each other."""
