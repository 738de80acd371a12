"""Make docs/images/report.png: the first screen of the report on examples/two-prompts, as a browser shows it.

Needs Chromium (tools/offer_chromium.sh) and the environment for tests: `.envs/dev/bin/python tools/report_picture.py`.
"""

import shutil
import tempfile
import warnings
from pathlib import Path

from playwright.sync_api import sync_playwright

import pyramidion

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "two-prompts"
PICTURE = ROOT / "docs" / "images" / "report.png"
DATE = "1 May 2026"
"""Fixed, so that the picture changes only if the page does."""


def main() -> None:
    """Write the report into a temporary folder, open it, and save what a window of a laptop's width shows."""
    files = [EXAMPLE / name for name in ("old-prompt.jsonl", "new-prompt.jsonl", "judge.csv")]
    browser_path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))))
    warnings.simplefilter("ignore")  # that there are no references
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = Path(folder) / "report.html"
        pyramidion.report(files, page_path, pair=[("new-prompt", "old-prompt")], title="Two prompts", date=DATE)
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 640})
        page.goto(page_path.as_uri())
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
