"""Any table of a user, opened once, and what its columns mean: summaries, scores or judgments.

Nothing here knows a campaign or a score table: rooms above ask for columns by what they hold.
"""
