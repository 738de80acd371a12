"""Speed, side by side with other programs: `python -m benchmarks`. Results have to agree before they are timed."""
