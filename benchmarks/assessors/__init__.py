"""How often tests err when assessors rank systems differently, how often intervals cover, and how long a fit takes."""
