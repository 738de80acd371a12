"""What CONTRIBUTING says about the code, compared with the code that runs."""

import json
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import pyramidion
from pyramidion.cli import program

ROOT = Path(__file__).parents[1]
PACKAGE = Path(pyramidion.__file__).parent
ROWS = [
    {
        "topic": f"t{topic}",
        "summarizer": system,
        "summary": f"the {system} sat on the mat, number {topic}",
        "references": [f"a cat sat on mat {topic}", "the cat was on the mat"],
    }
    for topic in range(6)
    for system in ("cat", "dog", "mat")
]


def modules_that_run(*words: str) -> list[str]:
    """The modules of the package in which functions are called by a command, in the order of their first calls."""
    order: dict[str, None] = {}

    def note_call(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        # Code with a new namespace of its own is a function, not the body of a class or a module.
        if event == "call" and code.co_flags & 0x2 and code.co_filename.startswith(str(PACKAGE)):
            order.setdefault(str(Path(code.co_filename).relative_to(PACKAGE)))

    before = sys.getprofile()
    sys.setprofile(note_call)
    try:
        done = CliRunner().invoke(program, list(words), catch_exceptions=False)
    finally:
        sys.setprofile(before)
    assert done.exit_code == 0, done.output
    return list(order)


@pytest.mark.slow
def test_the_walk_from_a_line_to_the_report_is_the_one_that_runs(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = text[text.index("## One summary, from a JSONL line") : text.index("## House rules")]
    steps = re.split(r"(?m)^\d+\. ", walk)[1:]
    assert len(steps) == 10
    data = tmp_path / "mine.jsonl"
    data.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    compared = modules_that_run("compare", str(data), "-m", "rouge-2.recall")
    reported = modules_that_run("report", str(data), "-m", "rouge-2.recall", "-o", str(tmp_path / "report.html"))
    ran = {*compared, *reported}
    first_modules = [re.search(r"`src/pyramidion/([\w/]+\.py)`", step) for step in steps]
    named = [match[1] for match in first_modules if match]
    assert len(named) == 9  # all but the step in C++
    assert [name for name in named if name not in ran] == []
    rooms = ("intake", "engines", "studies", "present")
    entered = [next(place for place, module in enumerate(compared) if module.startswith(f"{room}/")) for room in rooms]
    assert entered == sorted(entered)
