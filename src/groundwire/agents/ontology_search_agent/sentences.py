"""Sentences of the agent, and labels in them, in the language that it is asked in.

The sentences are in `sentences.toml`; what fills them is of the tools' answers or of the question.
Kinds, properties and values have the catalogue's own names where they exist in that language. A key
or a value without a label stays as it is, and so do codes that people know as codes: licences,
formats, versions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from groundwire.agents.ontology_search_agent.function_words import is_german
from groundwire.agents.ontology_search_agent.marking import split_compounds
from groundwire.agents.ontology_search_agent.tokens import tokenize
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.agents.runtime.contract import Turn
from groundwire.language.asking import asked_in, speaks_english
from groundwire.language.places import country_name
from groundwire.ontology.terms import DomainTerm, Name, PropertyTerm, ValueTerm

# A value that is no text for a person: a CURIE or IRI, or the code of a country.
_CODED = re.compile(r"\w[\w-]*:\S+|[A-Z]{2}")
_WORDS = re.compile(r"[a-z][a-z-]+")


class Labels:
    """The labels of one catalogue in one language."""

    def __init__(self, vocabulary: QuestionVocabulary | None, language: str) -> None:
        """Take the names of a catalogue.

        Args:
            vocabulary: of the catalogue; without one every name stays as it is.
            language: two letters.
        """
        self._vocabulary = vocabulary
        self._language = language

    def kind(self, name: str) -> str:
        """Return the label of a kind of asset."""
        domain = self._vocabulary.domains.get(name) if self._vocabulary else None
        return self._label(domain.names) or name if domain else name

    def property(self, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the label of a property that assets of some kinds have."""
        for domain, term in self._terms(key, kinds):
            # Several properties may share a name, such as a release date: its own name is clearer.
            others = [one for one in domain.properties if one.key != key]
            shared = {name.text for one in others for name in one.names}
            own = [name for name in term.names if name.text not in shared]
            return self._label(own) or self._label(term.names) or key
        return key

    def value(self, value: str, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the label of a value of a property."""
        coded = _CODED.fullmatch(value) is not None
        spoken = self._language != "en" and _WORDS.fullmatch(value) is not None
        if not self._vocabulary or not (coded or spoken):
            return value
        for _, term in self._terms(key, kinds):
            held = self._vocabulary.terms.values[term.values] if term.values is not None else ()
            for one in held:
                if one.label == value:
                    named = self._country(one) or self._label(one.names)
                    own = "" if value.startswith("http") else value.partition(":")[2]
                    return named or own or value
            if any(map(self._country, held)):
                # A country that no asset is of is told by its name all the same.
                return country_name(value, self._language) or value
        return value

    def values(self, text: str, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the values of a list, divided by commas, with their labels.

        One that is stored in two spellings has both, divided by "or".
        """
        chosen = list(kinds)
        return ", ".join(
            _FILE[self._language]["or"].join(
                dict.fromkeys(self.value(spelt, key, chosen) for spelt in one.split(" or "))
            )
            for one in text.split(", ")
        )

    def suggestion(self, text: str) -> str:
        """Return a suggestion, such as `timeOfDay="core:Day"`, with labels."""
        kind, dot, rest = text.partition(".")
        kinds = [kind] if dot and self._vocabulary and kind in self._vocabulary.domains else []
        key, sign, value = (rest if kinds else text).partition("=")
        named = self.property(key, kinds)
        if sign:
            bare = value.strip('"')
            return f'{named}: "{self.value(bare, key, kinds)}"'
        return f"{named} ({self.kind(kind)})" if kinds else named

    def _country(self, value: ValueTerm) -> str:
        """Return the usual name of the country whose code a value is, or empty."""
        names = {name.text for name in value.names}
        if len(value.label) != 2 or country_name(value.label, "en") not in names:
            return ""
        return country_name(value.label, self._language)

    def _label(self, names: Sequence[Name]) -> str:
        """Return the first name in the language, else in English, else nothing."""
        for language in (self._language, "en"):
            for name in names:
                if name.language == language:
                    return name.text
        return ""

    def _terms(self, key: str, kinds: Iterable[str]) -> Iterator[tuple[DomainTerm, PropertyTerm]]:
        if self._vocabulary is None:
            return
        chosen = set(kinds)
        for domain in self._vocabulary.terms.domains:
            if not chosen or domain.name in chosen:
                yield from ((domain, prop) for prop in domain.properties if prop.key == key)


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
    if asked_in(question) == "zh":
        return "zh"
    tokens = tokenize(question)
    vocabulary = CURRENT.get()
    if vocabulary is not None:
        tokens = split_compounds(tokens, vocabulary)
    names = vocabulary.languages if vocabulary is not None else {}
    return "de" if is_german(tokens, names) else "en"


def language_in(question: str, turns: Sequence[Turn]) -> Language:
    """The language of a question of a conversation.

    One without a small word of English is in German behind a German one: "was kosten sie?".
    """
    own = language_of(question)
    if own != "en" or not turns or speaks_english(question):
        return own
    return "de" if language_of(turns[-1].question) == "de" else own


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
