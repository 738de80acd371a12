"""Adjudication: what two annotators found, side by side, and the consensus that someone makes of it.

The consensus is a third record, which never counts as a coder. It goes to the files when it is handed in; until then
scores, which prefer a consensus, would rest on half of one.

State, besides that of a pyramid or a peer: `pair/A-B` {choice: a, b, merge or neither, scu: its number in the
consensus} for SCUs of annotators A and B (one number is missing where only one of them has it), `pair/UID` {choice} for
a peer's SCU, `pair/unmatched` {choice}, `status` annotated, reviewed or final.
Spec, besides that of a pyramid or a peer: `annotators` the names of both.
"""
