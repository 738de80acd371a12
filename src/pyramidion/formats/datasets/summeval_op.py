"""summeval-op: SummEval-OP's summaries of product reviews with ratings, as means or of each annotator; import only.

Products are p00, p01, … in order, and summaries of the detailed file s00, s01, … by position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Document, Problems, Topic
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import has_columns
from pyramidion.formats.json_values import list_in, listed, objects_in, table_in

DIMENSIONS = {
    "fl": "fluency",
    "co": "coherence",
    "re": "relevance",
    "fa": "faithfulness",
    "ac": "aspect-coverage",
    "sc": "sentiment-consistency",
    "sp": "specificity",
}
MEAN = "mean"
"""The assessor of a mean over annotators."""


def read(path: Path, problems: Problems) -> Campaign:
    """The campaign in the file."""
    builder = CampaignBuilder("SummEval-OP", tuple(DIMENSIONS.values()))
    for number, (at, row) in enumerate(objects_in([path], problems)):
        topic = f"p{number:02d}"
        builder.topics[topic] = Topic(topic=topic, documents=tuple(_reviews(row, at)))
        if isinstance(row.get("summaries"), dict):
            for system, entry in table_in(row, "summaries", at).items():
                if not isinstance(entry, dict) or not isinstance(entry.get("summary"), str):
                    at.error(
                        found=shorten(entry),
                        expected="{summary, dimensions}",
                        remedy="Correct the row.",
                        field=f"summaries.{system}",
                    )
                    continue
                builder.peers[topic, system] = entry["summary"]
                for name, value in table_in(entry, "dimensions", at).items():
                    builder.add_judgment(topic, system, _name(name), value, assessor=MEAN)
            continue
        texts = list_in(row, "summaries", at)
        builder.peers |= {(topic, f"s{place:02d}"): str(text) for place, text in enumerate(texts)}
        _add_ratings(builder, topic, row, len(texts), at)
    builder.note_no_row(problems.at(path, 1), "rows of SummEval-OP")
    return builder.build()


def _name(dimension: str) -> str:
    """The question that a dimension is, by its short or its long name."""
    return DIMENSIONS.get(dimension, dimension.strip().lower().replace(" ", "-").replace("_", "-"))


def _reviews(row: Mapping[str, Any], at: Place) -> Iterator[Document]:
    """The reviews of a product as documents."""
    if isinstance(row.get("reviews"), dict):
        texts = table_in(row, "reviews", at)
    else:
        texts = {f"rev{number}": text for number, text in enumerate(list_in(row, "reviews", at), start=1)}
    return (Document(id=id, text=str(text)) for id, text in texts.items())


def _add_ratings(builder: CampaignBuilder, topic: str, row: Mapping[str, Any], count: int, at: Place) -> None:
    """The answers of a1, a2, …: by dimension, a list for each summary."""
    for short, name in DIMENSIONS.items():
        ratings = list_in(row, short, at)
        if ratings and len(ratings) != count:
            at.error(
                found=f"{len(ratings)} ratings",
                expected=f"{count}, one list for each summary",
                remedy="Correct the row.",
                field=short,
            )
            continue
        for place, answers in enumerate(ratings):
            for position, answer in enumerate(listed(answers), start=1):
                builder.add_judgment(topic, f"s{place:02d}", name, answer, assessor=f"a{position}")


FORMAT = Format(
    name="summeval-op",
    description="SummEval-OP's summaries of reviews with ratings (summeval-op.jsonl, summeval-op-detailed.jsonl)",
    detector=has_columns("reviews", "summaries"),
    reader=read,
)
