"""Adjudication of peers: two annotations of one summary, and the consensus that someone makes of them.

State, besides that of a peer: `pair/UID` {choice: a, b, merge or neither} for an SCU, `pair/unmatched` {choice},
`status` annotated, reviewed or final.
Spec, besides that of a peer: `annotators` the names of both.
"""
