"""An LLM as an assessor, by files: requests of a campaign, the client that sends them, and the answers as judgments."""
