"""Which summarizer is better: leaderboards, the tests behind them, and pairs."""
