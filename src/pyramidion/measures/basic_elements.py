"""Basic Elements: heads, modifiers and relations shared with the models (Hovy, Lin and Zhou 2005).

What is compared and how it is counted is exactly what ROUGE-1.5.5 does with `-3`, and all that follows from the counts
is shared with ROUGE (`overlap`). The elements come with the data, or from a parser (`text.basic_elements`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, get_args

from pyramidion.campaign import Problems, TopicData
from pyramidion.campaign.nouns import Text
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files.problems import shorten
from pyramidion.measures.base import Rows, grouped, identity, option, with_signatures_of
from pyramidion.measures.overlap import OverlapBlock, OverlapMeasure, PeerModelPairs, pair_up
from pyramidion.measures.run_context import NO_RUN, RunContext
from pyramidion.scores import Evidence
from pyramidion.text.basic_elements import Parser, extract_elements, prepare
from pyramidion.text.basic_elements.rules import RULES_VERSION
from pyramidion.text.basic_elements.simple import is_simple, read_simple
from pyramidion.text.basic_elements.spacy_parser import installed_model, load_parser
from pyramidion.text.basic_elements.store import ElementStore
from pyramidion.text.overlap import BasicElement, BeMode, count_be_overlaps

AUTO, SIMPLE = "auto", "simple"
_PREFIX = "be-"


@dataclass(frozen=True, kw_only=True)
class BasicElements(OverlapMeasure):
    """Basic Elements (heads, modifiers, relations) shared with the models: BE-H, -HM, -HMR, -HM1, -HMR1, -HMR2."""

    mode: BeMode = identity()
    stem: bool = option(True, "compare stems (ROUGE-1.5.5 -m)")  # the rules that find elements know English only
    parser: str | Parser = option(
        AUTO, "a spaCy model; simple: the texts are lines head|modifier|relation; auto: whichever fits the texts"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stop:
            raise UsageError(f"{self.base}: stop=yes: Basic Elements have no stop words; leave the option out")
        if self.parser == SIMPLE:
            self._refuse_limits()

    @property
    def base(self) -> str:
        """`be-hm`."""
        return f"{_PREFIX}{self.mode}"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The mode that a base name means."""
        mode = base.removeprefix(_PREFIX)
        if base.startswith(_PREFIX) and mode in get_args(BeMode):
            return {"mode": mode}
        return None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """All modes."""
        return tuple(f"{_PREFIX}{mode}" for mode in get_args(BeMode))

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """Each text is parsed once for all measures that cut it in the same way.

        Texts that are lists of Basic Elements are not parsed at all.
        """
        return cls.gather_in_run(measures, topics, NO_RUN)

    @classmethod
    def gather_in_run(
        cls, measures: Sequence[Self], topics: Sequence[TopicData], run: RunContext
    ) -> list[Sequence[Evidence | None]]:
        """As `gather`; what was parsed is kept in the run's cache."""
        measures = [measure.within_limit(topics) for measure in measures]
        pairs = pair_up(topics)
        # Asked of all texts together: a single line with two bars in a text is no list of elements.
        as_given = is_simple(pairs.texts)
        blocks: dict[Self, Sequence[Evidence | None]] = {}
        for (parser, *cut), together in grouped(measures, lambda measure: measure._reading(as_given)).items():
            elements = _read_lists(pairs) if parser == SIMPLE else _parse_texts(run, pairs.texts, parser, *cut)
            for stem, alike in grouped(together, lambda measure: measure.stem).items():
                modes = list(dict.fromkeys(measure.mode for measure in alike))
                counts = count_be_overlaps(elements, pairs.index, modes, stem=stem)
                for measure in alike:
                    blocks[measure] = _ElementBlock(
                        pairs, counts[:, modes.index(measure.mode)], measure.rule, parser=parser
                    )
        return [blocks[measure] for measure in measures]

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """As for all overlap measures; signatures tell where the elements came with the data."""
        rows = super().rows(evidence, topics, seed=seed)
        came_with_data = isinstance(evidence, _ElementBlock) and evidence.parser == SIMPLE
        if came_with_data and self.parser == AUTO:
            return with_signatures_of(replace(self, parser=SIMPLE), rows, seed=seed)
        return rows

    def name(self, statistic: str | None = None) -> str:
        """The canonical name; a parser object appears under its name."""
        if isinstance(self.parser, str):
            return super().name(statistic)
        return replace(self, parser=self.parser.name).name(statistic)

    def options_in_effect(self) -> Mapping[str, Any]:
        """The options with the parser that is really used."""
        return {**super().options_in_effect(), "parser": self._parser_name}

    def facts(self, *, seed: int) -> Mapping[str, str]:
        """Which version of the rules makes elements of spaCy's dependencies."""
        rules = {"rules": str(RULES_VERSION)} if self._parser_name.startswith("spacy-") else {}
        return {**super().facts(seed=seed), **rules}

    @property
    def _parser_name(self) -> str:
        """As signatures show it."""
        if not isinstance(self.parser, str):
            return self.parser.name
        if self.parser == SIMPLE:
            return SIMPLE
        wanted_model = None if self.parser == AUTO else self.parser
        try:
            return installed_model(wanted_model).name
        except MissingExtraError:  # then nothing was parsed: the elements came with the data
            return self.parser

    def _reading(self, as_given: bool) -> tuple[str | Parser, int | None, int | None]:
        """The options that decide which elements a text has: parser, words, bytes."""
        if self.parser == AUTO and as_given:
            self._refuse_limits()
            return SIMPLE, None, None
        words = self.words if isinstance(self.words, int) else None
        return self.parser, words, self.bytes

    def _refuse_limits(self) -> None:
        """Refuse words= and bytes= of texts that are lists of Basic Elements."""
        for name in ("words", "bytes"):
            if getattr(self, name) is not None:
                raise UsageError(
                    f"{self.base}: {name}={getattr(self, name)}: a list of Basic Elements has no length; "
                    "cut the texts before they are parsed"
                )


@dataclass(frozen=True, eq=False)
class _ElementBlock(OverlapBlock):
    """Evidence that knows where its elements come from."""

    parser: str | Parser = field(default=AUTO)


def _parse_texts(
    run: RunContext, texts: Sequence[Text], parser: str | Parser, words: int | None, bytes: int | None
) -> list[Sequence[BasicElement]]:
    """The elements of the texts by a parser, which is not even loaded when all of them are kept.

    Where there is not a word to parse, no parser has to be installed.
    """
    # Texts are cut before they are parsed, as ROUGE cuts them before it makes tokens.
    prepared = [prepare(text, words=words, bytes=bytes) for text in texts]
    if not any(prepared):
        return [() for _ in prepared]
    if parser == AUTO:
        parser = load_parser()
    elif isinstance(parser, str):
        parser = load_parser(parser)
    # Parsing takes far longer than counting: parses are kept next to the data.
    with ElementStore(run.cache) as store:
        return extract_elements(prepared, parser, store=store, watch=run.watch("texts parsed"))


def _read_lists(pairs: PeerModelPairs) -> list[Sequence[BasicElement]]:
    """The elements that the texts list; all lines that are none are reported together."""
    problems = Problems()
    listed: list[Sequence[BasicElement]] = []
    for text, writer in zip(pairs.texts, _writers(pairs), strict=True):
        elements, broken = read_simple(text)
        listed.append(elements)
        for problem in broken:
            problems.at(writer, problem.line).error(
                shorten(problem.found),
                "head|modifier|relation, with two bars",
                "Correct the line; NIL stands where there is no modifier or relation.",
            )
    problems.refuse()
    return listed


def _writers(pairs: PeerModelPairs) -> list[str]:
    """Whose text each of the batch is, in the order of `PeerModelPairs.texts`."""
    names: list[str] = []
    for topic in pairs.topics:
        models = [model.summarizer for model in topic.models]
        peers = [peer.summarizer for peer in topic.peers if peer.summarizer not in models]
        names += [f"topic {topic.topic.topic}, model {model}" for model in models]
        names += [f"topic {topic.topic.topic}, peer {peer}" for peer in peers]
    return names
