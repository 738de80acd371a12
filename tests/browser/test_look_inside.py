"""Looking inside, in a real browser: choosing topics and summaries, and following SCUs through the texts."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from pyramidion import load
from pyramidion.campaign import plain

Open = Callable[..., Page]


def texts(page: Page) -> dict[str, str]:
    """By name, the texts that are shown."""
    sides = page.locator("#look-inside .look-side")
    pairs = sides.evaluate_all("all => all.map(one => [one.children[0].textContent, one.children[2].textContent])")
    return dict(pairs)


def marks(page: Page) -> list[list[str]]:
    """Pieces of the texts as they are marked."""
    pieces = page.locator("#look-inside .look-text span")
    found: list[list[str]] = pieces.evaluate_all(
        "all => all.map(one => [[...one.classList].sort().join(' '), one.textContent, one.title])"
    )
    return found


def test_the_script_shows_what_the_page_without_it_shows(open_page: Open, demo_report: Path) -> None:
    still, live = open_page(demo_report, scripts=False), open_page(demo_report)
    assert texts(still) == texts(live)
    assert marks(still) == marks(live)
    tables = "#look-inside .look-box table"
    assert still.locator(tables).all_inner_texts() == live.locator(tables).all_inner_texts()


def test_choosing_a_topic_and_two_summaries_shows_them_beside_all_models(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    page.locator("#look-inside").get_by_label("Topic", exact=True).select_option(
        label=page.locator("#look-inside").get_by_label("Topic", exact=True).locator("option").nth(5).inner_text()
    )
    page.get_by_label("First summary").select_option(label="kl-greedy (6)")
    page.get_by_label("Second summary").select_option(label="oracle (16)")
    topic = (
        page.locator("#look-inside")
        .get_by_label("Topic", exact=True)
        .locator("option:checked")
        .inner_text()
        .partition(":")[0]
    )
    campaign = load("demo")
    wanted = {
        one.summarizer: plain(one.text)
        for one in campaign.topic(topic, peers="all").peers
        if one.kind == "model" or one.summarizer in ("6", "16")
    }
    assert {name.rpartition("(")[2].rstrip(")"): text for name, text in texts(page).items()} == wanted
    page.locator("#look-inside").get_by_label("Topic", exact=True).select_option(index=0)
    assert page.get_by_label("First summary").locator("option:checked").inner_text() == "kl-greedy (6)"


def test_the_same_summary_twice_is_shown_twice(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    for which in ("First summary", "Second summary"):
        page.get_by_label(which).select_option(label="oracle (16)")
    heads = page.locator("#look-inside .look-texts").first.locator("h3").all_inner_texts()
    assert heads == ["oracle (16)", "oracle (16)"]


def test_an_scu_of_the_list_lights_its_places_by_keyboard_and_stays_when_held(
    open_page: Open, demo_report: Path
) -> None:
    page = open_page(demo_report)
    button = page.locator("#look-inside [data-scu='0']")
    lit = page.locator("#look-inside .look-text .look-lit")
    assert lit.count() == 0
    button.focus()
    assert lit.count() > 1
    assert lit.evaluate_all("all => all.every(one => one.dataset.scus.split(' ').includes('0'))")
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    page.locator("#look-inside").get_by_label("Topic", exact=True).focus()
    assert lit.count() > 1
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert lit.count() == 0


def test_pointing_at_marked_words_lights_their_scus_in_the_list(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    place = page.locator("#look-inside .look-scu").first
    place.hover()
    wanted = (place.get_attribute("data-scus") or "").split(" ")
    rows = page.locator("#look-inside tr.look-lit [data-scu]")
    assert rows.evaluate_all("all => all.map(one => one.dataset.scu)") == wanted
    assert place.get_attribute("title")
