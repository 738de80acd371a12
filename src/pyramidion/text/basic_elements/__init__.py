"""Basic Elements: from texts to triples (head, modifier, relation). How triples are counted is in `text.overlap`.

The matching is that of ROUGE-1.5.5; the extraction is our own (`rules` has its table), because the extractors of the
time exist no more. Elements that another program found come as lines `head|modifier|relation` (`simple`).
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
