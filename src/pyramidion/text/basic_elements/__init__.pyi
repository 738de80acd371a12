from pyramidion.text.basic_elements.extraction import extract_elements as extract_elements, prepare as prepare
from pyramidion.text.basic_elements.parser import Parser as Parser
from pyramidion.text.basic_elements.repair import reattach_punctuation as reattach_punctuation
from pyramidion.text.basic_elements.rules import (
    RULES as RULES,
    RULES_VERSION as RULES_VERSION,
    Rule as Rule,
    Word as Word,
    elements_of as elements_of,
)
from pyramidion.text.basic_elements.simple import (
    SimpleProblem as SimpleProblem,
    is_simple as is_simple,
    read_simple as read_simple,
    write_simple as write_simple,
)
from pyramidion.text.basic_elements.spacy_parser import (
    SpacyParser as SpacyParser,
    installed_model as installed_model,
    load_parser as load_parser,
    parser_name as parser_name,
)
from pyramidion.text.basic_elements.store import ElementStore as ElementStore
