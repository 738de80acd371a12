"""What readers of nuggets have in common: nuggets become SCUs of a pyramid without models, answers its annotations."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyramidion.campaign import PeerAnnotation, Pyramid, Topic
from pyramidion.campaign.nouns import Importance, Match, Scu
from pyramidion.files.problems import Place
from pyramidion.formats.campaign_builder import CampaignBuilder


@dataclass
class NuggetLists(CampaignBuilder):
    """A campaign whose topics have lists of nuggets, as rows add them; a nugget is known by its text."""

    nuggets: dict[str, dict[str, Scu]] = field(default_factory=dict)
    """By topic, the nuggets by their texts."""
    annotator: str = ""

    def add_query(self, topic: str, title: str) -> None:
        """Add a topic with the question that answers are about; the first that comes counts."""
        self.keep_topic(Topic(topic=topic, title=title))

    def add_nugget(self, topic: str, text: str, importance: Importance | None, at: Place, *, comment: str = "") -> int:
        """The number of a nugget of a topic; another importance than before is an error."""
        known = self.nuggets.setdefault(topic, {})
        nugget = known.get(text)
        if nugget is None:
            nugget = Scu(uid=len(known) + 1, label=text, importance=importance, comment=comment)
            known[text] = nugget
        elif nugget.importance != importance:
            at.error(
                found=f"the nugget {text!r} as {importance or 'neither vital nor okay'}",
                expected=f"{nugget.importance or 'no importance'}, as before",
                remedy="Import files that were made with one list of nuggets for each topic.",
            )
        return nugget.uid

    def add_matches(self, topic: str, summarizer: str, matches: list[Match]) -> None:
        """Say which nuggets an answer supports."""
        annotation = PeerAnnotation(topic=topic, summarizer=summarizer, annotator=self.annotator, scus=tuple(matches))
        self.annotations.append(annotation)

    def add_pyramids(self) -> None:
        """Make a pyramid of the nuggets of each topic that has answers."""
        answered = {topic for topic, _ in self.peers}
        for topic, nuggets in self.nuggets.items():
            if topic in answered:
                scus = tuple(nuggets.values())
                self.pyramids.append(Pyramid(topic=topic, annotator=self.annotator, models=(), scus=scus))
