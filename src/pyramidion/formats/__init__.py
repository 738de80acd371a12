"""Foreign formats: what other programs write and read. Reading is tolerant, and says all that it mends."""

from pyramidion.formats.base import Format
from pyramidion.formats.registry import all_formats, detect_format, find_format
from pyramidion.formats.source import FormatSource

__all__ = ["Format", "FormatSource", "all_formats", "detect_format", "find_format"]
