"""Sentences of the agent in the language that it is asked in.

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
from groundwire.agents.ontology_search_agent.labels import Labels
from groundwire.agents.ontology_search_agent.tokens import tokenize
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT

Language = Literal["en", "de", "zh"]

_FILE = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))
_CONDITIONS: Mapping[str, Mapping[str, str]] = _FILE["conditions"]
_ROLES: Mapping[str, str] = _FILE["roles"]
_CONNECTED = (
    ("connected with ", "Verbindung mit "),
    ("connected ", "verbundenes "),
    ("no connected ", "kein verbundenes "),
)
_WORDED = re.compile(rf"(?:(?<=^)|(?<= and ))(?:{'|'.join(_CONDITIONS['de'])})(?![\w-])")
# Values behind what they must be: "any of DE, FR".
_LISTED = re.compile(r"(any of |all of |none of |= )(.+)")


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

    def __init__(self, language: Language, labels: Labels | None = None) -> None:
        """Take a language.

        Args:
            language: of the question.
            labels: of the catalogue; without them keys and values stay as they are.
        """
        self.language = language
        self.labels = labels or Labels(None, language)
        self._texts: Mapping[str, str] = _FILE[language]

    def say(self, name: str, **parts: object) -> str:
        """A sentence with its parts."""
        return self._texts[name].format(**parts)

    def number(self, number: int) -> str:
        """A figure: German ones have no separator, so that none is read as a decimal."""
        return str(number) if self.language == "de" else f"{number:,}"

    def condition(self, text: str, kinds: Sequence[str] = ()) -> str:
        """Return a condition as the server words it, with labels: `length > 5 km`."""
        if self.language == "de":
            for english, german in _CONNECTED:
                if text.startswith(english):
                    return german + self.condition(text.removeprefix(english))
        key, _, said = text.partition(" ")
        listed = _LISTED.fullmatch(said)
        if listed is not None:
            said = f"{listed[1]}{self.labels.values(listed[2], key, kinds)}"
        worded = _WORDED.sub(lambda match: _CONDITIONS[self.language][match[0]], said)
        return f"{self.labels.property(key, kinds)} {worded}".rstrip()

    def named(self, text: str) -> str:
        """Return what a search is compared by, as its difference words it: `sorted by length`."""
        key, negated, values = text.partition(" is not ")
        if negated:
            label = self.labels.property(key)
            return f"{self.say('without')} {label} = {self.labels.values(values, key)}"
        for english, german in _ROLES.items():
            if text.startswith(english):
                return german + text.removeprefix(english) if self.language == "de" else text
        return self.condition(text)

    def asked(self, applied: Mapping[str, Any]) -> str:
        """Return the conditions that were searched, as they stand behind the kind; or empty."""
        parts: list[str] = []
        kinds = [str(one) for one in applied.get("domains") or (applied.get("domain"),) if one]
        for name in ("filters", "ranges"):
            held = cast("Mapping[str, object]", applied.get(name) or {})
            parts += [
                self.condition(_with_sign(key, str(value)), kinds) for key, value in held.items()
            ]
        for one in cast("Sequence[Mapping[str, Any]]", applied.get("references") or ()):
            name = "unconnected" if one.get("none") else "connected"
            kind = self.labels.kind(str(one.get("domain")))
            parts.append(self.say(name, asked=f"{kind}{self.asked(one)}"))
        listed = self._texts["joint"].join(parts)
        return self.say("conditions", listed=listed) if parts else ""

    def kinds(self, applied: Mapping[str, Any]) -> str:
        """Return the kinds of asset that were searched."""
        return self._texts["or"].join(
            self.labels.kind(str(one)) for one in applied.get("domains") or ()
        )


def _with_sign(key: str, value: str) -> str:
    """A condition in one piece; a single value stands behind its sign again."""
    worded = _WORDED.match(value) or value[:1] in "<>="
    return f"{key} {value}" if worded else f"{key} = {value}"
