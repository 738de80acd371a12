"""What is measured: each section checks that all contestants agree, times them in turns and gives a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.rouge import bare, contestants, original
from benchmarks.rouge.contestants import Contestant, Skipped, available, difference, label, turn
from benchmarks.rouge.threads import ThreadTimes
from benchmarks.tables import Table, number
from benchmarks.texts import Item, describe, embedded_items, real_items
from benchmarks.timing import best_of_rounds
from pyramidion.text.overlap import OverlapKind

LONG: Final = (30, 27)
RATES: Final = ("program", "pairs per CPU second", "pairs per wall second", "pyramidion is … times as fast")


class DisagreementError(Exception):
    """A program gives other numbers than ours: nothing is timed."""


@dataclass(frozen=True)
class Rate:
    """Pairs (of a prediction and a target) per second."""

    cpu: float
    wall: float


@dataclass
class Suite:
    """All sections. `rates` keeps what was measured, by section and program, for the goals."""

    folder: Path
    rounds: int
    say: Callable[[str], None]
    rates: dict[str, dict[str, Rate]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def run(self) -> Iterator[Table]:
        """The tables, one after the other. Threads are timed a little after each: a free machine is a rare moment."""
        threads = ThreadTimes(self.folder)
        sections: list[Callable[[], Table]] = [self.short_texts, self.original_measures]
        real = real_items("realsumm")
        if real is not None:
            sections.append(partial(self.real_texts, real))
        sections += [self.other_packages, self.several_models, self.long_texts]
        for section in (*sections, self.growth_with_length, self.growth_with_models):
            yield section()
            threads.take(rounds=self.rounds)
        self.say("Threads")
        for name, (one, two) in threads.rates().items():
            self.rates[f"threads: {name}"] = {"1": Rate(0, one), "2": Rate(0, two)}
        yield threads.table()

    def short_texts(self) -> Table:
        """The main comparison."""
        items = embedded_items(2000)
        text = (
            f"R-1 + R-2 + R-Lsum with stems, one thread: {describe(items)}; no two texts are equal. One target per "
            "prediction."
        )
        return self._compare("short", "Short texts", text, items, self._of_rouge_score())

    def real_texts(self, items: Sequence[Item]) -> Table:
        """The same on the texts of a real campaign."""
        text = (
            f"R-1 + R-2 + R-Lsum with stems, one thread, on REALSumm (CNN/DM; Bhandari et al. 2020): {describe(items)}."
            " 25 predictions share each target; pyramidion reads it once, the others read it every time."
        )
        return self._compare("real", "Real texts", text, items, self._of_rouge_score())

    def several_models(self) -> Table:
        """Best of four targets."""
        items = embedded_items(500, models=4)
        text = (
            f"As above with four targets per prediction; the best one counts: {describe(items)}. Each of the four is a "
            "pair."
        )
        return self._compare("models", "Several references", text, items, self._of_rouge_score())

    def long_texts(self) -> Table:
        """Texts of some 800 words."""
        items = embedded_items(40, size=LONG)
        text = f"R-1 + R-2 + R-Lsum with stems, one thread: {describe(items)}."
        return self._compare("long", "Long texts", text, items, self._of_rouge_score(slow_items=2))

    def original_measures(self) -> Table:
        """ROUGE-1.5.5's measures."""
        items = embedded_items(2000)
        text = (
            f"R-1 … R-4, R-L, R-W-1.2 and R-SU4 with stems, as ROUGE-1.5.5 defines them, one thread: {describe(items)}."
            " One target per prediction; the time includes starting the Perl program (100 pairs per run)."
        )
        makers = [
            original.ours,
            _named("ROUGE-1.5.5", lambda: original.perl(_empty(self.folder / "perl"))),
            _named("a bare C++ loop", lambda: bare.loop(self.folder, "rouge155")),
            _named("kernels", lambda: bare.kernels(self.folder, "rouge155")),
        ]
        return self._compare("original", "The measures of ROUGE-1.5.5", text, items, makers)

    def other_packages(self) -> Table:
        """Those that compute less, each beside ours on the same work."""
        items = embedded_items(2000)
        text = (
            "One thread, the same texts. These packages compute less than those above; here pyramidion does the same "
            "work as they do."
        )
        table = Table("Other packages", text, ("work", *RATES))
        for key, work, maker, mine in (
            ("flat", "R-1 + R-2 + R-L, stems", contestants.torchmetrics, contestants.ours(contestants.FLAT)),
            (
                "rust",
                "R-1 + R-2 + R-L, no stems",
                contestants.rouge_rust,
                contestants.ours(contestants.FLAT, stem=False),
            ),
            ("lcs", "R-L, no stems", contestants.rapidfuzz, contestants.ours(("rougeL",), stem=False)),
            ("grams", "R-1 + R-2, no stems", contestants.rouge_metric, contestants.ours(contestants.GRAMS, stem=False)),
        ):
            part = self._compare(key, work, "", items, [_named("pyramidion", partial(_same, mine)), maker])
            table.rows += [(work, *row) for row in part.rows]
            table.notes += part.notes
        return table

    def growth_with_length(self) -> Table:
        """Time of a pair by the length of its texts."""
        self.say("Growth")
        works = {
            "R-1+2+Lsum": contestants.ours(),
            "R-1…4": original.ours(kinds=[OverlapKind("n", n) for n in (1, 2, 3, 4)]),
            "R-L": original.ours(kinds=[OverlapKind("l")]),
            "R-W": original.ours(kinds=[OverlapKind("w", 1.2)]),
            "R-SU4": original.ours(kinds=[OverlapKind("su", 4)]),
        }
        rivals, _ = available(contestants.rouge_score_rs)
        works |= {f"{rival.name}: R-1+2+Lsum": rival for rival in rivals}
        text = "Microseconds of CPU time per pair, by number of words in each text; sentences have 25 words."
        table = Table("Growth with length", text, ("words", *works))
        for sentences in (2, 4, 8, 16, 32, 64, 128):
            items = embedded_items(2000 // sentences, size=(sentences, 25))  # as many words in each row
            best = best_of_rounds({name: turn(work, items) for name, work in works.items()}, rounds=1)
            times = [best[name].cpu / len(items) * 1e6 for name in works]
            table.rows.append((str(sentences * 25), *map(number, times)))
        return table

    def growth_with_models(self) -> Table:
        """Time of an item by its number of models."""
        works = {"R-1+2+Lsum, best": contestants.ours(), "R-1…4, L, W, SU4, average": original.ours()}
        rivals, _ = available(contestants.rouge_score_rs)
        works |= {f"{rival.name}: R-1+2+Lsum, best": rival for rival in rivals}
        text = "Microseconds of CPU time per prediction with all its references; short texts."
        table = Table("Growth with the number of references", text, ("references", *works))
        for models in (1, 2, 4, 8, 16, 32):
            items = embedded_items(2000 // models, models=models)
            best = best_of_rounds({name: turn(work, items) for name, work in works.items()}, rounds=2)
            table.rows.append((str(models), *(number(best[name].cpu / len(items) * 1e6) for name in works)))
        return table

    def _of_rouge_score(self, slow_items: int | None = None) -> list[Callable[[], Contestant]]:
        """Ours first: the others are compared with it."""

        def slower(maker: Callable[[], Contestant]) -> Callable[[], Contestant]:
            def make() -> Contestant:
                made = maker()
                at_most = made.at_most if slow_items is None else min(made.at_most, slow_items)
                return Contestant(made.name, made.run, at_most, made.tolerance)

            return _named(maker.__name__, make)

        return [
            contestants.ours,
            _named(contestants.ARROW, contestants.ours_from_arrow),
            contestants.ours_one_by_one,
            contestants.rouge_score_rs,
            slower(contestants.rouge_score),
            slower(contestants.evaluate),
            _named("a bare C++ loop", lambda: bare.loop(self.folder, "rouge_score")),
            _named("kernels", lambda: bare.kernels(self.folder, "rouge_score")),
        ]

    def _compare(
        self, key: str, title: str, text: str, items: Sequence[Item], makers: Sequence[Callable[[], Contestant]]
    ) -> Table:
        self.say(title)
        found, skipped = available(*(maker for maker in makers if label(maker) not in self.skipped))
        self._note(skipped)
        self._check(found, items)
        best = best_of_rounds({one.name: turn(one, items) for one in found}, rounds=self.rounds)
        rates = self.rates[key] = {}
        table = Table(title, text, RATES)
        for one in found:
            subset = items[: one.at_most]
            pairs = sum(len(item.targets) for item in subset)
            rates[one.name] = rate = Rate(pairs / best[one.name].cpu, pairs / best[one.name].wall)
            ratio = rates[found[0].name].cpu / rate.cpu
            table.rows.append((one.name, number(rate.cpu), number(rate.wall), "" if one is found[0] else number(ratio)))
        return table

    def _check(self, found: Sequence[Contestant], items: Sequence[Item]) -> None:
        """All numbers of all programs beside ours, before any is timed."""
        expected = found[0].run(items).result
        for one in found[1:]:
            apart = difference(one.run(items[: one.at_most]).result, expected[: one.at_most])
            if not apart <= one.tolerance:
                raise DisagreementError(f"{one.name} differs from ours by {apart:.3g}: nothing is timed")

    def _note(self, skipped: Sequence[Skipped]) -> None:
        for one in skipped:
            if one.name not in self.skipped:
                self.say(f"skipped: {one.name}: {one.reason}")
            self.skipped[one.name] = one.reason


def _same(contestant: Contestant) -> Contestant:
    return contestant


def _named(name: str, maker: Callable[[], Contestant]) -> Callable[[], Contestant]:
    def make() -> Contestant:
        return maker()

    make.__name__ = name
    return make


def _empty(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
