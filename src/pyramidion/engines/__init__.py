"""Engines: where measures run."""

from pyramidion.engines.local import Progress, score_shards

__all__ = ["Progress", "score_shards"]
