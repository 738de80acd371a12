"""Pyramids: SCUs found in the models of a topic (paper 002).

State: `scu/UID` {label, comment, contributors: [{model: HANDLE, parts: [[start, end], …]}]}, `suggestion/NUMBER` what
was suggested and taken, `done` true.
Spec: `models` {handle: summarizer}.
"""
