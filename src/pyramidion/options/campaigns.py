"""What is said of a new campaign, and how files are added to one."""

from __future__ import annotations

from collections.abc import Mapping

from pyramidion.options.base import Options, option

IMPORT_KINDS = ("judgments", "scores", "summaries", "documents", "flat", "campaign")
"""What can be imported besides the foreign formats."""


class InitOptions(Options):
    """What a new campaign says about itself."""

    name: str = option("", "Name of the campaign. Default: the name of the folder.")
    description: str = option("", "What is evaluated, in a sentence.")
    word_limit: int | None = option(None, "Word limit of summaries.", minimum=1)
    questions: str = option("", "The set of questions that assessors are asked, such as duc2006.", metavar="SET")


class ImportOptions(Options):
    """How files are added to a campaign."""

    columns: Mapping[str, str] | None = option(
        None,
        "Which column holds which field, such as topic=ID,summarizer=SYSTEM; for judgments also QUESTION=COLUMN; for "
        "both judgments and scores, run=SEED. "
        "Default: recognised by their names.",
        metavar="FIELD=COLUMN,…",
        separator=",",
    )
    dry_run: bool = option(False, "Print the plan and write nothing.")
    replace: bool = option(False, "Overwrite conflicting values in the campaign with the imported ones.")
    strict: bool = option(False, "Treat warnings as errors.")
    option: Mapping[str, str] | None = option(None, "An option of the format; repeatable.", metavar="KEY=VALUE")
