"""Rooms whose public names are imported when they are asked for."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

ROOMS = ["campaign", "measures", "pyramids", "scores", "simulate", "statistics", "text", "text.basic_elements"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_there_and_no_module_can_take_its_place(room: str) -> None:
    package = importlib.import_module(f"pyramidion.{room}")
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert package.__all__
    assert modules.isdisjoint(package.__all__)
    assert dir(package) == package.__all__
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'pyramidion\.statistics' has no attribute 'nothing'"):
        importlib.import_module("pyramidion.statistics").nothing  # noqa: B018


def test_rooms_do_not_import_what_nobody_asked_for() -> None:
    code = "import sys, pyramidion.measures.registry as r; r.select('rouge-2'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"scipy", "spacy", "wordfreq", "pyramidion.measures.model_free"} & set(loaded)
