"""newsroom: the CSV of Newsroom's human evaluation, a row for each rating; import only.

Raters have no ids: the rows of an article and system are numbered in order, as anonymous assessors. The reference is
not in the file.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

from pyramidion.campaign import Campaign, Document, Problems, Topic
from pyramidion.files.problems import shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.text_files import read_table

QUESTIONS = ("coherence", "fluency", "informativeness", "relevance")
_COLUMNS = ("ArticleID", "System", "ArticleText", "SystemSummary", *(f"{name.title()}Rating" for name in QUESTIONS))
_PARAGRAPH = re.compile(r"\s*</p>\s*(?:<p>\s*)?|\s*<p>\s*", re.I)


def detect(glimpse: Glimpse) -> bool:
    """Whether the header has Newsroom's columns."""
    return glimpse.header.issuperset(_COLUMNS)


def read(path: Path, problems: Problems) -> Campaign:
    """The campaign in the file."""
    builder = CampaignBuilder("Newsroom", QUESTIONS)
    rows: Counter[tuple[str, str]] = Counter()
    for line, row in read_table(path, problems, _COLUMNS, strict=False):
        at = problems.at(path, line)
        topic, system = row["ArticleID"].strip(), row["System"].strip()
        if not topic or not system:
            at.error(
                found="no ArticleID or no System",
                expected="both",
                remedy="Correct the row.",
            )
            continue
        key = (topic, system)
        rows[key] += 1
        article = Document(id=topic, text=_plain(row["ArticleText"]))
        title = _plain(row.get("ArticleTitle", ""))
        documents = (article,) if article.text else ()
        builder.topics.setdefault(topic, Topic(topic=topic, title=title, documents=documents))
        builder.peers.setdefault(key, _plain(row["SystemSummary"]))
        for question in QUESTIONS:
            rating = row[f"{question.title()}Rating"].strip()
            if not builder.add_judgment(topic, system, question, rating, assessor=f"anonymous{rows[key]}") and rating:
                at.warning(
                    found=shorten(rating),
                    expected="a rating from 1 to 5",
                    remedy="It was left out.",
                    field=question,
                )
    builder.note_no_row(problems.at(path, 1), "ratings of Newsroom")
    problems.remark("Newsroom's file has no references: measures that need them give no score.")
    return builder.build()


def _plain(text: str) -> str:
    """Without HTML's escapes; a paragraph on each line."""
    return _PARAGRAPH.sub("\n", html.unescape(text)).strip()


FORMAT = Format(
    name="newsroom",
    description="the CSV of Newsroom's human evaluation",
    detector=detect,
    reader=read,
)
