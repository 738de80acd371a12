"""Engines: where measures run."""

from pyramidion.engines.gathering import TopicEvidence, WhenGathered, gather, keep_evidence
from pyramidion.engines.local import Progress, score_shards

__all__ = ["Progress", "TopicEvidence", "WhenGathered", "gather", "keep_evidence", "score_shards"]
