"""Extraction of Basic Elements: the table of rules, mended punctuation, SIMPLE lines, what is kept."""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.text.basic_elements import spacy_parser
from pyramidion.text.basic_elements.extraction import extract_elements, prepare
from pyramidion.text.basic_elements.repair import reattach_punctuation
from pyramidion.text.basic_elements.rules import RELATIONS, Word, elements_of
from pyramidion.text.basic_elements.simple import is_simple, read_simple
from pyramidion.text.basic_elements.spacy_parser import InstalledModel, SpacyParser, _pipeline, load_parser
from pyramidion.text.basic_elements.store import ElementStore, key_of
from pyramidion.text.overlap import BasicElement

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "basic-elements.md"


def documented_rules() -> Iterator[tuple[list[str], str, str, str, str]]:
    """Labels, relation, explanation, and an example with one of its elements, as the page has them."""
    for row in re.findall(r"^\| (`.*?`) \| (.*?) \| (.*?) \| (.*?) \|$", PAGE.read_text(encoding="utf-8"), re.M):
        sentence, _, element = row[3].replace(chr(92), "").partition(" → ")
        relation, element = (one.strip("`") for one in (row[1], element))
        yield re.findall("`(.*?)`", row[0]), relation.strip("–"), row[2], sentence.strip("–"), element


RULES = list(documented_rules())
LABELS = [label for labels, *_ in RULES for label in labels]


def parsed(text: str | Sequence[str]) -> list[str]:
    (elements,) = load_parser().parse([prepare(text)])
    return ["|".join(element) for element in elements]


def relations(text: str | Sequence[str]) -> set[str]:
    return {element for element in parsed(text) if not element.endswith("|nil|nil")}


@pytest.mark.slow  # loads the parser
@pytest.mark.parametrize(("sentence", "element"), [rule[3:] for rule in RULES if rule[3]])
def test_the_example_of_each_rule_has_its_element(sentence: str, element: str) -> None:
    assert element in parsed(sentence)


@pytest.mark.slow  # loads the parser
def test_the_table_has_each_label_of_the_parser_once() -> None:
    pipeline = _pipeline(load_parser().model)
    assert sorted(LABELS) == sorted(pipeline.get_pipe("parser").labels)  # type: ignore[attr-defined]


def test_the_documentation_has_the_relations_of_the_code() -> None:
    documented = {label: relation for labels, relation, *_ in RULES for label in labels if relation}
    assert documented == {label: relation for labels, relation in RELATIONS.items() for label in labels.split()}


@pytest.mark.slow  # loads the parser
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The old ferry was burned by two angry sailors.",
            {"ferry|old|mod", "burned|ferry|obj", "burned|sailors|subj", "sailors|two|num", "sailors|angry|mod"},
        ),
        ("There was a fire in the port.", {"fire|port|prep_in"}),
        (
            "Officials were in London and Paris on Monday.",
            {"officials|london|prep_in", "officials|paris|prep_in", "officials|monday|prep_on"},
        ),
        (
            "Red and blue ferries were seized and sold to the city.",
            {"ferries|red|mod", "ferries|blue|mod", "seized|ferries|obj", "sold|ferries|obj", "sold|city|prep_to"},
        ),
        (
            "Vessels ran out of fuel because of the strike.",
            {"ran|vessels|subj", "ran|fuel|prep_out_of", "ran|strike|prep_because_of"},
        ),
        (
            "The mayor, whose son owned the boat, resigned.",
            {"son|mayor|gen", "owned|son|subj", "owned|boat|obj", "resigned|mayor|subj"},
        ),
        ("He saw them.", set()),
    ],
)
def test_elements_are_content_heads_with_content_modifiers(text: str, expected: set[str]) -> None:
    assert relations(text) == expected


@pytest.mark.slow  # loads the parser
def test_active_and_passive_voice_have_the_same_elements() -> None:
    assert relations("Sailors burned the ferry.") == relations("The ferry was burned by sailors.")


SYSTEM_17 = (
    "the ferry , which the city bought in 1998 , burned on sunday . two sailors were arrested , police said . "
    "`` they did n't resist , '' said the mayor 's spokesman ( a former sailor ) . the port has been closed ."
)
"""In the manner of DUC 2006's System 17: lower case, and every mark a token of its own."""
AS_WRITTEN = (
    "the ferry, which the city bought in 1998, burned on sunday.",
    "two sailors were arrested, police said.",
    "\"they didn't resist,\" said the mayor's spokesman (a former sailor).",
    "the port has been closed.",
)


@pytest.mark.slow  # loads the parser
def test_detached_punctuation_costs_no_elements() -> None:
    """Paper: Dang 2006, footnote 2: System 17 lost nearly all of its Basic Elements."""
    assert prepare(SYSTEM_17) == AS_WRITTEN
    assert sorted(parsed(SYSTEM_17)) == sorted(parsed(AS_WRITTEN))
    assert len(relations(SYSTEM_17)) > 12


@pytest.mark.parametrize(
    ("detached", "expected"),
    [
        ("The ferry burned .", "The ferry burned."),
        ("It rose 5 % , to $ 3.5 million ; why ?", "It rose 5%, to $3.5 million; why?"),
        ("It rose .5 percent", "It rose .5 percent"),
        ("He said : `` No . ''", 'He said: "No."'),
        ('He said : " No . " " Yes . "', 'He said: "No." "Yes."'),
        ("the workers ' rights", "the workers' rights"),
        ("They 're not Smith 's and it is n't", "They're not Smith's and it isn't"),
        ("the port -LRB- closed -RRB- opened", "the port (closed) opened"),
        ("nothing to mend, here (really).", "nothing to mend, here (really)."),
        ("rock ’n’ roll – well", "rock ’n’ roll – well"),
    ],
)
def test_punctuation_is_re_attached(detached: str, expected: str) -> None:
    assert reattach_punctuation(detached) == expected


@given(st.text())
def test_mending_changes_nothing_but_blanks_quotes_and_named_brackets(text: str) -> None:
    def letters(any_text: str) -> str:
        return "".join(character for character in any_text if character.isalnum())

    mended = reattach_punctuation(text)
    if not re.search("-[lrLR][rscRSC][bB]-", text):
        assert letters(mended) == letters(text)
    assert reattach_punctuation(mended).split() == mended.split() or any(mark in text for mark in "\"'`.,;:!?%$")


@pytest.mark.slow  # loads the parser
def test_lines_and_listed_sentences_are_never_joined() -> None:
    assert prepare("The ferry\nburned.") == ("The ferry", "burned.")
    assert prepare(("The ferry burned. It sank.", "", " ")) == ("The ferry burned.", "It sank.")


@pytest.mark.slow  # loads the parser
@pytest.mark.parametrize(
    "text",
    ["a \ud800 ferry burned.", "\x00 \u202e ferry burned", "日本語のテキスト。", "a" * 4000, "😀 " * 2000, "- - |"],
)
def test_hostile_texts_are_parsed_without_an_error(text: str) -> None:
    assert all(element.count("|") == 2 for element in parsed(text))


@pytest.mark.slow  # loads the parser
def test_what_is_too_long_for_a_sentence_is_parsed_in_pieces() -> None:
    pieces = prepare("word " * 5000 + "x" * 20_000)
    assert max(map(len, pieces)) <= 5000
    assert len(pieces) == 9
    assert "".join(pieces).replace(" ", "") == "word" * 5000 + "x" * 20_000


fields = st.text(st.characters(exclude_characters="|\n\r", codec="utf-8"), max_size=8)


@given(st.lists(st.tuples(fields, fields, fields)))
def test_simple_lines_are_read_back(elements: list[BasicElement]) -> None:
    lines = ["|".join(element) for element in elements]
    assert read_simple(lines) == (elements, [])
    assert read_simple("\r\n".join(lines)) == (elements, [])


def test_texts_are_simple_when_most_lines_have_two_bars() -> None:
    assert is_simple(["a|b|c", "", "d|e|f\nbroken"])
    assert not is_simple(["", "  "])
    assert not is_simple(["The ferry | burned.\nIt sank.", "a|b|c"])


labels = st.sampled_from(LABELS)
tags = st.sampled_from(["NN", "NNS", "VBD", "VBN", "VBG", "IN", "WDT", "WP$", "JJ", "RB", "DT", "TO", "CD", ","])
texts = st.sampled_from(["ferry", "was", "is", "burned", "a|b", "n't", ",", "of"])


@st.composite
def trees(draw: st.DrawFn) -> list[Word]:
    size = draw(st.integers(0, 12))
    order = draw(st.permutations(range(size)))
    heads = {order[place]: order[draw(st.integers(0, place))] for place in range(size)}  # of an earlier one, or its own
    return [Word(text=draw(texts), tag=draw(tags), label=draw(labels), head=heads[index]) for index in range(size)]


@given(trees())
def test_any_tree_gives_elements_of_three_fields(words: list[Word]) -> None:
    for element in elements_of(words):
        assert len(element) == 3
        assert all(field and "|" not in field for field in element)


@pytest.mark.parametrize("label", ["prep", "conj", "pcomp", "attr", "relcl", "nsubj"])
def test_a_chain_of_a_thousand_words_is_no_problem(label: str) -> None:
    words = [
        Word(text="is", tag="VBZ" if label == "attr" else "IN", label=label, head=max(at - 1, 0)) for at in range(1500)
    ]
    assert isinstance(elements_of(words), list)


class Counting:
    """A parser that counts what it parses."""

    name = "counting-1"

    def __init__(self, version: str = "1") -> None:
        self.version = version
        self.texts: list[Sequence[str]] = []

    def parse(self, texts: Iterable[Sequence[str]]) -> Iterator[Sequence[BasicElement]]:
        for text in texts:
            self.texts.append(text)
            yield [(sentence, "nil", self.version) for sentence in text]


TEXTS = [("One.", "Two."), ("Three.",), ("One.", "Two."), ()]


def run(folder: Path | None, parser: Counting) -> list[Sequence[BasicElement]]:
    with ElementStore(folder) as store:
        return extract_elements(TEXTS, parser, store=store)


def test_kept_elements_are_found_again_by_text_parser_and_version(tmp_path: Path) -> None:
    parser = Counting()
    first = run(tmp_path, parser)
    assert len(parser.texts) == 3
    assert run(tmp_path, parser) == first
    assert len(parser.texts) == 3
    newer = Counting("2")
    assert run(tmp_path, newer) != first
    assert len(newer.texts) == 3
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8").endswith("*\n")


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_broken_file_is_ignored_and_written_anew(tmp_path: Path, damage: bytes) -> None:
    run(tmp_path, Counting())
    file = tmp_path / "basic-elements.sqlite"
    file.write_bytes(damage)
    parser = Counting()
    assert len(run(tmp_path, parser)) == 4
    run(tmp_path, parser)
    assert len(parser.texts) == 3


def test_a_file_that_another_process_writes_to_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, Counting())
    monkeypatch.setattr("pyramidion.text.basic_elements.store.TIMEOUT", 0.01)
    other = sqlite3.connect(tmp_path / "basic-elements.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert run(tmp_path, Counting()) == run(None, Counting())
    other.execute("ROLLBACK")
    other.close()
    parser = Counting()
    run(tmp_path, parser)
    assert parser.texts == []


def test_a_file_of_another_kind_or_version_is_made_anew(tmp_path: Path) -> None:
    for statement in ("CREATE TABLE others (a)", "PRAGMA user_version = 99"):
        run(tmp_path, Counting())
        connection = sqlite3.connect(tmp_path / "basic-elements.sqlite", isolation_level=None)
        connection.execute(statement)
        connection.close()
        parser = Counting()
        run(tmp_path, parser)
        run(tmp_path, parser)
        assert len(parser.texts) == 3


def test_a_file_damaged_in_the_middle_costs_only_time(tmp_path: Path) -> None:
    with ElementStore(tmp_path) as store:
        store.put({bytes([number % 256, number // 256]): [("head" * 50, "nil", "nil")] for number in range(2000)})
    file = tmp_path / "basic-elements.sqlite"
    content = bytearray(file.read_bytes())
    content[4096 : len(content)] = os.urandom(len(content) - 4096)
    file.write_bytes(content)
    expected = run(None, Counting())
    assert run(tmp_path, Counting()) == expected
    parser = Counting()
    assert run(tmp_path, parser) == expected


def test_an_entry_that_cannot_be_read_is_parsed_again(tmp_path: Path) -> None:
    run(tmp_path, Counting())
    with sqlite3.connect(tmp_path / "basic-elements.sqlite") as connection:
        connection.execute("UPDATE elements SET elements = '[[1, 2]]'")
    connection.close()
    parser = Counting()
    assert run(tmp_path, parser) == run(None, Counting())
    assert len(parser.texts) == 3
    run(tmp_path, parser)
    assert len(parser.texts) == 3


def test_an_entry_that_somebody_edited_or_moved_is_parsed_again(tmp_path: Path) -> None:
    for edit in (
        """UPDATE elements SET elements = '[["forged", "nil", "nil"]]'""",
        "UPDATE elements SET checksum = zeroblob(16)",
        "UPDATE elements SET (elements, checksum) = (SELECT elements, checksum FROM elements ORDER BY key LIMIT 1)",
    ):
        run(tmp_path, Counting())
        with sqlite3.connect(tmp_path / "basic-elements.sqlite") as connection:
            connection.execute(edit)
        connection.close()
        parser = Counting()
        assert run(tmp_path, parser) == run(None, Counting())
        assert len(parser.texts) >= 2


def test_the_key_of_an_entry_has_the_fingerprint_of_model_and_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "en_made_up"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "3.8")
    versions = set()
    for weights in (b"1", b"2"):
        (package / "weights").write_bytes(weights)
        spacy_parser._fingerprint.cache_clear()
        versions.add(SpacyParser(InstalledModel("en_made_up", "1.0")).version)
    monkeypatch.setattr(spacy_parser, "__file__", str(tmp_path / "elsewhere" / "spacy_parser.py"))  # other rules
    spacy_parser._fingerprint.cache_clear()
    versions.add(SpacyParser(InstalledModel("en_made_up", "1.0")).version)
    spacy_parser._fingerprint.cache_clear()
    assert len(versions) == 3
    assert len({key_of(["a"], SpacyParser(InstalledModel("en_made_up", "1.0")))} | {key_of(["b"], Counting())}) == 2


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert run(tmp_path / "file" / "folder", Counting()) == run(None, Counting())


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_no_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert run(tmp_path / "inside", Counting()) == run(None, Counting())
    finally:
        tmp_path.chmod(0o700)


def test_what_was_parsed_before_an_interruption_is_kept(tmp_path: Path) -> None:
    class Interrupted(Counting):
        def parse(self, texts: Iterable[Sequence[str]]) -> Iterator[Sequence[BasicElement]]:
            yield from list(super().parse(list(texts)[:1]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Interrupted())
    parser = Counting()
    run(tmp_path, parser)
    assert len(parser.texts) == 2
