"""Adjudication of pyramids: what two annotators found, side by side, and the consensus that someone makes of it.

State, besides that of a pyramid: `pair/A-B` {choice: a, b, merge or neither, scu: its number in the consensus} for SCUs
of annotators A and B (one number is missing where only one of them has it), `status` annotated, reviewed or final.
Spec, besides that of a pyramid: `annotators` the names of both.
"""
