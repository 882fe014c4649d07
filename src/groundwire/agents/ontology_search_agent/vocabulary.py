"""The names of a catalogue, found in questions by their words.

Every name is kept under its words: folded, and without German endings. What several things are
called leads to all of them; which one is meant is decided where the question is read.

A value's name with a typo is found as well, but only its property is told: the word is sent as it
was written, so that the server corrects it by its own rule, and says so, or asks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from groundwire.agents.ontology_search_agent.words import (
    FUNCTIONS,
    VERBS,
    Token,
    ends_of,
    is_cut,
    tokenize,
    unparted,
)
from groundwire.language.ordinals import words_asking
from groundwire.language.places import adjectives
from groundwire.ontology.concepts import countries
from groundwire.ontology.terms import CatalogueTerms, DomainTerm, Name, PropertyTerm, ValueTerm
from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary, fold


class Misspellings:
    """The single words that values are called, and what is a misspelling of one of them."""

    def __init__(self, terms: CatalogueTerms) -> None:
        """Take every name of a catalogue: a word of one name is never read as a typo of another."""
        values = [
            text
            for listed in terms.values
            for value in listed
            for text in (value.label, *(name.text for name in value.names))
        ]
        others = [
            name.text
            for domain in terms.domains
            for term in (domain, *domain.properties)
            for name in term.names
        ]
        # Names that differ in nothing but capitals are one.
        single = {fold(text): Term(text, text) for text in values if text.isalpha()}
        known = KnownWords([*values, *others])
        self._vocabulary = Vocabulary(single.values(), known)
        words = {fold(one): Term(one, one) for text in others for one in text.split()}
        self._words = Vocabulary((one for key, one in words.items() if key.isalpha()), known)

    def meant(self, word: str, *, of_value: bool = True) -> str | None:
        """The one name that a word misspells, by the word rule; None if there is none.

        Args:
            word: of a question.
            of_value: the name is that of a value; else a word of that of a property or kind.
        """
        found = (self._vocabulary if of_value else self._words).resolve(word, Policy.WORDWISE)
        return found.term.label if found.how == "corrected" and found.term else None


_LONGEST = 10
# How Chinese names of numbers end: 红绿灯数量.
_COUNT_ENDINGS = ("数量", "数")
_COUNTING = (("number", "of"), ("number",), ("anzahl", "der"), ("anzahl", "von"), ("anzahl",))
_LEAST_HEAD = 4
# A CURIE, or a local name such as "isPublic", is no name to search a sentence for: "provider:acme"
# is a property and its value as well.
_LEAST_NOUN = 3
# One vowel between consonants: the last of them is written twice before an ending.
_DOUBLES = re.compile("[^aeiou]*[aeiou][^aeiouwxy]")
_VERBS = frozenset({"is", "has"})
# Every asset is such a thing, whatever kind has it in its name: "trace file".
_ANY_HEADS = frozenset(token.stem for token in tokenize("file Datei"))
_BEFORE_DAYS = frozenset({"on", "at", "in", "since", "am", "im", "seit"})
_IN = frozenset({"in", "im"})
_YEARS = ("year", "jahr", "年份", "年度")
_SPEAK = {"en": -1, "de": 1}


class Meant(NamedTuple):
    """A property of a domain; with a value, that value of it."""

    domain: str
    key: str
    label: str = ""


@dataclass(slots=True)
class Named:
    """The meanings of one name.

    Attributes:
        domains: kinds of asset.
        properties: properties, each in its domain.
        values: values, each of its property.
        exact: written as in the vocabulary, for short codes.
    """

    domains: set[str] = field(default_factory=set[str])
    properties: set[Meant] = field(default_factory=set[Meant])
    values: set[Meant] = field(default_factory=set[Meant])
    exact: set[str] = field(default_factory=set[str])

    def __bool__(self) -> bool:
        return bool(self.domains or self.properties or self.values)


class QuestionVocabulary:
    """The meanings that words of a question can have in one catalogue."""

    def __init__(self, terms: CatalogueTerms) -> None:
        """Read the terms."""
        self.terms = terms
        self.domains: dict[str, DomainTerm] = {domain.name: domain for domain in terms.domains}
        self.properties: dict[Meant, PropertyTerm] = {}
        self._plain: dict[tuple[str, ...], Named] = defaultdict(Named)
        self._stems: dict[tuple[str, ...], Named] = defaultdict(Named)
        self._heads: dict[str, set[str]] = defaultdict(set)
        self._words: dict[Meant, set[str]] = {}
        self._counted: dict[Meant, set[tuple[str, ...]]] = defaultdict(set)
        self._known: set[str] = set()
        self._singular: set[str] = set()
        # By word: 1 where only German names have it, -1 where only English ones do.
        self.languages: dict[str, int] = {}
        # Properties whose figures are years, which a question compares as dates.
        self.years: set[Meant] = set()
        # Units of the properties, by how they are typed in small letters.
        self.units: dict[str, str] = {}
        self._holders: dict[int, list[Meant]] = defaultdict(list)
        for domain in terms.domains:
            self._add_domain(domain)
        for position, value in ((at, one) for at, many in enumerate(terms.values) for one in many):
            self._add_value(self._holders[position], value)
        for position, values in enumerate(terms.values):
            self._add_countries(self._holders[position], values)
        self._known = {word for words in self._stems for word in words}
        self.others = {tuple(word.stem for word in tokenize(name)) for name in terms.others}

    @cached_property
    def levels(self) -> set[Meant]:
        """The properties whose listed values are figures, so that one may be at least another."""
        return {
            meant
            for position, values in enumerate(self.terms.values)
            for meant in self._holders[position]
            if values and all(one.label.isdigit() for one in values)
        }

    def find(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Named]]:
        """Names that begin at a token, longest first: how many tokens, and what is meant."""
        for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
            part = tokens[start : start + length]
            if is_cut(tokens, start + length):
                continue
            if length > 1 or part[0].kind in ("mark", "quoted"):
                part = _whole(part)
                if not part:
                    continue
            named = self._plain.get(tuple(token.plain for token in part))
            if named is None:
                named = self._stems.get(tuple(token.stem for token in part))
            if named is not None and (kept := _as_written(named, part)):
                yield length, kept

    def has_word(self, token: Token) -> bool:
        """Whether a word is one of some name, or a small word."""
        return token.stem in self._known or (token.plain,) in FUNCTIONS

    def is_name(self, token: Token) -> bool:
        """Whether one word is a name by itself."""
        return next(self.find((token,), 0), None) is not None

    def part_of(self, token: Token, kinds: Sequence[str]) -> Named:
        """The properties that a word is a part of the name of, where no kind of asset has two."""
        stem = token.stem if len(token.stem) >= _LEAST_HEAD else ""
        found = self._parts.get(stem, set[Meant]())
        domains = [one.domain for one in found]
        is_sole = len(set(domains)) == len(domains)
        own = {one for one in found if self.properties[one].kind in kinds}
        return Named(properties=own) if is_sole else Named()

    @cached_property
    def _parts(self) -> Mapping[str, set[Meant]]:
        """The properties of figures and of what holds or not, by the words of their names."""
        found: dict[str, set[Meant]] = defaultdict(set)
        for meant, prop in self.properties.items():
            for word in (one for name in prop.names for one in tokenize(name.text)):
                if prop.kind in ("number", "boolean"):
                    found[word.stem].add(meant)
        return found

    def respelt(self, token: Token) -> Token:
        """The word of a property or kind that a word is but for a typo, in its place; or itself."""
        is_open = token.kind == "word" and token.text.isalpha() and not self.has_word(token)
        if not is_open or self.head(token) or self._misspellings.meant(token.text):
            return token
        meant = self._misspellings.meant(token.text, of_value=False)
        return tokenize(meant)[0]._replace(start=token.start, end=token.end) if meant else token

    def misspelt(self, token: Token) -> Named:
        """The values that a word is the name of but for a typo, each with the word as written."""
        # "Tunels" is one letter from a plural, which is no name.
        said = token.text if self._misspellings.meant(token.text) else token.plain
        if (meant := self._misspellings.meant(said)) is None:
            return Named()
        named = self.values_named(meant)
        return Named(values={value._replace(label=said) for value in named.values})

    def label_of(self, meant: Meant, text: str) -> str:
        """The label of the value of a property that a text names; else the text, folded."""
        for said in (text, text.rpartition(":")[2], self._misspellings.meant(text)):
            if said is None:
                continue
            for value in self.values_named(said).values:
                if (value.domain, value.key) == (meant.domain, meant.key):
                    return value.label
        return fold(text)

    @cached_property
    def _misspellings(self) -> Misspellings:
        return Misspellings(self.terms)

    def head_of(self, token: Token) -> bool:
        """Whether the name of a kind of asset ends in a word."""
        return token.stem in self._heads

    def values_named(self, text: str) -> Named:
        """Return the meanings of a quoted text as a whole."""
        tokens = tokenize(text)
        for length, named in self.find(tokens, 0):
            if length == len(tokens):
                return named
        return Named()

    def head(self, token: Token) -> set[str]:
        """Domains whose name ends in a word: a "map" is an "HD map", a "Karte" a "HD-Karte"."""
        found = self._heads.get(token.stem)
        if found is not None or len(token.stem) < _LEAST_HEAD:
            return found or set()
        ended: set[str] = set()
        for head, names in self._heads.items():
            if head.endswith(token.stem):
                ended |= names
        return ended

    def of_domain(self, domain: str, kinds: Iterable[str] = ()) -> Iterator[Meant]:
        """The properties of a domain, those of some kinds."""
        wanted = tuple(kinds)
        for meant, term in self.properties.items():
            if meant.domain == domain and (not wanted or term.kind in wanted):
                yield meant

    def is_count(self, meant: Meant, words: Sequence[Token]) -> bool:
        """Whether words name what a property counts: "traffic lights" of their number."""
        if self.properties[meant].kind != "number":
            return False
        said = tuple(word.stem for word in words)
        return said in self._counted.get(meant, ())

    def is_part(self, meant: Meant, words: Sequence[Token]) -> bool:
        """Whether one word is a word of a property's name: "lanes" of lane types."""
        if len(words) != 1:
            return False
        if meant not in self._words:
            names = [tokenize(name.text) for name in self.properties[meant].names]
            self._words[meant] = {word.stem for name in names for word in name}
        return words[0].stem in self._words[meant]

    def is_singular(self, words: Sequence[Token]) -> bool:
        """Whether words are the end of a kind's name as it is written, and so no plural."""
        return bool(words) and words[-1].text.lower() in self._singular

    def connected(self, domain: str) -> tuple[str, ...]:
        """Domains that a domain refers to, or that refer to it."""
        found = self.domains.get(domain)
        return found.connected if found else ()

    def _speaks(self, words: Iterable[Token], language: str) -> None:
        """Words that only German names have speak for German, likewise English."""
        said = _SPEAK.get(language, 0)
        for word in words:
            if self.languages.setdefault(word.stem, said) != said:
                self.languages[word.stem] = 0

    def _add_domain(self, domain: DomainTerm) -> None:
        heads: set[str] = set()
        single: set[str] = set()
        for name in (*domain.names, Name(text=domain.name)):
            words = tokenize(name.text)
            self._speaks(words, name.language)
            single |= {words[0].stem} if len(words) == 1 else set()
            for named in self._places(words):
                named.domains.add(domain.name)
            if words:
                heads |= {words[-1].stem} - _ANY_HEADS
                self._singular.add(words[-1].text.lower())
        for head in heads:
            self._heads[head].add(domain.name)
        for prop in domain.properties:
            self._add_property(Meant(domain.name, prop.key), prop, single)

    def _add_property(self, meant: Meant, prop: PropertyTerm, single: set[str]) -> None:
        if _says_year(prop):
            self.years.add(meant)
            prop = prop.model_copy(update={"kind": "date"})
        self.properties[meant] = prop
        if prop.unit:
            self.units.setdefault(prop.unit.lower(), prop.unit)
        if prop.values is not None:
            self._holders[prop.values].append(meant)
        for name in prop.names:
            words = tokenize(name.text)
            self._speaks(words, name.language)
            turned = _turned(words) if prop.kind == "boolean" else ()
            bare = _without_preposition(words) if prop.kind == "date" else ()
            verbs = map(tokenize, VERBS.get(name.text.lower(), ()))
            for form in (*_forms(words, prop.kind == "number", single), *turned, *bare, *verbs):
                for named in self._places(form):
                    named.properties.add(meant)
                if prop.kind == "number" and (form != words or _names_several(prop, words)):
                    self._counted[meant].add(tuple(word.stem for word in form))
        if prop.kind == "number":
            for word in words_asking([name.text for name in prop.names]):
                for named in self._places(tokenize(word)):
                    named.properties.add(meant)

    def _add_value(self, holders: Sequence[Meant], value: ValueTerm) -> None:
        meant = {Meant(holder.domain, holder.key, value.label) for holder in holders}
        for text in dict.fromkeys((value.label, *(name.text for name in value.names))):
            words = tokenize(text)
            if len(value.names) > 1 and (":" in text or (words and words[0].plain in _VERBS)):
                continue
            for named in self._places(words):
                named.values |= meant
                named.exact.add(text)
            for called in ends_of(text) if len(words) > 1 else ():
                for named in self._places(tokenize(called)):
                    named.values |= meant
                    named.exact.add(called)
        for name in value.names:
            # "Tag" is a German value, so that English "tags" speak for no language.
            words = [one for one in tokenize(name.text) if one.stem in self.languages]
            self._speaks(words, name.language)
        names = [name.text for name in value.names]
        for adjective in (*adjectives(value.label, names), *_in_y(value)):
            words = tokenize(adjective.text)
            self._speaks(words, adjective.language)
            for named in self._places(words):
                named.values |= meant

    def _add_countries(self, holders: Sequence[Meant], values: Sequence[ValueTerm]) -> None:
        """Countries that no asset is of, beside those that some are: "any maps of Fiji?".

        Their names are added where nothing else is called so.
        """
        held = {value.label.upper() for value in values}
        if not (named := [value for value in values if _is_country(value)]):
            return
        capital = any(value.label.isupper() for value in named)
        known = {words for places in (self._stems, self._plain) for words in places}
        for code, names in countries("en", "de").items():
            if code in held:
                continue
            label = code if capital else code.lower()
            meant = {Meant(holder.domain, holder.key, label) for holder in holders}
            for text in (*names, *(adjective.text for adjective in adjectives(code, names))):
                words = tokenize(text)
                forms = {tuple(w.plain for w in words), tuple(w.stem for w in words)}
                if forms & known or any((word.plain,) in FUNCTIONS for word in words):
                    continue
                for place in self._places(words):
                    place.values |= meant
                    place.exact.add(text)

    def _places(self, words: Sequence[Token]) -> Iterator[Named]:
        if words and len(words) <= _LONGEST:
            words = [word for word in words if word.kind not in ("mark", "quoted")]
            yield self._plain[tuple(word.plain for word in words)]
            yield self._stems[tuple(word.stem for word in words)]
            if len(whole := unparted(words)) < len(words):
                # "GeoTIFF" is typed "geotiff" as well.
                yield self._plain[tuple(word.plain for word in whole)]
                yield self._stems[tuple(word.stem for word in whole)]


def _in_y(value: ValueTerm) -> Iterator[Name]:
    """English adjectives of the nouns that a value is called: "rainy" of rain, "foggy" of fog.

    They are spelt as English spells them, so that "busy" is none of bus.
    """
    for text in dict.fromkeys((value.label, *(n.text for n in value.names if n.language == "en"))):
        if text.isascii() and text.isalpha() and text.islower() and len(text) >= _LEAST_NOUN:
            if text.endswith("e"):
                yield Name(text=f"{text[:-1]}y", language="en")
            elif not text.endswith(("y", "s")):
                double = text[-1] if _DOUBLES.fullmatch(text) else ""
                yield Name(text=f"{text}{double}y", language="en")


def _is_country(value: ValueTerm) -> bool:
    """Whether a value is the code of a country that its names name."""
    names = [name.text for name in value.names]
    return len(value.label) == 2 and bool(adjectives(value.label, names))


def _whole(part: Sequence[Token]) -> Sequence[Token]:
    """The words of some tokens; none where a mark between them has space around it."""
    if (
        part[-1].kind == "mark"
        or part[0].plain == "!="
        or any(token.kind == "quoted" for token in part)
    ):
        return ()
    for at, token in enumerate(part):
        if token.kind == "mark":
            before = part[at - 1].end if at else token.start
            if before != token.start or part[at + 1].start != token.end:
                return ()
    return [token for token in part if token.kind != "mark"]


def _as_written(named: Named, part: Sequence[Token]) -> Named:
    """Codes of two letters are none unless they are written as codes: `IN` is not "in"."""
    first = part[0]
    if len(part) > 1 and (first.plain,) in FUNCTIONS:
        # A name that begins with a small word is written as it is: "mit Lizenz" is no MIT licence.
        if any(re.match(rf"{re.escape(first.text)}(?![^\W_])", text) for text in named.exact):
            return named
        return Named(named.domains, named.properties)
    if len(part) > 1 or len(first.text) > 2 or first.text in named.exact:
        return named
    return Named(named.domains, named.properties)


def _forms(words: tuple[Token, ...], counts: bool, single: set[str]) -> Iterator[tuple[Token, ...]]:
    """A name, what it counts ("number of lanes"), and without its domain ("scenario category")."""
    yield words
    plain = tuple(word.plain for word in words)
    if counts and len(words) == 1 and words[0].text.endswith(_COUNT_ENDINGS):
        counted = words[0].text.removesuffix(_COUNT_ENDINGS[0]).removesuffix(_COUNT_ENDINGS[1])
        yield tokenize(counted)
        return
    if counts:
        for start in _COUNTING:
            if plain[: len(start)] == start and len(plain) > len(start):
                yield words[len(start) :]
                return
    if len(words) > 1 and words[0].stem in single:
        yield words[1:]


def _turned(words: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """A name of two words the other way round: "dogs allowed" is said as "allow dogs" too."""
    if len(words) == 2 and words[1].text.lower().endswith("ed"):
        thing, done = words[0].text, words[1].text.lower()
        for verb in (done, done.removesuffix("ed"), done.removesuffix("d")):
            yield tokenize(f"{verb} {thing}")


def _names_several(prop: PropertyTerm, words: Sequence[Token]) -> bool:
    """Whether a figure is called as what it counts: "seats", "wheelchair places"."""
    last = words[-1].text.lower() if words else ""
    return not prop.unit and last.endswith("s") and not last.endswith(("ss", "us", "is"))


def _says_year(prop: PropertyTerm) -> bool:
    """Whether a figure is a year: "built in", "year of purchase", "Baujahr"."""
    if prop.kind != "number" or prop.unit:
        return False
    names = [[word.text.lower() for word in tokenize(name.text)] for name in prop.names]
    return any(
        (len(words) > 1 and words[-1] in _IN) or any(word.endswith(_YEARS) for word in words)
        for words in names
    )


def _without_preposition(words: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """A date without what leads to it: "donated on" is said as "donated in 2023" too."""
    bare, last = words[:-1], words[-1] if words else None
    if (
        last is not None
        and bare
        and last.text.lower() in _BEFORE_DAYS
        and (bare[-1].plain,) not in FUNCTIONS
    ):
        yield bare


CURRENT: ContextVar[QuestionVocabulary | None] = ContextVar("ontology_vocabulary", default=None)
"""The vocabulary of the run under way; its briefing sets it, its rules read it."""
