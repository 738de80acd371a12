"""Files: reading lines and Parquet, the problems found in them, and atomic writing; below every room that needs it."""

from pyramidion.files.writing import atomic_writer, make_folder, remove, write_lines, written_together

__all__ = ["atomic_writer", "make_folder", "remove", "write_lines", "written_together"]
