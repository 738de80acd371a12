"""What ROUGE-1.5.5 reads and writes: its XML configuration, its list file, their texts, and its output."""

from pyramidion.formats.rouge.list import FORMAT as LIST
from pyramidion.formats.rouge.out import FORMAT as OUT
from pyramidion.formats.rouge.xml import FORMAT as XML

FORMATS = (XML, LIST, OUT)
