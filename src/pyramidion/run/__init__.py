"""One run over one campaign: the data that a user gave, the scores of its measures, and every analysis of them."""
