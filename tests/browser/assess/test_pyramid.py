"""The pyramid page: SCUs by mouse and by keyboard alone, discontinuous parts, merge, split, label, undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.assess.conftest import Server, serious, write_campaign
from browser.assess.doing import saved
from browser.assess.lockerbie import HOSTILE, MODELS, SUMMARIES, TOPICS
from pyramidion.assess.store.work import Event

ORDER = ("HUMAN-B", "HUMAN-A", "HUMAN-D", "HUMAN-C")
TEXT = {str(number + 1): MODELS[who] for number, who in enumerate(ORDER)}


@pytest.fixture
def server(tmp_path: Path, served: Callable[[Path], Server]) -> Server:
    server = served(write_campaign(tmp_path / "campaign", SUMMARIES, topics=TOPICS))
    models = {str(number + 1): who for number, who in enumerate(ORDER)}
    for who in ("ann", "bob"):
        server.give(who, f"{who}-pyramid", "pyramid", "T1", {"models": models})
    server.give("ann", "hostile", "pyramid", "T2", {"models": {"1": "HUMAN-A", "2": "HUMAN-B"}})
    return server


def words(page: Page, model: str, *names: str) -> None:
    """Select from the first to the last word by mouse."""
    text = page.get_by_role("listbox", name=f"Model {model}")
    first, last = (text.get_by_role("option", name=name, exact=True).first for name in (names[0], names[-1]))
    first.click()
    if len(names) > 1:
        last.click(modifiers=["Shift"])


def quoted(state: dict[str, Any], uid: int) -> dict[str, list[str]]:
    scu = state[f"scu/{uid}"]
    return {one["model"]: [TEXT[one["model"]][s:e] for s, e in one["parts"]] for one in scu["contributors"]}


def test_by_mouse(server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    tool = page.get_by_role("toolbar").get_by_role("button", name="New SCU")
    words(page, "1", "Two", "1991")
    tool.click()
    words(page, "2", "two", "1991")
    page.get_by_role("button", name="Add A", exact=True).click()
    words(page, "3", "Two", "1991.")
    page.keyboard.press("a")
    words(page, "4", "Two", "Libyans,")  # the second of two parts comes with Ctrl
    page.get_by_role("listbox", name="Model 4").get_by_role("option", name="accused").click(modifiers=["Control"])
    page.keyboard.press("a")
    saved(page)
    assert quoted(server.state("ann-pyramid"), 1) == {
        "1": ["Two Libyans were indicted in 1991"],
        "2": ["two Libyans indicted in 1991"],
        "3": ["Two Libyan suspects were indicted in 1991."],
        "4": ["Two Libyans, accused"],  # neighbours are one part
    }
    words(page, "4", "Lockerbie", "1988,")
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("at most one contributor from each model")
    dialog.get_by_role("button", name="Add as a part").click()
    label = page.get_by_label("Label of SCU 1")
    label.fill("Two Libyans were indicted in 1991")
    label.press("Enter")
    saved(page)
    assert quoted(server.state("ann-pyramid"), 1)["4"] == ["Two Libyans, accused", "Lockerbie in 1988,"]
    assert server.state("ann-pyramid")["scu/1"]["label"] == "Two Libyans were indicted in 1991"

    words(page, "4", "Lockerbie", "1988,")
    page.keyboard.press("s")  # these words become an SCU of their own
    saved(page)
    assert quoted(server.state("ann-pyramid"), 1)["4"] == ["Two Libyans, accused"]
    assert quoted(server.state("ann-pyramid"), 2) == {"4": ["Lockerbie in 1988,"]}
    words(page, "1", "Lockerbie,", "1988.")
    page.keyboard.press("n")
    page.get_by_role("button", name="Merge").click()
    page.get_by_role("dialog").get_by_role("listbox").select_option("2")
    page.get_by_role("dialog").get_by_role("button", name="Merge").click()
    saved(page)
    assert quoted(server.state("ann-pyramid"), 3) == {
        "1": ["Lockerbie, Scotland in 1988."],
        "4": ["Lockerbie in 1988,"],
    }
    assert "scu/2" not in server.state("ann-pyramid")
    page.keyboard.press("Control+z")
    saved(page)
    assert "scu/2" in server.state("ann-pyramid")
    page.keyboard.press("Control+y")
    expect(page.locator(".scu")).to_have_count(2)

    page.locator(".pyramid .block[data-uid='1']").hover()
    assert page.locator(".text .hot").count() >= 15
    expect(page.locator(".column").first).to_contain_text("% covered")
    page.keyboard.press("g")
    expect(page.locator(".line-up")).to_contain_text("Two Libyan suspects were indicted in 1991.")
    assert serious(page) == []
    keep(page, "pyramid")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    saved(page)
    assert server.state("ann-pyramid")["done"] is True
    words(page, "1", "Two")
    page.keyboard.press("n")
    expect(page.locator(".message")).to_contain_text("handed in")


def test_by_keyboard_alone(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    page = sign_in(server, "bob", scheme="dark", width=640).new_page()
    page.goto(f"{server.address}/task/bob-pyramid")
    page.wait_for_selector(".column")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    press("1", *["Shift+ArrowRight"] * 6, "n", "l")
    page.keyboard.type("Two Libyans were indicted in 1991")
    press("Enter")
    press("3", *["Shift+ArrowRight"] * 2, "Control+ArrowRight", "Control+ArrowRight", *["Shift+ArrowRight"] * 3, "a")
    saved(page)
    state = server.state("bob-pyramid")
    assert state["scu/1"]["label"] == "Two Libyans were indicted in 1991"
    assert quoted(state, 1) == {
        "1": ["Two Libyans were indicted in 1991"],
        "3": ["Two Libyan", "were indicted in"],
    }
    press("Home", *["Control+ArrowRight"] * 6, " ", "p")  # the word 1991, as a part
    saved(page)
    assert quoted(server.state("bob-pyramid"), 1)["3"] == ["Two Libyan", "were indicted in 1991."]
    press("Home", "Shift+ArrowRight", "Delete")
    saved(page)
    assert quoted(server.state("bob-pyramid"), 1)["3"] == ["Libyan", "were indicted in 1991."]
    press("4", "End", *["Shift+ArrowLeft"] * 3, "n", "j", "k", "s")
    expect(page.locator(".message")).to_contain_text("a single contributor")
    press("j", "s")  # the first SCU again: its contributors can be split
    page.get_by_role("dialog").get_by_label("Model 3").press(" ")
    press("Enter")
    expect(page.locator(".scu")).to_have_count(3)
    saved(page)
    state = server.state("bob-pyramid")
    assert quoted(state, 1) == {"1": ["Two Libyans were indicted in 1991"]}
    assert quoted(state, 3) == {"3": ["Libyan", "were indicted in 1991."]}
    press("Control+z", "?")
    expect(page.get_by_role("dialog")).to_contain_text("New SCU from the selected words")
    press("Escape", "Delete")
    expect(page.locator(".scu")).to_have_count(1)
    saved(page)
    keep(page, "pyramid-zoomed-dark")
    assert serious(page) == []
    actions = [action for _, action, _ in server.history("bob-pyramid")]
    assert actions[-3:] == ["split", "undo", "remove-scu"]


def test_hostile_and_foreign_texts_stay_texts(server: Server, sign_in: Callable[..., BrowserContext]) -> None:
    page = sign_in(server, "ann").new_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(f"{server.address}/task/hostile")
    assert page.get_by_role("listbox", name="Model 1").inner_text() == HOSTILE["HUMAN-A"]
    page.keyboard.press("1")
    for key in ("Shift+ArrowLeft", "Shift+ArrowLeft", "Control+ArrowLeft", "Control+ArrowLeft", "Shift+ArrowLeft", "n"):
        page.keyboard.press(key)  # text from right to left: the next word is on the left
    page.keyboard.press("2")
    page.keyboard.press("t")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "a"):
        page.keyboard.press(key)
    saved(page)
    found = {
        one["model"]: [HOSTILE["HUMAN-A" if one["model"] == "1" else "HUMAN-B"][s:e] for s, e in one["parts"]]
        for one in server.state("hostile")["scu/1"]["contributors"]
    }
    assert found == {"1": ["اتهم ليبيان", "طائرة"], "2": ["👩‍👩‍👧"]}


def test_suggestions_are_off_unless_the_organiser_turns_them_on_and_each_use_is_logged(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    context = sign_in(server, "ann")
    page = context.new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    expect(page.get_by_role("button", name="New SCU")).to_be_visible()
    expect(page.get_by_role("button", name="Suggest")).to_have_count(0)
    assert context.request.post(f"{server.address}/api/task/ann-pyramid/suggestions").status == 403
    server.assessment.settings.set("annotation-suggestions", True)
    page.reload()
    page.get_by_role("button", name="Suggest").click()  # nothing is there yet: proposals for SCUs
    offered = page.get_by_role("region", name="Suggestions")
    offered.get_by_role("button", name="New SCU").first.click()
    saved(page)
    assert [action for _, action, _ in server.history("ann-pyramid")] == ["suggestion-taken", "suggested-scu"]
    page.get_by_role("button", name="SCU 1, weight").click()
    page.keyboard.press("h")  # for the SCU: words of models that do not contribute yet
    page.get_by_role("button", name="None of these").click() if offered.is_visible() else None
    words(page, "3", "Two", "1991.")
    page.keyboard.press("h")  # for words: similar SCUs
    keep(page, "suggestions")
    offered.get_by_role("button", name="SCU 1").click()
    saved(page)
    log = server.state("ann-pyramid")
    assert [log[key]["about"] for key in sorted(log) if key.startswith("suggestion/")][-1] == "span"
    assert log["suggestion/1"]["taken"] == 0
    assert log["suggestion/1"]["offered"][0]["contributors"]
    page.keyboard.press("Control+z")  # takes back the SCU, not the log
    expect(page.locator(".scu")).to_have_count(0)
    saved(page)
    assert "suggestion/1" in server.state("ann-pyramid")


def test_a_drag_takes_the_words_from_its_start_to_its_end_at_any_speed(
    server: Server, sign_in: Callable[..., BrowserContext]
) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    model = page.get_by_role("listbox", name="Model 1")
    first = model.get_by_role("option", name="Libyans", exact=True)
    last = model.get_by_role("option", name="Lockerbie,", exact=True)
    for steps in (1, 40):  # a robot jumps, a hand moves
        (start, end) = (first.bounding_box(), last.bounding_box())
        assert start
        assert end
        page.mouse.move(start["x"] + 2, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(end["x"] + end["width"] - 3, end["y"] + end["height"] / 2, steps=steps)
        page.mouse.up()
        chosen = model.locator("[role=option][aria-selected=true]").all_inner_texts()
        assert " ".join(chosen) == "Libyans were indicted in 1991 for blowing up a Pan Am jumbo jet over Lockerbie,"
        page.keyboard.press("Escape")
    # A drag that ends in the gap after a word, or below the text, takes the nearest word.
    box, area = first.bounding_box(), model.bounding_box()
    assert box
    assert area
    page.mouse.move(box["x"] + box["width"] + 1, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] + 200)
    page.mouse.up()
    chosen = model.locator("[role=option][aria-selected=true]").all_inner_texts()
    assert chosen[0] in ("Libyans", "were")
    assert "trial" in chosen


def test_at_1280_by_800_the_page_stays_and_the_current_scu_is_in_sight(
    server: Server, sign_in: Callable[..., BrowserContext], keep: Callable[[Page, str], None]
) -> None:
    page = sign_in(server, "ann", height=800).new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    for number in range(14):
        words(page, str(1 + number % 4), "Libyan" if number % 4 == 2 else "Libyans," if number % 4 == 3 else "Libyans")
        page.keyboard.press("n")
        expect(page.locator(".scu")).to_have_count(number + 1)
        for place in ("#saved", ".tools-bar", ".scu.current", "h2:has-text('Model 1')"):
            expect(page.locator(place).first).to_be_in_viewport(ratio=0.98)
        assert page.evaluate("window.scrollY + document.querySelector('main').scrollTop") == 0
    for _ in range(13):
        page.keyboard.press("k")
        expect(page.locator(".scu.current")).to_be_in_viewport(ratio=0.98)
        assert page.evaluate("window.scrollY + document.querySelector('main').scrollTop") == 0
    saved(page)
    keep(page, "pyramid-fitted")
    assert serious(page) == []


def test_an_scu_of_weight_4_by_clauses_takes_few_keys(server: Server, sign_in: Callable[..., BrowserContext]) -> None:
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    expect(page.get_by_role("listbox", name="Model 1")).to_be_visible()
    keys = ["1", "c", "n", *["y", "a"] * 3]
    for key in keys:
        page.keyboard.press(key)
    saved(page)
    assert len(keys) <= 35
    contributors = quoted(server.state("ann-pyramid"), 1)
    assert sorted(contributors) == ["1", "2", "3", "4"]
    assert all("indicted" in contributors[model][0] for model in ("1", "2", "3"))


def span(model: str, words: str) -> list[int]:
    return [TEXT[model].index(words), TEXT[model].index(words) + len(words)]


def scu(label: str, **words: str) -> dict[str, Any]:
    contributors = [{"model": key[1:], "parts": [span(key[1:], quote)]} for key, quote in words.items()]
    return {"label": label, "comment": "", "contributors": contributors}


THREE_SCUS = {
    "scu/1": scu("Two Libyans were indicted", m1="Two Libyans were indicted", m2="two Libyans indicted", m4="New York"),
    "scu/2": scu("A jet was bombed", m4="bombing"),
    "scu/3": scu("A neutral country", m2="neutral country", m1="Netherlands."),
}


@pytest.fixture
def page_with_scus(server: Server, sign_in: Callable[..., BrowserContext]) -> Page:
    """The pyramid page, with three SCUs that were made before."""
    task = server.assessment.work.task("ann-pyramid")
    assert task is not None
    event = Event(id=str(uuid4()), version=1, action="write", changes=THREE_SCUS)
    server.assessment.append(task, task.person, [event])
    page = sign_in(server, "ann").new_page()
    page.goto(f"{server.address}/task/ann-pyramid")
    expect(page.locator(".scu")).to_have_count(3)
    return page


def contributor(page: Page, uid: int, model: str) -> Locator:
    """A contributor as it stands under its SCU in the list."""
    return page.locator(f".scu[data-uid='{uid}'] .made-of li").filter(has=page.get_by_text(model, exact=True))


def test_contributors_in_the_list_are_dragged_to_other_scus_and_to_new_ones(
    server: Server, page_with_scus: Page, keep: Callable[[Page, str], None]
) -> None:
    page = page_with_scus
    colours = page.locator(".scu[data-uid='1'] .made-of li").evaluate_all(
        "(items) => items.map((item) => getComputedStyle(item).borderInlineStartColor)"
    )
    heads = page.locator(".column .model-mark").evaluate_all(
        "(marks) => marks.map((mark) => getComputedStyle(mark).borderTopColor)"
    )
    assert colours == [heads[0], heads[1], heads[3]]
    assert len(set(heads)) == 4

    contributor(page, 1, "4").drag_to(page.locator(".scu[data-uid='3']"))
    saved(page)
    state = server.state("ann-pyramid")
    assert list(quoted(state, 1)) == ["1", "2"]
    assert quoted(state, 3) == {"2": ["neutral country"], "1": ["Netherlands."], "4": ["New York"]}

    contributor(page, 3, "4").drag_to(page.locator(".scu[data-uid='2']"))  # the model contributes there already
    saved(page)
    assert quoted(server.state("ann-pyramid"), 2) == {"4": ["bombing", "New York"]}
    expect(page.locator(".message")).to_contain_text("Its words join those that model 4 has there.")

    contributor(page, 1, "2").hover()
    page.mouse.down()
    page.locator(".scu[data-uid='2']").hover()  # the place for a new SCU shows itself while one drags
    page.locator(".scu[data-uid='2']").hover()
    page.locator(".new-place").hover()
    page.mouse.up()
    saved(page)
    assert quoted(server.state("ann-pyramid"), 4) == {"2": ["two Libyans indicted"]}
    expect(page.locator(".new-place")).to_be_hidden()

    contributor(page, 4, "2").drag_to(page.locator(".scu[data-uid='1']"))  # SCU 4 has no other: it goes
    expect(page.locator(".scu")).to_have_count(3)
    for count in (4, 3, 3, 3):  # each drag is one step back
        page.keyboard.press("Control+z")
        expect(page.locator(".scu")).to_have_count(count)
    saved(page)
    assert server.state("ann-pyramid") == THREE_SCUS
    assert serious(page) == []
    keep(page, "pyramid-contributors")
    actions = [action for _, action, _ in server.history("ann-pyramid")]
    assert actions == ["write", *["move-contributor"] * 4, *["undo"] * 4]


def test_contributors_move_by_keyboard(server: Server, page_with_scus: Page) -> None:
    page = page_with_scus
    for key in ("j", "3", "r"):  # the current SCU has nothing of the third model
        page.keyboard.press(key)
    expect(page.locator(".message")).to_contain_text("Go to a model that contributes (1, 2, 4) by its number")
    page.keyboard.press("4")
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog", name="Move the contributor of model 4")
    expect(dialog).to_contain_text("New York\u2069” leaves SCU 1")
    page.keyboard.type("neutral")
    page.keyboard.press("Enter")
    saved(page)
    assert quoted(server.state("ann-pyramid"), 3)["4"] == ["New York"]
    page.keyboard.press("r")  # SCU 3 is the current one now; back to a new one
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("new scu")
    page.keyboard.press("Enter")
    saved(page)
    assert quoted(server.state("ann-pyramid"), 4) == {"4": ["New York"]}
    contributor(page, 4, "4").get_by_role("button", name="Model 4: New York").focus()
    page.keyboard.press("r")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".scu[data-uid='1']").get_by_role("button", name="SCU 1, weight").click()
    page.get_by_role("button", name="Remove the contributor from model 2").click()
    saved(page)
    assert quoted(server.state("ann-pyramid"), 1) == {"1": ["Two Libyans were indicted"]}


def test_the_list_is_ordered_and_searched_and_hovering_marks_words_in_every_column(page_with_scus: Page) -> None:
    page = page_with_scus

    def listed() -> list[str]:
        return [row.get_attribute("data-uid") or "" for row in page.locator(".scu").all()]

    assert listed() == ["1", "2", "3"]
    orders = {"by weight": ["1", "3", "2"], "by place in the texts": ["1", "3", "2"], "by label": ["2", "3", "1"]}
    for order, uids in orders.items():
        page.keyboard.press("o")
        expect(page.locator(".message")).to_contain_text(f"The SCUs are listed {order}.")
        assert listed() == uids
    page.keyboard.press("o")
    page.keyboard.press("/")
    page.keyboard.type("bombing")  # a word of a contributor, not of the label
    expect(page.locator(".scu")).to_have_count(1)
    assert listed() == ["2"]
    page.get_by_label("Search the SCUs").fill("")
    contributor(page, 1, "2").hover()
    hot = page.locator(".column").evaluate_all(
        "(columns) => columns.map((column) => [...column.querySelectorAll('.hot')].map((w) => w.textContent).join(''))"
    )
    assert hot == ["Two Libyans were indicted", "two Libyans indicted", "", "New York"]
    page.mouse.move(0, 0)
    expect(page.locator(".hot")).to_have_count(0)
    page.get_by_role("heading", name="Pyramid", exact=True).first.click()
    page.keyboard.press("z")
    expect(page.locator(".made-of li")).to_have_count(0)


def test_text_is_found_in_the_models_and_selected_with_more_or_fewer_words(
    server: Server, page_with_scus: Page
) -> None:
    page = page_with_scus
    page.keyboard.press("f")
    page.keyboard.type("LIBYANS")
    expect(page.get_by_text("3 found")).to_be_visible()
    assert page.locator(".text .match").count() == 3
    for number in (1, 2, 3, 1):
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"{number} of 3")).to_be_visible()
        page.keyboard.press("f")
    page.keyboard.type("libya r")
    page.keyboard.press("Enter")

    def chosen() -> str:
        return " ".join(page.locator("[role=option][aria-selected=true]").all_inner_texts())

    assert chosen() == "Libya refused"
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "d", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    assert chosen() == "refused to"
    page.keyboard.press("i")
    assert chosen() == "Libya refused to"
    page.keyboard.press("c")
    assert chosen() == "Libya refused to hand them over."
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("n")
    saved(page)
    assert quoted(server.state("ann-pyramid"), 4) == {"3": ["Libya refused to hand them"]}
    page.keyboard.press("u")  # what is in no SCU yet: the rest of the clause
    assert chosen() == "over."
    page.keyboard.press("u")
    assert "bombing" not in chosen()
    assert chosen().startswith("Two Libyans")


def test_one_drag_over_similar_sentences_makes_an_scu_of_several_models(server: Server, page_with_scus: Page) -> None:
    page = page_with_scus
    page.keyboard.press("g")
    sentences = page.locator(".line-up .sentence")
    first = sentences.filter(has_text="Two Libyans were indicted")
    last = sentences.filter(has_text="Two Libyan suspects were indicted")
    for steps in (1, 30):  # a robot jumps, a hand moves
        first.scroll_into_view_if_needed()
        start, end = first.bounding_box(), last.bounding_box()
        assert start
        assert end
        page.mouse.move(start["x"] + start["width"] / 2, start["y"] + 12)
        page.mouse.down()
        page.mouse.move(end["x"] + 20, end["y"] + 12, steps=steps)
        page.mouse.up()
        expect(page.locator(".scu")).to_have_count(4)
        saved(page)
        models = set(quoted(server.state("ann-pyramid"), 4))
        assert {"1", "3"} <= models
        page.keyboard.press("Control+z")
        expect(page.locator(".scu")).to_have_count(3)
    shown = [sentence.inner_text() for sentence in sentences.all()]
    assert len(shown) == 7  # every sentence of every model, also those without a like


def test_zooming_keeps_what_is_in_sight(page_with_scus: Page) -> None:
    page = page_with_scus
    page.set_viewport_size({"width": 1280, "height": 720})
    top = """(text) => {
      const { top } = text.getBoundingClientRect();
      return [...text.querySelectorAll("[data-unit]")].find((w) => w.getBoundingClientRect().bottom > top + 1).dataset.unit;
    }"""
    text = page.get_by_role("listbox", name="Model 4")
    page.evaluate("document.querySelectorAll('.text').forEach((text) => { text.style.maxHeight = '6rem'; })")
    for key in ("j", "j", "4", "End"):
        page.keyboard.press(key)
    before = text.evaluate(top)
    assert int(before) > 0
    # Zoom by 200 % halves the window in CSS pixels.
    for size in ({"width": 640, "height": 360}, {"width": 1280, "height": 720}, {"width": 960, "height": 540}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.wait_for_function(f"window.innerWidth === {size['width']}")
        page.wait_for_timeout(50)
        assert abs(int(text.evaluate(top)) - int(before)) <= 8  # a line is reflowed: its words stay in sight
        expect(text.locator("[data-unit].cursor")).to_be_in_viewport()
        expect(text).to_be_in_viewport()
        shown = page.locator(".scu.current").bounding_box()
        box = page.locator(".scus").bounding_box()
        assert shown
        assert box
        assert shown["y"] >= box["y"] - 2
        assert shown["y"] < box["y"] + box["height"]
