"""What is said of a new campaign, and how files are added to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pyramidion.options.base import Options, option

IMPORT_KINDS = ("judgments", "annotations", "scores", "summaries", "documents", "flat", "campaign")
"""What can be imported besides the foreign formats."""


class InitOptions(Options):
    """What a new campaign says about itself."""

    name: str = option("", "Name of the campaign. Default: the name of the folder.")
    description: str = option("", "What is evaluated, in a sentence.")
    word_limit: int | None = option(None, "Word limit of summaries.", minimum=1)
    questions: str = option("", "The set of questions that assessors are asked, such as duc2006.", metavar="SET")


class LeadOptions(Options):
    """How the lead baseline is made."""

    document: Literal["latest", "first", "last"] = option(
        "latest",
        "The document whose leading sentences are taken: the most recent one by date (among those of one day the "
        "highest id), or the first or last of the topic.",
    )
    last: Literal["cut", "whole"] = option(
        "cut", "The last sentence: cut at the limit, or taken only if the whole of it fits."
    )
    words: int | None = option(
        None, "Cut the summary to this many words. Default: the campaign's word limit.", minimum=1
    )
    summarizer: str = option("lead", "Name of the baseline as a summarizer.")


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
