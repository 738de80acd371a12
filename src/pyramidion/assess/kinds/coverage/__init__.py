"""Coverage (SEE): how much of each unit of a model a peer expresses, and in which sentences (paper 002, §2.2).

State: `unit/NUMBER` {percent: 0, 20 … 100, or null while it is open; sentences: numbers of the peer's sentences},
`done` true. Units and sentences are counted from 1.
Spec: `summaries` {handle: summarizer} (one), `models` {handle: summarizer} (one), `units` clauses or sentences.
"""
