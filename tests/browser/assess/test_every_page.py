"""Every page there is, in every size, light and dark: nothing serious for axe-core, nothing wider than the window.

The pages are the routes of the application, so a new one is looked at by itself; one with a place in its path needs an
entry in `ADDRESSES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from assess.test_routes import routes_of
from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.lockerbie import SUMMARIES, TOPICS
from browser.assess.test_every_kind import ANNOTATIONS, WORK, do
from browser.assess.test_peers import PYRAMIDS
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.crowd import Crowd, CrowdSettings
from pyramidion.assess.gold import GoldItem, add_gold
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.removals import remove_topic
from pyramidion.assess.store.people import Person, Role
from pyramidion.assess.store.work import Event
from pyramidion.assess.web.app import create_app
from pyramidion.assess.web.plan import accept_plan, draw_draft, read_draft, topic_facts
from pyramidion.assess.web.practice import create_round, tasks_of

TOML = 'name = "Lockerbie"\nword_limit = 60\n[questions]\nset = "duc2006"\n'
SAMPLE = [
    {"topic": "T1", "scu": uid, "drawn": True, "chance": 0.5, "draw": 1, "summarizer": system, "stratum": "T1"}
    for uid in (1, 2)
    for system in ("SYS-1", "SYS-2")
]
SCU = {"label": "Two Libyans", "comment": "", "contributors": [{"model": "1", "parts": [[0, 11]]}]}
CHECK = "What do you judge?\n* the summary\n- the documents"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = {"1280": 1280, "zoomed": 640, "390": 390}
"""1280 px, the same at 200 % zoom, and a phone."""

Sign = Callable[..., BrowserContext]


@dataclass(frozen=True)
class Shown:
    """A page: who opens it, where, and the keys that are pressed on it."""

    who: str
    address: str
    keys: tuple[str, ...] = ()


ROLES: dict[str, Role] = {"olga": "organiser", "ann": "assessor", "gus": "guest"}
NOBODY = "nobody"
ADDRESSES: dict[str, list[Shown]] = {
    "/": [Shown("olga", "/"), Shown("ann", "/")],
    "/dashboard": [Shown("olga", "/dashboard"), Shown("gus", "/dashboard")],
    "/sign-in": [Shown(NOBODY, "/sign-in")],
    "/join/{token}": [
        Shown(NOBODY, "/join/{invitation}"),
        Shown("ann", "/join/{invitation}"),
        Shown(NOBODY, "/join/x"),
    ],
    "/start/{token}": [Shown(NOBODY, "/start/x")],
    "/crowd/{key}": [
        Shown(NOBODY, "/crowd/{crowd}?PROLIFIC_PID=5&STUDY_ID=1&SESSION_ID=2"),
        Shown(NOBODY, "/crowd/{crowd}?PROLIFIC_PID=6&STUDY_ID=1&SESSION_ID=2"),
    ],
    "/topic": [Shown("olga", "/topic?number=T1")],
    "/task/{id}": [Shown("ann", f"/task/{name}", work.keys) for name, work in WORK.items()]
    + [Shown("ann", "/task/content", ("y",)), Shown("ann", "/task/nothing")],
    "/work/{id}": [Shown("olga", f"/work/{name}") for name in ("handed-in", "pyramid")],
    "/norming/{id}": [Shown("ann", "/norming/{norming}"), Shown("ann", "/norming/{compared}")],
    "/guide/{kind}": [Shown("ann", "/guide/form"), Shown("ann", "/guide/pyramid")],
}
"""How routes are opened that have places in their paths, or are for others than organisers."""
NO_PAGES = {"/health", "/dashboard/report", "/export/events.jsonl", "/export/{name}.zip"}
"""Routes that are no pages of the application: data, files and the report, which has tests of its own."""


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    """A campaign in which there is some of everything."""
    pyramids = [{**pyramid, "annotator": who} for pyramid, who in zip(PYRAMIDS, ("cleo", "dan"), strict=True)]
    late = {"topic": "T1", "summarizer": "LATE", "kind": "peer", "text": "It came late."}
    folder = write_campaign(
        tmp_path / "campaign",
        [*SUMMARIES, late, *({**row, "topic": "T3"} for row in SUMMARIES if row["topic"] == "T2")],
        topics=[*TOPICS, {"topic": "T3"}],
        pyramids=pyramids,
        annotations=ANNOTATIONS,
        sample=SAMPLE,
    )
    (folder / "campaign.toml").write_text(TOML)
    server = served(folder)
    for name in ("ann", "bob", "Christopher-with-a-long-name"):
        server.assessment.people.add(name, "assessor")
    return server


def answers(assessment: Assessment, id: str) -> dict[str, Any]:
    """An answer to every question of a form."""
    task = assessment.work.task(id)
    assert task is not None
    names = [question.name for question in assessment.base.questions if question.pass_number == task.spec["pass"]]
    return {f"answer/{handle}/{name}": 1 + int(handle) for handle in task.spec["summaries"] for name in names}


def hand_in(assessment: Assessment, id: str, changes: dict[str, Any]) -> None:
    """Do a piece of work in one event, and hand it in in another."""
    for number, change in enumerate((changes, {"done": True}), start=1):
        task = assessment.work.task(id)
        assert task is not None
        event = Event(id=f"{id}-{number}".rjust(36, "0"), version=task.version + 1, action="answer", changes=change)
        assessment.append(task, task.person, [event], is_locked_ignored=True)


def fill(server: Server, olga: Person) -> dict[str, str]:
    """Work in all states, rounds, gold items, removed topics, a crowd; what addresses hold, by name."""
    assessment = server.assessment
    ann = assessment.people.find(name="ann")
    assert ann is not None
    for name, work in WORK.items():
        spec = work.spec if work.spec.get("pyramid") != "ann" else {**work.spec, "pyramid": "cleo"}
        server.give("ann", name, work.kind, "T1", spec)
    (facts, *_) = topic_facts(assessment.campaign, PlanSettings())
    assignment = Assignment(kind="content", topic="T1", person="ann", summarizers=facts.summarizers)
    (content_spec, *_) = TASK_TYPES["content"].specs(assignment, assessment.campaign, facts, PlanSettings())
    server.give("ann", "content", "content", "T1", dict(content_spec))
    for name in ("ann", "bob"):
        server.give(name, f"form-{name}", "form", "T1", {"pass": 2, "summaries": {"1": "SYS-1", "2": "SYS-2"}})
        hand_in(assessment, f"form-{name}", answers(assessment, f"form-{name}"))
    server.give("bob", "handed-in", "write", "T1", {})
    hand_in(assessment, "handed-in", {"text": "Two Libyans were indicted."})
    add_gold(assessment, GoldItem(topic="T1", summarizer="SYS-1", question="content-responsiveness", low=4, high=5))
    remove_topic(assessment, olga, "T3")
    draw_draft(assessment, PlanSettings(kinds=("form",)))
    draft = read_draft(assessment)
    assert draft is not None
    accept_plan(assessment, draft)
    draw_draft(assessment, PlanSettings(kinds=("form", "preference"), design="crossed", assessors=2))
    rounds = {}
    for name, kind in (("norming", "form"), ("compared", "pyramid")):
        round_ = create_round(assessment, olga, sort="norming", topic="T1", number=1, kind=kind)  # type: ignore[arg-type]
        rounds[name] = round_.id
        for task in tasks_of(assessment, round_):
            if task.person == ann.id:
                changes = answers(assessment, task.id) if kind == "form" else {"scu/1": SCU}
                hand_in(assessment, task.id, changes)
    create_round(assessment, olga, sort="practice", topic="T1", number=2)
    crowd = Crowd(assessment)
    crowd.change(
        CrowdSettings(key="k3y", consent="You read two summaries.", check=CHECK, completion_code="C0DE", is_open=True)
    )
    crowd.add_places(2)
    crowd.workers.consent("6", "2")
    assessment.people.record("audited", "an entry")
    return {"invitation": assessment.people.invite(ann.id), "crowd": crowd.settings.key, **rounds}


def pages_of(assessment: Assessment, names: dict[str, str]) -> list[Shown]:
    """All pages: those that the routes of the application have."""
    app = create_app(assessment)
    paths = {route.path for route in routes_of(app) if "GET" in (route.methods or ())}
    assert paths >= {*ADDRESSES, *NO_PAGES}, "a route that is named here is gone"
    pages: list[Shown] = []
    for path in sorted(paths - NO_PAGES):
        if path.startswith("/api/"):
            continue
        assert path in ADDRESSES or "{" not in path, f"say in ADDRESSES how {path} is opened"
        shown_pages = ADDRESSES.get(path, [Shown("olga", path)])
        pages += [replace(shown, address=shown.address.format_map(names)) for shown in shown_pages]
    return pages


def test_every_page_in_every_size_light_and_dark(
    server: Server, sign_in: Sign, watched: Sign, keep: Callable[[Page, str], None]
) -> None:
    browsers = {who: sign_in(server, who, role=role) for who, role in ROLES.items()}
    browsers[NOBODY] = watched()
    olga = server.assessment.people.find(name="olga")
    assert olga is not None
    names = fill(server, olga)
    tabs = {who: context.new_page() for who, context in browsers.items()}
    problems: list[str] = []
    for number, shown in enumerate(pages_of(server.assessment, names)):
        page = tabs[shown.who]
        page.set_viewport_size({"width": WIDTHS["1280"], "height": 900})
        answer = page.goto(server.address + shown.address)
        assert answer is not None
        assert answer.status < 500, shown.address
        if page.locator("#work").count():
            expect(page.locator("#work .tools-bar")).to_be_visible()
        if shown.keys:
            do(page, shown.keys)
        for size, width in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                name = f"{shown.who} {shown.address} {size} {scheme}"
                is_first = scheme == "light" and size != "zoomed"
                keep(page, f"{number:02}-{size}-{scheme}")
                problems += [f"{name}: {problem}" for problem in serious(page, looks_alone=not is_first)]
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    problems.append(f"{name}: wider than the window")
        page.emulate_media(color_scheme="light")
    assert problems == []
