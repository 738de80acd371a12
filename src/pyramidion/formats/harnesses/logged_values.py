"""Texts in logged inputs, outputs and expected outputs: strings, chat messages, answers of an API, objects."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.formats.json_values import listed, object_at, objects_of
from pyramidion.intake.cells import MISSING, is_missing

_OUTPUT_KEYS = ("summary", "output", "text", "content", "answer", "response", "completion", "result", "task_output")
_EXPECTED_KEYS = ("references", "reference", "summary", "expected_output", "expected", "target", "gold", "answer")
_INPUT_KEYS = ("document", "article", "text", "source", "dialogue", "transcript", "input", "content", "context")
_MESSAGE_KEYS = ("content", "text", "message.content", "value")
"""Where a message has its text; Phoenix has flat names."""


def output_text(value: Any) -> str | None:
    """The text that a system answered; None if there is none. An object without a telling key stays JSON."""
    value = open_text(value)
    if is_missing(value):
        return None
    text = _answer_text(value)
    if text is None:
        text = _text_under(value, _OUTPUT_KEYS)
    if text is None:
        return json.dumps(value, ensure_ascii=False)
    return text


def expected_texts(value: Any) -> list[str]:
    """The references in what was expected: one text, several, or an object with a telling key."""
    value = open_text(value)
    if is_missing(value):
        return []
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return value
    if isinstance(value, Mapping):
        for key in _EXPECTED_KEYS:
            if not is_missing(value.get(key)):
                return expected_texts(value[key])
    text = output_text(value)
    return [text] if text else []


def input_text(value: Any) -> str | None:
    """The text of an input: a string, the last message of the user, or what lies under a telling key; else None."""
    value = open_text(value)
    if isinstance(value, str):
        return value
    messages = objects_of(object_at(value).get("messages")) or objects_of(value)
    user_messages = [message for message in messages if message.get("role") == "user"]
    if user_messages:
        return _message_text(user_messages[-1])
    return _text_under(value, _INPUT_KEYS)


def open_text(value: Any) -> Any:
    """The object or list in a text that is JSON; any other value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def is_filled(value: Any) -> bool:
    """Whether a cell says something: CSV has `null` or nothing where JSON has null."""
    return not (is_missing(value) or str(value).strip().lower() in MISSING)


def _answer_text(value: Any) -> str | None:
    """The text of a string, of messages or of what an API returns; None if it is none of these."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _messages_text(value)
    choices = objects_of(object_at(value).get("choices"))
    if choices:
        return _message_text(object_at(choices[0], "message"))
    if "role" in object_at(value):
        return _message_text(object_at(value))
    messages = listed(object_at(value).get("messages"))
    return _messages_text(messages) if messages else None


def _messages_text(messages: Sequence[Any]) -> str | None:
    """The text of the last message of an assistant; of blocks of text without roles, all of them."""
    objects = objects_of(messages)
    answers = [message for message in objects if message.get("role", message.get("message.role")) == "assistant"]
    if answers:
        return _message_text(answers[-1])
    texts = [text for text in map(_message_text, objects) if text]
    return "".join(texts) or None


def _message_text(message: Mapping[str, Any]) -> str | None:
    """The text of a message, or of its blocks."""
    inner = object_at(message, "message")
    if inner:
        return _message_text(inner)
    for key in _MESSAGE_KEYS:
        if isinstance(message.get(key), str):
            return str(message[key])
    blocks = objects_of(message.get("content")) or objects_of(message.get("parts"))
    texts = [text for text in map(_message_text, blocks) if text]
    return "".join(texts) or None


def _text_under(value: Any, keys: Sequence[str]) -> str | None:
    """The text under the first telling key of an object, else its only text; None if there is none."""
    if not isinstance(value, Mapping):
        return None
    for key in keys:
        inner = open_text(value.get(key))
        text = _answer_text(inner) if not is_missing(inner) else None
        if text is not None:
            return text
    texts = [text for text in value.values() if isinstance(text, str)]
    return texts[0] if len(texts) == 1 else None
