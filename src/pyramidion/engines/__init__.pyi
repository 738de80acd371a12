from pyramidion.engines.gathering import TopicEvidence as TopicEvidence
from pyramidion.engines.local import Progress as Progress, score_shards as score_shards
