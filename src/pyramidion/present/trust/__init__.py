"""Trials of judges and measures in words: verdicts and sentences, tables and figures, the card and the report."""
