"""Rows say why something in them is undefined; the words for it are made in present/."""

import importlib
import pkgutil

import pytest

import pyramidion.studies
from pyramidion.present.only_reasons import ONLY_REASONS
from pyramidion.present.registry import WORDS, find_words
from pyramidion.show.tables import ReasonedRow, WordedRow, all_rows

for module in pkgutil.walk_packages(pyramidion.studies.__path__, "pyramidion.studies."):
    importlib.import_module(module.name)
EXPLAINED = [kind for kind in all_rows() if issubclass(kind, ReasonedRow) and kind.__module__.startswith("pyramidion.")]


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.__name__)
def test_every_row_that_explains_itself_has_its_words(kind: type[ReasonedRow]) -> None:
    assert callable(find_words(kind, "reason"))
    if issubclass(kind, WordedRow):
        assert callable(find_words(kind, "note"))


def test_no_words_are_left_of_rows_that_are_gone() -> None:
    names = {kind.__name__ for kind in EXPLAINED}
    assert {name for name, _ in WORDS} | set(ONLY_REASONS) <= names
