"""Drop-ins for other libraries: their names, types and numbers, computed by pyramidion's kernels."""
