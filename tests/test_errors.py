"""Every error of ours reaches another process as it is: what can't be unpickled would keep a pool waiting for ever."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion import errors
from pyramidion.assess.store.work import StaleError, Task
from pyramidion.assess.web.middleware import BodyTooLargeError
from pyramidion.campaign import Problems
from pyramidion.campaign.importing import ImportConflictError, ImportPlan
from pyramidion.campaign.merge import Conflict, PlanLine
from pyramidion.errors import MissingExtraError, PicklableError, PyramidionError, UsageError, check_known, close_to
from pyramidion.files.problems import CampaignError


def kinds() -> list[type[BaseException]]:
    """All classes of exceptions that the program defines, wherever they are defined."""
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion.", onerror=unimportable):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, left = set[type[BaseException]](), [BaseException]
    while left:
        new = [kind for kind in type.__subclasses__(left.pop()) if kind not in found]
        found.update(new)
        left += new
    ours = [kind for kind in found if kind.__module__.partition(".")[0] == "pyramidion"]
    return sorted(ours, key=lambda kind: (kind.__module__, kind.__qualname__))


def unimportable(name: str) -> None:
    raise ImportError(f"{name} can't be imported: its exceptions would be left out")


def problems() -> Problems:
    found = Problems()
    found.at("f.jsonl", 3, "text").error("this", "that", "Do.")
    return found


MADE: dict[type[BaseException], Any] = {
    CampaignError: lambda: CampaignError(problems(), strict=True),
    MissingExtraError: lambda: MissingExtraError("A thing", "be"),
    BodyTooLargeError: lambda: BodyTooLargeError(largest=5),
    StaleError: lambda: StaleError(Task(id="1", kind="judge", topic="D1", person="A", version=3)),
    ImportConflictError: lambda: ImportConflictError(
        ImportPlan(
            campaign="c",
            planned=(PlanLine(what="judgments", new=1, extended=0, equal=2, conflicts=1),),
            conflicts=(Conflict(what="judgments", key=("1", "A"), field="value", there="2", given="3"),),
        )
    ),
}


EVERY = pytest.mark.parametrize("kind", kinds(), ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")


def test_no_class_of_exceptions_is_hidden_where_these_tests_do_not_find_it() -> None:
    modules = [file.read_text(encoding="utf-8") for file in Path(errors.__file__).parent.rglob("*.py")]
    named = set(re.findall(r"^ *class (\w+(?:Error|Exception|Warning))\b", "\n".join(modules), re.M))
    assert named == {kind.__name__ for kind in kinds()}


@EVERY
def test_an_error_that_takes_arguments_of_its_own_never_calls_its_init_again(kind: type[BaseException]) -> None:
    own = [one for one in kind.__mro__ if one.__module__.startswith("pyramidion") and "__init__" in vars(one)]
    assert not own or kind.__reduce__ is PicklableError.__reduce__


@EVERY
def test_every_error_comes_back_from_a_pickle_as_it_was(kind: type[BaseException]) -> None:
    error = MADE[kind]() if kind in MADE else kind("what is wrong")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is kind
        assert (str(again), again.args) == (str(error), error.args)
        assert vars(again) == vars(error)


def test_an_error_with_its_own_arguments_needs_nothing_for_that() -> None:
    assert issubclass(OddError, PyramidionError)
    again = pickle.loads(pickle.dumps(OddError(1, two=2)))
    assert (type(again), str(again), again.two) == (OddError, "odd 1", 2)


class OddError(PyramidionError):
    def __init__(self, one: int, *, two: int) -> None:
        self.two = two
        super().__init__(f"odd {one}")


def test_of_names_that_are_equally_near_those_that_begin_alike_are_suggested() -> None:
    known = ["cnndm1153", "cnndm9781", "cnndm8971", "cnndm7891"]
    assert close_to("cnndm1", known)[0] == "cnndm1153"
    assert close_to("CNNDM1", known)[0] == "cnndm1153"
    assert close_to("nothing", known) == []


def test_an_unknown_name_is_answered_with_those_that_there_are_unless_they_are_very_many() -> None:
    with pytest.raises(UsageError, match=r"^no topic 'x'; there are: 0, 1, 2$"):
        check_known("x", map(str, range(3)), "no topic 'x'")
    with pytest.raises(UsageError, match=r", 39 and 1,960 more$"):
        check_known("x", map(str, range(2000)), "no topic 'x'")


def test_a_known_name_is_found_without_a_look_at_the_others() -> None:
    class Topics(dict[str, int]):
        def __iter__(self) -> Any:
            raise AssertionError("all topics were looked at for one of them")

    check_known("D1", Topics(D1=1), "no topic 'D1'")
