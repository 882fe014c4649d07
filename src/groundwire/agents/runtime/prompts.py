"""The prompts of agents: versioned Markdown templates, rendered by Jinja2.

A prompt is a file `prompt*.md` in the folder of its agent, with its version in front:

    ---
    version: 1.0.0
    ---
    {% extends "system_prompt" %}
    {% block instructions %} ... {% endblock %}

`system_prompt` is the frame that all of them share; it has the blocks role, instructions, examples
and this_run. Rendering is strict: a value that nobody gave is an error, not an empty text. What a
user or a tool said is only ever a value, never a template.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import ConfigurationError

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

FRAME = "system_prompt"
THIS_RUN = "# This run"
"""The line from which on a system prompt differs by run; what stands before it can be cached."""

_HERE = Path(__file__).parent
_FRONT = re.compile(r"\A---\s*\n(?P<head>.*?)\n---\s*\n", re.DOTALL)
_VERSION = re.compile(r"^version:\s*[\"']?(\d+\.\d+\.\d+)[\"']?\s*$", re.MULTILINE)


class PromptStore:
    """Prompts by name and version.

    Args:
        folders: the folder of each prompt's files, by the prompt's name.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = dict(folders)
        self._versions: dict[str, dict[str, str]] = {}
        self._environment: ImmutableSandboxedEnvironment | None = None

    def versions(self, name: str) -> tuple[str, ...]:
        """Versions of a prompt, oldest first.

        Raises:
            ConfigurationError: the prompt is unknown, or one of its files lacks a version.
        """
        return tuple(sorted(self._texts(name), key=_ordered))

    def render(self, name: str, version: str, values: Mapping[str, Any]) -> str:
        """Render a prompt.

        Args:
            name: the prompt, usually its agent's name.
            version: its version.
            values: what the template may use.

        Raises:
            ConfigurationError: the prompt or version is unknown, or the template uses a value
                that is not there.
        """
        if version not in self._texts(name):
            raise ConfigurationError(
                f"The prompt {name} has no version {version}: set prompts.system_prompt_version to "
                f"one of {', '.join(self.versions(name))}."
            )
        from jinja2 import TemplateError

        try:
            text = self._opened().get_template(f"{name}@{version}").render(values)
        except TemplateError as error:
            raise ConfigurationError(
                f"The prompt {name} {version} cannot be rendered: {error}."
            ) from error
        return _BLANK.sub("\n\n", text).strip() + "\n"

    def _texts(self, name: str) -> dict[str, str]:
        """Texts of a prompt by version."""
        if name not in self._versions:
            folder = self._folders.get(name)
            files = sorted(folder.glob("prompt*.md")) if folder else []
            if not files:
                known = ", ".join(sorted(self._folders)) or "none"
                raise ConfigurationError(f"There is no prompt {name}; prompts are: {known}.")
            self._versions[name] = dict(_versioned(path) for path in files)
        return self._versions[name]

    def _opened(self) -> ImmutableSandboxedEnvironment:
        if self._environment is None:
            from jinja2 import FunctionLoader, StrictUndefined
            from jinja2.sandbox import ImmutableSandboxedEnvironment

            self._environment = ImmutableSandboxedEnvironment(
                # Markdown for models, not HTML: escapes would change what is said.
                autoescape=False,
                undefined=StrictUndefined,
                trim_blocks=True,
                lstrip_blocks=True,
                loader=FunctionLoader(self._source),
            )
        return self._environment

    def _source(self, template: str) -> str | None:
        if template == FRAME:
            return (_HERE / f"{FRAME}.md").read_text("utf-8")
        name, _, version = template.partition("@")
        return self._texts(name).get(version)


_BLANK = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


def _versioned(path: Path) -> tuple[str, str]:
    """Version and template of a file."""
    text = path.read_text("utf-8")
    front = _FRONT.match(text)
    version = _VERSION.search(front["head"]) if front else None
    if front is None or version is None:
        raise ConfigurationError(
            f"The prompt {path.name} does not begin with its version: put `---`, `version: 1.0.0` "
            "and `---` on its first lines."
        )
    return version[1], text[front.end() :]


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
