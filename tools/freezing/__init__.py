"""What tools/freeze.py records: commands and their data, how they are run, and how answers are stored and compared."""
