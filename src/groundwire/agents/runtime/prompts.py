"""Texts that models read, and English sentences of tools in the language of the request.

A prompt is a file `prompt*.md` in the folder of its agent, with its version in front:

    ---
    version: 1.0.0
    ---
    {% extends "system_prompt" %}
    {% block instructions %} ... {% endblock %}

`system_prompt` is the frame that all of them share; it has the blocks role, instructions, examples
and this_run. Jinja2 renders it strictly: a value that nobody gave is an error, not an empty text.
What a user or a tool said is only ever a value, never a template.

Sentences and phrases are rules of an agent's `wording_LANGUAGE.toml`: a pattern of an English
sentence and the sentence that says the same, with its names, numbers and times carried over. A
sentence that no rule knows is quoted, and said to be English. What stands in quotes are words of
the request: where they were read as plain English, they are told as they stand there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import AgentInput, ToolAnswer
from groundwire.agents.runtime.hints import AgentHints
from groundwire.agents.runtime.model import ToolSpec
from groundwire.errors import ConfigurationError
from groundwire.language.lexicon import Language
from groundwire.safe_text import safe_characters

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


LONGEST_THOUGHT = 4_000
_BESIDE_VARIABLES = {"question", "constraints"}
_LESS = "Ask the tool for less, or for the next page."


def variables_of(asked: AgentInput) -> dict[str, JsonValue]:
    """Return what was sent beside the question: fields that were set, and the free context."""
    tree = asked.model_dump(mode="json", exclude_defaults=True, exclude=_BESIDE_VARIABLES)
    context = tree.pop("context", {})
    return {**tree, **context}


def format_input(asked: AgentInput) -> str:
    """The task as text: the question, then a block of variable values if there are any."""
    variables = variables_of(asked)
    if not variables:
        return asked.question
    lines = [f"{name} = {compact(value)}" for name, value in variables.items()]
    return "\n".join([asked.question, "", "Variables:", *lines])


def format_observation(answer: ToolAnswer, hints: AgentHints, limit: int) -> str:
    """A tool answer as a model is shown it: its text, cut if it is too long, and the hints.

    Args:
        answer: what the tool said.
        hints: what it means for the next steps.
        limit: most characters of the text; the hints come on top.
    """
    text = answer.text or compact(answer.data) or "(the tool said nothing)"
    if answer.is_error:
        text = f"Refused: {text}"
    lines = [truncated(text, limit), *hints.lines()]
    return "\n".join(lines)


def truncated(text: str, limit: int, advice: str = _LESS) -> str:
    """`text`, or its beginning with a note of how much is missing."""
    if len(text) <= limit:
        return text
    note = f"Cut: the first {limit:,} of {len(text):,} characters are shown. {advice}".strip()
    return f"{text[:limit]}\n[{note}]"


def as_thought(text: str) -> str:
    """Return a model's words before it acted, for the trace: cut where long, all of it visible."""
    return truncated(safe_characters(text), LONGEST_THOUGHT, "")


def format_tool_description(
    tool: ToolSpec, example: Mapping[str, JsonValue] | None = None, *, brief: bool = False
) -> str:
    """A tool as the system prompt shows it: name, description, parameters and an example.

    Args:
        tool: the tool.
        example: arguments of a good call; default: one made from the schema.
        brief: leave out the descriptions of parameters, for a model that is sent the schema.
    """
    first, _, rest = tool.description.partition("\n")
    lines = [f"- {tool.name}: {first.strip()}"]
    if rest.strip() and not brief:
        lines.append("  " + " ".join(rest.split()))
    properties = cast("dict[str, dict[str, Any]]", tool.input_schema.get("properties") or {})
    required = cast("list[str]", tool.input_schema.get("required") or [])
    if brief:
        names = [f"{name}{'' if name in required else '?'}" for name in properties]
        lines.append(f"  Parameters: {', '.join(names) or 'none'}")
    else:
        lines.append("  Parameters:" if properties else "  Parameters: none")
        for name, schema in properties.items():
            need = "required" if name in required else "optional"
            about = " ".join(str(schema.get("description", "")).split())
            lines.append(f"    {name} ({_kind(schema)}, {need}){': ' + about if about else ''}")
    shown = example if example is not None else _example(properties, required)
    lines.append(f"  Example: {compact(dict(shown))}")
    return "\n".join(lines)


def compact(value: object) -> str:
    """JSON without blanks between its parts."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _kind(schema: Mapping[str, Any]) -> str:
    if words := schema.get("enum"):
        return "one of " + ", ".join(map(str, words))
    kind = schema.get("type")
    if kind is None and (branches := schema.get("anyOf") or schema.get("oneOf")):
        return " or ".join(dict.fromkeys(_kind(one) for one in branches))
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"list of {_kind(schema['items'])}"
    return str(kind or "any")


def _example(properties: Mapping[str, Mapping[str, Any]], required: list[str]) -> dict[str, Any]:
    """Arguments that a call could have, by the schema alone."""
    return {name: _value(name, properties[name]) for name in required if name in properties}


def _value(name: str, schema: Mapping[str, Any]) -> Any:
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "default" in schema:
        return schema["default"]
    about = str(schema.get("description", ""))
    if " E.g. " in f" {about}":
        return about.rpartition("E.g. ")[2].rstrip(".")
    kind = schema.get("type")
    plain: dict[str, Any] = {
        "array": [],
        "object": {},
        "boolean": True,
        "integer": 1,
        "number": 1,
    }
    return plain.get(str(kind), f"<{name}>")


# Parts that are names of places, and stay as they are.
_PLACES = frozenset({"a", "b"})
_QUOTED = re.compile(r"(?<=“)[^“”\n]{1,120}(?=”)|(?<!\w')(?<=')[^'\n]{1,120}(?='(?!\w))")
_CLOCK = re.compile(r"(\d\d):(\d\d)")
_END = re.compile(r"[.?!:](?=\s|$)")
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|has|have|not|no|of|and|or|from|with|which|by|at|to|on|it|its|as|for|a|send|"
    r"cannot|must|there)\b"
)
# The full stop of "St. Pancras" ends no sentence: a sign that stands in no text stands for it.
_SAINT = re.compile(r"\bSt\.(?=\s[A-Z])")
_MASKED = "\ue000"
# Chinese sentences stand without blanks.
_AFTER_MARK = re.compile(r"(?<=[。！？]) +")
_NO_PROSE = re.compile(r"“[^“”\n]*”|'[^'\n]*'|/\S+")


class _Words(NamedTuple):
    """The rules of a language.

    Attributes:
        sentences: patterns of English sentences, and what says the same.
        phrases: what is changed within the parts that a sentence carries over.
        quoted: what words of the plain English are in a request of this language.
        unknown: how a text is told that no rule knows, with the text in the place of {x}.
    """

    sentences: Sequence[tuple[re.Pattern[str], str]]
    phrases: Sequence[tuple[re.Pattern[str], str]]
    quoted: Sequence[tuple[re.Pattern[str], str]]
    unknown: str


def worded(answer: str, language: Language, folder: Path, request: str = "") -> str:
    """Return an answer in a language, sentence by sentence as far as the rules know them.

    Args:
        answer: what is told, in English.
        language: that of the request.
        folder: where the rules stand, one file a language other than English.
        request: the words of the user, of which what is quoted is a part.
    """
    words = None if language in ("en", "") else _words(folder, language)
    if request:
        answer = _QUOTED.sub(lambda match: _own_words(match[0], request, words), answer)
    if words is None:
        return answer
    masked = _SAINT.sub(f"St{_MASKED}", answer)
    said = "\n".join(_line(line, words) for line in masked.split("\n")).replace(_MASKED, ".")
    return _AFTER_MARK.sub("", said) if language == "zh" else said


def _own_words(quoted: str, request: str, words: _Words | None) -> str:
    """Return quoted words as they stand in the request, or unchanged where they do not."""
    if quoted in request:
        return quoted
    own = quoted
    for pattern, said in words.quoted if words else ():
        own = pattern.sub(said, own)
    # Words that say nothing were left out between: "till term" is "till the end of term".
    pieces = map(re.escape, own.split())
    found = re.search(r"(?:\s+\S{1,12}){0,3}?\s*".join(pieces), request, re.IGNORECASE)
    if found is not None:
        return found[0]
    clock = _CLOCK.search(quoted)
    spoken = rf"{int(clock[1])}\s*[点时:.]\s*{clock[2]}" if clock else "(?!)"
    if (found := re.search(spoken, request)) is not None:
        return found[0]
    # Chinese words stand without spaces, so that those before them may have moved.
    held = [one for one in quoted.split() if not one.isascii() and one in request]
    return own if own in request else " … ".join(held) or own


def _line(line: str, words: _Words) -> str:
    at, said, left = 0, "", ""
    while at < len(line):
        if line[at] == " ":
            left += " "
            at += 1
            continue
        for pattern, translation in words.sentences:
            match = pattern.match(line, at)
            if match is not None and match.end() > at:
                said += _untold(left, words) + _filled(translation, match, words)
                left, at = "", match.end()
                break
        else:
            end = _END.search(line, at)
            stop = end.end() if end is not None else len(line)
            left += line[at:stop]
            at = stop
    return said + _untold(left, words)


def _untold(text: str, words: _Words) -> str:
    """Return a text that no rule knows: quoted, and named as English, where it is English."""
    if not _ENGLISH.search(_NO_PROSE.sub("", text)):
        return text
    inner = text.strip()
    return text.replace(
        inner, words.unknown.replace("{x}", inner.replace("“", "‘").replace("”", "’"))
    )


def _filled(translation: str, match: re.Match[str], words: _Words) -> str:
    def part(found: re.Match[str]) -> str:
        name, optional = found["name"], found["text"]
        value = match.groupdict().get(name)
        if translation[: found.start()].endswith(("“", "„")):
            return value or ""
        if value and name in _PLACES and value[0].isupper() and " with" not in value:
            return optional.replace("#", value) if optional is not None else value
        if optional is not None:
            return optional.replace("#", _phrased(value, words)) if value else ""
        return _phrased(value, words) if value else ""

    return re.sub(r"\{(?P<name>\w+)(?:\|(?P<text>[^{}]*))?\}", part, translation)


def _phrased(value: str, words: _Words) -> str:
    """A part of a sentence with its phrases in the language; what is quoted stays."""
    pieces = re.split(r"(“[^“”]*”|\"[^\"]*\"|'[^']*'(?!\w))", value)
    for index in range(0, len(pieces), 2):
        for pattern, said in words.phrases:
            pieces[index] = pattern.sub(said, pieces[index])
    return "".join(pieces)


@cache
def _words(folder: Path, language: Language) -> _Words:
    tree = tomllib.loads((folder / f"wording_{language}.toml").read_text("utf-8"))
    return _Words(
        [(re.compile(one), said) for one, said in tree["sentences"]],
        [(re.compile(one), said) for one, said in tree["phrases"]],
        [(re.compile(one, re.IGNORECASE), said) for one, said in tree["quoted"]],
        tree["unknown"],
    )
