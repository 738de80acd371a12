"""Writes the JSON Schemas that follow from the types: into the package, and into docs/schemas.

Run `python tools/schemas.py` after changing a noun, a setting or a record (tools/reference_pages.py runs it, too); a
test fails until it was run.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import pkgutil
import sys
import types
import typing
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

import pyramidion
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.flat.tables import FlatRow
from pyramidion.campaign.nouns import UNKNOWN_KEY, Noun
from pyramidion.campaign.questions import question_sets
from pyramidion.campaign.schemas import ENDING, FOLDER
from pyramidion.campaign.settings import Settings
from pyramidion.scores.table import Score
from pyramidion.show.tables import Row, all_rows

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCS = Path(__file__).parents[1] / "docs" / "schemas"
Schema = dict[str, Any]


def make_schemas() -> dict[str, str]:
    """The text of each schema, by its name."""
    schemas = {name: schema_of(noun, f"{name}.jsonl, one row") for name, noun in NOUNS.items()}
    schemas["campaign"] = _campaign_schema()
    schemas["flat"] = _flat_schema()
    schemas["scores"] = _score_schema()
    schemas["records"] = _record_schema()
    return {name: json.dumps(schema, indent=1, ensure_ascii=False) + "\n" for name, schema in schemas.items()}


def schema_of(noun: type[Noun], title: str) -> Schema:
    """The schema of a noun.

    What `pyramidion check` reads without an error is valid: unknown keys are allowed, because they are kept.
    """
    schema = _merge_numbers(msgspec.json.schema(noun))
    definitions: dict[str, Schema] = schema["$defs"]
    nouns = {kind.__name__: kind for kind in _nouns_below(Noun)}
    for name, definition in definitions.items():
        _tidy(definition, nouns[name])
    top = definitions.pop(noun.__name__)
    top["title"] = title
    return {"$schema": DIALECT, **top, **({"$defs": definitions} if definitions else {})}


def _merge_numbers(schema: Any) -> Any:
    """The schema with each "integer or number" as a number, which is the same and reads better."""
    if isinstance(schema, list):
        return [_merge_numbers(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    merged = {key: _merge_numbers(value) for key, value in schema.items()}
    options = merged.get("anyOf", [])
    kept = [
        option for option in options if option.get("type") != "integer" or {**option, "type": "number"} not in options
    ]
    if len(kept) == 1:
        del merged["anyOf"]
        return {**kept[0], **merged}
    if options:
        merged["anyOf"] = kept
    return merged


def _nouns_below(kind: type[Noun]) -> list[type[Noun]]:
    kinds = [kind]
    for parent in kinds:
        kinds += [child for child in parent.__subclasses__() if child not in kinds]
    return kinds


def _tidy(definition: Schema, noun: type[Noun]) -> None:
    """Leave out what files do not have, and add what the fields mean."""
    properties = definition["properties"]
    properties.pop(UNKNOWN_KEY)
    del definition["additionalProperties"]
    if not definition["required"]:
        del definition["required"]
    names = {field.encode_name: field.name for field in msgspec.structs.fields(noun)}
    meanings = field_docstrings(noun)
    for key, schema in properties.items():
        if schema.get("default") in (None, "", (), [], {}):
            schema.pop("default", None)
        if meaning := meanings.get(names[key]):
            properties[key] = {"description": meaning, **schema}


@functools.cache
def _classes_of(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by their names; `inspect.getsource` parses the module again for each of them."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def field_docstrings(kind: type) -> dict[str, str]:
    """What the strings below the fields of a class say: the meaning of each field."""
    body = _classes_of(kind.__module__)[kind.__name__].body
    meanings: dict[str, str] = {}
    for statement, following in pairwise(body):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            meanings[statement.target.id] = " ".join(str(following.value.value).split())
    return meanings


def _campaign_schema() -> Schema:
    """campaign.toml, whose [questions] can name a set and whose tables of questions need no name."""
    schema = schema_of(Settings, "campaign.toml of pyramidion")
    question = schema["$defs"]["Question"]
    listed = {**question, "title": "A question of a list [[questions]]"}
    in_table = {key: value for key, value in question.items() if key != "required"}
    in_table["title"] = "A question [questions.NAME]"
    schema["$defs"]["Question"] = in_table
    schema["$defs"]["ListedQuestion"] = listed
    sets = {"description": "A set of questions that comes with pyramidion.", "enum": list(question_sets())}
    by_name = {
        "type": "object",
        # A question may itself be called "set": then it is a table.
        "properties": {"set": {"anyOf": [sets, {"$ref": "#/$defs/Question"}]}},
        "additionalProperties": {"$ref": "#/$defs/Question"},
    }
    in_list = {"type": "array", "items": {"$ref": "#/$defs/ListedQuestion"}}
    questions = schema["properties"]["questions"]
    schema["properties"]["questions"] = {"description": questions["description"], "anyOf": [by_name, in_list]}
    return schema


def _flat_schema() -> Schema:
    """A row of our own flat form, in which a single text stands for a list of one, and null for a missing answer."""
    schema = schema_of(FlatRow, "A flat file, one row per summary")
    properties = schema["properties"]
    for key in ("references", "documents"):
        properties[key] = {"anyOf": [{"type": "string"}, properties[key], {"type": "null"}]}
    number = {"type": ["number", "null"]}
    by_assessor = {"type": "object", "additionalProperties": number}
    properties["judgments"]["additionalProperties"] = {"anyOf": [number, by_assessor]}
    properties["scores"]["additionalProperties"] = number
    return schema


def _score_schema() -> Schema:
    """A row of a long table of scores."""
    texts = ("measure", "topic", "summarizer", "signature", "note")
    known = {name: hint for name, hint in typing.get_type_hints(Score).items() if name in (*texts, "value")}
    properties: dict[str, Schema] = {name: msgspec.json.schema(hint) for name, hint in known.items()}
    for name in ("topic", "summarizer"):  # numbers serve as names here
        properties[name] = {"type": ["string", "number"]}
    properties["value"] = {"type": ["number", "null"], "description": "null is a missing value, not a zero"}
    title = "A long table of scores (.jsonl), one row per score"
    required = ["measure", "topic", "summarizer", "value"]
    return {"$schema": DIALECT, "title": title, "type": "object", "properties": properties, "required": required}


def _record_schema() -> Schema:
    """A row that `--format json` prints: one definition for each kind of record."""
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        importlib.import_module(module.name)
    rows = {row.record: row for row in all_rows() if row.__module__.startswith("pyramidion.")}
    definitions = {name: _row_schema(rows[name]) for name in sorted(rows)}
    return {
        "$schema": DIALECT,
        "title": "A line of `--format json`",
        "type": "object",
        "required": ["record"],
        "properties": {"record": {"enum": list(definitions)}},
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
        "$defs": definitions,
    }


def _row_schema(row: type[Row]) -> Schema:
    """The schema of a kind of record; what is null has a reason."""
    hints = typing.get_type_hints(row)
    properties: dict[str, Schema] = {"record": {"const": row.record}}
    required = ["record"]
    meanings = _row_docstrings(row)
    for name, key, is_optional in row.shown_fields():
        hint = hints.get(name)
        if hint is None:  # a property
            hint = typing.get_type_hints(inspect.getattr_static(row, name).fget)["return"]
        schema = _value_schema(hint)
        if meaning := meanings.get(name):
            schema = {"description": meaning, **schema}
        properties[key] = schema
        if not is_optional and key != "reason":
            required.append(key)
    return {
        "description": (row.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _row_docstrings(row: type[Row]) -> dict[str, str]:
    """The meanings of the fields of a row, inherited ones included."""
    meanings: dict[str, str] = {}
    for kind in reversed(row.__mro__):
        if issubclass(kind, Row):
            meanings |= field_docstrings(kind)
    return meanings


def _value_schema(hint: Any) -> Schema:
    """The schema of a value of a record: numbers that are undefined are null there."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        options = [option for argument in arguments for option in _options(_value_schema(argument))]
        distinct = [option for number, option in enumerate(options) if option not in options[:number]]
        return {"anyOf": distinct}
    if hint is float:
        return {"type": ["number", "null"]}
    if origin is tuple:
        return {"type": "array", "items": _value_schema(arguments[0])}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    schema: Schema = msgspec.json.schema(hint)
    return schema


def _options(schema: Schema) -> list[Schema]:
    options: list[Schema] = schema.get("anyOf", [schema])
    return options


def write_schemas() -> None:
    """Write each schema into the package and into the documentation."""
    for folder in (FOLDER, DOCS):
        folder.mkdir(exist_ok=True)
        for name, text in make_schemas().items():
            (folder / f"{name}{ENDING}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
