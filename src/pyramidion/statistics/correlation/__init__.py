"""Correlation of measures: coefficients, levels, intervals, tests, pairwise accuracy, attenuation."""
