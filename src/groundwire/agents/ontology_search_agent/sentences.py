"""What the agent says, in the language that it is asked in.

The sentences are in `sentences.toml`; what fills them is of the tools' answers or of the question.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from groundwire.agents.ontology_search_agent.chinese import is_chinese
from groundwire.agents.ontology_search_agent.compounds import split_compounds
from groundwire.agents.ontology_search_agent.function_words import is_german
from groundwire.agents.ontology_search_agent.tokens import tokenize
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT

Language = Literal["en", "de", "zh"]

_FILE = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))
_CONDITIONS: Mapping[str, str] = _FILE["conditions"]
_ROLES: Mapping[str, str] = _FILE["roles"]
_CONNECTED = (
    ("connected with ", "Verbindung mit "),
    ("connected ", "verbundenes "),
    ("no connected ", "kein verbundenes "),
)
_WORDED = re.compile(rf"(?:(?<=^)|(?<= and ))(?:{'|'.join(_CONDITIONS)})(?![\w-])")


def language_of(question: str) -> Language:
    """The language of a question, by its small words and the names of the catalogue."""
    if is_chinese(question):
        return "zh"
    tokens = tokenize(question)
    vocabulary = CURRENT.get()
    if vocabulary is not None:
        tokens = split_compounds(tokens, vocabulary)
    names = vocabulary.languages if vocabulary is not None else {}
    return "de" if is_german(tokens, names) else "en"


class Sentences:
    """The sentences of one language."""

    def __init__(self, language: Language) -> None:
        """Take a language."""
        self.language = language
        self._texts: Mapping[str, str] = _FILE[language]

    def say(self, name: str, **parts: object) -> str:
        """A sentence with its parts."""
        return self._texts[name].format(**parts)

    def number(self, number: int) -> str:
        """A figure: German ones have no separator, so that none is read as a decimal."""
        return str(number) if self.language == "de" else f"{number:,}"

    def condition(self, text: str) -> str:
        """A condition as the server words it: `length > 5 km`, `license is absent`."""
        if self.language != "de":
            return text
        for english, german in _CONNECTED:
            if text.startswith(english):
                return german + self.condition(text.removeprefix(english))
        key, _, said = text.partition(" ")
        worded = _WORDED.sub(lambda match: _CONDITIONS[match[0]], said)
        return f"{key} {worded}".rstrip()

    def named(self, text: str) -> str:
        """What a search is compared by, as its difference words it: `sorted by length`."""
        key, negated, values = text.partition(" is not ")
        if negated:
            return f"{self.say('without')} {key} = {values}"
        if self.language != "de":
            return text
        for english, german in _ROLES.items():
            if text.startswith(english):
                return german + text.removeprefix(english)
        return self.condition(text)

    def asked(self, applied: Mapping[str, Any]) -> str:
        """The conditions that were searched, as they stand behind the kind of asset; or empty."""
        parts: list[str] = []
        for name in ("filters", "ranges"):
            held = cast("Mapping[str, object]", applied.get(name) or {})
            parts += [self.condition(_with_sign(key, str(value))) for key, value in held.items()]
        for one in cast("Sequence[Mapping[str, Any]]", applied.get("references") or ()):
            name = "unconnected" if one.get("none") else "connected"
            parts.append(self.say(name, asked=f"{one.get('domain')}{self.asked(one)}"))
        listed = self._texts["joint"].join(parts)
        return self.say("conditions", listed=listed) if parts else ""

    def kinds(self, applied: Mapping[str, Any]) -> str:
        """The kinds of asset that were searched."""
        return self._texts["or"].join(map(str, applied.get("domains") or ()))


def _with_sign(key: str, value: str) -> str:
    """A condition in one piece; a single value stands behind its sign again."""
    worded = _WORDED.match(value) or value[:1] in "<>="
    return f"{key} {value}" if worded else f"{key} = {value}"
