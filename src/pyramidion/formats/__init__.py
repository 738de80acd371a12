"""Foreign formats: what other programs write and read. Reading is tolerant and reports every repair.

harnesses/ and datasets/ are read; nist/, ducview/, rouge/ and programs/ hold the files of one evaluation or program
each; plain/ holds layouts that no program owns. `registry.py` lists all of them, and imports one when it is used.
"""

from pyramidion.formats.base import Format, FormatSource
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.registry import all_formats, detect_format, find_format, format_names

__all__ = ["Format", "FormatSource", "Glimpse", "all_formats", "detect_format", "find_format", "format_names"]
