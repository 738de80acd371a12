"""A comparison of systems in words: leaderboards, pairs, and all measures at a glance."""
