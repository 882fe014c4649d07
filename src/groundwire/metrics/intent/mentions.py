"""Controlled terms in free text: whole words, the longest first, over all dimensions together.

"Papua New Guinea" holds no Guinea, "heroes" no ROE, and "non-revenue" no revenue; 中国香港 is one
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent.english_words import BEFORE_US, CONNECTIVES, GRAMMAR, LISTING
from groundwire.metrics.intent.forms import (
    SHORT,
    Asked,
    AskedForms,
    Dimension,
    Form,
    Forms,
    FormSpan,
    extend,
    with_asked,
)
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.tokens import Token, clean, inside, simplified, tokenize
from groundwire.metrics.names import Names

_BEFORE_NAMES = frozenset(["of", "for", "in", "from", "at"])
_AFTER_US = frozenset(["the", "a", "all", "how", "what", "your", "our"])
_ORDER: tuple[Dimension, ...] = ("metric", "entity", "channel")


@dataclass(frozen=True, slots=True)
class Mention:
    """A controlled term in a text.

    Attributes:
        kind: the dimension that the term is a value of.
        candidates: the terms that are written so, as (code, kind of entity).
        span: its place.
        raw: as it is written.
        how: `exact` for a code or label as it is, `folded` but for case, plurals and the like,
            `alias` for any other name.
    """

    kind: Literal["metric", "entity", "channel", "period"]
    candidates: tuple[tuple[str, str], ...]
    span: Span
    raw: str
    how: Literal["exact", "folded", "alias"]


class Found(NamedTuple):
    """The mentions in a text.

    Attributes:
        mentions: the terms, in order.
        hidden: names of entities, as the profile has them, that were read as a part of a period:
            MAR is Morocco and a month.
        joined: names of metrics that a hyphen joins to another word: non-revenue.
        asked: ways to ask for a metric without its name, which are among the mentions.
    """

    mentions: list[Mention]
    hidden: list[Mention]
    joined: list[Mention]
    asked: list[Asked]


class Mentions:
    """Finds the terms of one profile."""

    def __init__(self, names: Names) -> None:
        """Lay out the forms of the profile's terms; made once, some ten milliseconds."""
        self.names = names
        self._forms = Forms(names.profile)
        self._asked_forms = AskedForms(names.profile)
        self._inside: dict[str, frozenset[str]] = {}

    def find(self, text: str) -> list[Mention]:
        """All mentions in a text, in order, without overlap.

        One that several dimensions could claim is given once for each of them.
        """
        cleaned = clean(text)
        return [
            Mention(
                one.kind,
                one.candidates,
                cleaned.original(*one.span),
                text[slice(*cleaned.original(*one.span))],
                one.how,
            )
            for one in self.find_among(cleaned.text, tokenize(cleaned.text), ()).mentions
        ]

    def find_among(self, text: str, tokens: Sequence[Token], taken: Sequence[Span]) -> Found:
        """All mentions among the tokens of a cleaned text.

        Args:
            text: the cleaned text.
            tokens: its tokens.
            taken: spans of periods and units; a term of the same length or less gives way to them.
        """
        spans = _without_overhang(tokens, self._spans(tokens))
        spans.sort(key=lambda one: (tokens[one[0]].start - tokens[one[1] - 1].end, one[0]))
        free = [True] * len(tokens)
        _give_way(tokens, taken, free, spans)
        found = Found([], [], [], [])
        for first, last, forms in spans:
            if not any(free[first:last]):
                span = (tokens[first].start, tokens[last - 1].end)
                codes = [one for one in forms if one.dimension == "entity"]
                if codes and any(one.written == text[slice(*span)] for one in codes):
                    found.hidden.extend(_mentions(codes, span, text[slice(*span)]))
        periods = [at for at, one in enumerate(free) if not one]
        chosen: list[FormSpan] = []
        for first, last, forms in spans:
            if all(free[first:last]):
                free[first:last] = [False] * (last - first)
                chosen.append((first, last, forms))
        asked = self._asked_forms.find(text, tokens, chosen, periods)
        found.asked.extend(asked)
        chosen = with_asked(chosen, asked)
        ends = {last for _, last, _ in chosen}
        starts = {first for first, _, _ in chosen}
        for first, last, forms in chosen:
            span = (tokens[first].start, tokens[last - 1].end)
            made = _mentions(forms, span, text[slice(*span)])
            if _part_of_compound(tokens, first, last, starts, ends):
                found.joined.extend(one for one in made if one.kind == "metric")
            else:
                found.mentions.extend(made)
        return found

    def inside(self, code: str) -> frozenset[str]:
        """Codes of the other entities whose names are a part of a name of this one."""
        if code not in self._inside:
            entity = self.names.profile.entity_by_code[code]
            found: set[str] = set()
            for written in (entity.name, *entity.aliases):
                for _, _, forms in self._spans(tokenize(clean(written).text)):
                    found |= {form.code for form in forms if form.dimension == "entity"}
            self._inside[code] = frozenset(found - {code})
        return self._inside[code]

    def siblings(self, one: str, other: str) -> bool:
        """Whether two entities belong to the same one and neither name holds the other's."""
        known = self.names.profile.entity_by_code
        return (
            known[one].parent != ""
            and known[one].parent == known[other].parent
            and other not in self.inside(one)
            and one not in self.inside(other)
        )

    def _spans(self, tokens: Sequence[Token]) -> list[FormSpan]:
        """Everything that could be a term, as (first token, token after, forms)."""
        found: list[FormSpan] = []
        forms = self._forms
        quiet = _without_function_words(tokens)
        for first, token in enumerate(tokens):
            plain = one = ""
            for last in range(first, len(tokens)):
                token = tokens[last]
                crossed = plain in forms.crossings or one in forms.crossings
                if last > first and token.broken and not crossed:
                    break
                plain, one = extend(plain, token.plain), extend(one, token.singular)
                if plain not in forms.beginnings and one not in forms.beginnings:
                    break
                if plain in forms.by_key or one in forms.by_key:
                    among = list(tokens[first : last + 1])
                    hits = list(forms.matching(plain, among))
                    hits += [form for form in forms.matching(one, among) if form not in hits]
                    if hits and not _is_function_word(plain, tokens, first, last, quiet):
                        found.append((first, last + 1, hits))
            named = [
                form
                for form in forms.by_key.get(tokens[first].plain, ())
                if form.dimension == "entity" and not form.written.isupper()
            ]
            if named and all(one[0] != first for one in found) and _is_listed(tokens, first, found):
                found.append((first, first + 1, named))
        return found


def _is_listed(tokens: Sequence[Token], at: int, found: Sequence[FormSpan]) -> bool:
    """Whether a word goes on with a list of names: the "may" of "north, may and other"."""
    joined = at > 0 and tokens[at - 1].plain in LISTING
    ends = at - 1 if joined else at
    return (joined or tokens[at].broken) and any(
        last == ends and any(one.dimension == "entity" for one in forms) for _, last, forms in found
    )


def _without_overhang(tokens: Sequence[Token], spans: list[FormSpan]) -> list[FormSpan]:
    """Leave out what a shorter name says too, where the rest begins a word or another name.

    人口 of 人口数据, and 线上 of 线上销售额: 销售额 is a name that goes on after 线上销售.
    """
    kept: list[FormSpan] = []
    codes = {
        (first, last): frozenset((form.dimension, form.code) for form in forms)
        for first, last, forms in spans
        if tokens[last - 1].kind == "cjk"
    }
    longest: dict[int, int] = {}
    for first, last in codes:
        longest[first] = max(last, longest.get(first, 0))
    for first, last, forms in spans:
        own = codes.get((first, last))
        if own is not None and any(
            codes.get((first, start)) == own
            and (_word_goes_on(tokens, start, last) or longest.get(start, 0) > last)
            for start in range(max(first + 1, last - 2), last)
        ):
            continue
        kept.append((first, last, forms))
    return kept


def _word_goes_on(tokens: Sequence[Token], start: int, last: int) -> bool:
    """Whether a word of grammar begins at a character and ends after another."""
    end = start + 1
    while end < len(tokens) and end < last + 2 and tokens[end].kind == "cjk" and tokens[end].glued:
        end += 1
    written = simplified("".join(token.text for token in tokens[start:end]))
    return any(len(word) > last - start and written.startswith(word) for word in chinese.NOUNS)


def _give_way(
    tokens: Sequence[Token],
    taken: Sequence[Span],
    free: list[bool],
    spans: list[FormSpan],
) -> None:
    """Periods take their tokens, but for a longer term that a period is part of."""
    longest = [0] * len(tokens)
    for first, last, _ in spans:
        length = tokens[last - 1].end - tokens[first].start
        for number in range(first, last):
            longest[number] = max(longest[number], length)
    for start, end in taken:
        numbers = inside(tokens, start, end)
        if all(longest[number] <= end - start for number in numbers):
            for number in numbers:
                free[number] = False


def _without_function_words(tokens: Sequence[Token]) -> bool:
    """Whether no lower-case word and no long function word shows that capitals are no code."""
    return not any(
        token.kind == "word"
        and (token.text.islower() or (len(token.plain) > SHORT and token.plain in GRAMMAR))
        for token in tokens
    )


def _is_function_word(
    plain: str, tokens: Sequence[Token], first: int, last: int, quiet: bool
) -> bool:
    """Whether a short code in capitals is rather a word: REVENUE AND PROFIT, "what IS".

    It is a name after "of" or "in"; else a word that joins others is none, and any other is one
    where the text has lower-case letters or no other function word.
    """
    if len(plain) > SHORT or last > first:
        return False
    before = tokens[first - 1].plain if first else ""
    after = tokens[last + 1].plain if last + 1 < len(tokens) else ""
    if plain == "us" and before in BEFORE_US and after in _AFTER_US:
        return True
    beside = tokens[max(0, first - 1) : last + 2]
    if plain not in GRAMMAR or before in _BEFORE_NAMES or any(t.kind == "cjk" for t in beside):
        return False
    if plain in CONNECTIVES:
        return True
    mixed = any(char.islower() for token in tokens for char in token.text)
    return not (mixed or quiet)


def _part_of_compound(
    tokens: Sequence[Token], first: int, last: int, starts: set[int], ends: set[int]
) -> bool:
    """Whether a hyphen joins the term to a word outside any term: non-revenue, Guinea-Bissau."""
    if (
        tokens[first].hyphenated
        and first not in ends
        and not any(char.isdigit() for char in tokens[first - 1].text)
    ):
        return True
    if last == len(tokens) or not tokens[last].hyphenated or last in starts:
        return False
    following = tokens[last]
    if following.before not in ("-", "_") and following.plain in ("s", ""):
        return False
    return not any(char.isdigit() for char in following.text)


def _mentions(forms: list[Form], span: Span, raw: str) -> list[Mention]:
    """One mention for each dimension that a span may be of."""
    found: list[Mention] = []
    for dimension in _ORDER:
        own = [form for form in forms if form.dimension == dimension]
        if not own:
            continue
        main = [form for form in own if form.main]
        exact = any(form.written == raw for form in main)
        candidates = tuple(dict.fromkeys((form.code, form.kind) for form in own))
        how = "exact" if exact else "folded" if main else "alias"
        found.append(Mention(dimension, candidates, span, raw, how))
    return found
