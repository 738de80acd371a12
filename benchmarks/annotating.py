"""How much work a pyramid is: keys, clicks and seconds on the pyramid page, by keyboard and by mouse, and in DUCView.

    python -m benchmarks.annotating --speed 1

An annotator that knows the result makes the pyramid of a topic of the demo (four models of 100 words) anew on the page,
by keyboard alone, at the speed of a person (`--speed 10`: ten times as fast); what the page stores is compared with the
pyramid word by word. Mouse work and DUCView's are counted from their operations. Seconds are those of the
keystroke-level model (Card, Moran & Newell 1980, Communications of the ACM 23:7): a key 0.28 (an average person, not
a typist), pointing 1.10, pressing or releasing a mouse button 0.10, a hand between mouse and keyboard 0.40, deciding
what to do 1.35. DUCView's operations are those of its README and its source (github.com/psunlpgroup/DucView-1.5).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import tempfile
import threading
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Page, sync_playwright

import pyramidion
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import COOKIE
from pyramidion.campaign import Campaign, CampaignWarning
from pyramidion.campaign.nouns import Parts, Pyramid, encode, plain
from pyramidion.text.clauses import clause_spans
from pyramidion.text.sentences import sentence_spans

KEY, POINT, BUTTON, HOME, DECIDE = 0.28, 1.10, 0.10, 0.40, 1.35
LONGEST_SEARCH = 10
"""Letters of the longest text that the annotator searches for."""

Words = tuple[int, int]
"""The first and the last word of a stretch of a text."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What someone did: keys pressed (Shift that is held over several counts once), mouse work, decisions."""

    keys: int = 0
    clicks: int = 0
    drags: int = 0
    hands: int = 0
    decisions: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            keys=self.keys + other.keys,
            clicks=self.clicks + other.clicks,
            drags=self.drags + other.drags,
            hands=self.hands + other.hands,
            decisions=self.decisions + other.decisions,
        )

    @property
    def seconds(self) -> float:
        """The time that it takes by the keystroke-level model."""
        click = POINT + 2 * BUTTON
        drag = 2 * (POINT + BUTTON)
        mouse = self.clicks * click + self.drags * drag + self.hands * HOME
        return self.keys * KEY + mouse + self.decisions * DECIDE


def effort_of(keys: Sequence[str]) -> Effort:
    """Pressing these keys, such as "c" and "Shift+ArrowLeft"; a modifier that stays down counts once."""
    modifiers = 0
    for modifier, _ in groupby(key.rpartition("+")[0] for key in keys):
        modifiers += bool(modifier)
    return Effort(keys=len(keys) + modifiers)


class AnnotatedText:
    """A text as the pages let people step through it, and where its cursor is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = _word_spans(text)
        self.clauses = [self.words_in([span]) for span in clause_spans(text)]
        self.sentences = [self.words_in([span]) for span in sentence_spans(text)]
        self.cursor = 0
        self.selection: Words | None = None

    def words_in(self, parts: Sequence[tuple[int, int]]) -> Words:
        """The first and the last word that parts touch."""
        touched = [
            number
            for number, (start, end) in enumerate(self.words)
            if any(first < end and start < last for first, last in parts)
        ]
        return touched[0], touched[-1]

    def ways_to(self, words: Words) -> Iterator[list[str]]:
        """Key sequences that select some words, while this text has the focus."""
        yield from self._by_units(words, self.clauses, forward="c", backward="v")
        yield from self._by_units(words, self.sentences, forward="e", backward=None)
        yield self._by_words(words)

    def adjust(self, selected: Words, words: Words) -> list[str]:
        """Keys that turn a selection into another one that overlaps it."""
        start = words[0] - selected[0]
        end = words[1] - selected[1]
        move_start = ["d" if start > 0 else "i"] * abs(start)
        move_end = ["Shift+ArrowRight" if end > 0 else "Shift+ArrowLeft"] * abs(end)
        return [*move_end, *move_start] if words[0] > selected[1] else [*move_start, *move_end]

    def _by_units(
        self, words: Words, units: Sequence[Words], *, forward: str, backward: str | None
    ) -> Iterator[list[str]]:
        here = next(number for number, (_, last) in enumerate(units) if last >= self.cursor)
        first = 0 if self.selection == units[here] else 1  # the first press selects the unit at the cursor
        for number, unit in enumerate(units):
            fits = self.adjust(unit, words)
            if number >= here:
                yield [forward] * (number - here + first) + fits
            elif backward:
                yield [backward] * (here - number + first) + fits
            yield ["Home", *[forward] * (number + 1), *fits]

    def _by_words(self, words: Words) -> list[str]:
        select = ["Shift+ArrowRight"] * (words[1] - words[0] + 1)
        step = "ArrowRight" if words[0] > self.cursor else "ArrowLeft"
        ways = [
            [step] * abs(words[0] - self.cursor) + select,
            ["Home", *["ArrowRight"] * words[0], *select],
            ["End", *["ArrowLeft"] * (len(self.words) - 1 - words[0]), *select],
        ]
        return min(ways, key=len)


class KeyboardAnnotator:
    """Chooses the keys with which words are selected, and remembers where the cursors are."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = {handle: AnnotatedText(text) for handle, text in texts.items()}
        self.focus = ""

    def select(self, handle: str, words: Words) -> list[str]:
        """The shortest key sequence that selects words of a text: steps in it, or a search."""
        text = self.texts[handle]
        go = [] if self.focus == handle else [handle]
        ways = [[*go, *way] for way in text.ways_to(words)]
        ways += self._by_search(handle, words)
        self.selected(handle, words)
        return min(ways, key=lambda way: effort_of(way).keys)

    def foresee(self, handle: str, words: Words) -> list[str]:
        """The keys that `select` would choose from here."""
        text = self.texts[handle]
        before = self.focus, text.cursor, text.selection
        keys = self.select(handle, words)
        self.focus, text.cursor, text.selection = before
        return keys

    def selected(self, handle: str, words: Words) -> None:
        """Words of a text were selected, and are to be taken: the cursor is at their end."""
        self.focus = handle
        self.texts[handle].cursor = words[1]
        self.texts[handle].selection = None

    def _by_search(self, handle: str, words: Words) -> Iterator[list[str]]:
        """Search for the first letters: Enter selects the words at the first place, in the order of the models."""
        target = self.texts[handle]
        start = target.words[words[0]][0]
        for length in range(2, LONGEST_SEARCH + 1):
            searched = target.text[start : start + length]
            if searched != searched.strip() or not searched.isascii():
                continue
            first = self._first_place(searched)
            if first is None or first[0] != handle:
                continue
            place = target.words_in([(first[1], first[1] + length)])
            if place[0] == words[0]:
                yield ["f", *searched.lower(), "Enter", *target.adjust(place, words)]

    def _first_place(self, searched: str) -> tuple[str, int] | None:
        for handle, text in self.texts.items():
            at = _plain_letters(text.text).find(searched.lower())
            if at >= 0:
                return handle, at
        return None


def _plain_letters(text: str) -> str:
    """A text as the page compares it; every letter stays at its place."""
    letters = []
    for letter in text:
        base = unicodedata.normalize("NFKD", letter)[0]
        letters.append(" " if letter.isspace() else base.lower())
    return "".join(letters)


def _word_spans(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        spans.append((start, at))
    return spans


def split_into_stretches(text: AnnotatedText, parts: Parts) -> list[Words]:
    """The words of parts; parts that share a word, or are next to each other, are one stretch."""
    stretches: list[Words] = []
    for part in sorted(parts):
        first, last = text.words_in([part])
        if stretches and first <= stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], max(last, stretches[-1][1]))
        else:
            stretches.append((first, last))
    return stretches


@dataclass(frozen=True)
class PlannedScu:
    """An SCU that is to be made: its label and the words of each model that contributes, by the model's handle."""

    uid: int
    label: str
    words: Mapping[str, Sequence[Words]]


def plan_of(pyramid: Pyramid, handles: Mapping[str, str], texts: Mapping[str, AnnotatedText]) -> list[PlannedScu]:
    """The SCUs of a pyramid, as words of the models by handle; one stretch of a model once for each SCU."""
    planned = []
    for scu in pyramid.scus:
        parts: dict[str, list[tuple[int, int]]] = {}
        for contributor in scu.contributors:
            parts.setdefault(handles[contributor.model], []).extend(contributor.parts)
        words = {handle: split_into_stretches(texts[handle], tuple(spans)) for handle, spans in sorted(parts.items())}
        planned.append(PlannedScu(uid=scu.uid, label=scu.label, words=words))
    return planned


def mouse_effort(planned: Sequence[PlannedScu], *, labels: bool = True) -> Effort:
    """The pyramid page with one hand on the mouse and one on the keys: drag, N, A or P; L, the label and Enter."""
    total = Effort()
    for scu in planned:
        stretches = sum(map(len, scu.words.values()))
        total += Effort(drags=stretches, keys=stretches, decisions=stretches)
        if labels:
            total += Effort(keys=1 + len(scu.label) + 1, hands=2, decisions=1)
    return total


def ducview_effort(planned: Sequence[PlannedScu], *, labels: bool = True) -> Effort:
    """DUCView at its best: shortcuts instead of buttons, nothing is scrolled to, and nothing goes wrong.

    Drag over text, Alt-N for a new SCU, which is selected then; drag and Alt-A for each further contributor. A further
    part of a contributor: click on the contributor in the tree, drag, Alt-A; then click on the SCU again for the next
    contributor. Label: Alt-C, the label in a dialog, Enter.
    """
    total = Effort()
    for scu in planned:
        stretches = sum(map(len, scu.words.values()))
        total += Effort(drags=stretches, keys=2 * stretches, decisions=stretches)
        several = [number for number, spans in enumerate(scu.words.values()) if len(spans) > 1]
        last = len(scu.words) - 1
        total += Effort(clicks=sum(1 if number == last else 2 for number in several))
        if labels:
            total += Effort(keys=2 + len(scu.label) + 1, hands=2, decisions=1)
    return total


class PageAnnotator:
    """Makes SCUs on the pyramid page by keyboard: `press(keys)` presses them, `selection()` says what is selected."""

    def __init__(
        self,
        texts: Mapping[str, str],
        press: Callable[[Sequence[str]], None],
        selection: Callable[[], tuple[str, Words] | None],
    ) -> None:
        self.annotator = KeyboardAnnotator(texts)
        self._press = press
        self._selection = selection
        self.handles = list(texts)
        self.keys: list[str] = []

    def press(self, *keys: str) -> None:
        """Press keys, and count them."""
        self.keys += keys
        self._press(keys)

    def make(self, scu: PlannedScu, *, label: bool) -> list[str]:
        """Make an SCU; the keys that it took."""
        before = len(self.keys)
        left = list(scu.words)
        handle = left.pop(0)
        self._contribute(handle, scu.words[handle], key="n")
        if label:
            self.press("l", *scu.label, "Enter")
        while left:
            similar = self._next_without(handle, set(left))
            handle = similar or left[0]
            left.remove(handle)
            self._contribute(handle, scu.words[handle], key="a", with_similar=similar is not None)
        return self.keys[before:]

    def _next_without(self, handle: str, left: set[str]) -> str | None:
        """The model whose most similar clause Y selects, if that model is to contribute."""
        at = self.handles.index(handle) + 1
        following = [*self.handles[at:], *self.handles[:at]]
        return following[0] if following[0] in left else None

    def _contribute(self, handle: str, stretches: Sequence[Words], *, key: str, with_similar: bool = False) -> None:
        for number, words in enumerate(stretches):
            self._select(handle, words, with_similar=with_similar and number == 0)
            self.press(key if number == 0 else "p")

    def _select(self, handle: str, words: Words, *, with_similar: bool) -> None:
        """Y first, if it can help; what it selects is taken if few keys turn it into what is wanted."""
        if with_similar:
            self.press("y")
            offered = self._selection()
            if offered is not None and offered[0] == handle:
                self.annotator.selected(handle, offered[1])
                text = self.annotator.texts[handle]
                text.selection = offered[1]
                adjusted = text.adjust(offered[1], words)
                other = self.annotator.foresee(handle, words)
                if effort_of(adjusted).keys <= effort_of(other).keys:
                    self.annotator.selected(handle, words)
                    self.press(*adjusted)
                    return
        self.press(*self.annotator.select(handle, words))


SELECTED = """() => [...document.querySelectorAll("[role=option][aria-selected=true]")].map((word) => word.id)"""


def selection_on(page: Page) -> Callable[[], tuple[str, Words] | None]:
    """What is selected on a pyramid page: the model's handle, and the first and the last word."""

    def read() -> tuple[str, Words] | None:
        ids = page.evaluate(SELECTED)
        if not ids:
            return None
        handle = ids[0].split("-")[1]
        numbers = [int(word.rpartition("-")[2]) for word in ids]
        return handle, (numbers[0], numbers[-1])

    return read


def press_on(page: Page, speed: float | None = None) -> Callable[[Sequence[str]], None]:
    """Press keys on a page: at once, or at the speed of a person (1) or a multiple of it."""

    def press(keys: Sequence[str]) -> None:
        if speed:
            time.sleep(DECIDE / speed)
        for key in keys:
            page.keyboard.press(key)
            if speed:
                time.sleep(effort_of([key]).seconds / speed)

    return press


def words_of_state(state: Mapping[str, Any], texts: Mapping[str, AnnotatedText]) -> dict[int, dict[str, list[Words]]]:
    """The words of each model that each SCU of a stored state has."""
    scus: dict[int, dict[str, list[Words]]] = {}
    for key, value in state.items():
        if key.startswith("scu/"):
            scus[int(key.removeprefix("scu/"))] = {
                contributor["model"]: split_into_stretches(texts[contributor["model"]], contributor["parts"])
                for contributor in sorted(value["contributors"], key=lambda contributor: str(contributor["model"]))
            }
    return scus


@contextlib.contextmanager
def serve(folder: Path, database: str | None = None) -> Iterator[tuple[Assessment, str]]:
    """The assessment pages of a campaign, on a free port of this computer; without a database, on SQLite."""
    from pyramidion.assess.web.app import create_app

    assessment = Assessment(folder, database=database)
    config = uvicorn.Config(create_app(assessment), host="127.0.0.1", port=0, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield assessment, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()
    assessment.close()


def write_topic(folder: Path, campaign: Campaign, topic: str) -> None:
    """A campaign of the models of one topic, without a pyramid."""
    folder.mkdir()
    (folder / "campaign.toml").write_text('name = "One topic"\n')
    models = [summary for summary in campaign.summaries if summary.topic == topic and summary.kind == "model"]
    (folder / "summaries.jsonl").write_bytes(b"".join(encode(model) + b"\n" for model in models))


def main() -> None:
    """Make a pyramid of the demo by keyboard in a browser, and print what it takes, there and elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topic", default="D01-A")
    parser.add_argument("--speed", type=float, default=1, help="1: as fast as a person")
    parser.add_argument("--no-labels", action="store_true", help="keep the labels that the page proposes")
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    options = parser.parse_args()
    campaign = pyramidion.load("demo")
    pyramid = next(pyramid for pyramid in campaign.pyramids if pyramid.topic == options.topic)
    handles = {model: str(number) for number, model in enumerate(pyramid.models, start=1)}
    models = {
        handles[summary.summarizer]: plain(summary.text)
        for summary in campaign.summaries
        if summary.topic == options.topic and summary.summarizer in handles
    }
    with (
        tempfile.TemporaryDirectory() as place,
        serve_topic(Path(place) / "campaign", campaign, options.topic) as served,
    ):
        assessment, address = served
        person = assessment.people.add("ann", "assessor")
        spec = {"models": {handle: model for model, handle in handles.items()}}
        assessment.work.add([Task(id="pyramid", kind="pyramid", topic=options.topic, person=person.id, spec=spec)])
        token = assessment.people.sign_in(person).token
        with sync_playwright() as playwright:
            sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=options.browser, args=sandbox)
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
            page = context.new_page()
            page.goto(f"{address}/task/pyramid")
            page.get_by_role("listbox", name="Model 1").wait_for()
            annotator = PageAnnotator(dict(sorted(models.items())), press_on(page, options.speed), selection_on(page))
            planned = plan_of(pyramid, handles, annotator.annotator.texts)
            began = time.monotonic()
            efforts = [effort_of(annotator.make(scu, label=not options.no_labels)) for scu in planned]
            seconds = time.monotonic() - began
            page.locator("#saved[data-state=saved]").wait_for(state="attached", timeout=300_000)
            browser.close()
        task = assessment.work.task("pyramid")
        assert task is not None
        state = assessment.work.state(task)
    made = list(words_of_state(state, annotator.annotator.texts).values())
    if made != [{handle: list(spans) for handle, spans in scu.words.items()} for scu in planned]:
        raise SystemExit("the page stored another pyramid than the one that was made")
    stretches = sum(sum(map(len, scu.words.values())) for scu in planned)
    labels = not options.no_labels
    letters = sum(len(scu.label) for scu in planned) if labels else 0
    keyboard = sum(efforts, Effort()) + Effort(decisions=stretches + labels * len(planned))
    print(f"Topic {options.topic}: {len(planned)} SCUs, {stretches} stretches of words")
    print(f"Made on the page in {seconds:.0f} s")
    print(f"{'':30}{'keys':>7}{'drags':>7}{'clicks':>7}{'seconds':>9}{'without letters of labels':>27}")
    rows = {
        "pyramid page, keyboard alone": keyboard,
        "pyramid page, mouse and keys": mouse_effort(planned, labels=labels),
        "DUCView": ducview_effort(planned, labels=labels),
    }
    for name, effort in rows.items():
        bare = replace(effort, keys=effort.keys - letters)
        print(f"{name:30}{effort.keys:7}{effort.drags:7}{effort.clicks:7}{effort.seconds:9.0f}{bare.seconds:27.0f}")
    heavy = [
        effort.keys - labels * len(scu.label)
        for scu, effort in zip(planned, efforts, strict=True)
        if len(scu.words) == 4
    ]
    print(f"Keys of the SCUs of weight 4, without the letters of labels: {', '.join(map(str, heavy))}")


@contextlib.contextmanager
def serve_topic(folder: Path, campaign: Campaign, topic: str) -> Iterator[tuple[Assessment, str]]:
    """Serve a campaign of the models of one topic."""
    write_topic(folder, campaign, topic)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CampaignWarning)  # it has models only
        with serve(folder) as served:
            yield served


if __name__ == "__main__":
    main()
