"""Logs of inspect_ai: `.json`, or `.eval`, which is a zip with a file for each sample."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError, mention
from pyramidion.files import guards
from pyramidion.files.opening import TOO_FAR, open_file
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import Glimpse, names_keys
from pyramidion.formats.harnesses.log_systems import LONGEST_NAME, LogLabels, name_logs
from pyramidion.formats.json_values import (
    document_of,
    first_key,
    id_of,
    listed,
    loaded,
    object_at,
    objects_of,
    text_or_empty,
)
from pyramidion.intake.run_numbers import number_runs

ZSTANDARD = 93
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD)
"""How members may be packed; Python unpacks those of all other methods at once, however large they are."""
EACH_EPOCH = "each"
"""The value of the option `epoch` that makes each epoch a system."""
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partially correct, no answer."""
_ATTACHMENT = "attachment://"
_HEADERS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"

Sample = Mapping[str, Any]
is_json_log: Callable[[Glimpse], bool] = names_keys(("version", "eval", "status"))


def detect(glimpse: Glimpse) -> bool:
    """Whether a file is a log: JSON with its keys, or a zip with samples and a header."""
    if not zipfile.is_zipfile(glimpse.path):
        return is_json_log(glimpse)
    try:
        with zipfile.ZipFile(glimpse.path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return False
    has_header = any(name in names for name in _HEADERS)
    return has_header and any(name.startswith(_SAMPLES) for name in names)


def read(
    paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None, **options: str
) -> Campaign:
    """Texts and scores; the summarizer is the model. Epochs are runs of it, unless the user chooses one or all.

    Raises:
        UsageError: if the epoch that the user chose is not there.
    """
    builder = CampaignBuilder(paths[0].stem)
    logs = [_read_log(path, problems) for path in paths]
    labels = [_label_log(path, header) for path, (header, _) in zip(paths, logs, strict=True)]
    systems = name_logs(labels, names or {}, options.get("summarizer", ""))
    for path, (_, samples), summarizer in zip(paths, logs, systems, strict=True):
        at = problems.at(path)
        chosen_epoch = options.get("epoch", "")
        epochs = list(dict.fromkeys(map(_epoch_of, samples)))
        if samples:
            _check_epoch(chosen_epoch, epochs, path)
        if len(epochs) > 1 and not chosen_epoch:
            problems.remark(
                f"{path.name}: {len(epochs)} epochs are runs of {summarizer}: scores are their means; "
                f'`option={{"epoch": "{epochs[0]}"}}` reads one, `option={{"epoch": "{EACH_EPOCH}"}}` makes each '
                "a system"
            )
        number_by_epoch = number_runs(epochs)
        if chosen_epoch not in ("", EACH_EPOCH):
            samples = [sample for sample in samples if _epoch_of(sample) == chosen_epoch]
        is_system_per_epoch = chosen_epoch == EACH_EPOCH and len(epochs) > 1
        for sample in samples:
            # A sample that failed is a missing summary: scored as 0 it would blame the model.
            if sample.get("error") or sample.get("invalidation"):
                builder.holes.append((id_of(sample.get("id")) or "", summarizer))
                continue
            epoch = _epoch_of(sample)
            run = 1 if chosen_epoch or len(epochs) == 1 else number_by_epoch.get(epoch)
            if run is None:
                remedy = "Number all epochs, or correct the log."
                at.error(f"the epoch {shorten(epoch)}", "a whole number", remedy, field="epoch")
                continue
            system = f"{summarizer} epoch {epoch}" if is_system_per_epoch else summarizer
            _add_sample(builder, sample, system, options.get("document", ""), at, run=run)
        builder.note_holes(at)
    return builder.build()


def _model_of(header: Any) -> str:
    """The model that a log is about; empty if it names none."""
    return text_or_empty(object_at(header, "eval").get("model"))


def _label_log(path: Path, header: Any) -> LogLabels:
    """What a log says about its system: the model; its task and the arguments of the task, which may name a prompt."""
    evaluation = object_at(header, "eval")
    arguments = [f"{key}={value}" for key, value in object_at(evaluation, "task_args").items()]
    written_arguments = ", ".join(arguments)
    if len(written_arguments) > LONGEST_NAME:
        written_arguments = ""
    task = text_or_empty(evaluation.get("task_display_name")) or text_or_empty(evaluation.get("task"))
    return LogLabels(path=path, model=_model_of(header), variants=(task, written_arguments))


def _epoch_of(sample: Sample) -> str:
    """The epoch of a sample, by default the first."""
    return str(sample.get("epoch", 1))


def _check_epoch(chosen_epoch: str, epochs: Sequence[str], path: Path) -> None:
    """Refuse an epoch that a log does not have.

    Raises:
        UsageError: with the epochs that there are.
    """
    if chosen_epoch not in ("", EACH_EPOCH, *epochs):
        raise UsageError(f"{mention('option', {'epoch': chosen_epoch})}: {path} has the epochs {', '.join(epochs)}")


def _add_sample(
    builder: CampaignBuilder, sample: Sample, summarizer: str, document_field: str, at: Place, *, run: int
) -> None:
    """Add the document, references, output and scores of a sample; one without id is an error."""
    topic = id_of(sample.get("id"))
    if topic is None:
        at.error(
            found="a sample without id",
            expected="an id",
            remedy="Correct the log.",
            field="id",
        )
        return
    attachments = object_at(sample, "attachments")
    document = first_key(object_at(sample, "metadata"), document_field, ("document", "article", "source"))
    if not document:
        document = _message_text(sample.get("input"), attachments)
    references = [_resolve_attachment(target, attachments) for target in listed(sample.get("target"))]
    builder.add_topic(topic, listed(_resolve_attachment(document, attachments)), references)
    builder.add_peer(topic, summarizer, _completion(sample, attachments), at, run)
    for name, score in object_at(sample, "scores").items():
        value = score.get("value") if isinstance(score, dict) else score
        builder.add_score(topic, summarizer, name, _numeric_grade(value), run)


def _completion(sample: Sample, attachments: Mapping[str, Any]) -> Any:
    """What the model answered: the completion, else the first choice."""
    output = object_at(sample, "output")
    text = output.get("completion")
    if not isinstance(text, str):
        choices = listed(output.get("choices"))
        first_choice = choices[0] if choices else {}
        text = _message_text(object_at(first_choice, "message").get("content"), attachments)
    return _resolve_attachment(text, attachments)


def _numeric_grade(value: Any) -> Any:
    """The value of a score with numbers for letters, and with several under their keys or places."""
    if isinstance(value, list):
        # A list of values becomes several measures, numbered by their places.
        value = dict(enumerate(value, start=1))
    if isinstance(value, dict):
        return {key: _numeric_grade(inner) for key, inner in value.items()}
    if isinstance(value, str):
        return _GRADES.get(value)
    return value


def _message_text(content: Any, attachments: Mapping[str, Any]) -> Any:
    """The text of a message's content, or of the last message of a user; None if there is none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part for part in content if isinstance(part, dict)]
    # The last message of the user is the task; those before it may be examples.
    user_messages = [part for part in parts if part.get("role") == "user"]
    if user_messages:
        return _message_text(user_messages[-1].get("content"), attachments)
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    if not texts:
        return None
    return "\n".join(str(_resolve_attachment(text, attachments)) for text in texts)


def _resolve_attachment(text: Any, attachments: Mapping[str, Any]) -> Any:
    """The text itself, or the attachment that it refers to: long texts stand in `attachments`, under their hash."""
    if isinstance(text, str) and text.startswith(_ATTACHMENT):
        return attachments.get(text.removeprefix(_ATTACHMENT), text)
    return text


def _read_log(path: Path, problems: Problems) -> tuple[Any, Sequence[Sample]]:
    """The header and the samples of a log."""
    if zipfile.is_zipfile(path):
        return _read_archive(path, problems)
    log = document_of(path, problems)
    return log, objects_of(object_at(log).get("samples"))


def _read_archive(path: Path, problems: Problems) -> tuple[Any, Sequence[Sample]]:
    """The header and the samples of an .eval file; what can't be read is an error."""
    header: Any = {}
    samples: list[Sample] = []
    at = problems.at(path)
    try:
        with open_file(path, problems.files) as file, zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            # The directory at the end of the zip tells the sizes before anything is unpacked.
            unpacked_bytes = sum(info.file_size for info in archive.infolist())
            if guards.grows_too_far(unpacked_bytes, path.stat().st_size):
                raise ValueError(TOO_FAR)
            for name in _HEADERS:
                if name in names and not header:
                    header = _read_member(archive, name, at)
            json_names = [name for name in names if name.endswith(".json")]
            sample_names = [name for name in json_names if name.startswith(_SAMPLES)]
            for name in sample_names:
                sample = _read_member(archive, name, at)
                if isinstance(sample, dict):
                    samples.append(sample)
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        at.error(
            found=shorten(str(error), 120),
            expected="a log of inspect_ai",
            remedy="Write the log again.",
        )
    return header, samples


def _read_member(archive: zipfile.ZipFile, name: str, at: Place) -> Any:
    """A JSON file inside the log; None (and an error) if it can't be read."""
    info = archive.getinfo(name)
    if info.file_size > guards.LOG_MEMBER_BYTES:
        at.error(
            found=f"{name} of {info.file_size:,} bytes",
            expected=f"at most {guards.LOG_MEMBER_BYTES:,}",
            remedy="Split the log.",
        )
        return None
    try:
        return loaded(_member_bytes(archive, info), at)
    except Exception as error:
        at.error(
            found=f"{name}: {shorten(str(error), 100)}",
            expected="a JSON document",
            remedy="Write the log again.",
        )
        return None


def _member_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member; those packed with Zstandard are unpacked here."""
    if info.compress_type not in METHODS:
        raise ValueError("compressed with an unsupported method (only deflate and Zstandard are supported)")
    if info.compress_type == ZSTANDARD:
        return _unpack_zstandard(archive, info)
    with archive.open(info.filename) as file:
        return file.read()


def _unpack_zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member that the standard library can't decompress before Python 3.14."""
    import zstandard

    file = archive.fp
    assert file is not None
    file.seek(info.header_offset)
    # The fixed part of a local header; names and extra fields, whose lengths it gives, come between it and the data
    # (APPNOTE 4.3.7).
    head = file.read(30)
    file.seek(info.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"))
    packed = file.read(info.compress_size)
    content = zstandard.ZstdDecompressor().stream_reader(packed).read(info.file_size + 1)
    # The directory may lie about the size.
    if len(content) > info.file_size:
        raise ValueError("more bytes than the archive says")
    return content


FORMAT = Format(
    name="inspect",
    description="logs of inspect_ai (.json, .eval), with their scores",
    detector=detect,
    within=("*.eval", "*.json"),
    several=True,
    names_systems=True,
    reader=read,
    options={
        "summarizer": "the name of the model; by default the one in the log",
        "epoch": "which epoch to read; by default epochs are runs of the model; each: every one is a system of its own",
        "document": "the field of `metadata` that is the source document; by default the input",
    },
)
