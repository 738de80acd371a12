"""ROUGE: pyramidion, other packages, the original Perl program and bare C++ loops on the same texts in one run."""
