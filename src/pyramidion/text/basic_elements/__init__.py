"""Basic Elements: from texts to triples (head, modifier, relation). How triples are counted is in `text.overlap`.

The matching is that of ROUGE-1.5.5; the extraction is our own (`rules` has its table), because the extractors of the
time exist no more. Elements that another program found come as lines `head|modifier|relation` (`simple`).
"""

from pyramidion.text.basic_elements.extraction import extract_elements, prepare
from pyramidion.text.basic_elements.parser import Parser
from pyramidion.text.basic_elements.repair import reattach_punctuation
from pyramidion.text.basic_elements.rules import RULES, RULES_VERSION, Rule, Word, elements_of
from pyramidion.text.basic_elements.simple import SimpleProblem, is_simple, read_simple, write_simple
from pyramidion.text.basic_elements.spacy_parser import SpacyParser, installed_model, load_parser, parser_name
from pyramidion.text.basic_elements.store import ElementStore

__all__ = [
    "RULES",
    "RULES_VERSION",
    "ElementStore",
    "Parser",
    "Rule",
    "SimpleProblem",
    "SpacyParser",
    "Word",
    "elements_of",
    "extract_elements",
    "installed_model",
    "is_simple",
    "load_parser",
    "parser_name",
    "prepare",
    "read_simple",
    "reattach_punctuation",
    "write_simple",
]
