"""All the work on a topic as at DUC, by keyboard alone: a pyramid of four models, eight peers, three passes of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from benchmarks.annotating import (
    AnnotatedText,
    PageAnnotator,
    plan_of,
    press_on,
    selection_on,
    split_into_stretches,
    words_of_state,
)
from playwright.sync_api import BrowserContext, Page, expect

from browser.assess.conftest import Server, write_campaign
from browser.assess.doing import saved
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import PeerAnnotation, Pyramid, plain

TOPIC = "D01-A"
PEERS = 8
QUESTIONS = 7
TOML = 'name = "One topic"\n[questions]\nset = "duc2006"\n'


@pytest.fixture
def pyramid(demo_campaign: Campaign) -> Pyramid:
    return next(pyramid for pyramid in demo_campaign.pyramids if pyramid.topic == TOPIC)


@pytest.fixture
def peer_annotations(demo_campaign: Campaign, pyramid: Pyramid) -> list[PeerAnnotation]:
    """What the demo's annotator marked in the first peers."""
    of_topic = [
        annotation
        for annotation in demo_campaign.annotations
        if annotation.topic == TOPIC and annotation.annotator == pyramid.annotator
    ]
    return of_topic[:PEERS]


@pytest.fixture
def texts(demo_campaign: Campaign) -> dict[str, str]:
    return {summary.summarizer: plain(summary.text) for summary in demo_campaign.summaries if summary.topic == TOPIC}


@pytest.fixture
def server(
    tmp_path: Path,
    served: Callable[[Path], Server],
    texts: dict[str, str],
    pyramid: Pyramid,
    peer_annotations: list[PeerAnnotation],
) -> Server:
    """All the work is given to one person."""
    peers = [annotation.summarizer for annotation in peer_annotations]
    rows = [
        {"topic": TOPIC, "summarizer": name, "kind": kind, "text": texts[name]}
        for kind, names in (("model", pyramid.models), ("peer", peers))
        for name in names
    ]
    folder = write_campaign(tmp_path / "campaign", rows)
    (folder / "campaign.toml").write_text(TOML)
    server = served(folder)
    models = {str(number): name for number, name in enumerate(pyramid.models, start=1)}
    server.give("ann", "pyramid", "pyramid", TOPIC, {"models": models})
    for number, name in enumerate(peers, start=1):
        spec = {"summaries": {"1": name}, "models": models, "pyramid": "", "mode": "full", "non_matching": False}
        server.give("ann", f"peer-{number}", "peer", TOPIC, spec)
    summaries = {str(number): name for number, name in enumerate(peers, start=1)}
    for number in (1, 2, 3):
        server.give("ann", f"pass-{number}", "form", TOPIC, {"pass": number, "summaries": summaries})
    return server


class Keyboard:
    """A keyboard that counts its keys, by the piece of work that they were for."""

    def __init__(self, page: Page) -> None:
        self.counts: Counter[str] = Counter()
        self.work = "between pieces of work"
        self._press = press_on(page)

    def press(self, *keys: str) -> None:
        self.counts[self.work] += len(keys)
        self._press(keys)


def make_pyramid(page: Page, keyboard: Keyboard, pyramid: Pyramid, texts: dict[str, str]) -> None:
    handles = {name: str(number) for number, name in enumerate(pyramid.models, start=1)}
    models = {handle: texts[name] for name, handle in handles.items()}
    annotator = PageAnnotator(models, lambda keys: keyboard.press(*keys), selection_on(page))
    for scu in plan_of(pyramid, handles, annotator.annotator.texts):
        annotator.make(scu, label=False)
    saved(page)


def match_peer(
    keyboard: Keyboard, annotation: PeerAnnotation, text: AnnotatedText, weights: dict[int, int], uids: dict[int, int]
) -> Iterator[tuple[int, Sequence[tuple[int, int]]]]:
    """Mark what a peer expresses, from the top of the pyramid down; what was marked, by the page's number of the SCU."""
    order = sorted(weights, key=lambda uid: (-weights[uid], uid))
    at = 0
    matches = {uids[match.uid]: match.contributors for match in annotation.scus if match.present}
    keyboard.press("1")
    for uid in [uid for uid in order if uid in matches]:
        keyboard.press(*["j"] * (order.index(uid) - at))
        at = order.index(uid)
        # A mention of several parts, or in several places, is marked as one: the page asks nothing then.
        stretches = split_into_stretches(text, tuple(part for parts in matches[uid] for part in parts))
        for number, words in enumerate(stretches):
            keyboard.press(*min(text.ways_to(words), key=len), "p" if number else "a")
            text.cursor = words[1]
        yield uid, stretches


def test_a_topic_as_at_duc_takes_no_mouse(
    server: Server,
    sign_in: Callable[..., BrowserContext],
    pyramid: Pyramid,
    peer_annotations: list[PeerAnnotation],
    texts: dict[str, str],
    record_property: Callable[[str, object], None],
) -> None:
    page = sign_in(server, "ann", height=800).new_page()
    keyboard = Keyboard(page)
    uids = {scu.uid: number for number, scu in enumerate(pyramid.scus, start=1)}
    weights = {uids[scu.uid]: len({contributor.model for contributor in scu.contributors}) for scu in pyramid.scus}

    def start(heading: str) -> None:
        expect(page.get_by_role("link", name="Start:")).to_be_focused()
        keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        expect(page.locator("#work .workspace")).to_be_visible()

    def hand_in() -> None:
        keyboard.work = "between pieces of work"
        keyboard.press("Control+Enter")
        expect(page.get_by_role("link", name="Go to your work")).to_be_focused()
        saved(page)
        keyboard.press("Enter")

    page.goto(server.address)
    start("Pyramid")
    keyboard.work = "pyramid"
    make_pyramid(page, keyboard, pyramid, texts)
    hand_in()

    for number, annotation in enumerate(peer_annotations, start=1):
        start("Peer annotation")
        keyboard.work = "peers"
        text = AnnotatedText(texts[annotation.summarizer])
        marked = dict(match_peer(keyboard, annotation, text, weights, uids))
        saved(page)
        state = server.state(f"peer-{number}")
        stored = {
            int(key.removeprefix("scu/")): split_into_stretches(text, tuple(map(tuple, value["contributors"][0])))
            for key, value in state.items()
            if key.startswith("scu/")
        }
        assert stored == marked
        hand_in()

    for number, questions in ((1, 5), (2, 1), (3, 1)):
        start("Pass" if number == 1 else "")
        keyboard.work = "questions"
        keyboard.press(*[str(1 + answer % 5) for answer in range(questions * PEERS)])
        expect(page.get_by_text(f"{questions * PEERS} of {questions * PEERS} answers")).to_be_visible()
        hand_in()
    expect(page.get_by_text("Everything is done. Thank you!")).to_be_visible()

    handles = {name: str(number) for number, name in enumerate(pyramid.models, start=1)}
    words = {handle: AnnotatedText(texts[name]) for name, handle in handles.items()}
    planned = {uid: dict(scu.words) for uid, scu in enumerate(plan_of(pyramid, handles, words), start=1)}
    assert words_of_state(server.state("pyramid"), words) == planned
    assert len([key for key in server.state("pass-1") if key.startswith("answer/")]) == 5 * PEERS
    assert sum(len(server.state(f"pass-{number}")) - 1 for number in (1, 2, 3)) == QUESTIONS * PEERS
    for name, count in keyboard.counts.items():
        record_property(f"keys, {name}", count)
    assert keyboard.counts["pyramid"] <= 420  # of 30 SCUs with 68 stretches of words
    assert keyboard.counts["questions"] == QUESTIONS * PEERS
    assert keyboard.counts["between pieces of work"] == 3 * (1 + PEERS + 3)
    print(dict(keyboard.counts), "keys:", keyboard.counts.total())  # noqa: T201
