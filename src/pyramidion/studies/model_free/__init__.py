"""How well summaries can be judged by comparing them with their source documents."""
