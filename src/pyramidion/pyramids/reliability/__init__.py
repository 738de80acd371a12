"""How far the annotators of pyramids agree, and what their differences do to scores."""
