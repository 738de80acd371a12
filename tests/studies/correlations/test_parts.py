"""Correlations within groups of topics are those of the groups alone."""

from __future__ import annotations

import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.studies.correlations.parts import PartCorrelations

TARGET = "scaled-rank(of=question.content-responsiveness)"


def test_each_group_correlates_as_it_does_alone() -> None:
    found = pyramidion.correlate("demo", ["rouge-2.recall", "js"], with_=TARGET, by="part", micro=True)
    assert isinstance(found, PartCorrelations)
    rows = list(found.records())
    assert {row["part"] for row in rows} == {"A", "B"}
    for part in ("A", "B"):
        alone = pyramidion.correlate("demo", ["rouge-2.recall", "js"], with_=TARGET, where={"part": part}, micro=True)
        mine = [{key: row[key] for key in row if key != "part"} for row in rows if row["part"] == part]
        assert mine == list(alone.records())
    titles = [table.title for table in found.tables()]
    assert sum(title.endswith("part B (3 topics)") for title in titles) == len(titles) / 2
    assert found.sentences()[0].startswith(f"rouge-2.recall has its strongest correlation with {TARGET} where part is ")


def test_a_field_that_no_topic_has_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match='`by="granularity"`: found no topic that has it'):
        pyramidion.correlate("demo", "rouge-2.recall", with_=TARGET, by="granularity")
