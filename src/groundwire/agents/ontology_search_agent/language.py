"""A question in the words that the rules read, and sentences with labels in its own language.

Whoever reads a question of this agent reads what `rephrased` makes of its text-speak, Chinese,
ordinals and comparisons, by the wordings of `rephrasing.toml`. The answer is in the language of the
question itself, by `sentences.toml`. Kinds, properties and values have the catalogue's own names
where they exist in that language. A key or a value without a label stays as it is, and so do codes
that people know as codes: licences, formats, versions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast

from groundwire.agents.ontology_search_agent.chinese import as_written, in_english
from groundwire.agents.ontology_search_agent.marking import split_compounds
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import PREPOSITIONS, is_german, tokenize
from groundwire.agents.runtime.contract import Turn
from groundwire.language.asking import asked_in, speaks_english
from groundwire.language.ordinals import has_superlative, ranked_place
from groundwire.language.places import cities, country_name, english_names
from groundwire.language.plain_speech import plain_amounts, plain_numbers, plain_speech
from groundwire.ontology.terms import DomainTerm, Name, PropertyTerm, ValueTerm

_LEAST_HEAD = 3
_PROVIDES = "who provides"
_PROVIDER = "provider"
_HANGING = re.compile(
    r"\b(?P<first>[^\W\d_]{3,})- (?P<joint>und|oder|sowie) (?P<last>[^\W\d_]{6,})"
)
_JOINT = re.compile(r"(?<= )(?:and|und)(?= )", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
# "Münchner Karten" are those of München.
_INHABITANT = re.compile(r"\b(?P<stem>[A-ZÄÖÜ][a-zäöüß]{2,})er(?=\s+[A-ZÄÖÜ])")


class Rephrased(NamedTuple):
    """A question as the rules read it.

    Attributes:
        text: the question in their words.
        place: the place in an order that it asks for; 0 for none.
        compares: whether it asks which of several has more.
        asks_why: whether it asks for a reason, which no catalogue has.
        counts: whether a Chinese question asks for a number of things beside another figure.
        written: its parts as they are written, by the words that the rules have for them.
    """

    text: str
    place: int = 0
    compares: bool = False
    asks_why: bool = False
    written: Mapping[str, str] = MappingProxyType({})
    counts: bool = False


def rephrased(question: str) -> Rephrased:
    """Return a question in the words that the rules read."""
    return _rephrased(question, CURRENT.get())


@lru_cache(maxsize=256)
def _rephrased(question: str, vocabulary: QuestionVocabulary | None) -> Rephrased:
    text = _without("beside", plain_numbers(plain_amounts(plain_speech(question))))
    text, of_each = _of_each(text)
    read = _read_as(text, vocabulary)
    return read._replace(compares=read.compares or of_each)


def _of_each(text: str) -> tuple[str, bool]:
    """Return a question without the word for each of several, and whether it counts each of them.

    In German only "jeweils" says that what stands behind "haben" has them, not what is before it.
    "How many maps do Germany and Japan have" counts those of the one and those of the other.
    """
    if not (_has("how_many", text) and _has("several", text)):
        return text, False
    rest = _without("each_of", text)
    had = _whole("had_by", text) or _whole("had_by", " ".join(rest.split()))
    if had:
        return f"{had['kind']} of {had['who']}?", True
    if rest == text:
        return text, False
    joint = next(iter([*_JOINT.finditer(rest)][::-1]), None)
    if joint is None:
        return rest, True
    either = "or" if joint[0].lower() == "and" else "oder"
    return f"{rest[: joint.start()]}{either}{rest[joint.end() :]}", True


def _read_as(text: str, vocabulary: QuestionVocabulary | None) -> Rephrased:
    """Return a plain question in the words of the rules."""
    text = _with_places(text)
    for pattern in _patterns()["delivered_as"]:
        text = pattern.sub(lambda found: f"{found['as']} {found['what']}", text)
    provided = _whole("provided", text)
    if _whole("where", text):
        return Rephrased("its city")
    if asked_in(text) == "zh":
        read = _chinese(provided["rest"] if provided else text, vocabulary)
        return read._replace(text=f"{_PROVIDES} {read.text}") if provided else read
    text = f"{_PROVIDES} {provided['rest']}" if provided else text
    if each := _whole("each_has", text):
        return Rephrased(f"how many {_read(each['kind'])} per {each['of']}")
    if compared := _compared(text, vocabulary):
        return Rephrased(compared, compares=True)
    if compared := _compared_kinds(text, vocabulary):
        return Rephrased(compared, compares=True)
    between = _whole("compared_values", text)
    if between and _is_kind(_read(between["kind"]), vocabulary):
        said = " ".join(_read(between[part]) for part in ("kind", "left"))
        return Rephrased(f"{said} or {_read(between['right'])}", compares=True)
    found = _whole("most_of", text)
    if found and _is_kind(_read(found["kind"]), vocabulary):
        return Rephrased(
            f"how many {_read(found['kind'])} per {_read(found['of'] or _PROVIDER)}", compares=True
        )
    text, place, asks_why = _bare(text)
    if vocabulary is not None:
        text = _HANGING.sub(lambda found: _unhung(found, vocabulary), text)
    return Rephrased(" ".join(_read(text).split()), place, asks_why=asks_why)


def _with_places(text: str) -> str:
    """Return a question where each of several is as one for the city of each."""
    for pattern in _patterns()["where_each"]:
        if found := pattern.search(text):
            (language,) = (name for name, said in found.groupdict().items() if said)
            return f"{text[: found.start()]}{_IN_WHICH[language]}"
    return text


_IN_WHICH = {"en": " and in which city are they?", "de": " und in welcher Stadt liegen sie?",
             "zh": "，在哪个城市？"}  # fmt: skip


def _unhung(found: re.Match[str], vocabulary: QuestionVocabulary) -> str:
    """Return "Bus- und Fahrradspuren" with what both words end in, where that makes a name."""
    first, last = found["first"], found["last"]
    for at in range(_LEAST_HEAD, len(last) - _LEAST_HEAD + 1):
        whole = f"{first}{last[at:]}"
        if any(map(vocabulary.is_name, tokenize(whole))):
            return f"{whole} {found['joint']} {last}"
    return found[0]


def _chinese(text: str, vocabulary: QuestionVocabulary | None) -> Rephrased:
    """Return a Chinese question in the words of the rules."""
    follows = goes_on(text)
    text, place, asks_why = _bare(text)
    said, compares = in_english(text, vocabulary)
    written = as_written(text, vocabulary)
    said = f"and {said}" if follows else said
    said = f"{said} 谁" if text.lstrip().startswith(("谁", "是谁")) else said
    return Rephrased(said, place, compares, asks_why, written, _has("counted", text))


def goes_on(text: str) -> bool:
    """Return whether a question goes on from the one before it: "and maps?"."""
    return _has("follow_up", text)


def counts_kinds(text: str) -> bool:
    """Return whether a question asks how many there are."""
    return _has("how_many", text)


def _compared_kinds(text: str, vocabulary: QuestionVocabulary | None) -> str:
    """Return the count of both kinds of which there may be more of one, or empty."""
    found = _whole("compared_kinds", text)
    if found is None or not all(_is_kind(found[side], vocabulary) for side in ("left", "right")):
        return ""
    rest = found["rest"] or (f" from {found['of']}" if found["of"] else "")
    return f"how many {found['left']} and {found['right']}{_read(rest)}"


def _bare(text: str) -> tuple[str, int, bool]:
    """Return a question without its frame, the place that it asks for, and whether it asks why."""
    asks_why = _has("why", text)
    if asks_why:
        # A question that takes something for granted is answered by the assets that are held.
        text = _without("granted", _without("why", text))
    if _has("and_which", text):
        text = _without("how_many", _without("and_which", text)).strip() or text
    for pattern in _patterns()["counted_too"]:
        text = pattern.sub(lambda found: found["joint"], text)
    place, text = ranked_place(text)
    if not place and has_superlative(text):
        place = 1
    return text, place, asks_why


def _compared(text: str, vocabulary: QuestionVocabulary | None) -> str:
    """Return the kind and the two sides that are compared by their numbers, or empty.

    "Are there more foggy scenarios than snowy ones?" are scenarios that are foggy or snowy.
    """
    found = _whole("compared", text)
    if found is None:
        return ""
    left, right = (_read(found[name]).split() for name in ("left", "right"))
    at = next((at for at, word in enumerate(left) if _is_kind(word, vocabulary)), -1)
    if at < 0:
        return ""
    start = at - 1 if at and _is_kind(" ".join(left[at - 1 : at + 1]), vocabulary) else at
    kind = left[start : at + 1]
    sides = [
        [word for word in side if word.lower() not in PREPOSITIONS and word.lower() not in _AGAIN]
        for side in ([*left[:start], *left[at + 1 :]], [word for word in right if word not in kind])
    ]
    return f"{' '.join(kind)} of {' '.join(sides[0])} or {' '.join(sides[1])}" if all(sides) else ""


# These words stand for the kind that was named before.
_AGAIN = frozenset(("ones", "one", "those", "solche", "im", "am", "vom", "the", "der", "dem"))


def _is_kind(text: str, vocabulary: QuestionVocabulary | None) -> bool:
    """Whether words name a kind of asset: "most maps" are counted, "most frames" are a figure."""
    tokens = tokenize(text)
    if vocabulary is None or not tokens:
        return bool(tokens)
    named = any(size == len(tokens) and one.domains for size, one in vocabulary.find(tokens, 0))
    return named or (len(tokens) == 1 and bool(vocabulary.head(tokens[-1])))


def _read(text: str) -> str:
    """Return a text with cities as English calls them."""
    if _has("named", text):
        # A name is searched as it is written.
        return text
    text = _INHABITANT.sub(_city, text)
    return _exonyms().sub(lambda found: _cities()[found[0].casefold()], text)


def _city(found: re.Match[str]) -> str:
    """Return the city of an adjective that ends in -er: Münchner, Berliner, Kölner."""
    stem = found["stem"]
    known = english_names()
    for name in (stem, f"{stem[:-1]}en" if stem.endswith("n") else "", f"{stem}en", f"{stem}e"):
        if name and name in known:
            return known[name]
    return stem if stem in known.values() else found[0]


@cache
def _cities() -> Mapping[str, str]:
    """Return the English name of each city by its German name, in small letters."""
    return {name.casefold(): english for name, english in cities().items()}


@cache
def _exonyms() -> re.Pattern[str]:
    """Return the pattern of the German names of cities, as whole words."""
    names = sorted((one for one in cities() if not _HAN.search(one)), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


@cache
def _patterns() -> Mapping[str, Sequence[re.Pattern[str]]]:
    text = (files(__package__ or "") / "rephrasing.toml").read_text("utf-8")
    return {
        name: [re.compile(one, re.IGNORECASE) for one in patterns]
        for name, patterns in tomllib.loads(text).items()
    }


def _whole(name: str, text: str) -> re.Match[str] | None:
    """Return how a wording covers a text as a whole."""
    return next((m for one in _patterns()[name] if (m := one.fullmatch(text.strip()))), None)


def _has(name: str, text: str) -> bool:
    return any(one.search(text) for one in _patterns()[name])


def _without(name: str, text: str) -> str:
    for one in _patterns()[name]:
        text = one.sub(" ", text)
    return text


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
