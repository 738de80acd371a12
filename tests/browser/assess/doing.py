"""What annotators do on the pages of one topic (lockerbie.py), wherever these run: on a server or from a file."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from browser.assess.lockerbie import MODELS, PEERS

INDICTED = "Two Libyans were indicted in 1991"
LOCKERBIE = "A jet was bombed over Lockerbie in 1988"
NEUTRAL = "Libya insisted on a neutral country"


def text(page: Page, writer: str) -> Locator:
    """The text of a model, which pages show without its writer's name."""
    return page.get_by_role("listbox", name=re.compile("^Model")).filter(has_text=MODELS[writer])


def select(text: Locator, first: str, last: str = "", *, more: bool = False) -> None:
    """Select from the first to the last word by mouse; `more`: besides what is selected."""
    text.get_by_role("option", name=first, exact=True).first.click(modifiers=["Control"] if more else [])
    if last:
        text.get_by_role("option", name=last, exact=True).first.click(modifiers=["Shift"])


def tool(page: Page, name: str) -> None:
    page.get_by_role("toolbar").get_by_role("button", name=re.compile(f"^{name}")).click()


def label(page: Page, uid: int, words: str) -> None:
    field = page.get_by_label(f"Label of SCU {uid}", exact=True)
    field.fill(words)
    field.press("Enter")


def pyramid_by_mouse(page: Page) -> None:
    """Two SCUs with a contributor in two parts; split, merge, undo, redo, label; hand in."""
    select(text(page, "HUMAN-B"), "Two", "1991")
    tool(page, "New SCU")
    select(text(page, "HUMAN-A"), "two", "1991")
    tool(page, "Add")
    select(text(page, "HUMAN-D"), "Two", "1991.")
    tool(page, "Add")
    select(text(page, "HUMAN-C"), "Two", "Libyans,")
    select(text(page, "HUMAN-C"), "bombing", more=True)
    select(text(page, "HUMAN-C"), "1988,", more=True)
    tool(page, "Add")
    label(page, 1, INDICTED)
    select(text(page, "HUMAN-C"), "1988,")
    tool(page, "Split")  # this word is about something else
    label(page, 2, LOCKERBIE)
    select(text(page, "HUMAN-B"), "Lockerbie,", "1988.")
    tool(page, "New SCU")
    label(page, 3, LOCKERBIE)
    tool(page, "Merge")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("listbox").select_option("2")
    dialog.get_by_role("button", name="Merge").click()
    expect(page.locator(".scu")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".scu")).to_have_count(3)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".scu")).to_have_count(2)
    hand_in(page)


def pyramid_by_keyboard(page: Page) -> None:
    """Two SCUs with a contributor in two parts, without a mouse; split, merge, undo, label; hand in."""
    expect(text(page, "HUMAN-B")).to_be_visible()
    names = {writer: text(page, writer).get_attribute("aria-label") or "" for writer in MODELS}
    keys = {writer: re.findall("^Model ([1-9])", name)[0] for writer, name in names.items()}

    def press(*pressed: str) -> None:
        for key in pressed:
            page.keyboard.press(key)

    def label(words: str) -> None:
        press("l")
        page.keyboard.type(words)
        press("Enter")

    press(keys["HUMAN-B"], *["Shift+ArrowRight"] * 6, "n")
    label(INDICTED)
    press(keys["HUMAN-D"], *["Shift+ArrowRight"] * 2, *["Control+ArrowRight"] * 2, *["Shift+ArrowRight"] * 3, "a")
    press("Home", *["Control+ArrowRight"] * 6, " ", "p")  # 1991, as a part
    press(keys["HUMAN-A"], "End", *["Shift+ArrowLeft"] * 6, "n")
    label(NEUTRAL)
    press(keys["HUMAN-C"], *["Shift+ArrowRight"] * 2, "n")
    label("Two Libyans")
    press("m")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.type(INDICTED)  # the list can be searched
    press("Enter")
    expect(page.locator(".scu")).to_have_count(2)
    press("Control+z")
    expect(page.locator(".scu")).to_have_count(3)
    press("Control+y")
    expect(page.locator(".scu")).to_have_count(2)
    press("s")  # some contributors become an SCU of their own
    expect(dialog).to_be_visible()
    press(" ", "Enter")
    expect(page.locator(".scu")).to_have_count(3)
    press("Control+z")
    expect(page.locator(".scu")).to_have_count(2)
    hand_in(page, by_key=True)


def peer(page: Page) -> dict[str, str]:
    """Match a peer: SYS-1 expresses an SCU in two parts; what is left matches nothing. Returns the scores shown."""
    summary = page.get_by_role("listbox", name="Summary")
    expect(summary).to_be_visible()
    page.get_by_role("button", name=re.compile("^SCU 1,")).click()
    if PEERS["SYS-1"] in summary.inner_text():
        select(summary, "Two", "Libyans")
        page.keyboard.press("a")
        select(summary, "indicted", "1991.")
        page.keyboard.press("p")
        select(summary, "The", "fine.")
    else:
        select(summary, "A", "Lockerbie")
    tool(page, "Matches no SCU")
    shown = {one.get_attribute("data-score") or "": one.inner_text() for one in page.locator("[data-score]").all()}
    hand_in(page)
    return shown


def coverage(page: Page) -> None:
    """The first unit is expressed by the first sentence, the others are not at all."""
    expect(page.locator(".unit").first).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("3")
    for _ in range(page.locator(".unit").count() - 1):
        page.keyboard.press("0")
    hand_in(page)


def form(page: Page) -> None:
    """All questions of a pass about all its summaries, by keys."""
    expect(page.get_by_role("heading", name=re.compile("^Summary 1 of"))).to_be_visible()
    total = int(re.findall(r"of (\d+) answers", page.locator(".form-progress").inner_text())[0])
    for number in range(total):
        page.keyboard.press(str(1 + number % 5))
    expect(page.get_by_text(f"{total} of {total} answers")).to_be_visible()
    hand_in(page)


def saved(page: Page) -> None:
    """Wait until what was done is stored; a question that was answered acts only once its dialog is gone."""
    expect(page.locator("dialog.question")).to_have_count(0)
    expect(page.locator("#saved")).to_have_text("Saved")


def hand_in(page: Page, *, by_key: bool = False) -> None:
    button = page.get_by_role("button", name="Hand in")
    if by_key:
        button.press("Enter")
    else:
        button.click()
    expect(page.get_by_text("Handed in.")).to_be_visible()
    expect(page.locator("#saved")).to_have_text(re.compile("^(Saved|Kept in this browser)"))
