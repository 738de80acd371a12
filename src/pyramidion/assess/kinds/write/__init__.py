"""Writing a model: the documents to read, the request, and an editor (spec: four writers for each topic).

State: `text` the model so far, `read/DOCUMENT` true, `done` true.
"""
