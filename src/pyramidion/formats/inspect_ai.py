"""Logs of inspect_ai: `.json`, or `.eval`, which is a zip with a file for each sample."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.files import guards
from pyramidion.files.opening import TOO_FAR, open_file
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.gathering import Gathered
from pyramidion.formats.objects import document_of, first_key, id_of, listed, loaded, names_keys, object_at, objects_of

ZSTANDARD = 93
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD)
"""How members may be packed; Python unpacks those of all other methods at once, however large they are."""
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
EACH_EPOCH = "each"
"""The value of the option `epoch` that makes each epoch a system."""
_MARK = "attachment://"


def _detect(path: Path) -> bool:
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
        except (OSError, zipfile.BadZipFile, ValueError):
            return False
        return any(name.startswith("samples/") for name in names) and bool(
            {"header.json", "_journal/start.json"} & {*names}
        )
    return names_keys(("version", "eval", "status"))(path)


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Texts and scores; the summarizer is the model. Of several epochs, the user says which one, or that each counts.

    Raises:
        UsageError: if there are several epochs and nobody chose.
    """
    wanted = options.get("epoch", "")
    gathered = Gathered(paths[0].stem)
    for path in paths:
        at = problems.at(path)
        header, samples = _archive(path, problems) if zipfile.is_zipfile(path) else _document(path, problems)
        model = object_at(header, "eval").get("model")
        named = options.get("summarizer") or (model if isinstance(model, str) and model else path.stem)
        epochs = list(dict.fromkeys(str(sample.get("epoch", 1)) for sample in samples))
        if samples and (wanted or len(epochs) > 1):
            _check_epoch(wanted, epochs, named, path)
        if wanted not in ("", EACH_EPOCH):
            samples = [sample for sample in samples if str(sample.get("epoch", 1)) == wanted]
        for sample in samples:
            if sample.get("error") or sample.get("invalidation"):
                gathered.holes.append((id_of(sample.get("id")) or "", named))
                continue
            is_apart = len(epochs) > 1 and wanted == EACH_EPOCH
            who = f"{named} epoch {sample.get('epoch', 1)}" if is_apart else named
            _add(gathered, sample, who, options.get("document", ""), at)
        gathered.note_holes(at)
    return gathered.campaign()


def _check_epoch(wanted: str, epochs: Sequence[str], model: str, path: Path) -> None:
    """Refuse several runs of one model unless the user says what to do with them.

    Raises:
        UsageError: with the options that there are.
    """
    if wanted == EACH_EPOCH or wanted in epochs:
        return
    if wanted:
        raise UsageError(f"--option epoch={wanted}: {path} has the epochs {', '.join(epochs)}")
    raise UsageError(
        f"{path}: found {len(epochs)} epochs of {model}; expected one output of a system for each sample. Choose one "
        f"epoch: --option epoch={epochs[0]}; or treat each epoch as a system of its own: --option epoch={EACH_EPOCH}"
    )


def _add(gathered: Gathered, sample: Mapping[str, Any], who: str, document: str, at: Place) -> None:
    topic = id_of(sample.get("id"))
    if topic is None:
        at.error("a sample without id", "an id", "Correct the log.", field="id")
        return
    attached = object_at(sample, "attachments")
    metadata = object_at(sample, "metadata")
    source = first_key(metadata, document, ("document", "article", "source")) or _content(sample.get("input"), attached)
    references = [_looked_up(one, attached) for one in listed(sample.get("target"))]
    gathered.add_topic(topic, listed(_looked_up(source, attached)), references)
    output = object_at(sample, "output")
    text = output.get("completion")
    if not isinstance(text, str):
        choices = listed(output.get("choices"))
        text = _content(object_at(choices[0] if choices else {}, "message").get("content"), attached)
    gathered.add_peer(topic, who, _looked_up(text, attached), at)
    for name, score in object_at(sample, "scores").items():
        gathered.add_score(topic, who, name, _graded(score.get("value") if isinstance(score, dict) else score))


def _graded(value: Any) -> Any:
    """The value of a score with numbers for letters, and with several under their keys or places."""
    if isinstance(value, list):
        value = dict(enumerate(value, start=1))
    if isinstance(value, dict):
        return {key: _graded(inner) for key, inner in value.items()}
    return _LETTERS.get(value) if isinstance(value, str) else value


def _content(value: Any, attached: Mapping[str, Any]) -> Any:
    """The text of a message's content, or of the last message of a user."""
    if isinstance(value, list):
        asked = [one for one in value if isinstance(one, dict) and one.get("role") == "user"]
        if asked:
            return _content(asked[-1].get("content"), attached)
        parts = [one.get("text") for one in value if isinstance(one, dict) and isinstance(one.get("text"), str)]
        return "\n".join(str(_looked_up(part, attached)) for part in parts) if parts else None
    return value if isinstance(value, str) else None


def _looked_up(text: Any, attached: Mapping[str, Any]) -> Any:
    """Long texts may stand in `attachments`, under their hash."""
    if isinstance(text, str) and text.startswith(_MARK):
        return attached.get(text.removeprefix(_MARK), text)
    return text


def _document(path: Path, problems: Problems) -> tuple[Any, Sequence[Mapping[str, Any]]]:
    held = document_of(path, problems)
    return held, objects_of(object_at(held).get("samples"))


def _archive(path: Path, problems: Problems) -> tuple[Any, Sequence[Mapping[str, Any]]]:
    header: Any = {}
    samples: list[Mapping[str, Any]] = []
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if guards.grows_too_far(sum(info.file_size for info in archive.infolist()), path.stat().st_size):
                raise ValueError(TOO_FAR)
            for name in ("header.json", "_journal/start.json"):
                if name in names and not header:
                    header = _member(archive, name, problems.at(path))
            for name in names:
                if name.startswith("samples/") and name.endswith(".json"):
                    held = _member(archive, name, problems.at(path))
                    samples += [held] if isinstance(held, dict) else []
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        problems.at(path).error(shorten(str(error), 120), "a log of inspect_ai", "Write the log again.")
    return header, samples


def _member(archive: zipfile.ZipFile, name: str, at: Place) -> Any:
    """A JSON file inside the log; members packed with Zstandard are unpacked here."""
    info = archive.getinfo(name)
    if info.file_size > guards.LOG_MEMBER_BYTES:
        at.error(f"{name} of {info.file_size:,} bytes", f"at most {guards.LOG_MEMBER_BYTES:,}", "Split the log.")
        return None
    try:
        if info.compress_type not in METHODS:
            raise ValueError("compressed with an unsupported method (only deflate and Zstandard are supported)")
        if info.compress_type == ZSTANDARD:
            return loaded(_unpacked(archive, info), at)
        with archive.open(name) as file:
            return loaded(file.read(), at)
    except Exception as error:
        at.error(f"{name}: {shorten(str(error), 100)}", "a JSON document", "Write the log again.")
        return None


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member that the standard library can't decompress before Python 3.14."""
    import zstandard

    file = archive.fp
    assert file is not None
    file.seek(info.header_offset)
    head = file.read(30)
    file.seek(info.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"))
    packed = file.read(info.compress_size)
    content = zstandard.ZstdDecompressor().stream_reader(packed).read(info.file_size + 1)
    if len(content) > info.file_size:
        raise ValueError("more bytes than the archive says")
    return content


FORMAT = Format(
    name="inspect",
    description="logs of inspect_ai (.json, .eval), with their scores",
    detector=_detect,
    within=("*.eval", "*.json"),
    several=True,
    reader=_read,
    options={
        "summarizer": "the name of the model; by default the one in the log",
        "epoch": "which epoch to read, if there are several; each: every epoch is a system of its own",
        "document": "the field of `metadata` that is the source document; by default the input",
    },
)
