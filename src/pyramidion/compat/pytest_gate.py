"""A pytest plugin: the fixture `gate` fails a test if a candidate is worse than a baseline.

It is loaded in every run of pytest where pyramidion is installed, so it imports the rest only when a test uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyramidion.options import MissingOutputs, Undecided
    from pyramidion.run.data import UserData
    from pyramidion.studies.gate import Gate


class GateChecker:
    """What the fixture `gate` gives to a test."""

    def assert_not_worse(
        self,
        data: UserData,
        *,
        baseline: str,
        candidate: str | None = None,
        measure: str | Sequence[str],
        margin: str | float | Sequence[str | float] = (),
        slices: str | None = None,
        cluster: str | None = None,
        undecided: Undecided | None = None,
        missing: MissingOutputs = "lowest",
        scale: Sequence[float] = (),
        confidence: float = 95.0,
    ) -> Gate:
        """Fail the test unless the candidate passes the gate; the failure shows the decision as Markdown.

        Args:
            data: a data frame, a path, or what else `pyramidion.gate` takes.
            baseline: the system that the candidate must not be worse than.
            candidate: by default the only other system.
            measure: what decides; of several measures the first decides, the others guard.
            margin: the largest acceptable loss: in units of the first measure, or as a share, such as "5%".
            slices: a field of topics; each group with the same value is a guard.
            cluster: a field of topics, or a column of the table; topics with the same value count as one unit.
            undecided: "pass" lets an undecided gate pass; by default the test fails.
            missing: "drop" leaves out topics with a missing output; by default it counts as the lowest value.
            scale: the lowest and highest value, where the data does not know them.
            confidence: in percent.

        Returns:
            The decision.
        """
        __tracebackhide__ = True
        from pyramidion import gate
        from pyramidion.present.gate_formats import gate_markdown

        decision = gate(
            data,
            measure,
            against=baseline,
            candidate=candidate,
            margin=margin,
            slices=slices,
            cluster=cluster,
            undecided=undecided,
            missing=missing,
            scale=scale,
            confidence=confidence,
        )
        if decision.exit_code:
            pytest.fail(gate_markdown(decision), pytrace=False)
        return decision


@pytest.fixture(scope="session", name="gate")
def gate_fixture() -> GateChecker:
    """Compare a candidate with a baseline: `gate.assert_not_worse(frame, baseline=…, candidate=…, measure=…)`."""
    return GateChecker()
