"""Prompts: Jinja templates in a sandbox, those that come with pyramidion and those of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.campaign.settings import digest_of_prompt, prompt_field, read_prompt_template
from pyramidion.errors import InputError, MissingExtraError, UsageError, mention
from pyramidion.files.opening import read_text
from pyramidion.files.problems import Problems
from pyramidion.options import JudgedKind
from pyramidion.show.wording import listed

if TYPE_CHECKING:
    import jinja2

NEEDED: Mapping[JudgedKind, tuple[str, ...]] = {
    "questions": ("summary", "questions"),
    "coverage": ("summary", "scus"),
    "preferences": ("first", "second"),
}
"""What a template has to show of each kind of request."""


class Prompt:
    """A template that requests are made of.

    Args:
        text: the template.
        name: what messages call it.
        kind: what it asks for.

    Raises:
        InputError: if it is no template.
        UsageError: if it leaves out what it is to ask about.
    """

    def __init__(self, text: str, name: str, kind: JudgedKind) -> None:
        self.name = name
        self.digest: str = digest_of_prompt(text)
        self._template = _compile(text, name)
        used = _variables_in(text)
        missing = [variable for variable in NEEDED[kind] if variable not in used]
        if missing:
            raise UsageError(
                f"{name}: the prompt does not show {listed(missing)}, which {mention('kind', kind)} needs; name "
                f"another prompt (`prompt=`, or {prompt_field(kind)} in the judge's entry of campaign.toml)"
            )

    def render(self, values: Mapping[str, Any]) -> str:
        """The text of a request.

        Raises:
            InputError: if the template names something that there is not.
        """
        import jinja2

        try:
            return self._template.render(values).strip() + "\n"
        except (RecursionError, MemoryError):
            raise InputError(f"{self.name}: the prompt can't be filled in: it calls itself, or is too long") from None
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise InputError(f"{self.name}: the prompt can't be filled in: {error}") from None


def read_prompt(path: Path | None, kind: JudgedKind) -> Prompt:
    """The prompt of a file; without one, that of the package.

    Raises:
        CampaignError: if the file can't be read.
    """
    if path is None:
        return Prompt(read_prompt_template(kind), f"the prompt for {kind}", kind)
    problems = Problems()
    text = read_text(path, problems)
    problems.refuse()
    return Prompt(text or "", str(path), kind)


def _environment() -> jinja2.Environment:
    """An environment in which templates only see what they are given."""
    try:
        import jinja2
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise MissingExtraError("judge plan", "report") from None
    # Texts are data: nothing in them is escaped, and nothing in them is a template.
    return ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True)


def _compile(text: str, name: str) -> jinja2.Template:
    environment = _environment()
    import jinja2

    try:
        return environment.from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise InputError(f"{name}:{error.lineno}: {error.message}; expected a Jinja template") from None


def _variables_in(text: str) -> set[str]:
    """The variables that a template uses."""
    from jinja2 import meta

    environment = _environment()
    return meta.find_undeclared_variables(environment.parse(text))
