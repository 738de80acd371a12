"""What assessors answered, what predicts their overall scores, how far they agree, and how strict each of them is."""
