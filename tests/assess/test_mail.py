"""Work by mail: a page without a server, and events that can be merged in any order and any number of times."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.mail import FORMAT, export_task_page, merge_event_files
from pyramidion.cli import program
from pyramidion.errors import InputError, UsageError

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}}


@pytest.fixture
def the(assessment: Assessment) -> Assessment:
    ann = assessment.people.add("ann", "assessor")
    assessment.give_out(Task(id=f"t{i}", kind="form", topic=f"T{i}", person=ann.id, spec=SPEC) for i in (1, 2))
    return assessment


def event(version: int, **changes: Any) -> dict[str, Any]:
    keys = {key.replace("__", "/"): value for key, value in changes.items()}
    time = f"2026-11-16T09:00:{version:02d}.000Z"
    return {
        "id": str(uuid.uuid4()),
        "version": version,
        "action": "answer",
        "changes": keys,
        "seconds": 2,
        "time": time,
    }


def events_file(path: Path, **tasks: list[dict[str, Any]]) -> Path:
    held = {"format": FORMAT, "assessor": "ann", "tasks": {id: {"events": events} for id, events in tasks.items()}}
    path.write_text(json.dumps(held))
    return path


def states(the: Assessment) -> list[dict[str, Any]]:
    return the.work.states(the.work.tasks())


def test_the_page_is_blind_whole_and_allows_only_its_own_scripts(the: Assessment, tmp_path: Path) -> None:
    assert export_task_page(the, "ann", tmp_path / "task.html").task_count == 2
    page = (tmp_path / "task.html").read_text()
    assert not re.search("SYS-|HUMAN-|Secret|Hidden", page)
    assert not re.search(r'(?:src|href)="(?!#|/")', page)  # nothing from elsewhere
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    for tag in ("style", r'script type="importmap"', r'script type="module"'):
        (text,) = re.findall(rf"<{tag}>(.*?)</(?:style|script)>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy.replace("&#39;", "'").replace("&#43;", "+")
    (imports,) = re.findall(r'<script type="importmap">(.*?)</script>', page, re.S)
    for address in json.loads(imports)["imports"].values():
        module = base64.b64decode(address.partition(",")[2]).decode()
        assert '"./' not in "".join(line for line in module.splitlines() if line.startswith(("import", "export")))


def test_events_can_be_merged_in_any_order_and_any_number_of_times(the: Assessment, tmp_path: Path) -> None:
    first = [event(1, answer__1__clear=4), event(2, answer__2__clear=5)]
    second = [event(1, answer__1__clear=2)]
    early = events_file(tmp_path / "early.json", t1=first[:1])
    late = events_file(tmp_path / "late.json", t1=first, t2=second)
    expected = [{"answer/1/clear": 4, "answer/2/clear": 5}, {"answer/1/clear": 2}]
    for files in ([early, late], [late, early], [late], [early], [late, late]):
        merged = merge_event_files(the, files)
        assert merged.problems == []
    assert states(the) == expected
    assert merged.new == 0
    assert [one.time for one in the.work.history("t1")] == [one["time"] for one in first]


def test_the_state_does_not_depend_on_the_order_of_files(folder: Path, tmp_path: Path) -> None:
    chain = [event(i, answer__1__clear=1 + i % 5) for i in range(1, 5)]
    files = [events_file(tmp_path / f"{i}.json", t1=chain[: i + 1]) for i in range(4)]
    found = set()
    for number, order in enumerate(itertools.islice(itertools.permutations(files), 0, 24, 7)):
        the = Assessment(folder, database=f"sqlite:///{tmp_path / f'{number}.sqlite'}")
        ann = the.people.add("ann", "assessor")
        the.work.add([Task(id="t1", kind="form", topic="T1", person=ann.id, spec=SPEC)])
        for file in order:
            merge_event_files(the, [file])
        found.add(json.dumps(states(the)))
        the.close()
    assert len(found) == 1


def test_conflicts_are_listed_and_never_merged(the: Assessment, tmp_path: Path) -> None:
    here = events_file(tmp_path / "a.json", t1=[event(1, answer__1__clear=4)])
    there = events_file(tmp_path / "b.json", t1=[event(1, answer__1__clear=1)], t2=[event(1, answer__1__clear=3)])
    merged = merge_event_files(the, [here, there])
    assert states(the) == [{}, {"answer/1/clear": 3}]
    (problem,) = merged.problems
    assert "went on in different ways" in problem
    assert merge_event_files(the, [here]).problems == []
    (problem,) = merge_event_files(the, [there]).problems
    assert "the work is at version 1" in problem
    assert states(the)[0] == {"answer/1/clear": 4}


def test_what_the_work_does_not_admit_is_refused_from_there_on(the: Assessment, tmp_path: Path) -> None:
    file = events_file(
        tmp_path / "x.json", t1=[event(1, answer__1__clear=4), event(2, x=1), event(3, answer__1__clear=1)]
    )
    (problem,) = merge_event_files(the, [file]).problems
    assert "version 2 was refused" in problem
    assert states(the)[0] == {"answer/1/clear": 4}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "x", "assessor": "ann", "tasks": {}}', '{"format": 1}', "\ufeff\x00", "[" * 9_999],
)
def test_files_that_are_no_events_are_refused(the: Assessment, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match="expected a file"):
        merge_event_files(the, [tmp_path / "x.json"])


def test_events_of_other_people_and_of_no_task_are_listed(the: Assessment, tmp_path: Path) -> None:
    file = events_file(tmp_path / "x.json", t9=[event(1, answer__1__clear=4)])
    (problem,) = merge_event_files(the, [file]).problems
    assert "there is no such work" in problem
    held = json.loads(file.read_text()) | {"assessor": "bob"}
    file.write_text(json.dumps(held))
    assert merge_event_files(the, [file]).problems


def test_who_has_nothing_to_do_gets_no_page(the: Assessment, tmp_path: Path) -> None:
    the.people.add("bob", "assessor")
    with pytest.raises(UsageError, match="no open work"):
        export_task_page(the, "bob", tmp_path / "x.html")
    with pytest.raises(UsageError, match="there are: ann, bob"):
        export_task_page(the, "eve", tmp_path / "x.html")


@pytest.mark.slow
def test_the_command_exports_and_merges_and_writes_the_files(the: Assessment, folder: Path, tmp_path: Path) -> None:
    the.close()

    def run(*arguments: object) -> Any:
        return CliRunner().invoke(program, ["assess", str(folder), *map(str, arguments)])

    done = run("--export", tmp_path / "ann.html", "--assessor", "ann")
    assert (done.exit_code, (tmp_path / "ann.html").exists()) == (0, True), done.output
    file = events_file(tmp_path / "x.json", t1=[event(1, answer__1__clear=4)])
    done = run("--merge", file)
    assert done.exit_code == 0
    assert "1 new event of 1 task stored; 0 were known." in done.output
    assert json.loads((folder / "judgments.jsonl").read_text())["value"] == 4
    other = events_file(tmp_path / "y.json", t1=[event(1, answer__1__clear=1)])
    done = run("--merge", file, "--merge", other)
    assert done.exit_code == 1
    assert "conflict" in done.output
    for half in (("--export", tmp_path / "z.html"), ("--assessor", "ann")):
        assert isinstance(run(*half).exception, UsageError)


@pytest.fixture
def passes(the: Assessment) -> Assessment:
    """Ann has a second pass of both topics, which opens when the first is handed in."""
    ann = the.people.find(name="ann")
    assert ann is not None
    tasks = [Task(id=f"t{i}-2", kind="form", topic=f"T{i}", person=ann.id, spec={**SPEC, "pass": 2}) for i in (1, 2)]
    the.give_out(tasks)
    return the


def test_export_says_what_it_leaves_out(passes: Assessment, folder: Path, tmp_path: Path) -> None:
    command = ["assess", str(folder), "--assessor", "ann", "--export"]
    result = CliRunner().invoke(program, [*command, str(tmp_path / "open.html")])
    assert "2 tasks of ann" in result.stderr
    assert "left out: 2 of 4 tasks, which open when earlier passes are handed in: Pass 2: good (2)" in result.stderr
    assert "--passes all includes them" in result.stderr
    result = CliRunner().invoke(program, [*command, str(tmp_path / "all.html"), "--passes", "all"])
    assert "4 tasks of ann" in result.stderr
    assert "asks to do 2 tasks later" in result.stderr
    page = (tmp_path / "all.html").read_text()
    assert '"t1-2"' in page
    assert "Opens when you have handed in pass 1 of this topic" in page


def test_answers_to_a_later_pass_are_taken_only_if_it_was_mailed(passes: Assessment, tmp_path: Path) -> None:
    early = {"t1-2": [event(1, answer__1__good=4)]}
    file = events_file(tmp_path / "a.json", **early)
    (problem,) = merge_event_files(passes, [file]).problems
    assert "Opens when you have handed in pass 1" in problem
    export_task_page(passes, "ann", tmp_path / "all.html", passes="all")
    merged = merge_event_files(passes, [file])
    assert (merged.new, merged.problems) == (1, [])


def test_passes_without_export_is_a_usage_error(folder: Path) -> None:
    result = CliRunner().invoke(program, ["assess", str(folder), "--passes", "all"])
    assert isinstance(result.exception, UsageError)
