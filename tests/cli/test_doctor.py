"""The installation is checked, and the shell completes commands."""

import sys

import pytest

from cli.running import Run, records


def test_the_doctor_scores_the_demo_and_lists_optional_parts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run("doctor")
    assert code == 0
    assert "220 summaries of the demo campaign" in out
    assert "Everything that is needed works." in out
    monkeypatch.setattr(sys.modules["pyramidion.cli.doctor"], "EXTRAS", {"be": ("no_such_module",)})
    lacking = records(run("doctor", "--format", "json")[1])[-1]
    assert (lacking["state"], lacking["remedy"]) == ("missing", "pip install 'pyramidion-eval[be]'")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes(run: Run, shell: str) -> None:
    code, out, _ = run("completion", shell)
    assert code == 0
    assert "_PYRAMIDION_COMPLETE" in out


def test_a_difference_on_a_scale_from_0_to_1_is_asked_about(run: Run) -> None:
    code, _, err = run("power", "demo", "-m", "rouge-2.recall", "--difference", "1")
    assert code == 2
    assert "did you mean --difference 0.01?" in err
    assert run("power", "demo", "-m", "question.focus", "--difference", "1")[0] == 0


def test_power_and_tests_of_correlations_begin_with_the_answer(run: Run) -> None:
    out = run("power", "demo", "-m", "rouge-2.recall", "--difference", "0.01")[1]
    assert out.startswith("Detecting a difference of 0.01 with 80 % power needs 85 topics: 74 more than your 11")
    words = ("-m", "rouge-2.recall", "-m", "rouge-1.recall", "--with", "pyramid.modified", "--test", "williams")
    out = run("correlate", "demo", *words, "--coefficient", "pearson")[1]
    assert out.split()[0] in ("Undecided:", "rouge-1.recall", "rouge-2.recall")
