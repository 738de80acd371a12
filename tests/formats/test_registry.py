"""Formats are found by name; a wrong name or direction is a usage error that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.formats import Format, all_formats, find_format


def test_every_format_says_what_it_is_and_does() -> None:
    directions = {format.name: (format.reads, format.writes) for format in all_formats()}
    assert directions == {
        "rouge-xml": (True, True),
        "rouge-list": (True, False),
        "rouge-out": (True, False),
        "ducview": (True, True),
        "nist": (True, True),
        "pyreval": (True, False),
        "lite-pyramid": (True, True),
        "realsumm": (True, False),
        "summeval": (True, False),
        "rose": (True, False),
        "qapyramid": (True, False),
        "newsroom": (True, False),
        "summeval-op": (True, False),
        "folder": (True, True),
        "datasets": (True, False),
        "lm-eval": (True, False),
        "inspect": (True, False),
        "promptfoo": (True, False),
        "deepeval": (True, False),
        "sacrerouge": (True, False),
        "records": (True, True),
        "lines": (True, True),
        "simetrix": (True, True),
    }
    assert all(format.description and "\n" not in format.description for format in all_formats())


def test_an_unknown_name_gets_a_did_you_mean() -> None:
    with pytest.raises(UsageError, match="there is no format 'rouge-xlm'; did you mean rouge-xml"):
        find_format("rouge-xlm")
    with pytest.raises(UsageError, match="choose one of: rouge-xml, rouge-list, rouge-out, "):
        find_format("q")


def test_a_wrong_direction_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rouge-out can only be imported"):
        find_format("rouge-out").write(Campaign(), tmp_path, Problems())
    with pytest.raises(UsageError, match="tables can only be exported"):
        Format(name="tables", description="", writer=lambda *_: None).read(tmp_path, Problems())


def test_every_format_and_option_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text()
    for format in all_formats():
        assert f"## {format.name}" in page
        assert all(f"`{option}`" in page for option in format.options)
