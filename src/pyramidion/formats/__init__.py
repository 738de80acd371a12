"""Foreign formats: what other programs write and read. Reading is tolerant and reports every repair."""

from pyramidion.formats.base import Format, FormatSource
from pyramidion.formats.registry import all_formats, detect_format, find_format

__all__ = ["Format", "FormatSource", "all_formats", "detect_format", "find_format"]
