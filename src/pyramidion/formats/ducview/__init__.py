"""ducview: pyramids (.pyr) and peer annotations (.pan) of DUCView, one file, several, or folders of both; both ways.

The models of a pyramid become model summaries, the peer of an annotation a peer summary. A .pan contains a copy of its
pyramid: if that is the .pyr's, the annotation refers to it; otherwise both are kept.
"""

from pyramidion.formats.base import Format
from pyramidion.formats.ducview.ducview_export import write
from pyramidion.formats.ducview.ducview_import import detect, detect_folder, read

FORMAT = Format(
    name="ducview",
    description="DUCView's pyramids (.pyr) and peer annotations (.pan): files, or folders of them",
    detector=detect,
    folder_detector=detect_folder,
    several=True,
    reader=read,
    writer=write,
    keeps=frozenset({"topics.bare", "topics.attributes", "models", "models.name", "pyramids", "annotations"}),
    options={
        "topic": "the topic of all files (default: the set in the headers of the models, else from the file name)",
        "summarizer": "the author of the peer in the only .pan (default: from the file name)",
        "annotator": "the annotator of all files (default: from the file names)",
        "regex": "an expression in Java's syntax that matches the header of each model (default: the file's own)",
        "unmatched": "what an empty uid 0 means: marked or unmarked (default: unmarked, with a warning)",
        "across": (
            "a contributor with parts in two models: first (it counts once, for the first of them), split or drop "
            "(default: first)"
        ),
        "weights": "what an SCU weighs: its contributors, as DUCView counts, or its models (default: contributors)",
    },
    write_options={"score": "yes: add the score block of DUCView 1.5 to .pan files (default: no)"},
)
