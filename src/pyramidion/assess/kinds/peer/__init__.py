"""Peers: which SCUs of a pyramid a summary expresses, with which words (paper 002, §3).

State: `scu/UID` {present: true, false or null (unsure), contributors: [[[start, end], …], …], comment}, `unmatched`
[[[start, end], …], …], `pyramid` what identifies the pyramid that the work began with, `done` true. In light mode
nobody marks words; where words are marked, the first contributor expresses the SCU and each further one repeats it.
Spec: `summaries` {handle: summarizer} (one), `models`, `pyramid` (its annotator; empty: that of the topic), `mode` full
or light, `non_matching` whether content that matches no SCU is marked (2005) or not (2006).
"""
