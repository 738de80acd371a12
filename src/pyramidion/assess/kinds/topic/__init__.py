"""A topic as the organiser describes it: title, request, documents. Each change is an event; the file follows.

State: `title`, `narrative`, `parent`, `part` texts, `attributes` an object, `document/ID` and `background/ID`
{date, headline, text}, `removed` true.
"""
