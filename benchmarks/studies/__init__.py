"""Studies of the evaluation itself at the size of TAC and DUC, and how often extrapolated intervals hold the truth."""
