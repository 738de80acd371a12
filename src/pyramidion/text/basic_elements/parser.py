"""What a parser is, for those who bring their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from pyramidion.text.overlap import BasicElement


class Parser(Protocol):
    """Turns texts into their Basic Elements."""

    @property
    def name(self) -> str:
        """Program, model and version, as signatures show it: `spacy-en_core_web_sm-3.8`."""

    @property
    def version(self) -> str:
        """Changes whenever the same text may get other elements; with the name, what kept elements are filed under."""

    def parse(self, texts: Iterable[Sequence[str]]) -> Iterator[Sequence[BasicElement]]:
        """For each text, given as its sentences, its triples (head, modifier, relation), "nil" where there is none.

        One result for each text, in order, as soon as it is there, so that progress can be reported.
        """
