"""From dependencies to Basic Elements: the relations, and the rules that find them.

A Basic Element is the head of a major constituent, alone, or a head with one modifier and the relation between them
(Hovy, Lin and Zhou 2005). The labels are those of spaCy's English models (ClearNLP style), the tags Penn Treebank's.
docs/concepts/basic-elements.md explains each relation with an example; tests compare the two and parse the examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from pyramidion.text.basic_elements.simple import NIL
from pyramidion.text.overlap import BasicElement

RULES_VERSION = 1
"""Raised whenever a text may get other elements: what is kept under an older number is not used."""


RELATIONS = {
    "ROOT": "nil",
    "nsubj csubj agent": "subj",
    "nsubjpass csubjpass dobj": "obj",
    "dative": "iobj",
    "attr acomp": "pred",
    "xcomp ccomp oprd": "comp",
    "prep pobj pcomp": "prep_…",
    "amod advmod npadvmod": "mod",
    "compound nmod": "nn",
    "nummod": "num",
    "poss": "gen",
    "appos": "appos",
    "acl": "subj, obj, mod",
    "relcl": "rel",
    "advcl": "advcl",
    "neg": "neg",
}
"""The parser's labels, and the relation between head and modifier that they give; other labels give none."""
_RELATION = {label: relation for labels, relation in RELATIONS.items() for label in labels.split()}
_SUBJECTS = frozenset({"nsubj", "csubj", "nsubjpass", "csubjpass"})
_PASSIVE_SUBJECTS = frozenset({"nsubjpass", "csubjpass"})
_PREDICATES = frozenset({"attr", "acomp"})
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "’s", "'re", "’re", "'m", "’m"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "FW"})
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_CONTENT = _NOUNS | _VERBS | frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "CD"})
"""Tags of content words. Pronouns, determiners, modals, prepositions and the like are neither heads nor modifiers."""
_RELATIVE = frozenset({"WDT", "WP", "WP$"})
_NOT = {"n't": "not", "n’t": "not"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a parsed sentence: its tag, and its head (an index into the sentence; its own for the root)."""

    text: str
    tag: str
    label: str
    head: int


def elements_of(sentence: Sequence[Word]) -> list[BasicElement]:
    """The Basic Elements of one parsed sentence."""
    return _Sentence(sentence).elements()


class _Sentence:
    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words

    @cached_property
    def children(self) -> list[list[int]]:
        """For each word, those that depend on it."""
        children: list[list[int]] = [[] for _ in self.words]
        for index, word in enumerate(self.words):
            if word.head != index:
                children[word.head].append(index)
        return children

    def elements(self) -> list[BasicElement]:
        """Heads alone, then heads with modifiers; each pair of words once for each relation."""
        heads = [index for index in range(len(self.words)) if self._is_content(index) and self._is_head(index)]
        elements: list[BasicElement] = [(self._text(head), NIL, NIL) for head in heads]
        # Coordinated words may lead to a pair in two ways; it is one element.
        pairs = dict.fromkeys(self._pairs())
        elements += [(self._text(head), self._text(modifier), relation) for head, modifier, relation in pairs]
        return elements

    def _is_head(self, index: int) -> bool:
        """Whether a content word is an element by itself: a noun, a verb, or an adjective that is a predicate."""
        word = self.words[index]
        if word.tag in _NOUNS:
            return word.label not in ("compound", "nmod")
        if word.tag in _VERBS:
            return word.label != "amod"
        if word.tag.startswith("JJ"):
            return self._first_conjunct(index).label in (*_PREDICATES, "oprd", "ROOT")
        return False

    def _pairs(self) -> Iterator[tuple[int, int, str]]:
        """Heads and modifiers that are content words, with their relation."""
        for index in range(len(self.words)):
            for heads, modifiers, relation in self._links(index):
                content_heads = list(filter(self._is_content, heads))
                content_modifiers = list(filter(self._is_content, modifiers))
                for head, modifier in product(content_heads, content_modifiers):
                    if head != modifier:
                        yield head, modifier, relation

    def _links(self, index: int) -> Iterator[tuple[list[int], list[int], str]]:
        """What a word's dependency on its head gives: heads, modifiers, relation."""
        word = self.words[index]
        relation = _RELATION.get(word.label, "")
        if not relation or word.head == index or word.label in (*_PREDICATES, "pobj", "pcomp"):
            yield from self._completing(index, word)
            return
        heads, modifiers = self._standing_for(word.head), self._with_conjuncts(index)
        if word.label in _SUBJECTS:
            yield from self._subject(word, modifiers)
        elif word.label == "prep":
            if self.words[word.head].label != "prep":  # out of: seen from the first
                yield from ((heads, objects, f"prep_{name}") for name, objects in self._objects(index))
        elif word.label in ("agent", "dative") and word.tag in ("IN", "TO"):
            yield from ((heads, objects, relation) for _, objects in self._objects(index))
        elif word.label == "acl":
            yield from self._participle(word, heads, modifiers)
        elif word.label == "relcl":
            # Else the relative pronoun stands for the noun, and links it with the verb by a better relation.
            if not self._has_relative(index):
                yield heads, modifiers, relation
        else:
            yield heads, modifiers, relation

    def _completing(self, index: int, word: Word) -> Iterator[tuple[list[int], list[int], str]]:
        """Predicates: after be they were linked with the subject already, after other verbs they complete the verb."""
        if word.label in _PREDICATES and not self._is_copula(word.head):
            yield [word.head], self._with_conjuncts(index), _RELATION["xcomp"]

    def _subject(self, word: Word, subjects: list[int]) -> Iterator[tuple[list[int], list[int], str]]:
        """A subject with its verb and the verbs coordinated with it; of a copula, with the predicate."""
        relation = _RELATION[word.label]
        for verb in (word.head, *self._conjuncts(word.head)):
            if verb != word.head and not _SUBJECTS.isdisjoint(self._labels_below(verb)):
                continue  # a coordinated verb with a subject of its own
            if self._is_copula(verb):
                yield subjects, self._named_by(verb, _PREDICATES), _RELATION["attr"]
            elif verb == word.head:
                yield [verb], subjects, relation
            else:
                yield [verb], subjects, self._shared_relation(word, verb)

    def _shared_relation(self, word: Word, verb: int) -> str:
        """Burned and sank: active; was burned and sunk: the second is passive too; was seen and then left: active."""
        labels = self._labels_below(verb)
        if "auxpass" in labels:
            return _RELATION["nsubjpass"]
        is_participle = self.words[verb].tag == "VBN" and "aux" not in labels
        if is_participle and word.label in _PASSIVE_SUBJECTS:
            return _RELATION["nsubjpass"]
        return _RELATION["nsubj"]

    def _labels_below(self, index: int) -> set[str]:
        """The labels of a word's dependents."""
        return {self.words[child].label for child in self.children[index]}

    def _participle(
        self, word: Word, nouns: list[int], verbs: list[int]
    ) -> Iterator[tuple[list[int], list[int], str]]:  # fmt: skip
        """A noun with the participle behind it: object of "sunk", subject of "sinking"."""
        if word.tag == "VBN":
            yield verbs, nouns, _RELATION["dobj"]
        elif word.tag == "VBG":
            yield verbs, nouns, _RELATION["nsubj"]
        else:
            yield nouns, verbs, _RELATION["amod"]

    def _objects(self, preposition: int) -> Iterator[tuple[str, list[int]]]:
        """The objects of a preposition with its name, that of several words joined: out_of, because_of."""
        waiting = [(preposition, self._text(preposition))]
        while waiting:
            at, name = waiting.pop()
            for child in self.children[at]:
                word = self.words[child]
                is_preposition = word.label == "prep" or (word.label == "pcomp" and word.tag == "IN")
                if is_preposition and not self.children[child]:  # because of: both words have the same object
                    name = f"{name}_{self._text(child)}"
                elif is_preposition:
                    waiting.append((child, f"{name}_{self._text(child)}"))
                elif word.label in ("pobj", "pcomp"):
                    yield name, self._with_conjuncts(child)

    def _with_conjuncts(self, index: int) -> list[int]:
        """The word and what is coordinated with it, each replaced by what it stands for."""
        standing: list[int] = []
        for conjunct in (index, *self._conjuncts(index)):
            standing += self._standing_for(conjunct)
        return standing

    def _conjuncts(self, index: int) -> Iterator[int]:
        """The words that are coordinated with a word, directly or through each other."""
        waiting = [index]
        while waiting:
            for child in self.children[waiting.pop()]:
                if self.words[child].label == "conj":
                    yield child
                    waiting.append(child)

    def _first_conjunct(self, index: int) -> Word:
        """The first of the words that are coordinated with each other."""
        while self.words[index].label == "conj" and self.words[index].head != index:
            index = self.words[index].head
        return self.words[index]

    def _standing_for(self, index: int) -> list[int]:
        """The content words that a word stands for: a copula for its predicate, else its subject; who for its noun."""
        if self._is_copula(index):
            return self._named_by(index, _PREDICATES) or self._named_by(index, _SUBJECTS)
        return [self._noun_of(index)]

    def _named_by(self, index: int, labels: frozenset[str]) -> list[int]:
        """The dependents with these labels and what is coordinated with them."""
        named: list[int] = []
        for child in self.children[index]:
            if self.words[child].label in labels:
                named += map(self._noun_of, (child, *self._conjuncts(child)))
        return named

    def _noun_of(self, index: int) -> int:
        """The word itself; of who, which and that in a relative clause, the noun before it."""
        antecedent = self._antecedent(index) if self.words[index].tag in _RELATIVE else None
        if antecedent is None:
            return index
        return antecedent

    def _is_copula(self, index: int) -> bool:
        """Whether a word is a form of "be" that links a subject with a predicate."""
        word = self.words[index]
        return word.text.lower() in _BE and word.tag in _VERBS and word.label not in ("aux", "auxpass")

    def _antecedent(self, index: int) -> int | None:
        """The noun whose relative clause the word is in."""
        while self.words[index].label != "relcl":
            if self.words[index].head == index:
                return None
            index = self.words[index].head
        return self.words[index].head

    def _has_relative(self, verb: int) -> bool:
        """Whether who, which or that is an argument in the clause, so that it links verb and noun."""
        waiting = [verb]
        while waiting:
            for child in self.children[waiting.pop()]:
                word = self.words[child]
                if word.tag in _RELATIVE and word.label not in ("mark", "det"):
                    return True
                if word.label in ("prep", "agent", "dative", "poss", "pobj", *_SUBJECTS, "dobj"):
                    waiting.append(child)
        return False

    def _is_content(self, index: int) -> bool:
        """Whether a word may be the head or the modifier of an element."""
        word = self.words[index]
        return (
            word.tag in _CONTENT
            and word.label not in ("aux", "auxpass", "prep")  # including, according
            and not self._is_copula(index)
            and any(map(str.isalnum, word.text))
        )

    def _text(self, index: int) -> str:
        """A word as elements have it: in lower case, without the bar that separates fields."""
        text = self.words[index].text.lower().replace("|", "/")
        return _NOT.get(text, text)
