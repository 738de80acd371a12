"""What ROUGE-1.5.5 reads and writes: its XML configuration, its list file, their texts, and its output."""

from pyramidion.formats.rouge import list, out, xml

FORMATS = (xml.FORMAT, list.FORMAT, out.FORMAT)
