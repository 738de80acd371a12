"""Correlations of measures for people: tables, sentences, figures, and the sections of a report."""
