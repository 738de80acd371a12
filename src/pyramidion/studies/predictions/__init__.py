"""People answer some questions, a predictor has all: what to ask, what follows, and what the predictor is worth."""
