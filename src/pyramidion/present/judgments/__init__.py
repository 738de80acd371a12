"""Human scores for readers: what was answered, what predicts an overall score, how far assessors agree and differ."""
