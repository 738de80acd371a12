"""Preferences: two summaries of a topic side by side, and which is better.

State: `choice/PAIR` left, right or tie, `reason/PAIR` a text, `done` true.
Spec: `pairs` {pair: [summarizer on the left, summarizer on the right]}; who stands where was drawn with the pair.
"""
