"""Engines: where measures run."""
