"""Hostile summaries and names: nothing of them runs, and the page stays whole. (A dialog fails any test here.)"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.hostile_reports import ENDLESS, MARKUP

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_runs_and_the_page_is_whole(open_page: Open, hostile_report: Path, keep: Keep, width: int) -> None:
    page = open_page(hostile_report, width=width)
    assert page.title().startswith(MARKUP)
    assert page.locator("img, iframe, object, embed, svg[onload], [onerror]").count() == 0
    assert page.locator("body > footer").count() == 1
    listed = page.locator("nav a").evaluate_all("all => all.map(one => one.hash.slice(1))")
    assert page.locator("main > section").evaluate_all("all => all.map(one => one.id)") == listed
    assert "look-inside" in listed
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    keep(page, f"hostile-{width}")


def test_every_summary_can_be_looked_at_as_text(open_page: Open, hostile_report: Path) -> None:
    page = open_page(hostile_report)
    first = page.get_by_label("First summary")
    shown = []
    for topic in range(3):
        page.locator("#look-inside").get_by_label("Topic", exact=True).select_option(index=topic)
        for at in range(first.locator("option").count()):
            first.select_option(index=at)
            shown.append(page.locator("#look-inside .look-text").first.text_content() or "")
    assert len(shown) == 3 * 6
    assert any(MARKUP in text for text in shown)
    assert any(text == ENDLESS[:10_000] for text in shown)
    assert not any("\u202e" in text or "\x1b" in text for text in shown)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_sorting_and_choosing_still_work(open_page: Open, hostile_report: Path) -> None:
    page = open_page(hostile_report)
    for button in page.locator("table.sortable:visible thead button").all()[:10]:
        button.click()
    choice = page.locator("select[data-group='measure']").first
    for at in range(choice.locator("option").count()):
        choice.select_option(index=at)
        assert page.locator(".choice:visible").count() >= 1
