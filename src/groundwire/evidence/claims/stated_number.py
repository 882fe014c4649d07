"""The entity, period, property and direction that a passage gives for a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor, Slot, led_back
from groundwire.evidence.claims.context import Context, PassageContext
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.figure_cues import OUT_OF_WHOLE
from groundwire.evidence.claims.head_nouns import calling_words
from groundwire.evidence.claims.items import Meant
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator, right_before
from groundwire.evidence.claims.own_nouns import called_by_noun, counts_noun
from groundwire.evidence.claims.parts_of_wholes import part_of_figure
from groundwire.evidence.claims.rounding import PER, Fit
from groundwire.evidence.claims.told_functions import with_means
from groundwire.evidence.claims.words import words_of
from groundwire.quantities import Quantity, find_units_of_head, resolve_unit

DIVISOR = re.compile(r"\b(?:per|pro|je)\b|[人每]均|每", re.IGNORECASE)
"""Words by which a name says that it is a quotient: per capita, pro Kopf, 人均."""
_DIVIDING = re.compile(r"\b(?:per|pro|je) $", re.IGNORECASE)
_MILLION = Decimal(10**6)
# Right before a number, so that "not only 3" and "not more than 3" are none.
_DENIAL = re.compile(r"(?:\bnot|n't|\bnicht|[并绝]?不是|并非) $|(?:不是|并非)$")
_PART = re.compile(r" (?:out )?of (?:the |all |our |these |those )*", re.IGNORECASE)
_FROM = re.compile(r"(?:\b(?:from|von)|从|由|自) ?$", re.IGNORECASE)
_TO = re.compile(r"[^.;。；]{0,40}?(?:\b(?:to|auf)|至|到|为) ?$", re.IGNORECASE)
# Words of these roles may speak of another thing than the sentence before.
_OF_OTHERS = frozenset(("superlative", "comparison", "quantifier", "order", "exception"))
# A figure of a sentence with one of these may be a loss that is written without its sign.
MAY_BE_LOSS = operator("lost")
# What is lost is written without a sign, and recorded with one.
_LOSS = re.compile(
    r"(?:\b(?:loss(?:es)?|lost|deficit|shortfall|verlust|fehlbetrag|verlor)\b[^.;,0-9]{0,60}"
    r"|亏损[^。；，0-9]{0,6})$",
    re.IGNORECASE,
)
_NO_PROFIT = r"(?:(?!profit|gewinn|利润|盈)[^;。；]){0,60}"  # a loss from 9.7 to 12.3 is two
_LOSS_TO = re.compile(
    rf"(?:\b(?:loss(?:es)?|deficit|verlust|fehlbetrag)\b|亏损){_NO_PROFIT}(?:\b(?:from|von)\b|[从由])"
    rf"{_NO_PROFIT}(?:\b(?:to|auf)\b|[至到])\s*(?:[A-Z]{{3}}|[$€£¥])?\s*$",
    re.IGNORECASE,
)
_RESULTS = frozenset(
    words_of("profit income result earnings gewinn ergebnis überschuss 利润 净利润 收益")
)
# The unit of a column stands in brackets, behind "in", or is all of its head.
UNIT_OF_HEADER = re.compile(
    r"(?:[(（\[](?:in )?|\bin |^\W*(?!.*\bin ))([^()（）\[\]:：|]{1,30}?)(?:[)）\]]|[\s*:：|]*$)"
)
_COPULA = re.compile(r"\**\s*(?:is|was|were|are|为|是)\s*(?:the |a |an )?\**")
_MOST_UNITS = 2
_NEAR = 20
_OF_IN_HAN = re.compile("的?[约近]?")  # from what a multiple is of to it: 日本的1.45倍
_AS_MANY = re.compile(r"\s(?:as|so) (?:many|much|viele?) ([^,.;()]{3,40}?) (?:as|wie)\b", re.I)
_AS = re.compile(r"\b(?:as|than|als|wie)\s(?:(?:the|that of|die|das|der)\s)?[\"“„]?$")
# "With 14.7 kilometres, the Leipzig map is one of the matches": what a figure is told of follows.
_FRONTED = re.compile(r"\s?[,，]\s?(?:(?:the|der|die|das)\s)?[\"“„]?", re.I)


class StatedNumber:
    """A number of a passage, with what it is said of.

    Attributes:
        quantity: the number.
        passage: its passage.
        known: what the records hold.
        start: where it begins.
        clause: the clause that it stands in.
        way: 1 where the words around it speak of a rise, -1 of a fall, else 0.
        context: the entity, period and property that it is said of.
        denied: whether the sentence says that it is not this number.
        noun: what it counts, or "".
    """

    def __init__(
        self,
        quantity: Quantity,
        passage: PassageContext,
        claims: Sequence[int],
        known: Knowledge,
        *,
        lost: bool = False,
    ) -> None:
        self.passage, self.known = passage, known
        self.text = passage.contexts.reading.text
        self.start = start = quantity.span[0]
        self.told_as_loss = lost
        quantity = without_metres(quantity, known)
        is_bare = passage.passage.kind == "item" and not quantity.noun
        if (is_bare or passage.passage.kind == "cell") and (quantity.unit, quantity.scale) == (
            None,
            1,
        ):
            quantity = self._in_unit_of_header(quantity)
        self.quantity = quantity
        clause = passage.clause(start)
        self.clause = self.text[clause[0] : clause[1]]
        near = without_names(passage, max(clause[0], start - 60), start)
        after = without_names(passage, quantity.span[1], min(clause[1], quantity.span[1] + 25))
        self.way = direction(near) or direction(after)
        if not self.way and right_before("by", "beside_by").search(self.text, start - 12, start):
            before = without_names(passage, passage.passage.start, start)
            self.way = direction(before)  # "fell most of all, by 5.4 %"
        self.context = Context(
            passage.entity(start, claims),
            passage.period(start, self._beside_rates(claims)),
            self._loss() or part_of_figure(passage, quantity, known) or self._property(claims),
        )
        self._claims = claims
        self.denied = _DENIAL.search(self.text, max(0, start - 12), start) is not None
        self.noun = self._own_noun(quantity) or self._noun_of_whole()
        self.quantity = replace(quantity, noun=self.noun)

    def says_divisor(self, fit: Fit) -> bool:
        """Whether a name of a quotient in or over the clause says what it is divided by."""
        if not fit.note.startswith(PER):
            return True
        passage = self.passage.passage
        spans = ((passage.start, passage.end), *self.passage.above)
        said = " ".join(self.text[slice(*span)] for span in spans).casefold()
        if any(
            a.keys & fit.fact.names and DIVISOR.search(self.text, a.start, a.end)
            for span in spans
            for a in self.passage.contexts.names(span)
        ):
            return True
        names = (fit.fact.value.name.replace("_", " "), *fit.fact.value.labels)
        return any(DIVISOR.search(one) and one.casefold() in said for one in names)

    def is_of_item(self, fact: Fact) -> bool:
        """Whether a fact is of an item that the number may be said of, or of none."""
        return fact.value.item is None or self._items.allows(fact)

    @cached_property
    def _items(self) -> Meant:
        return self.passage.items(self.start, self._claims)

    @cached_property
    def calling(self) -> frozenset[str]:
        """The words beside the number that may call a property."""
        return calling_words(self.noun if self.noun else self._beside(self._claims))

    def passes_over(self, fact: Fact) -> bool:
        """Whether a fact is of another thing than the one that was spoken of right before.

        That one has a value of the same property then: "You asked about Malaysia. The population
        is 71.7 million" does not tell Thailand's. What is largest may be of another.
        """
        if self._passes_over_time(fact):
            return True
        before = self.context.entity
        if before.force != "soft" or before.allows(fact.entities) or fact.operands:
            return False
        end = self.quantity.span[1]
        if any(
            anchor.keys & fact.entities and _FRONTED.fullmatch(self.text, end, anchor.start)
            for anchor in self.passage.entities
        ):
            return False
        roles = {word.role.role for word in self.passage.words if word.role is not None}
        return _OF_OTHERS.isdisjoint(roles) and any(
            other.names == fact.names and other.periods == fact.periods
            for other in self.known.about(before.keys)
        )

    def _passes_over_time(self, fact: Fact) -> bool:
        """Whether a fact is of another time than the one told right before, which has one as well.

        "A had 5 in 2020. B had 3" tells the value of B in 2020.
        """
        before = self.context.period
        if before.force != "soft" or before.allows(fact.periods) or fact.operands or self.way:
            return False
        return any(
            other.names == fact.names
            and other.entities == fact.entities
            and other.periods & before.keys
            for other in self.known.about(fact.entities)
        )

    @cached_property
    def sentence(self) -> str:
        """The passage of the number without its names."""
        return without_names(self.passage, self.passage.passage.start, self.passage.passage.end)

    def is_compared_with(self, fact: Fact) -> bool:
        """Whether a multiple is told as one of what a value is of: "ten times as many as A has"."""
        return self.quantity.unit == "×" and any(
            anchor.keys & fact.entities and _AS.search(self.text, anchor.start - 12, anchor.start)
            for anchor in self.passage.entities
            if anchor.start > self.start
        )

    def of_multiple(self, facts: list[Fact]) -> list[Fact]:
        """Return the values of which a multiple is one: of "as many signs as", those of signs."""
        many = _AS_MANY.match(self.text, self.quantity.span[1])
        noun = frozenset(words_of(many[1])) if many is not None else frozenset[str]()
        facts = [f for f in facts if noun <= self.known.words_about(f)] or facts
        sides = self._sides_of_multiple() if self.quantity.unit == "×" else frozenset[str]()
        if self.quantity.unit == "×" and self.context.period.binding:  # "1.08 times in 2010"
            own = [f for f in facts if f.periods & self.context.period.keys]
            facts = own if len({f.entities for f in own}) > 1 else facts
        return [f for f in facts if not sides or not f.entities or f.entities & sides]

    def _sides_of_multiple(self) -> frozenset[str]:
        """The thing that a multiple is of, and the subject: "1.45 times China's", 中国的1.45倍."""
        start, end = self.quantity.span
        later = [q.span[0] for q in self.passage.quantities if q.span[0] >= end]
        stop = min(later, default=self.passage.passage.end)
        entities = self.passage.entities
        if self.quantity.raw.isascii():
            bases = [a for a in entities if end <= a.start < stop][:1]
        else:
            bases = [a for a in entities if _OF_IN_HAN.fullmatch(self.text, a.end, start)]
        subjects = [a for a in entities if a.end <= start and bases and a.keys != bases[0].keys]
        own = [a for a in subjects if a.start >= self.passage.clause(start)[0]] or subjects
        return bases[0].keys | own[0].keys if bases and own else frozenset()

    def _own_noun(self, quantity: Quantity) -> str:
        """The noun behind a number; of German words those up to the noun, which is capitalised."""
        words = quantity.noun.split(" ")
        behind = self.passage.contexts.annotated.at(quantity.span[1] + 1)
        if behind is None or not behind.tokens or behind.tokens[0].language != "de":
            return quantity.noun
        nouns = [place for place, word in enumerate(words) if word[:1].isupper()]
        return " ".join(words[: nouns[0] + 1]) if nouns else quantity.noun

    def _beside_rates(self, claims: Sequence[int]) -> Sequence[int]:
        """The figures that share the periods of the passage with this one.

        "From 126.4 to 214.0 million, an increase of 69.3 %" has two moments: the rate spans them.
        """
        if self.quantity.unit == "%":
            return claims
        rates = {q.span[0] for q in self.passage.quantities if q.unit == "%"}
        return [claim for claim in claims if claim not in rates]

    def moves_against(self) -> bool:
        """Whether "rose from 384 to 378" or "rose to 378, from 384" goes the other way."""
        quantities = self.passage.quantities
        for a, b in pairwise(quantities):
            if self.start not in (a.span[0], b.span[0]) or a.unit != b.unit or a.value == b.value:
                continue
            low = self.passage.clause(a.span[0])[0]
            led = _FROM.search(self.text, max(low, a.span[0] - 8), a.span[0])
            first, last = a, b
            if not (led and _TO.fullmatch(self.text, a.span[1], b.span[0])):
                led = led_back(self.text, (a.span, b.span))
                first, last = b, a
            if led:
                said = without_names(self.passage, max(low, led.start() - 60), led.start())
                way = direction(MAY_BE_LOSS.sub(" ", said))  # a loss may rise
                return way != 0 and (last.value > first.value) != (way > 0)
        return False

    @property
    def says_which(self) -> bool:
        """Whether something says of which metric the figure is."""
        return bool(self.context.name.force) or self.is_lost

    @cached_property
    def is_lost(self) -> bool:
        """Whether the number is called a loss."""
        before = self.text[max(self.passage.passage.start, self.start - 120) : self.start]
        return bool(_LOSS.search(before[-80:]) or _LOSS_TO.search(before)) or self.told_as_loss

    def may_be_lost(self) -> bool:
        """Whether its sentence or the one before speaks of a loss last, or its own behind it."""
        start, (_, end) = self.passage.passage.start, self.quantity.span
        scopes = () if self.passage.names else self.passage.passage.scopes
        start = min([start, *(scope.span[0] for scope in scopes if scope.earlier)])
        behind = operator("lost").search(self.text, end, min(end + 24, self.passage.passage.end))
        if behind and not re.search("[0-9.,;]", self.text[end : behind.start()]):
            return True
        lost = [match.start() for match in operator("lost").finditer(self.text, start, self.start)]
        earned = (m.start() for m in operator("earned").finditer(self.text, start, self.start))
        return max(lost, default=-1) > max(earned, default=-1)

    def _in_unit_of_header(self, quantity: Quantity) -> Quantity:
        """A number under a header or lead with the unit or the scale: "Revenue (CNY million)"."""
        for scope in self.passage.passage.scopes:
            header = self.text[slice(*scope.span)]
            if scope.earlier or not (scope.hard or header.rstrip(" *_\n").endswith((":", "："))):
                continue
            for match in UNIT_OF_HEADER.finditer(header):
                read = next(units_of_head(match[1], self.known), None)
                bracketed = match[0].endswith((")", "）", "]"))
                if read is not None and (read.scale != 1 or (read.unit and bracketed)):
                    return replace(
                        quantity,
                        value=quantity.value * read.value,
                        scale=quantity.scale * read.value,
                        unit=read.unit,
                        unit_text=read.unit_text,
                    )
        return quantity

    def _loss(self) -> Slot[str] | None:
        """The properties that a loss is one of: those of results that are recorded below zero."""
        if not self.is_lost:
            return None
        below = frozenset(
            key
            for fact in self.known.facts.numbers()
            if fact.number is not None and fact.number < 0
            if _RESULTS & self.known.words_about(fact)
            for key in fact.names
        )
        return Slot(below, "own") if below else None

    def _noun_of_whole(self) -> str:
        """Return the noun of the whole in "3 of 11 tube lines", or ""."""
        if self.quantity.unit is not None:
            return ""
        for other in self.passage.quantities:
            if other.span[0] > self.start and other.unit is None:
                return (
                    other.noun
                    if _PART.fullmatch(self.text, self.quantity.span[1], other.span[0])
                    else ""
                )
        return ""

    def _beside(self, claims: Sequence[int]) -> str:
        """The words of the clause between the claims before and after, without names of things.

        The noun of a number before is its own: "the score of 51 forecasts is 0.06".
        """
        start, end = self.quantity.span
        low, high = self.passage.clause(start)
        before = [*self.passage.ends.items(), *self._nouns_of_others()]
        low = max([low, *(min(e, start) for s, e in before if low <= s < start)])
        high = min([high, *(s for s in self.passage.ends if end <= s < high)])
        words = self.text[low:start] + " " + self.text[end:high]
        for mention in self.passage.mentions:
            if mention.named.entities and low <= mention.start and mention.end <= high:
                words = words.replace(self.text[mention.start : mention.end], " ")
        return words

    def _property(self, claims: Sequence[int]) -> Slot[str]:
        """The property that the number is a value of, as far as it can be one."""
        start, end = self.quantity.span
        passage, known = self.passage, self.known
        if self.quantity.unit is None and self.quantity.noun:
            reach = min(end + len(self.quantity.noun) + 2, passage.clause(start)[1])
            beside = [a for a in passage.names if end <= a.start < reach]
            numeric = frozenset(k for a in beside for k in a.keys if k in known.numeric_names)
            if numeric:
                return Slot(numeric, "own")
        others = self._nouns_of_others()
        if self.quantity.unit is None and self.quantity.noun:
            facts = known.about(passage.entity(start, claims).keys)
            if called := called_by_noun(self.quantity, passage, facts, others):
                return Slot(called, "own")
        slot = passage.name(start, claims, others)
        keys = frozenset(with_means(slot.keys, passage, start) & known.numeric_names)
        if self.quantity.unit is not None or passage.entities:
            keys -= known.answer_names  # "among the results, A is 12 km long"
        if self.quantity.unit is not None:
            keys -= known.facts.names_of_groups  # "length by country"
        if not keys:
            return Slot(frozenset(), "")
        if slot.force == "own" and not self._introduced(passage.names, claims):
            # "12 km long with 4 lanes": a property named after the number may be another's.
            dimension = self.dimension()
            if not any(dimension in known.dimensions_of(key) for key in keys):
                return Slot(frozenset(), "")
        return Slot(keys, slot.force)

    def _nouns_of_others(self) -> list[tuple[int, int]]:
        """Where the nouns of the other bare numbers stand: "4 lanes" speaks of lanes alone."""
        return [
            (q.span[1], q.span[1] + len(q.noun) + 2)
            for q in self.passage.quantities
            if q is not self.quantity and q.unit is None and q.noun
        ]

    def _introduced(self, names: Sequence[Anchor[str]], claims: Sequence[int]) -> bool:
        """Whether a property stands before the number with no other number between.

        Or right after it: "12 km is the length".
        """
        start, end = self.quantity.span
        previous = max((c for c in claims if c < start), default=self.passage.passage.start)
        others = self._nouns_of_others()
        return any(
            _COPULA.fullmatch(self.text, end, a.start) is not None
            or (previous <= a.start < start and not any(s <= a.start < e for s, e in others))
            for a in names
            if a.start - end < 20
        )

    def dimension(self) -> str:
        """Return the dimension of its unit; "" for a bare number."""
        unit = resolve_unit(self.quantity.unit) if self.quantity.unit else None
        return unit.dimension if unit else ""


def units_of_head(written: str, known: Knowledge) -> Iterator[Quantity]:
    """Yield the ways in which the brackets of a header may be read as a unit or a scale.

    Args:
        written: what stands in them: "CNY million", "Mio.".
        known: what the records hold.
    """
    for read in find_units_of_head(written):
        yield without_metres(read, known)


def without_metres(quantity: Quantity, known: Knowledge) -> Quantity:
    """Return a number with "m" behind it in millions, where nothing recorded has a length."""
    if quantity.unit != "m" or "length" in known.facts.by_dimension:
        return quantity
    return replace(
        quantity,
        value=quantity.value * _MILLION,
        scale=quantity.scale * _MILLION,
        unit=None,
        unit_text="",
    )


def without_names(passage: PassageContext, start: int, end: int) -> str:
    """A stretch without its names, but for divisors: 意大利 must not read as "large" (大)."""
    text = passage.contexts.reading.text
    parts: list[str] = []
    for mention in passage.mentions:
        divides = _DIVIDING.search(text, start, mention.start)
        if start <= mention.start and mention.end <= end and divides is None:
            parts += [text[start : mention.start], " "]
            start = mention.end
    return "".join([*parts, text[start:end]])


def _as_share(quantity: Quantity, passage: PassageContext) -> Quantity:
    """Return a fraction as the percentage that it tells: "a third of the models"."""
    start = quantity.span[0]
    before = passage.contexts.annotated.within(max(passage.clause(start)[0], start - _NEAR), start)
    about = any(w.text[0] == "约" or (w.role and w.role.role == "approximation") for w in before)
    bound = quantity.bound or ("about" if about else None)  # 约为中国的三分之一
    value = quantity.value * 100
    return replace(quantity, value=value, unit="%", unit_text="", noun="", bound=bound)


def other_readings(
    quantity: Quantity, passage: PassageContext, *, may_be_lost: bool
) -> Iterator[tuple[Quantity, bool]]:
    """Yield how else a number may be meant: as a share, a loss, or in the unit of one beside it.

    "12.3 instead of 9.7 million", "55 against 64 minutes", "CNY 2,567.0 million (1,660.6 + 906.4)"
    tell the unit and scale once for all.
    """
    if may_be_lost:
        yield quantity, True
    if quantity.words and quantity.unit is None and 0 < quantity.value < 1:
        yield _as_share(quantity, passage), False
    start = quantity.span[0]
    low, high = passage.clause(start)
    told = passage.contexts.annotated.within(low, high) if quantity.unit == "×" else ()
    for token in (t for word in told for t in word.tokens if t.tag in ("verb", "adjective")):
        # "was reviewed five times", "„X" wurde fünfmal wiederholt"
        if not passage.contexts.known.numeric_words.isdisjoint(words_of(token.text)):
            yield replace(quantity, unit=None, unit_text="", noun=token.text), False
    if quantity.noun and not counts_noun(quantity, passage):
        quantity = replace(quantity, noun="")
        yield quantity, False
    if quantity.unit is not None or quantity.scale != 1 or quantity.noun or quantity.words:
        return
    beside = [q for q in passage.quantities if q.unit is not None or q.scale != 1]
    for other in sorted(beside, key=lambda q: abs(q.span[0] - quantity.span[0]))[:_MOST_UNITS]:
        if other.percent and OUT_OF_WHOLE.match(passage.contexts.reading.text, quantity.span[1]):
            continue  # "50 of the 110, which is 50%"
        written = replace(
            quantity,
            value=quantity.value * other.scale,
            scale=other.scale,
            unit=other.unit,
            unit_text=other.unit_text,
        )
        yield written, False
        if may_be_lost:
            yield written, True
