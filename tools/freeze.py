"""Records what the program answers, and compares later: for changes that must not change any answer.

`python tools/freeze.py check [GROUP…]` runs every command that is recorded in tests/golden/freeze and prints what has
changed. After an intended change, `python tools/freeze.py record [GROUP…]` records the answers anew; say in the message
of the commit which of them changed, and why.

Numbers are compared at 1e-12, everything else exactly. The wording of errors and warnings, and the layout of pages, are
no part of it.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # `python tools/freeze.py` only looks beside this file

from tools.freezing.answers import Answer
from tools.freezing.groups import GROUPS, Group
from tools.freezing.storage import find_differences, read_answers, write_answers

SHOWN_CASES = 20
"""Cases of a group whose differences are printed."""
SHOWN_DIFFERENCES = 5
"""Differences of a case that are printed."""


def collect_answers(group: Group) -> dict[str, Answer]:
    """Run all cases of a group in a new folder; their answers by name."""
    answers: dict[str, Answer] = {}
    with tempfile.TemporaryDirectory(prefix="freeze-") as name:
        folder = Path(name).resolve()
        group.prepare(folder)
        with contextlib.chdir(folder):
            for case in group.cases:
                if case.name in answers:
                    raise ValueError(f"{group.name} has two cases {case.name!r}")
                answers[case.name] = case.run()
    return answers


def check_group(group: Group) -> list[str]:
    """Lines that say what has changed in a group since it was recorded; none if nothing has."""
    before = read_answers(group.name)
    after = collect_answers(group)
    lines: list[str] = []
    changed_cases = 0
    for case_name in before | after:
        differences = list(find_differences(before.get(case_name, {}), after.get(case_name, {})))
        if not differences:
            continue
        changed_cases += 1
        if changed_cases > SHOWN_CASES:
            continue
        lines.append(f"{group.name}: pyramidion {case_name}")
        lines += [f"    {difference}" for difference in differences[:SHOWN_DIFFERENCES]]
        if len(differences) > SHOWN_DIFFERENCES:
            lines.append(f"    … and {len(differences) - SHOWN_DIFFERENCES} more differences")
    if changed_cases > SHOWN_CASES:
        lines.append(f"{group.name}: … and {changed_cases - SHOWN_CASES} more commands")
    return lines


def main() -> int:
    """Record or check the groups that are named, or all; 1 if something has changed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=("record", "check"))
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"default: all of {', '.join(GROUPS)}")
    options = parser.parse_args()
    unknown_names = [name for name in options.groups if name not in GROUPS]
    if unknown_names:
        parser.error(f"no group {', '.join(unknown_names)}; there are: {', '.join(GROUPS)}")
    has_changed = False
    for name in options.groups or GROUPS:
        group = GROUPS[name]
        if not group.is_available():
            print(f"{name}: skipped, PYRAMIDION_DATA names no folder with this campaign")
        elif options.action == "record":
            answers = collect_answers(group)
            path = write_answers(name, answers)
            print(f"{name}: {len(answers)} answers, {path.stat().st_size:,} bytes")
        else:
            lines = check_group(group)
            has_changed = has_changed or bool(lines)
            print("\n".join(lines) or f"{name}: {len(group.cases)} answers as recorded")
    return int(has_changed)


if __name__ == "__main__":
    sys.exit(main())
