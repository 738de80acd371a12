"""Peers, coverage and adjudication in the browser; what the page says of scores is what the command says of the files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.doing import saved
from browser.assess.lockerbie import MODELS, PEERS, SUMMARIES, TOPICS
from pyramidion import pyramid
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.nouns import encode

HANDLES = {"1": "HUMAN-B", "2": "HUMAN-A", "3": "HUMAN-D", "4": "HUMAN-C"}


def span(text: str, words: str) -> list[int]:
    return [text.index(words), text.index(words) + len(words)]


def scu(uid: int, label: str, **contributors: str) -> dict[str, Any]:
    found = {f"HUMAN-{letter}": words for letter, words in contributors.items()}
    parts = [{"model": who, "parts": [span(MODELS[who], words)]} for who, words in found.items()]
    return {"uid": uid, "label": label, "contributors": parts}


INDICTED = scu(
    1,
    "Two Libyans were indicted in 1991",
    A="two Libyans indicted in 1991",
    B="Two Libyans were indicted in 1991",
    C="Two Libyans, accused",
    D="Two Libyan suspects were indicted in 1991.",
)
NEUTRAL = scu(2, "Libya wants a neutral country", A="Libya insisted on a neutral country.")
JET = scu(
    3, "A jet exploded over Lockerbie", B="blowing up a Pan Am jumbo jet over Lockerbie,", C="Pan Am jet over Lockerbie"
)
REFUSED = scu(
    4, "They were not handed over", C="have not been handed over.", D="refused to hand them over.", A="still in Libya."
)
PYRAMIDS = [
    {"topic": "T1", "models": list(MODELS), "annotator": "ann", "scus": [INDICTED, NEUTRAL, JET, REFUSED]},
    {
        "topic": "T1",
        "models": list(MODELS),
        "annotator": "bob",
        "scus": [
            {**INDICTED, "uid": 7},
            scu(
                8,
                "A Pan Am jet was bombed in 1988",
                B="a Pan Am jumbo jet over Lockerbie,",
                C="Pan Am jet over Lockerbie in 1988,",
            ),
            scu(9, "The trial should be in the Netherlands", B="The trial should be held in the Netherlands."),
        ],
    },
]
PEER = {"summaries": {"1": "SYS-1"}, "models": HANDLES, "pyramid": "ann", "mode": "full", "non_matching": True}


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS, pyramids=PYRAMIDS)
    server = served(folder)
    server.give("ann", "peer-ann", "peer", "T1", PEER)
    server.give("bob", "peer-bob", "peer", "T1", {**PEER, "summaries": {"1": "SYS-2"}, "mode": "light"})
    server.give(
        "bob", "cover", "coverage", "T1", {"summaries": {"1": "SYS-2"}, "models": {"1": "HUMAN-D"}, "units": "clauses"}
    )
    server.give("ann", "both", "adjudicate", "T1", {"models": HANDLES, "annotators": ["ann", "bob"]})
    return server


def select(page: Page, first: str, last: str) -> None:
    text = page.get_by_role("listbox", name="Summary")
    text.get_by_role("option", name=first, exact=True).first.click()
    text.get_by_role("option", name=last, exact=True).first.click(modifiers=["Shift"])


def written(server: Server, tmp_path: Path, *tasks: str) -> Path:
    """The campaign as its files will be: what there was, and the nouns of these tasks."""
    folder = tmp_path / "written"
    write_campaign(folder, SUMMARIES, topics=TOPICS, pyramids=PYRAMIDS)
    names = {noun: name for name, noun in NOUNS.items()}
    for id in tasks:
        task = server.assessment.work.task(id)
        assert task is not None
        kind, piece = server.assessment.task_type(task), server.assessment.context(task)
        for noun in kind.nouns(piece, server.state(id), server.assessment.work.history(id)):
            with (folder / f"{names[type(noun)]}.jsonl").open("ab") as file:
                file.write(encode(noun) + b"\n")
    return folder


def scores(page: Page) -> dict[str, str]:
    return {one.get_attribute("data-score") or "": one.inner_text() for one in page.locator("[data-score]").all()}


def test_a_peer_with_words_a_repeat_and_content_that_matches_nothing(
    server: Server,
    sign_in: Callable[..., BrowserContext],
    keep: Callable[[Page, str], None],
    tmp_path: Path,
) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/peer-ann")
    page.get_by_role("button", name="SCU 1, weight 4").click()
    select(page, "Two", "Libyans")
    page.keyboard.press("a")
    select(page, "indicted", "1991.")
    page.keyboard.press("p")
    select(page, "were", "were")
    page.keyboard.press("a")
    page.get_by_role("dialog").get_by_role("button", name="Once more").click()
    page.get_by_role("button", name="SCU 2, weight 1").click()
    select(page, "Libya", "country.")
    page.keyboard.press("a")
    select(page, "The", "fine.")
    page.get_by_role("button", name="Matches no SCU").click()
    saved(page)
    assert server.state("peer-ann")["scu/1"]["contributors"] == [
        [span(PEERS["SYS-1"], "Two Libyans"), span(PEERS["SYS-1"], "indicted in 1991.")],
        [span(PEERS["SYS-1"], "were")],
    ]
    shown = scores(page)
    (row,) = [
        one
        for one in pyramid.score(written(server, tmp_path, "peer-ann"), annotator="ann").scores
        if one.summarizer == "SYS-1"
    ]
    assert (shown["D"], shown["X"]) == (str(row.D), str(row.X)) == ("5", "4")
    assert shown["P"] == f"{row.original:.4f}"
    assert shown["P′"] == f"{row.modified:.4f}"
    expect(page.get_by_label("Missing from the top")).to_contain_text("They were not handed over")
    page.keyboard.press("o")
    expect(page.get_by_role("region", name="Model 2: text")).to_be_visible()
    assert serious(page) == []
    keep(page, "peer")
    page.get_by_role("button", name="Hand in").click()
    saved(page)
    assert server.state("peer-ann")["done"] is True
    server.assessment.settings.set("annotation-scores", False)
    page.reload()
    expect(page.locator(".tiers")).to_be_visible()
    assert page.locator("[data-score]").count() == 0


def test_light_mode_one_key_for_each_scu_then_coverage_by_keys(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = sign_in(server, "bob", scheme="dark").new_page()
    page.goto(f"{server.address}/task/peer-bob")
    expect(page.locator(".scu.current")).to_have_attribute("data-uid", "1")
    for key in ("n", "u", "y"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator(".message")).to_contain_text("1 SCU is still unsure")
    for key in ("k", "k", "n", "j", "n"):
        page.keyboard.press(key)
    saved(page)
    keep(page, "peer-light-dark")
    assert serious(page) == []
    (row,) = [
        one
        for one in pyramid.score(written(server, tmp_path, "peer-bob"), annotator="bob").scores
        if one.summarizer == "SYS-2"
    ]
    assert scores(page) == {"D": str(row.D), "X": "–", "P": "–", "P′": f"{row.modified:.4f}"}
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()

    page.goto(f"{server.address}/task/cover")
    expect(page.locator(".unit")).to_have_count(2)
    page.keyboard.press("0")
    page.keyboard.press("4")
    expect(page.locator(".message")).to_contain_text("Mark the sentences")
    page.keyboard.press("a")
    page.keyboard.press("3")
    saved(page)
    units = {"unit/1": {"percent": 0, "sentences": []}, "unit/2": {"percent": 60, "sentences": [1]}}
    assert server.state("cover") == units
    keep(page, "coverage-dark")
    assert serious(page) == []
    page.get_by_role("button", name="Hand in").click()
    saved(page)
    task = server.assessment.work.task("cover")
    assert task is not None
    (noun,) = server.assessment.task_type(task).nouns(server.assessment.context(task), server.state("cover"), [])
    first, second = json.loads(encode(noun))["units"]
    assert first["unit"] == span(MODELS["HUMAN-D"], "Two Libyan suspects were indicted in 1991.")
    assert second == {
        "unit": span(MODELS["HUMAN-D"], "Libya refused to hand them over."),
        "percent": 60,
        "peer_units": [[0, len(PEERS["SYS-2"])]],
    }


def test_a_consensus_of_two_pyramids(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/both")
    pairs = page.locator(".pair-row")
    expect(pairs).to_have_count(5)
    expect(pairs.last).to_contain_text("100 % of the words alike")
    alpha = page.locator("[data-alpha='word/nominal']").first
    found = pyramid.agreement(server.folder, resamples=0)
    wanted = {one.distance: one.alpha for one in found.alphas if one.unit == "word"}
    for distance in ("nominal", "jaccard", "masi"):
        expect(page.locator(f"[data-alpha='word/{distance}']").first).to_have_text(f"{wanted[distance]:.3f}")
    expect(alpha).to_be_visible()
    page.get_by_role("button", name="Take over what both have alike").click()
    expect(pairs.last).to_contain_text("A kept")
    expect(page.locator("table.agreement tbody tr")).to_have_count(3)  # the consensus is there to compare with
    for key in ("q", "x", "w", "b"):
        page.keyboard.press(key)
    saved(page)
    state = server.state("both")
    choices = sorted(value["choice"] for key, value in state.items() if key.startswith("pair/"))
    assert choices == ["a", "a", "b", "merge", "neither"]
    labels = {value["label"]: value for key, value in state.items() if key.startswith("scu/")}
    jet = labels["A jet exploded over Lockerbie"]
    quotes = {
        one["model"]: [MODELS[HANDLES[one["model"]]][s:e] for s, e in one["parts"]] for one in jet["contributors"]
    }
    assert quotes == {
        "1": ["blowing up a Pan Am jumbo jet over Lockerbie,"],
        "4": ["Pan Am jet over Lockerbie in 1988,"],
    }
    page.get_by_label("Status").select_option("final")
    assert serious(page) == []
    keep(page, "adjudication")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    task = server.assessment.work.task("both")
    assert task is not None
    (noun,) = server.assessment.task_type(task).nouns(server.assessment.context(task), server.state("both"), [])
    row = json.loads(encode(noun))
    assert (row["consensus"], row["status"], row["annotator"]) == (True, "final", "consensus")
    assert re.fullmatch(r"HUMAN-[A-D]", row["scus"][0]["contributors"][0]["model"])


def test_agreement_is_asked_for_once_the_server_has_the_change(
    server: Server, sign_in: Callable[..., BrowserContext]
) -> None:
    context = sign_in(server, "ann")
    held: list[Route] = []
    context.route("**/events", lambda route: held.append(route))
    page = context.new_page()
    page.goto(f"{server.address}/task/both")
    page.get_by_role("button", name="Take over what both have alike").click()
    expect(page.locator(".pair-row").last).to_contain_text("A kept")
    page.wait_for_timeout(1_000)  # longer than the page waits after a change: the server is slow to store it
    for route in held:
        route.continue_()
    expect(page.locator("table.agreement tbody tr")).to_have_count(3)  # two annotators, and the consensus with each


def test_a_consensus_about_a_peer_can_be_edited(
    tmp_path: Path,
    served: Callable[[Path], Server],
    sign_in: Callable[..., BrowserContext],
    keep: Callable[[Page, str], None],
) -> None:
    def annotation(who: str, **words: str) -> dict[str, Any]:
        matches = [{"uid": int(key[1:]), "contributors": [[span(PEERS["SYS-1"], one)]]} for key, one in words.items()]
        return {
            "topic": "T1",
            "summarizer": "SYS-1",
            "annotator": who,
            "pyramid": "ann",
            "scus": matches,
            "unmatched": [],
        }

    both = [
        annotation("ann", s1="Two Libyans were indicted", s2="Libya wanted a trial in a neutral country.", s4="fine."),
        annotation("bob", s1="Two Libyans were indicted in 1991.", s4="fine."),
    ]
    folder = write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS, pyramids=PYRAMIDS, annotations=both)
    server = served(folder)
    server.give("cleo", "both", "adjudicate-peer", "T1", {**PEER, "annotators": ["ann", "bob"]})
    page = sign_in(server, "cleo", scheme="dark").new_page()
    page.goto(f"{server.address}/task/both")
    rows = page.locator(".pair-row")
    expect(rows).to_have_count(2)  # presence first, then words
    expect(rows.first).to_contain_text("SCU 2")
    page.get_by_role("button", name="Take over what both have alike").click()
    page.keyboard.press("q")
    page.keyboard.press("b")
    expect(page.locator("[data-score='D']")).to_have_text("8")
    select(page, "The", "was")
    page.keyboard.press("u")  # what the consensus has besides
    saved(page)
    keep(page, "adjudicate-peer-dark")
    assert serious(page) == []
    wanted = {one.unit: one.alpha for one in pyramid.agreement(folder, resamples=0).alphas if one.distance == "nominal"}
    shown = page.locator("table.agreement tbody tr").first
    expect(shown.locator("[data-alpha='presence/nominal']")).to_have_text(f"{wanted['presence']:.3f}")
    expect(shown.locator("[data-alpha='peer-word/nominal']")).to_have_text(f"{wanted['peer-word']:.3f}")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    task = server.assessment.work.task("both")
    assert task is not None
    (noun,) = server.assessment.task_type(task).nouns(server.assessment.context(task), server.state("both"), [])
    row = json.loads(encode(noun))
    assert (row["consensus"], [one["uid"] for one in row["scus"]], len(row["unmatched"])) == (True, [1, 2, 4], 1)
