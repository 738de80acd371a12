"""The task of comparing: pairs of summaries of one topic, and which of the two is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    NumberChoice,
    PlanChoice,
    PlanSettings,
    Spec,
    TopicFacts,
    YesNoChoice,
)
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import (
    answer_times,
    check_answered,
    check_text,
    pick_fields,
    request_of,
    shown_text,
)
from pyramidion.assess.kinds.preference.pair_drawing import draw_pairs, draw_pairs_with
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Noun, Preference

LONGEST_REASON = 5_000
CHOICES: dict[Any, Any] = {"left": "a", "right": "b", "tie": "tie"}
PLACES = {"a": "left", "b": "right", "tie": "tie"}
OPPOSITE_PLACES = {"a": "right", "b": "left", "tie": "tie"}
"""Where the better summary stands in a pair that a task shows the other way round."""
EXPORTED = ("topic", "a", "b", "assessor", "choice", "reason", "time", "seconds")
PAIRS = NumberChoice(name="pairs", label="Preferences: pairs for each topic", default=20, highest=500)
INFORMATIVE = YesNoChoice(name="informative", label="Preferences: draw pairs of similar systems first", default=False)


class PreferenceWork(TaskType[Preference]):
    """Pairs of summaries."""

    name = "preference"
    title = "Preferences"
    noun_type = Preference
    page: ClassVar[WorkPage | None] = WorkPage("kinds/preference/page.js", styles=("static/forms.css",))
    listing_field = "pairs"
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = (PAIRS, INFORMATIVE)

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The request and the texts of each pair, cut at the campaign's limit."""
        limit = context.word_limit
        texts = {summary.summarizer: shown_text(summary.text, limit) for summary in context.data.peers}
        shown = []
        for pair in sorted(context.spec["pairs"], key=int):
            left, right = context.spec["pairs"][pair]
            shown.append({"pair": pair, "left": texts[left], "right": texts[right]})
        return {"request": request_of(context), "limit": limit, "pairs": shown}

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Choices and reasons for pairs that there are."""
        match key.split("/"):
            case ["choice", pair] if pair in context.spec["pairs"]:
                if value is not None and value not in CHOICES:
                    raise RefusedError(f"{value!r} is no choice: left, right or tie")
            case ["reason", pair] if pair in context.spec["pairs"]:
                check_text(value, "a reason", LONGEST_REASON)
            case _:
                super().check_field(context, state, key, value)

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every pair has a choice."""
        check_answered({f"choice/{pair}" for pair in context.spec["pairs"]} - state.keys(), "pair")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """A preference for each choice."""
        times = answer_times(events)
        preferences: list[Noun] = []
        for pair, (left, right) in context.spec["pairs"].items():
            key = f"choice/{pair}"
            if key not in state:
                continue
            preference = Preference(
                topic=context.task.topic,
                a=left,
                b=right,
                choice=CHOICES[state[key]],
                assessor=context.person,
                reason=state.get(f"reason/{pair}", ""),
                **times.get(key, {}),
            )
            preferences.append(preference)
        return preferences

    def is_task_row(self, context: TaskContext, row: Preference) -> bool:
        """Whether a preference is its person's, between one of these pairs, whichever summary came first."""
        return row.assessor == context.person and {row.a, row.b} in map(set, context.spec["pairs"].values())

    def counted_in(self, spec: Spec) -> str:
        """Pairs of summaries."""
        return "pairs"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Pairs with a choice."""
        return sum(key.startswith("choice/") for key in state), len(context.spec["pairs"])

    def initial_state(self, context: TaskContext) -> State:
        """The choices that the campaign already has."""
        state: State = {}
        for preference in self.task_rows(context):
            for pair, (left, right) in context.spec["pairs"].items():
                if {preference.a, preference.b} != {left, right}:
                    continue
                places = PLACES if preference.a == left else OPPOSITE_PLACES
                state[f"choice/{pair}"] = places[preference.choice]
                if preference.reason:
                    state[f"reason/{pair}"] = preference.reason
        return state

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """One task with all pairs, if there are any."""
        topic = assignment.topic
        # None draws evenly; a list, even an empty one, draws where a comparison tells most.
        earlier = None
        if INFORMATIVE.value_in(options):
            earlier = [preference for preference in campaign.preferences if preference.topic == topic]
        rng = Random(f"{options.seed}/{assignment.person}/{topic}/pairs")
        pairs = draw_pairs(assignment.summarizers, PAIRS.value_in(options), rng, earlier)
        if pairs:
            yield {"pairs": {str(number): list(pair) for number, pair in enumerate(pairs, start=1)}}

    def late_specs(
        self,
        assignment: Assignment,
        late: Sequence[str],
        known: Sequence[Spec],
        campaign: Campaign,
        facts: TopicFacts,
        options: PlanSettings,
    ) -> Iterator[Spec]:
        """Pairs of a late summary with another one: as many for each as the earlier summaries have on average."""
        uses = Counter(name for spec in known for pair in spec["pairs"].values() for name in pair)
        if not uses:
            return
        number = max(1, round(uses.total() / len(uses)))
        rng = Random(f"{options.seed}/{assignment.person}/{assignment.topic}/late pairs")
        pairs = draw_pairs_with(late, assignment.summarizers, number, rng)
        if pairs:
            yield {"pairs": {str(place): list(pair) for place, pair in enumerate(pairs, start=1)}}

    def items(self, spec: Spec) -> Mapping[str, Hashable]:
        """The pairs by number; whoever stands on the left, a pair is the same."""
        return {number: frozenset(pair) for number, pair in spec["pairs"].items()}

    def summarizers_in(self, spec: Spec) -> set[str]:
        """The summarizers of all pairs."""
        return {summarizer for pair in spec["pairs"].values() for summarizer in pair}

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The preferences."""
        return {"preferences.csv": pick_fields(campaign.preferences, EXPORTED)}


TASK_TYPE = PreferenceWork()
