"""Forms: the questions of one pass about every summary of a topic (paper 003).

State: `answer/HANDLE/QUESTION` a number on the question's scale, `comment/HANDLE` a text, `done` true.
Spec: `summaries` {handle: summarizer}, `pass` the number of the pass.
"""
