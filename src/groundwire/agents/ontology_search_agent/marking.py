"""A question as a row of items: names of the catalogue, small words, figures, and what is left.

German compounds are taken apart: "Autobahnkarten" are "Autobahn" and "Karten". One is split only if
no name has it as a word, and only where there is one way to split it into two names of the
catalogue. Letters that only join ("Verkehr-s-karten") belong to neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from groundwire.agents.ontology_search_agent.vocabulary import (
    Meant,
    Named,
    QuestionVocabulary,
)
from groundwire.agents.ontology_search_agent.words import (
    INFLECTED,
    PARTS,
    Function,
    Token,
    find_functions,
    is_cut,
    is_german,
    number_word,
    scale_word,
    scaled,
    tokenize,
)
from groundwire.language import lexicon
from groundwire.language.ordinals import has_superlative
from groundwire.quantities import find_dates, resolve_unit

_SIGNS = "€£$¥"
# Names of money that are weights as well.
_WEIGHTS = frozenset(("pound", "pounds", "pfund"))
_LEAST = 3
_LEAST_HEAD = 4
_LINKS = ("", "s", "es", "n", "en", "er", "e")


def split_compounds(tokens: Sequence[Token], vocabulary: QuestionVocabulary) -> tuple[Token, ...]:
    """The tokens of a question, each compound of two known words as these."""
    found: list[Token] = []
    for token in tokens:
        ways = list(_ways(token, vocabulary)) if _may_be_split(token, vocabulary) else []
        if len(ways) > 1:
            # "Landstraßenkarten" are maps of a "Landstraße", no "Straßenkarten" of a "Land".
            ways = [way for way in ways if vocabulary.values_named(way[0].text).values]
        found += ways[0] if len(ways) == 1 else [token]
    return tuple(found)


def _may_be_split(token: Token, vocabulary: QuestionVocabulary) -> bool:
    return (
        token.kind == "word"
        and len(token.plain) >= _LEAST + _LEAST_HEAD
        and token.text.isalpha()
        and not vocabulary.has_word(token)
        and not vocabulary.head(token)
    )


def _ways(token: Token, vocabulary: QuestionVocabulary) -> Iterator[tuple[Token, Token]]:
    """Each way to read a word as two: what it ends in names a kind, a property or a value."""
    written = token.text
    for at in range(_LEAST, len(written) - _LEAST_HEAD + 1):
        head = _part(written[at:], token.start + at)
        if not (vocabulary.head_of(head) or vocabulary.is_name(head)):
            continue
        for link in _LINKS:
            first = written[: at - len(link)]
            if len(first) < _LEAST or not written[:at].lower().endswith(link):
                continue
            part = _part(first, token.start)
            if vocabulary.is_name(part) or part.text.lower() in PARTS:
                yield part, head
                break


def _part(text: str, start: int) -> Token:
    (token,) = tokenize(text)
    return token._replace(start=start, end=start + len(text), split=True)


_FAR = 5
"""Words that may stand between a figure and its "or more", as in "20 km of length or more"."""

_LONGEST_SYMBOL = 4
_SAYING_NOTHING = frozenset({"filler", "stated"})
_YEAR = re.compile(r"(19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a question.

    Attributes:
        text: as it is written.
        tokens: its tokens.
        functions: what it does as a small word.
        named: what it names.
        number: a figure, as a plain decimal.
        unit: the unit behind the figure, or empty.
        days: first and last day, where it can be read as a date.
        quoted: whether it stood in quotes.
        rough: whether the figure is said not to be exact, as in "about 5 km".
    """

    text: str
    tokens: tuple[Token, ...]
    functions: tuple[Function, ...] = ()
    named: Named = field(default_factory=Named)
    number: str = ""
    unit: str = ""
    days: tuple[str, str] | None = None
    quoted: bool = False
    rough: bool = False

    def does(self, *roles: str) -> Function | None:
        """Its function of one of these roles."""
        return next((one for one in self.functions if one.role in roles), None)

    @property
    def unknown(self) -> bool:
        """Whether nothing is known of it."""
        return not (self.functions or self.named or self.number or self.days)


def mark(question: str, vocabulary: QuestionVocabulary) -> tuple[Item, ...]:
    """The items of a question, in order."""
    marker = _Marker(question, vocabulary)
    items: list[Item] = []
    at = 0
    while at < len(marker.tokens):
        item = marker.item(at)
        items.append(item)
        at += len(item.tokens)
    return tuple(items)


class _Marker:
    """Reads one item after the other."""

    def __init__(self, question: str, vocabulary: QuestionVocabulary) -> None:
        self.question = question
        self.vocabulary = vocabulary
        tokens = map(vocabulary.respelt, tokenize(question))
        self.tokens = split_compounds(list(tokens), vocabulary)
        # A bare year is a figure until a date is wanted.
        self.dates = [one for one in find_dates(question) if one.grain != "year"]
        self.german = is_german(self.tokens, vocabulary.languages)

    def item(self, at: int) -> Item:
        token = self.tokens[at]
        if token.kind == "quoted":
            named = self.vocabulary.values_named(token.text)
            return Item(token.text, (token,), named=named, quoted=True)
        if token.text in _SIGNS and at + 1 < len(self.tokens):
            figure = self._figure(at + 1)
            if figure is not None and not figure.unit:
                whole = self._plain((token, *figure.tokens))
                return replace(whole, number=figure.number, unit=_unit(token, glued=True))
        names = self._as_german(at, *self._named(at))
        ends = self.german and 0 < at == len(self.tokens) - 1 and not names[0]
        if ends and token.text in _particles():
            # The end of a verb: "in welchem Format liegt die Karte vor?".
            return replace(self._plain((token,)), functions=(Function("filler"),))
        functions = self._functions(at)
        if names[0] >= functions[0] and self._is_truth(names[1], functions[1]):
            # "Available" says something of the assets that state whether they are.
            functions = (0, ())
        length = max(names[0], functions[0])
        special = self._dated(at, length) or self._rough(at, names[0], functions)
        if special is not None:
            return special
        figure = self._figure(at) if self._is_figure(at) else None
        if figure is not None and len(figure.tokens) >= length:
            return replace(figure, named=names[1] if names[0] == len(figure.tokens) else Named())
        if length == 0:
            return self._unknown(at)
        return self._known(
            self.tokens[at : at + length],
            names[1] if names[0] == length else Named(),
            functions[1] if functions[0] == length else (),
        )

    def _is_truth(self, named: Named, functions: Sequence[Function]) -> bool:
        """Whether a word that else says nothing is the name of something that holds or not."""
        kinds = {self.vocabulary.properties[one].kind for one in named.properties}
        return kinds == {"boolean"} and all(one.role in _SAYING_NOTHING for one in functions)

    def _named(self, at: int) -> tuple[int, Named]:
        found = list(self.vocabulary.find(self.tokens, at))
        for length, named in found[1:]:
            last = self.tokens[at + length - 1]
            if named.domains and not found[0][1].domains and last.text.lower() == f"{last.plain}s":
                # A plural begins no longer name: "scenarios category" is no scenario category.
                return length, named
            if self._has_rest(named, found[0][1], at + length, at + found[0][0]):
                return length, named
        return found[0] if found else (0, Named())

    def _as_german(self, at: int, length: int, named: Named) -> tuple[int, Named]:
        """The German value that a word names, which an English property's plural only resembles.

        "Tag" is a time of day, though "tags" are keywords; in "Tag aeb" a keyword stands behind it.
        """
        is_both = self.german and length == 1 and named.values and named.properties
        if not is_both or self.tokens[at].text not in named.exact:
            return length, named
        said = self.tokens[at].text.lower()
        names = {
            name.text.lower()
            for one in named.properties
            for name in self.vocabulary.properties[one].names
        }
        behind = next((one for _, one in self.vocabulary.find(self.tokens, at + 1)), Named())
        if said in names or any(_of(value) in named.properties for value in behind.values):
            return length, named
        return length, replace(named, properties=set())

    def _has_rest(self, named: Named, whole: Named, start: int, stop: int) -> bool:
        """Whether a name is a property's and what follows is its value: "lane types bus".

        That is meant, though the `whole` is a value of another property: "lane type bus".
        """
        if whole.domains or whole.properties or not named.properties:
            return False
        rest = next(
            (one for size, one in self.vocabulary.find(self.tokens, start) if start + size == stop),
            Named(),
        )
        own = {value.domain for value in rest.values if _of(value) in named.properties}
        others = {value.domain for value in whole.values}
        return bool(own) and (others & self._kinds or others) <= own

    @cached_property
    def _kinds(self) -> set[str]:
        """The kinds of asset that are named anywhere in the question."""
        found: set[str] = set()
        for at, token in enumerate(self.tokens):
            found.update(*(named.domains for _, named in self.vocabulary.find(self.tokens, at)))
            found |= self.vocabulary.head(token) if token.kind == "word" else set()
        return found

    def _plain(self, part: Sequence[Token]) -> Item:
        """Some tokens as one piece, as they are written."""
        return Item(self.question[part[0].start : part[-1].end], tuple(part))

    def _dated(self, at: int, length: int) -> Item | None:
        """A date, unless something longer begins here."""
        token = self.tokens[at]
        days = next((one for one in self.dates if one.span[0] == token.start), None)
        if days is None:
            return None
        inside = [one for one in self.tokens[at:] if one.start < days.span[1]]
        if len(inside) <= length and token.kind != "date":
            return None
        return replace(self._plain(inside), days=(days.start.isoformat(), days.end.isoformat()))

    def _rough(
        self, at: int, named: int, functions: tuple[int, tuple[Function, ...]]
    ) -> Item | None:
        """A figure that is said not to be exact, with the words that say so."""
        length, roles = functions
        behind = at + length
        if named >= length or behind >= len(self.tokens):
            return None
        figure = self._figure(behind) if any(one.role == "rough" for one in roles) else None
        if figure is None:
            return None
        whole = self._plain(self.tokens[at : behind + len(figure.tokens)])
        return replace(figure, text=whole.text, tokens=whole.tokens, rough=True)

    def _unknown(self, at: int) -> Item:
        """A word that no name has; it may be the last of a kind of asset's."""
        token = self.tokens[at]
        heads = set(self.vocabulary.head(token)) if token.kind == "word" else set[str]()
        part = [token]
        while is_cut(self.tokens, at + len(part)):
            part.append(self.tokens[at + len(part)])
            heads.clear()
        named = Named(domains=heads)
        if not named and len(part) == 1 and token.kind == "word" and not token.split:
            near = self.tokens[max(0, at - 2) : at + 3]
            # "Highest friction", "frame over 56 cm": what is measured is beside its measure.
            measured = any(_says_figure(one) or has_superlative(one.text) for one in near)
            if self._kinds:
                named = self.vocabulary.part_of(token, ("boolean", "number")[: 1 + measured])
            named = named or self.vocabulary.misspelt(token)
        return replace(self._plain(part), named=named)

    def _known(self, part: Sequence[Token], named: Named, roles: tuple[Function, ...]) -> Item:
        item = self._plain(part)
        if roles and named.values:
            if item.text in named.exact and not item.text[-1].islower():
                # Written as the code that it is: the licence MIT is no German "mit".
                roles = ()
            elif item.text not in named.exact:
                named = Named(named.domains, named.properties)
        return replace(item, functions=roles, named=named)

    def _is_figure(self, at: int) -> bool:
        """Whether a figure stands here: "one" is one only before what is counted."""
        token = self.tokens[at]
        if token.plain != "one":
            return _says_figure(token)
        return any(
            self.vocabulary.properties[meant].kind == "number"
            for meant in self._named(at + 1)[1].properties
        )

    def _functions(self, at: int) -> tuple[int, tuple[Function, ...]]:
        """The longest phrase that begins here and cuts no name in two."""
        for length, functions in find_functions(self.tokens, at):
            if is_cut(self.tokens, at + length) or is_cut(self.tokens, at):
                continue
            if functions[0].role in ("more", "less") and not self._goes_on(at, length):
                continue
            cuts = any(
                place + self._named(place)[0] > at + length for place in range(at + 1, at + length)
            )
            if not cuts:
                return length, functions
        token = self.tokens[at]
        whole = not is_cut(self.tokens, at) and not is_cut(self.tokens, at + 1)
        if token.kind == "word" and whole and not self._named(at)[0]:
            return (1, INFLECTED[token.stem]) if token.stem in INFLECTED else (0, ())
        return 0, ()

    def _goes_on(self, at: int, length: int) -> bool:
        """Whether "or lower" is said of a figure: it is not in "or Lower Saxony".

        In "3 and less than 10" there is only an "and" before the next comparison.
        """
        behind = self.tokens[at + length].plain if at + length < len(self.tokens) else ""
        before = self.tokens[max(0, at - _FAR) : at]
        figured = any(map(_says_figure, before))
        return figured and behind not in ("than", "als")

    def _figure(self, at: int) -> Item | None:
        token = self.tokens[at]
        value = number_word(token.text) or read_number(token.plain, german=self.german)
        if value is None:
            return None
        part = self.tokens[at : at + 1]
        following = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        scale = scale_word(following, german=self.german)
        if scale is not None:
            value = scaled(value, scale)
            part = self.tokens[at : at + 2]
        unit, words = self._unit_at(at + len(part))
        days = None
        if not unit and scale is None and _YEAR.fullmatch(token.plain):
            days = (f"{token.plain}-01-01", f"{token.plain}-12-31")
        part = self.tokens[at : at + len(part) + words]
        return replace(self._plain(part), number=value, unit=unit, days=days)

    def _unit_at(self, at: int) -> tuple[str, int]:
        """The unit behind a figure, unless a longer name begins with it, and of how many words.

        "More than 3 x min" has none, and that of "20 square metres" has two.
        """
        if at >= len(self.tokens) or is_cut(self.tokens, at + 1) or self._named(at)[0] > 1:
            return "", 0
        token = self.tokens[at]
        both = " ".join(one.plain for one in self.tokens[at : at + 2])
        found = resolve_unit(both) if " " in both else None
        if found is not None:
            return found.symbol, 2
        alone = _unit(token, glued=token.start == self.tokens[at - 1].end)
        symbol = alone or self.vocabulary.units.get(token.text, "")
        return symbol, int(bool(symbol))


def _particles() -> frozenset[str]:
    """Particles that end a German clause and belong to its verb."""
    return lexicon("de").rules.verb_particles


def _says_figure(token: Token) -> bool:
    """Whether a token is a figure, a date or a word of a number."""
    return token.kind in ("number", "date") or number_word(token.text) is not None


def _of(value: Meant) -> Meant:
    """The property of a value."""
    return value._replace(label="")


def _unit(token: Token, *, glued: bool) -> str:
    if token.kind not in ("word",) or token.plain in ("in", "on", "at", "a"):
        return ""
    found = resolve_unit(token.text)
    if found is None or (found.dimension.startswith("currency") and token.plain in _WEIGHTS):
        return ""
    written = len(token.text) <= _LONGEST_SYMBOL or token.text.islower() or token.text.istitle()
    return found.symbol if glued or written else ""


def read_number(text: str, *, german: bool) -> str | None:
    """A figure as a plain decimal, its separators read in the language of the question.

    >>> read_number("1.500", german=True), read_number("2.5", german=True)
    ('1500', '2.5')
    """
    if not re.fullmatch(r"-?\d+(?:[.,]\d+)*", text):
        return None
    thousands, decimal = (".", ",") if german else (",", ".")
    separators = [char for char in text if char in ".,"]
    if len(set(separators)) == 2:
        last = separators[-1]
        return text.replace("," if last == "." else ".", "").replace(last, ".")
    if len(separators) > 1:
        groups = re.split(r"[.,]", text)
        return "".join(groups) if all(len(group) == 3 for group in groups[1:]) else None
    if separators == [thousands] and re.fullmatch(r"-?\d{1,3}[.,]\d{3}", text):
        return text.replace(thousands, "")
    return text.replace(",", ".") if separators in ([decimal], [thousands]) else text
