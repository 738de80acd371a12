"""Files: reading lines and Parquet, the problems found in them, and atomic writing; below every room that needs it."""

from pyramidion.files.writing import atomic_writer, write_lines

__all__ = ["atomic_writer", "write_lines"]
