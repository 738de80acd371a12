from pyramidion.engines.gathering import (
    TopicEvidence as TopicEvidence,
    WhenGathered as WhenGathered,
    gather as gather,
    keep_evidence as keep_evidence,
)
from pyramidion.engines.local import Progress as Progress, score_shards as score_shards
