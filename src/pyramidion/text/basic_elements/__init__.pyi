from pyramidion.text.basic_elements.extraction import extract_elements as extract_elements, prepare as prepare
from pyramidion.text.basic_elements.parser import Parser as Parser
from pyramidion.text.basic_elements.spacy_parser import load_parser as load_parser
