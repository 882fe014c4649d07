"""The things of a sentence, each with the part that it has in it, and places of answers.

What a thing is in its sentence is told by the word before its phrase ("from the roof"), by the case
of its German article, and by the noun whose owner it is ("the daughter of Henry").
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.matching import denies, keys
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.types import Gap

COMMAS = frozenset(",，、;；:：")
# Kinds of spans that only shade a statement and cannot be an answer themselves.
_SPAN_SHADING = frozenset(("approximation", "bound", "quantifier", "comparison", "time", "order"))


@dataclass(frozen=True, slots=True)
class Window:
    """The shortest part of a sentence that holds all of an answer.

    Attributes:
        spans: the spans of the sentence.
        start: the place of the first span of the answer.
        stop: the place of the last one.
        own: the places of all of its spans.
    """

    spans: Sequence[Span]
    start: int
    stop: int
    own: frozenset[int]

    @property
    def text(self) -> str:
        """The answer as the sentence has it."""
        return " ".join(span.text for span in self.spans[self.start : self.stop + 1])


def doubt(window: Window, instead: str) -> Gap:
    """Return the gap of an answer beside which something else may be meant."""
    detail = f"The quote says that of {window.text[:60]!r} beside {instead[:60]!r}: it is not clear"
    return Gap("attachment", f"{detail} which of both the question asks for.")


def is_content(span: Span) -> bool:
    """Return whether a span says something by itself: no article, mark, helping verb or adverb."""
    if span.kind == "sign" or denies(span) or any(t.lemma in MODAL for t in span.tokens):
        return False
    if any(token.tag in ("verb", "noun", "name") for token in span.tokens):
        # "Lowers" compares elsewhere; here it is what is done.
        return span.role is None or span.role.role not in ("function", "being", "question")
    if span.kind in _SPAN_SHADING:
        return False
    role = span.role
    if role is not None and role.role in ("function", "being", "having", "question"):
        return False
    return not all(token.tag in ("function", "sign", "adverb") for token in span.tokens)


def items_of(asked: Reading) -> list[Span]:
    """Return the spans of a question that say something, without the kind that it asks for."""
    spans = asked.spans
    return [one for n, one in enumerate(spans) if is_content(one) and not names_kind(spans, n)]


def known_words(asked: Reading) -> frozenset[str]:
    """Return the folded words of a question."""
    return frozenset(key for span in asked.spans for key in keys(span))


def is_in(span: Span, known: frozenset[str]) -> bool:
    """Return whether a span has a word among some."""
    return bool(known.intersection(keys(span)))


def joins(span: Span) -> bool:
    """Return whether a span is a conjunction."""
    return span.role is not None and span.role.sense == "conjunction"


def places_in(span: Span, window: Window) -> list[int]:
    """Return the places of a span in a sentence, without those of the answer."""
    known = frozenset(keys(span))
    return [n for n, one in enumerate(window.spans) if is_in(one, known) and n not in window.own]


def is_article(span: Span) -> bool:
    """Return whether a span is an article."""
    return span.role is not None and span.role.sense == "determiner"


def part_of(window: Window) -> tuple[int, int]:
    """Return where the part begins and ends, exclusive, that no comma parts from the answer."""
    low, high = window.start, window.stop + 1
    while low and window.spans[low - 1].text not in COMMAS:
        low -= 1
    while high < len(window.spans) and window.spans[high].text not in COMMAS:
        high += 1
    return low, high


BARE = frozenset(("",))
"""The leads of a thing before whose phrase no word stands."""

THINGS = ("noun", "name", "other")
"""Tags of the words that name a thing."""

_OF = frozenset(("of",))
_THAN = frozenset(("than",))
_SHADING = ("approximation", "bound")
_HELPING = frozenset(("be", "do", "have", "can", "may", "must", "will", "sein", "haben", "werden"))
_HEADS = (*THINGS, "number", "verb")


@cache
def tables() -> dict[str, Any]:
    """Return the tables of `leads.toml`."""
    return tomllib.loads((files("groundwire.learning.cards") / "leads.toml").read_text("utf-8"))


@cache
def leads_of(language: str, table: str = "words") -> dict[str, frozenset[str]]:
    """Return by word the leads that it may be, before its thing or behind it."""
    found: dict[str, set[str]] = {}
    for lead, words in tables()[table].get(language, {}).items():
        for word in words:
            found.setdefault(word, set()).add(lead)
    return {word: frozenset(leads) for word, leads in found.items()}


@cache
def weak() -> frozenset[str]:
    """Return the leads that hardly tell one part of a sentence from another."""
    return frozenset(tables()["weak"]["leads"])


@dataclass(frozen=True, slots=True)
class Argument:
    """A word of a sentence that says something, with its part in it.

    Attributes:
        token: the word.
        keys: its folded forms and meanings.
        leads: what the word before its phrase may say of it; "" where none stands there.
        cases: the genders and cases that its German article allows; empty where nothing shows it.
        place: its place among the words of the sentence.
        is_figure: whether it is of a figure or a time.
        is_object: whether it stands right behind a verb, with nothing but adjectives between.
        is_acted_on: whether that verb does not only help.
        modifiers: the words of the adjective right before it.
    """

    token: Token
    keys: frozenset[str]
    leads: frozenset[str]
    cases: frozenset[str]
    place: int
    is_figure: bool
    is_object: bool
    is_acted_on: bool
    modifiers: frozenset[str]


def arguments(spans: Sequence[Span]) -> list[Argument]:
    """Return the words of a sentence that say something, each with its part in it."""
    walk = _Walk()
    for n, span in enumerate(spans):
        behind = spans[n + 1 : n + 2]
        is_shade = span.kind in _SHADING and bool(behind) and behind[0].quantity is not None
        for token in span.tokens:
            walk.place += 1
            if asks(span):
                walk.begin(BARE)
            elif not walk.takes_lead(token, is_shade=is_shade):
                walk.take(token, span)
    return walk.found


@dataclass(slots=True)
class _Walk:
    """The phrase that a sentence has come to.

    Attributes:
        found: the arguments so far.
        leads: the leads of the phrase.
        cases: the cases that its article allows.
        has_noun: whether its noun was met.
        is_listed: whether it goes on as a list; another clause may begin there, too.
        place: the place of the word.
    """

    found: list[Argument] = field(default_factory=list[Argument])
    leads: frozenset[str] = BARE
    cases: frozenset[str] = frozenset()
    has_noun: bool = False
    is_listed: bool = False
    place: int = -1

    def begin(self, leads: frozenset[str], cases: frozenset[str] = frozenset()) -> None:
        """Begin a phrase."""
        self.leads, self.cases, self.has_noun, self.is_listed = leads, cases, False, False

    def takes_lead(self, token: Token, *, is_shade: bool) -> bool:
        """Return whether a word only leads to a thing, and remember it."""
        language = token.language or "en"
        behind = leads_of(language, "behind").get(token.key)
        if behind is not None and self.found:
            self.found[-1] = replace(self.found[-1], leads=behind)
            return True
        if is_shade:
            return True
        leads = leads_of(language).get(token.lemma) or leads_of(language).get(token.key)
        if leads is not None and (token.tag == "function" or language == "zh"):
            last = self.found[-1].token.key if self.found else ""
            contrasts = last in tables()["contrasting"].get(language, ())
            self.begin(_THAN if contrasts else leads)
            return True
        article = tables()["articles"].get(token.key) if language == "de" else None
        if article is not None and token.tag == "function":
            self._begin_noun(frozenset(article))
            return True
        if token.tag == "sign" or token.key in tables()["joining"].get(language, ()):
            self.is_listed = self.has_noun
            self.leads |= BARE
            return True
        return False

    def _begin_noun(self, article: frozenset[str]) -> None:
        ends = self.has_noun and not self.is_listed
        owns = {each[1] == "g" for each in article} if self.has_noun else {False}
        # Behind a noun it may be of its owner, whose case tells nothing.
        if ends:
            self.leads = _OF | BARE if len(owns) > 1 else _OF if True in owns else BARE
        self.cases = frozenset() if True in owns else article
        self.has_noun = False

    def take(self, token: Token, span: Span) -> None:
        """Take a word of a phrase."""
        ends = self.has_noun and not self.is_listed
        if token.tag == "function":
            if not _determines(span) or ends:
                self.leads, self.cases = BARE, frozenset()
            self.has_noun = False
            return
        is_verb = token.tag == "verb" or is_odd(token)
        if is_verb and self.has_noun:
            self.begin(BARE)
        elif ends and token.language == "de" and token.tag in ("noun", "name"):
            # "Der Tod Fusts", but "Johannes Fust".
            if _is_genitive(token):
                self.leads, self.cases = _OF, frozenset()
            elif token.tag == "noun":
                self.leads, self.cases = BARE, frozenset()
        self.found.append(
            Argument(
                token,
                frozenset(keys(span)),
                self.leads,
                self.cases,
                self.place,
                span.quantity is not None or span.period is not None,
                self.leads == BARE and _last_verb(self.found) is not None,
                self.leads == BARE and (_last_verb(self.found) or "be") not in _HELPING,
                self._modifiers(token),
            )
        )
        if is_verb and self.leads == BARE:
            self.cases, self.has_noun = frozenset(), False
        elif token.tag in _HEADS:
            self.has_noun, self.is_listed = True, False

    def _modifiers(self, token: Token) -> frozenset[str]:
        """The adjectives right before a noun."""
        last = self.found[-1] if self.found else None
        if last is None or last.place != self.place - 1 or token.tag not in THINGS:
            return frozenset()
        return last.keys if last.token.tag == "adjective" else frozenset()


def is_odd(token: Token) -> bool:
    """Return whether a German word of unknown kind is written small, so that it is not a noun."""
    return token.language == "de" and token.tag == "other" and token.text.islower()


def _is_genitive(token: Token) -> bool:
    return token.key.endswith("s") and token.lemma == token.key.removesuffix("s")


def _last_verb(found: Sequence[Argument]) -> str | None:
    """The dictionary form of the last word but adjectives, if it is a verb."""
    last = next((one for one in reversed(found) if one.token.tag != "adjective"), None)
    return last.token.lemma if last is not None and last.token.tag == "verb" else None


def _determines(span: Span) -> bool:
    role = span.role
    return role is not None and (role.sense in ("determiner", "pronoun") or role.role != "function")
