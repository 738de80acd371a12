"""The command `pyramidion score` next to a plain script around rouge-score-rs, and to `score_batch`."""
