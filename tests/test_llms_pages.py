"""What language models read of the site: complete, with links that lead somewhere, and made by every `make docs`."""

import re
from pathlib import Path

import pytest

from pyramidion.cli.skill import FILE as SKILL
from tools import llms_pages

ROOT = Path(__file__).parents[1]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    llms_pages.write_pages(tmp_path)
    return tmp_path


def test_every_page_of_the_documentation_is_listed_with_a_sentence(site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^- \[[^\]]+\]\(([^)]+)\): (.+)$", text, re.M))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(listed) == pages
    assert [page for page, sentence in listed.items() if len(sentence) < 15] == []


def test_links_lead_to_files_of_the_site(site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 50
    assert [link for link in links if not (site / link).is_file()] == []


def test_the_full_text_has_the_skill_and_all_pages(site: Path) -> None:
    text = (site / "llms-full.txt").read_text(encoding="utf-8")
    assert text.startswith(SKILL.read_text(encoding="utf-8")[:200])
    for page in llms_pages.pages():
        assert page.text.strip() in text


def test_every_build_of_the_site_makes_them() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ndocs:")[2].partition("\n\n")[0]
    assert recipe.index("zensical build") < recipe.index("tools/llms_pages.py site")
