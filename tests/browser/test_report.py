"""The report in a real browser: mouse and keyboard, wide and narrow, light, dark and on paper."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


REMOVE_REPETITIONS = """() => {
    const compared = /^(class|style|role|aria-(?!label|labelledby|controls|describedby).*)$/;
    const forms = new Map();
    function describe(node) {
        if (node.nodeType !== Node.ELEMENT_NODE) return String(Math.min(node.textContent.trim().length, 2));
        const attributes = [...node.attributes].map(({ name, value }) => compared.test(name) ? name + "=" + value : name);
        const form = [node.localName, ...attributes.sort(), "(", ...[...node.childNodes].map(describe), ")"].join(" ");
        forms.set(node, form);
        return form;
    }
    function removeRepetitions(parent) {
        const seen = new Set();
        for (const child of [...parent.children]) {
            if (child.localName === "svg") continue;
            if (seen.has(forms.get(child))) child.remove(); else removeRepetitions(child);
            seen.add(forms.get(child));
        }
    }
    describe(document.body);
    removeRepetitions(document.body);
}"""
"""Of siblings with the same tags, classes, styles and roles all the way down, only the first one stays.

axe-core does not judge the colours of a single character, so that texts of one and of more characters differ.
"""


def serious(page: Page, *, only_colours: bool = False) -> list[str]:
    """What axe-core finds that is serious or critical; afterwards, only parts of the page are left.

    It takes a millisecond to find the colour behind a word, and a report has thousands of cells. Colours are
    therefore looked at in one row of each kind, and all else that axe-core looks at in the whole page.
    """
    colours = {"type": "rule", "values": ["color-contrast"]}
    all_else = {"color-contrast": {"enabled": False}}
    problems: list[Any] = []
    if not only_colours:
        problems += Axe().run(page, options={"resultTypes": ["violations"], "rules": all_else}).response["violations"]
    page.evaluate(REMOVE_REPETITIONS)
    response: Any = Axe().run(page, options={"resultTypes": ["violations"], "runOnly": colours}).response
    assert [result["id"] for result in response["passes"]] == ["color-contrast"]
    problems += response["violations"]
    return [
        f"{problem['id']}: {node['target']} {node.get('failureSummary', '')}"
        for problem in problems
        if problem["impact"] in ("serious", "critical")
        for node in problem["nodes"][:5]
    ]


def first_table(page: Page) -> Locator:
    """The first sortable table of the leaderboards."""
    return page.locator("#leaderboards table.sortable:visible").first


def column(table: Locator, at: int) -> list[float]:
    cells = table.locator(f"tbody tr > :nth-child({at})")
    values = cells.evaluate_all("all => all.map(one => one.dataset.value ?? one.textContent.replace('−', '-'))")
    return [float(value) for value in values]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_demo_report_fits_the_window_and_axe_finds_nothing_serious(
    open_page: Open, demo_report: Path, keep: Keep, width: int, scheme: str
) -> None:
    page = open_page(demo_report, width=width, scheme=scheme)
    assert page.locator("main > section").count() >= 5
    assert overflow(page) <= 0
    keep(page, f"demo-{width}-{scheme}")
    assert len(page.screenshot()) > 10_000
    assert serious(page, only_colours=scheme == "dark") == []


def test_a_click_on_a_head_sorts_and_another_one_turns_the_order(open_page: Open, demo_report: Path) -> None:
    table = first_table(open_page(demo_report))
    head = table.locator("thead th.r").first
    at = head.evaluate("one => one.cellIndex + 1")
    before = column(table, at)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(table, at) == sorted(before, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(table, at) == sorted(before)


def test_the_keyboard_sorts_too(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    table = first_table(page)
    head = table.locator("thead th.r").first
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert "sorted by" in (page.locator("#said").text_content() or "")


def test_choosing_a_measure_shows_its_part_and_hides_the_others_everywhere(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    choice = page.locator("select[data-group='measure']").first
    names = choice.locator("option").all_text_contents()
    assert len(names) >= 4
    chooser = page.locator(".chooser", has=choice).first
    for name in (names[-1], names[1]):
        choice.select_option(label=name)
        shown = chooser.locator(":scope > .choice:visible")
        assert shown.evaluate_all("all => all.map(one => one.dataset.choice)") == [name]
        for other in page.locator("select[data-group='measure']").all():
            if name in other.locator("option").all_text_contents():
                assert other.input_value() == name


def test_tab_reaches_everything_that_can_be_used(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    usable = page.locator("a[href], button, select, input, summary, [tabindex='0']").locator("visible=true")
    wanted = usable.evaluate_all("all => all.map((one, at) => { one.dataset.at = at; return at })")
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(len(wanted) + 20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.at"))
    missed = [at for at in wanted if str(at) not in reached]
    assert [usable.nth(at).evaluate("one => one.outerHTML.slice(0, 200)") for at in missed] == []


def test_tables_and_figures_can_be_saved(open_page: Open, demo_report: Path, tmp_path: Path) -> None:
    page = open_page(demo_report)
    starts = {"csv": b"\xef\xbb\xbf", "latex": b"\\begin{table}", "svg": b"<svg", "png": b"\x89PNG"}
    for kind, start in starts.items():
        with page.expect_download() as waiting:
            page.locator(f"[data-save={kind}]:visible").first.click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.read_bytes().startswith(start), kind


def test_on_paper_nothing_is_cut_and_the_controls_are_gone(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report, width=720)  # A4 at 96 dots an inch, less its margins
    page.emulate_media(media="print")
    assert page.locator("nav:visible, select:visible, [data-save]:visible, button.more:visible").count() == 0
    assert page.locator("main > section:visible").count() == page.locator("main > section").count()
    hidden = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.className)"
    assert page.locator(".look-long, .look-box").evaluate_all(hidden) == []
    assert overflow(page) <= 0


def test_a_folded_page_prints_as_a_paper_of_a_few_pages(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report, unfolded=False)
    printed = page.pdf(format="A4", margin={"top": "15mm", "bottom": "15mm", "left": "15mm", "right": "15mm"})
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= 6
    assert page.locator("main details.fold[open]").count() == 0  # as before


def test_without_script_the_page_still_says_everything(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report, scripts=False, unfolded=False)
    page.locator("#look-inside summary").first.click()
    assert page.locator("#look-inside .look-text").count() == 2 + 4
    assert page.locator(".look-match:visible").count() > 10
    assert page.locator("select:visible").count() == 0
    assert page.locator("table:visible").count() > 3
    assert page.locator("tbody.rest tr:visible").count() == 12  # nothing is behind a button that does nothing


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (820, 1180), (390, 844)])
def test_the_first_screen_has_the_answer_and_its_picture(
    open_page: Open, demo_report: Path, pair_report: Path, width: int, height: int
) -> None:
    for report, answer in (
        (demo_report, "oracle (16) is significantly better than every other system on overall responsiveness"),
        (pair_report, "oracle (16) beats kl-greedy (6) on overall responsiveness"),
    ):
        page = open_page(report, width=width, height=height, unfolded=False)
        assert page.locator("#answer h2").inner_text().replace("\u00a0", " ") == answer
        wanted = ["h1", ".facts", "#answer h2", "#answer .answer-text p", "#answer .dots circle"]
        wanted += ["#answer .answer-2 tbody tr"] if width > height and report == demo_report else []
        for place in wanted:
            box = page.locator(place).first.bounding_box()
            assert box is not None, place
            assert box["y"] + box["height"] <= height, place
        assert overflow(page) <= 0
        cut = (
            "[...document.querySelectorAll('#answer .scroll')].filter(one => one.scrollWidth > one.clientWidth).length"
        )
        assert page.evaluate(cut) == 0
        assert page.locator("main details.fold[open]").count() == 0


def test_the_first_screen_of_a_large_campaign_shows_the_first_systems_and_how_to_see_all(
    open_page: Open, large_report: Path
) -> None:
    page = open_page(large_report, width=1280, height=800, unfolded=False)
    more = page.locator("#answer button.more")
    assert more.inner_text() == "Show all 35"
    for place in (more, page.locator("#answer .answer-2 tbody tr").last):
        box = place.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800


def test_title_date_and_pair_are_on_top(open_page: Open, pair_report: Path) -> None:
    page = open_page(pair_report)
    assert page.locator("h1").inner_text() == "Six or sixteen"
    assert page.locator(".facts").inner_text().startswith("1 May 2026 · 20 systems · 11 topics · 3 measures")
    assert page.locator("#answer-in-words-title ~ *, .words li").count() >= 3
    assert serious(page) == []


def test_one_click_leads_to_the_texts_where_either_system_is_furthest_ahead(open_page: Open, pair_report: Path) -> None:
    page = open_page(pair_report, unfolded=False)
    page.locator("#answer .go a").click()
    lines = page.locator(".look-losses p")
    lines.first.wait_for(state="visible")
    assert lines.nth(0).inner_text().startswith("oracle (16) is furthest ahead on question.")
    assert lines.nth(1).inner_text().startswith("kl-greedy (6) is ")
    losses = lines.nth(0).locator("button")
    amounts = [float(text.partition("(+")[2].rstrip(")")) for text in losses.all_inner_texts()]
    assert len(amounts) > 1
    assert amounts == sorted(amounts, reverse=True)
    losses.nth(1).click()
    topic = losses.nth(1).inner_text().partition(" ")[0]
    assert page.locator(".look-why b").inner_text().startswith(topic)
    assert page.locator(".look-text").count() == 2 + 4


def test_topics_are_filtered_by_attribute_in_texts_and_scores_alike(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    everyone = page.locator("#heat thead th").count()
    page.locator("#look-inside-view-filter").select_option(label="part = A")
    shown = page.locator("#look-inside-view-topic option").all_inner_texts()
    assert 0 < len(shown) < everyone - 1
    assert page.locator("#heat-filter").input_value() == "part = A"
    assert page.locator("#heat thead th").count() == len(shown) + 1
    page.locator("#heat-filter").select_option(label="all topics")
    assert page.locator("#heat thead th").count() == everyone


def test_on_a_phone_contents_are_collapsed_and_wide_frames_say_that_they_scroll(
    open_page: Open, demo_report: Path
) -> None:
    page = open_page(demo_report, width=390, unfolded=False)
    assert page.locator("nav a:visible").count() == 0
    page.locator("nav summary").click()
    page.locator("nav a", has_text="Leaderboards").click()
    page.locator("#leaderboards .hint:not([hidden])").first.wait_for(state="visible")
    wide = open_page(demo_report, unfolded=False)
    assert wide.locator("nav a:visible").count() >= 5


def test_labels_of_drawings_have_room_in_a_wide_font(open_page: Open, demo_report: Path) -> None:
    page = open_page(demo_report)
    page.evaluate(
        """() => { for (const one of document.querySelectorAll('.drawing svg text')) {
            one.setAttribute('font-family', 'DejaVu Sans, Verdana, sans-serif'); } }"""
    )
    cut = page.locator(".drawing svg:visible").evaluate_all(
        """all => all.flatMap(svg => {
            const frame = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')]
                .filter(one => { const box = one.getBoundingClientRect();
                    return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1); })
                .map(one => one.textContent);
        })"""
    )
    assert cut == []
