"""Questions read by their outline: names, periods, and words of which every one is known.

A computed value has many wordings in each language, and one word more may ask for something else
("real GDP growth"). So the words beside names and periods are cut into phrases of a list, by
language; one that is not in the list ends the reading, and the question is read as any other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from groundwire.metrics.intent.beside_periods import has_a_middle
from groundwire.metrics.intent.mentions import Mention, Mentions
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.intent.share_changes import (
    ShareForm,
    ShareNames,
    ends_of,
    read_share_form,
    share_slots,
)
from groundwire.metrics.intent.tokens import THIN_SPACE, Token, clean, tokenize
from groundwire.metrics.premises import way_of
from groundwire.metrics.terms import ALLOWED_AS, TOTAL
from groundwire.quantities import CALENDAR_YEAR, PeriodExpression, find_periods
from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import CJK_RUN

if TYPE_CHECKING:
    from datetime import date

    from groundwire.metrics.profile import Profile

Language = Literal["en", "de", "zh"]
_FUNCTION = "function"
# Each asks for something of its own; two of them in one question are not read here.
_FAMILIES = ("yearly", "ratio", "difference", "share")
_MOST_TOKENS = 80
_GERMAN = re.compile(
    r"\b(?:wie|welche[rsn]?|der|das|des|dem|von|im|am|bei|und|zwischen|anteil|wachstum)\b"
    r"|[äöüß]|\w(?:wachstum|anteil)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w-]*")
# Endings of a genitive or a dative plural, and what joins the parts of a compound.
_ENDINGS = ("es", "s", "n")
_SECOND_PARTS = ("wachstumsrate", "wachstum", "anteil", "entwicklung", "rückgang", "anstieg")
_FISCAL = re.compile(r"\bGeschäftsjahr (?=[12]\d{3}\b)")
_COMPARED = re.compile(
    r"(?:(?:较|比)(?:去年|上年|前一年)(?:同期)?|(?:较|比)?(?:上一?(?:季度|月|年)))"
    r"|(?:the )?(?:same (?:period|quarter) of the )?(?:previous|prior|last) (?:year|quarter|month)"
    r"|(?:the )?(?:year|quarter|month) before|year[- ]on[- ]year|year[- ]over[- ]year"
    r"|quarter[- ]on[- ]quarter|month[- ]on[- ]month",
    re.IGNORECASE,
)
_TABLES = tomllib.loads((files("groundwire.metrics.intent") / "outlines.toml").read_text("utf-8"))
# "Did it fall by more than 25%?" asks for the change in percent, which says it.
_BOUND = re.compile(
    "|".join(f"(?P<{language}>{one})" for language, one in _TABLES["bounds"].items()), re.IGNORECASE
)
_PERCENT = {"en": "percent", "de": "prozent", "zh": "幅度"}

# Who asks for the cause is told that none is held, beside the figures.
_WHY = re.compile(
    r"为什么|為什麼|为何|何以|怎么会|\b(?:why|how come|warum|weshalb|wieso)\b", re.IGNORECASE
)


class _Piece(NamedTuple):
    """A word, or a name or period that stands for several: "E", "M", "C" and "P"."""

    kind: Literal["word", "E", "M", "C", "P"]
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class _Slots:
    """The terms of the names of a question; of entities also the number of the piece."""

    metric: str
    order: tuple[tuple[int, str], ...]
    channels: tuple[str, ...]
    periods: tuple[PeriodExpression, ...]

    @property
    def entities(self) -> tuple[str, ...]:
        """Codes of the entities, each once."""
        return tuple(dict.fromkeys(code for _, code in self.order))


class OutlineReader:
    """Reads questions of one profile by their outlines."""

    def __init__(self, profile: Profile, mentions: Mentions) -> None:
        """Prepare to read.

        Args:
            profile: the profile.
            mentions: what finds its terms.
        """
        self._profile = profile
        self._mentions = mentions
        self._written = {
            fold(name)
            for one in (*profile.entities, *profile.metrics, *profile.channels)
            for key in ("name", "label")
            for name in (one.code, *one.aliases, getattr(one, key, ""))
            if name
        }

    def read(self, question: str, masked: str, any_day: date) -> ParsedIntent | None:
        """Read a question, or return None where a word or a number of names does not fit.

        Args:
            question: as it was asked.
            masked: the same with what is out of scope masked.
            any_day: a day that ranges of periods are told from.
        """
        cleaned = clean(masked)
        bounded = _BOUND.search(cleaned.text)
        text = _BOUND.sub(
            lambda found: _PERCENT[found.lastgroup or ""].ljust(len(found[0])), cleaned.text
        )
        language = _language_of(text)
        if language == "de":
            text = self._plain_german(text)
        tokens = tokenize(text)
        if len(tokens) > _MOST_TOKENS:
            return None
        compared = [one.span() for one in _COMPARED.finditer(text)]
        periods = [one for one in find_periods(text) if not _inside_any(one.span, compared)]
        spans = [one.span for one in periods]
        found = self._mentions.find_among(text, tokens, spans)
        if found.hidden or found.joined or found.asked:
            return None
        pieces = _pieces(tokens, found.mentions, spans)
        named = [("E", "") if one.text in _GROUP else (one.kind, one.text) for one in pieces]
        if has_a_middle(named):
            return None
        asked, form = _asked(pieces, _phrases(language)), read_share_form(named, language)
        if (asked is None and form is None) or "each" in (asked or ()):
            return None
        if language != "de":
            periods = [
                replace(
                    one,
                    span=cleaned.original(*one.span),
                    raw=one.raw.replace(THIN_SPACE, ""),
                )
                for one in periods
            ]
        slots = self._slots(pieces, tokens, found.mentions, periods)
        if slots is None:
            return None
        of_shares = self._of_shares(question, form, slots, any_day) if form else None
        if of_shares is not None or asked is None:
            return of_shares
        home = self._profile.kinds[self._profile.metric_by_code[slots.metric].kind].home
        is_assumed = not slots.entities and bool(home)
        if is_assumed:
            # Whose growth is not said: the home entity is read, and the gateway says so.
            slots = replace(slots, order=((len(pieces), home),))
        if not slots.entities:
            return None
        shares = {"share", "percent"} & asked
        whole = _whole(language, pieces, slots.order) if shares else ""
        made = self._intent(question, slots, asked, any_day, whole)
        if made is not None and is_assumed:
            made = replace(made, entity=None, entities=()) if made.derive else None
        # English is read by its own rules where nothing but values and their change is asked for.
        plain = made is not None and made.derive in ((), ("delta", "percent_change"))
        return None if plain and language == "en" and bounded is None else made

    def _of_shares(
        self, question: str, form: ShareForm, slots: _Slots, any_day: date
    ) -> ParsedIntent | None:
        """Return the intent of a question for what is computed of shares or ratios."""
        named = ShareNames(slots.metric, dict(slots.order), slots.channels, slots.periods)
        read = share_slots(form, named, self._profile, any_day)
        if read is None:
            return None
        codes, channels, periods, derive, of = read
        order = tuple(enumerate(codes))
        return self._made(question, _Slots(slots.metric, order, channels, periods), derive, of)

    def _plain_german(self, text: str) -> str:
        """The text with names in the form that the profile has: Deutschlands, BIP-Wachstum."""

        def plain(match: re.Match[str]) -> str:
            word = match[0]
            if fold(word) in self._written:
                return word
            for ending in _ENDINGS:
                if word.endswith(ending) and fold(word[: -len(ending)]) in self._written:
                    return word[: -len(ending)]
            for part in _SECOND_PARTS:
                if word.casefold().endswith(part) and len(word) > len(part):
                    first = word[: -len(part)].rstrip("-")
                    for stem in (first, first.removesuffix("s")):
                        if fold(stem) in self._written:
                            return f"{part} {stem}"
            return word

        return _WORD.sub(plain, _FISCAL.sub("FY", text))

    def _slots(
        self,
        pieces: Sequence[_Piece],
        tokens: Sequence[Token],
        mentions: Sequence[Mention],
        periods: Sequence[PeriodExpression],
    ) -> _Slots | None:
        """The codes of the names, of one metric and of entities of its kind; None if in doubt."""
        metrics = [one for one in mentions if one.kind == "metric"]
        codes = {code for one in metrics for code, _ in one.candidates}
        if len(codes) != 1 or not periods:
            return None
        metric = codes.pop()
        kind = self._profile.metric_by_code[metric].kind
        order: list[tuple[int, str]] = []
        home = self._profile.kinds[kind].home
        for number, piece in enumerate(pieces):
            if piece.kind == "word" and piece.text in _GROUP:
                if not home:
                    return None
                order.append((number, home))
            elif piece.kind == "E":
                start = tokens[piece.place].start
                own = {
                    code
                    for one in mentions
                    if one.kind == "entity" and one.span[0] == start
                    for code, of in one.candidates
                    if of == kind
                }
                if len(own) != 1:
                    return None
                order.append((number, own.pop()))
        channels: list[str] = []
        for one in (one for one in mentions if one.kind == "channel"):
            own = {code for code, _ in one.candidates}
            if len(own) != 1 or any(other.span == one.span for other in mentions if other != one):
                return None
            channels.append(own.pop())
        return _Slots(metric, tuple(order), tuple(dict.fromkeys(channels)), tuple(periods))

    def _intent(
        self,
        question: str,
        slots: _Slots,
        asked: frozenset[str],
        any_day: date,
        whole: str,
    ) -> ParsedIntent | None:
        """Return the intent, where the question has as many names as it needs."""
        families = [one for one in _FAMILIES if one in asked]
        compared = {"year_before", "period_before"} & asked
        # Who sets one period beside the one before asks how it grew; 同比 alone may ask for a rate.
        is_beside = bool(compared) and ("move" in asked or _language_of(question) != "zh")
        grows = "growth" in asked or is_beside or {"move", "percent"} <= asked
        if grows:
            # "Average annual growth" is yearly; any other average is of the values.
            families.append("yearly" if "averaged" in asked else "growth")
        elif "move" in asked and not families:
            return None if _WHY.search(question) else self._moved(question, slots, any_day)
        elif "move" in asked or compared:
            return None
        elif "percent" in asked and not families:
            families.append("share")
        if "yearly" in families:
            families = [one for one in dict.fromkeys(families) if one != "growth"]
        if len(families) > 1 or len(compared) > 1 or ("averaged" in asked and not grows):
            return None
        family = families[0] if families else "plain"
        if "joint" in asked and family not in ("ratio", "difference"):
            return None
        match family:
            case "growth" | "yearly":
                return self._change(question, slots, family, compared, any_day)
            case "share":
                return self._share(question, slots, whole)
            case "plain":
                one_each = len(slots.entities) == len(slots.periods) == 1
                ok = one_each and len(slots.channels) < 2
                return self._made(question, slots) if ok else None
            case _:
                counts = sorted((len(slots.entities), len(slots.periods)))
                if counts != [1, 2] or slots.channels:
                    return None
                operation = "ratio" if family == "ratio" else "delta"
                return self._made(question, slots, (operation,))

    def _change(
        self, question: str, slots: _Slots, family: str, compared: set[str], any_day: date
    ) -> ParsedIntent | None:
        """Growth in one period, or from one to another."""
        if len(slots.entities) != 1 or len(slots.channels) > 1:
            return None
        periods = slots.periods
        if len(periods) == 1:
            is_single = periods[0].on(CALENDAR_YEAR, any_day).kind == "single"
            if not compared:
                periods = ends_of(periods, any_day)
            if len(periods) == 1 and (not is_single or family == "yearly"):
                return None
        if len(periods) == 1:
            way = "growth_previous" if "period_before" in compared else "growth"
            return self._made(question, slots, (way,))
        if len(periods) != 2 or compared:
            return None
        operation = "cagr" if family == "yearly" else "percent_change"
        ends = _Slots(slots.metric, slots.order, slots.channels, periods)
        return self._made(question, ends, (operation,))

    def _moved(self, question: str, slots: _Slots, any_day: date) -> ParsedIntent | None:
        """How far a value moved from one period to another: the difference and the percent."""
        made = self._change(question, slots, "growth", set(), any_day)
        if made is not None and made.derive == ("growth",):
            # In one period: beside the year before, which shows whether it went that way. Who asks
            # for a change without its way may mean one from quarter to quarter.
            return made if way_of(question) else None
        if made is None or made.derive != ("percent_change",):
            return None
        return self._made(
            question, replace(slots, periods=made.periods), ("delta", "percent_change")
        )

    def _share(self, question: str, slots: _Slots, whole: str) -> ParsedIntent | None:
        """A channel in the total, or a part in the whole that is named and holds it."""
        if len(slots.periods) != 1:
            return None
        if len(slots.channels) == 1 and len(slots.entities) == 1:
            both = _Slots(slots.metric, slots.order, (slots.channels[0], TOTAL), slots.periods)
            return self._made(question, both, ("share",))
        if len(slots.entities) != 2 or slots.channels:
            return None
        part = next(one for one in slots.entities if one != whole)
        if whole not in slots.entities:
            return None
        if self._profile.membership.relation(whole, part) != "holds":
            return None
        return self._made(question, slots, ("share",), whole)

    def _made(
        self, question: str, slots: _Slots, derive: tuple[str, ...] = (), share_of: str = ""
    ) -> ParsedIntent | None:
        """The intent, unless the profile does not allow the operation."""
        metric = self._profile.metric_by_code[slots.metric]
        if any(ALLOWED_AS.get(one, one) not in metric.derivations for one in derive):
            return None
        return ParsedIntent(
            raw_question=question,
            route="structured",
            metric=slots.metric,
            entity=slots.entities[0],
            channel=next(iter(slots.channels), None),
            period=slots.periods[0],
            metrics=(slots.metric,),
            entities=slots.entities,
            channels=slots.channels,
            periods=slots.periods,
            kind=metric.kind,
            derive=derive,
            share_of=share_of or None,
        )


def _language_of(text: str) -> Language:
    if _GERMAN.search(text):
        return "de"
    return "zh" if CJK_RUN.search(text) else "en"


def _whole(language: Language, pieces: Sequence[_Piece], order: Sequence[tuple[int, str]]) -> str:
    """The entity that a share is said to be of; "" where the wording does not tell.

    In English it is the one whose metric is named (EU GDP, the EU's GDP, the GDP of the EU); in
    German the first one after the metric (am BIP der EU); in Chinese the first one after 占, else
    the last one before 中.
    """
    at = dict(order)
    places = list(at)
    words = [one.text for one in pieces]
    if language == "zh":
        verb = next((n for n, one in enumerate(words) if one in ("占", "佔")), None)
        after = [one for one in places if verb is not None and one > verb]
        if after:
            return at[after[0]]
        inside = next((n for n, one in enumerate(words) if one == "中"), len(words))
        before = [one for one in places if one < inside < len(words)]
        return at[before[-1]] if before else ""
    metrics = [n for n, one in enumerate(pieces) if one.kind == "M"]
    if language == "de":
        after = [one for one in places if metrics and one > metrics[0]]
        return at[after[0]] if after else ""
    held: set[str] = set()
    for place in places:
        following = [one for one in pieces[place + 1 : place + 4] if one.text != "s"]
        if following and following[0].kind == "M":
            held.add(at[place])
        before = [one for one in pieces[:place] if one.text != "the"][-2:]
        if len(before) == 2 and before[0].kind == "M" and before[1].text == "of":
            held.add(at[place])
    return held.pop() if len(held) == 1 else ""


_GROUP = frozenset(("group", "集团", "konzern", "konzerns", "gruppe"))


def _pieces(
    tokens: Sequence[Token], mentions: Sequence[Mention], periods: Sequence[tuple[int, int]]
) -> list[_Piece]:
    """The tokens, each name and period as one piece."""
    letters = {"entity": "E", "metric": "M", "channel": "C", "period": "P"}
    spans = {one.span: letters[one.kind] for one in mentions}
    spans |= dict.fromkeys(periods, "P")
    pieces: list[_Piece] = []
    begun: set[tuple[int, int]] = set()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        span = next((one for one in spans if one[0] <= token.start < one[1]), None)
        if span is None:
            group = "集团"
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if token.text + following == group:
                pieces.append(_Piece("word", group, at))
                at += 1
            else:
                pieces.append(_Piece("word", token.plain, at))
        elif span not in begun:
            begun.add(span)
            pieces.append(_Piece(spans[span], "", at))  # type: ignore[arg-type]  # kinds of spans are kinds of pieces
        at += 1
    return pieces


def _asked(
    pieces: Sequence[_Piece], phrases: Mapping[tuple[str, ...], frozenset[str]]
) -> frozenset[str] | None:
    """Return the roles of the words; None where one of them is in no phrase.

    Each run of words is cut into the longest phrases first, and into shorter ones where that
    leaves a word over.
    """
    asked: set[str] = set()
    for run in _runs(pieces):
        best: list[frozenset[str] | None] = [None] * len(run) + [frozenset()]
        for first in range(len(run) - 1, -1, -1):
            for last in range(min(len(run), first + 8), first, -1):
                kinds = phrases.get(tuple(run[first:last]))
                rest = best[last]
                if kinds is not None and rest is not None:
                    best[first] = rest | kinds
                    break
        if best[0] is None:
            return None
        asked |= best[0]
    return frozenset(asked - {_FUNCTION})


def _runs(pieces: Sequence[_Piece]) -> Iterator[list[str]]:
    """Words that stand together between names and periods."""
    run: list[str] = []
    for one in pieces:
        if one.kind == "word":
            if one.text not in _GROUP:
                run.append(one.text)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _inside_any(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


@lru_cache
def _phrases(language: Language) -> dict[tuple[str, ...], frozenset[str]]:
    """The phrases of a language as folded words, with what they ask for."""
    words: dict[str, list[str]] = _TABLES[language]
    made: dict[tuple[str, ...], frozenset[str]] = {}
    for kind, listed in words.items():
        for phrase in listed:
            key = tuple(one.plain for one in tokenize(clean(phrase).text))
            made[key] = made.get(key, frozenset()) | {kind}
    return made
