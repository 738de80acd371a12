"""How diverse measures are, what their heterogeneity says of quality, and how far HBR can be trusted."""
