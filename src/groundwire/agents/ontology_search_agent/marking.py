"""A question as a row of items: names of the catalogue, small words, figures, and what is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from groundwire.agents.ontology_search_agent.days import Days, find_days
from groundwire.agents.ontology_search_agent.function_words import (
    NUMBER_WORDS,
    UNIT_WORDS,
    Function,
    find_functions,
    is_german,
)
from groundwire.agents.ontology_search_agent.tokens import Token, tokenize
from groundwire.agents.ontology_search_agent.vocabulary import (
    Named,
    QuestionVocabulary,
    is_cut,
)
from groundwire.quantities import resolve_unit

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
    """

    text: str
    tokens: tuple[Token, ...]
    functions: tuple[Function, ...] = ()
    named: Named = field(default_factory=Named)
    number: str = ""
    unit: str = ""
    days: tuple[str, str] | None = None
    quoted: bool = False

    def does(self, *roles: str) -> Function | None:
        """Its function of one of these roles."""
        return next((one for one in self.functions if one.role in roles), None)

    @property
    def unknown(self) -> bool:
        """Whether nothing is known of it."""
        return not (self.functions or self.named or self.number or self.days)


def mark(question: str, vocabulary: QuestionVocabulary) -> tuple[Item, ...]:
    """The items of a question, in order."""
    tokens = tokenize(question)
    dates = find_days(question)
    german = is_german(tokens)
    items: list[Item] = []
    at = 0
    while at < len(tokens):
        item = _item(question, tokens, at, vocabulary, dates, german)
        items.append(item)
        at += len(item.tokens)
    return tuple(items)


def _item(
    question: str,
    tokens: Sequence[Token],
    at: int,
    vocabulary: QuestionVocabulary,
    dates: Sequence[Days],
    german: bool,
) -> Item:
    token = tokens[at]
    if token.kind == "quoted":
        named = vocabulary.values_named(token.text)
        return Item(token.text, (token,), named=named, quoted=True)
    names = next(vocabulary.find(tokens, at), (0, Named()))
    functions = _functions(tokens, at, vocabulary)
    dated = next((one for one in dates if one.start == token.start), None)
    if dated is not None:
        inside = [one for one in tokens[at:] if one.start < dated.end]
        if len(inside) > max(names[0], functions[0]) or token.kind == "date":
            days = (dated.first, dated.last)
            return replace(_plain(question, inside), days=days)
    length = max(names[0], functions[0])
    if token.kind in ("number", "date") or token.plain in NUMBER_WORDS:
        figure = _figure(question, tokens, at, german)
        if figure is not None and len(figure.tokens) >= length:
            named = names[1] if names[0] == len(figure.tokens) else Named()
            return replace(figure, named=named)
    if length == 0:
        heads = set(vocabulary.head(token)) if token.kind == "word" else set[str]()
        part = [token]
        while is_cut(tokens, at + len(part)):
            part.append(tokens[at + len(part)])
            heads.clear()
        named = Named(domains=heads) if heads else Named()
        return replace(_plain(question, part), named=named)
    part = tokens[at : at + length]
    named = names[1] if names[0] == length else Named()
    roles = functions[1] if functions[0] == length else ()
    if roles and named.values:
        text = question[part[0].start : part[-1].end]
        if text in named.exact and not text[-1].islower():
            # Written as the code that it is: the licence MIT is no German "mit".
            roles = ()
        elif text not in named.exact:
            named = Named(named.domains, named.properties)
    return replace(_plain(question, part), functions=roles, named=named)


def _functions(
    tokens: Sequence[Token], at: int, vocabulary: QuestionVocabulary
) -> tuple[int, tuple[Function, ...]]:
    """The longest phrase that begins here and cuts no name in two.

    "or lower" follows a figure; in "or Lower Saxony" there is only an "or".
    """
    for length, functions in find_functions(tokens, at):
        if functions[0].role in ("more", "less") and not (at and tokens[at - 1].kind != "word"):
            counted = at and (
                tokens[at - 1].plain in NUMBER_WORDS or (at > 1 and tokens[at - 2].kind == "number")
            )
            if not counted:
                continue
        inside = range(at + 1, at + length)
        cuts = any(
            place + next(vocabulary.find(tokens, place), (0, None))[0] > at + length
            for place in inside
        )
        if not cuts:
            return length, functions
    return 0, ()


def _plain(question: str, part: Sequence[Token]) -> Item:
    """Some tokens as one piece, as they are written."""
    return Item(question[part[0].start : part[-1].end], tuple(part))


def _figure(question: str, tokens: Sequence[Token], at: int, german: bool) -> Item | None:
    token = tokens[at]
    value = NUMBER_WORDS.get(token.plain) or read_number(token.plain, german=german)
    if value is None:
        return None
    part = [token]
    unit = ""
    if at + 1 < len(tokens):
        following = tokens[at + 1]
        unit = _unit(following, glued=following.start == token.end)
        if unit:
            part.append(following)
    days = None
    if not unit and _YEAR.fullmatch(token.plain):
        days = (f"{token.plain}-01-01", f"{token.plain}-12-31")
    return replace(_plain(question, part), number=value, unit=unit, days=days)


def _unit(token: Token, *, glued: bool) -> str:
    if token.kind not in ("word",) or token.plain in ("in", "on", "at", "a"):
        return ""
    word = UNIT_WORDS.get(token.plain) or UNIT_WORDS.get(token.text.lower())
    if word:
        return word
    found = resolve_unit(token.text)
    if found is None or found.dimension.startswith("currency"):
        return ""
    return found.symbol if glued or len(token.text) <= 4 or token.text.islower() else ""


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
