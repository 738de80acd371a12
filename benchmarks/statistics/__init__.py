"""Resampling of correlations beside nlpstats."""
