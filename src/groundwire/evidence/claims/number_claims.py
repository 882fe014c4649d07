"""The judgement of numbers: does a record say this, of what the sentence is about?"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from groundwire.evidence.claims.attachment import Anchor, Slot, places_of_things
from groundwire.evidence.claims.claim import POSSIBLE, Claim, Status
from groundwire.evidence.claims.context import Context, PassageContext
from groundwire.evidence.claims.counted_nouns import (
    counts_other_things,
    is_in_untold_state,
    is_of_that_state,
    is_one_of_several,
    told_need,
)
from groundwire.evidence.claims.counts import (
    COUNTED,
    TOTALS,
    counted_within,
    counts_by_glossary,
    counts_whole,
    field_counted,
    group_sizes,
    is_of_each,
    named_groups,
    plain_count,
)
from groundwire.evidence.claims.derivation import (
    BY,
    DIFFERENCE,
    SUM,
    TO,
    Derived,
    count_of,
    derive,
    possible,
)
from groundwire.evidence.claims.exclusion import excluding
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey, said_of
from groundwire.evidence.claims.figure_kinds import counts_group
from groundwire.evidence.claims.figures_beside import (
    measures_told,
    periods_counted,
    values_before,
)
from groundwire.evidence.claims.head_nouns import calls_another
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.manners import is_meant_otherwise
from groundwire.evidence.claims.narrowing import is_short_of_set
from groundwire.evidence.claims.partial_names import stands_for_thing
from groundwire.evidence.claims.parts_of_wholes import (
    derive_of_whole,
    names_journey_only,
    sum_of_parts,
    whole_of_shares,
)
from groundwire.evidence.claims.period_references import year_before
from groundwire.evidence.claims.restatements import untold_first
from groundwire.evidence.claims.rounding import Fit, agrees, find_fits, keeps_bound
from groundwire.evidence.claims.runs import times_spanned
from groundwire.evidence.claims.shares import SaidWhole, has_order_of, is_share, said_whole
from groundwire.evidence.claims.stated_number import (
    DIVISOR,
    MAY_BE_LOSS,
    StatedNumber,
    other_readings,
)
from groundwire.evidence.claims.words import share_word, words_of
from groundwire.language.glossary import is_called
from groundwire.quantities import CLASSIFIER, Quantity

Key = TypeVar("Key", bound=Hashable)

_OF_ALL = re.compile(
    r"(?:\b(?:(?:of|among) (?:the|these|those)|all|(?:von|unter) (?:den|diesen)|der|alle?r?)\s"
    r"|所有|全部|这)$",
    re.I,
)
_PRONOUN = re.compile(r"\b(?:the|this|that|each|every|another|which|der|die|das)\s$", re.I)
_ARTICLE = re.compile(f"(?<=[是为])一(?:{CLASSIFIER.pattern})[^\\W0-9]")
_CHANGES = frozenset(("percent_change", "difference"))
_HOW_OFTEN = frozenset(words_of("time times mal 次"))
_ONLY = re.compile(r"\b(?:only|just|exactly|precisely|a single|single)\s*$|(?:只有|仅有?|唯一)$")


def judge_number(
    quantity: Quantity, passage: PassageContext, claims: Sequence[int], known: Knowledge
) -> Claim | None:
    """Judge one number of a passage.

    Args:
        quantity: the number.
        passage: its passage.
        claims: where its numbers begin.
        known: what the records hold.

    Returns:
        The claim, or None where the number is none ("one of them").
    """
    text = passage.contexts.reading.text
    before = text[max(0, quantity.span[0] - 12) : quantity.span[0]]
    if quantity.words and _OF_ALL.search(before) and quantity.value in group_sizes(passage, known):
        return None  # "of the three" names those that are recorded
    measures = [a.start for a in passage.names if known.numeric_names & a.keys]
    kind = _ARTICLE.match(text, quantity.span[0], min([*measures, len(text)]))
    is_pronoun = _PRONOUN.search(before) or stands_for_thing(text, quantity.span, passage.entities)
    if (is_one := quantity.words and quantity.value == 1) and (kind or is_pronoun):
        return None  # 是一张地图 says of what kind a thing is
    if is_one and not _ONLY.search(before):
        told = before.endswith(("是", "为")) and len(quantity.noun) == 1  # 是一张 counts
        noun = frozenset(words_of("" if told else quantity.noun))
        pronoun = text.startswith(" of", quantity.span[1]) or not measures
        if not noun & known.numeric_words and (noun or (quantity.raw.isascii() and pronoun)):
            called = counts_by_glossary(quantity, noun, passage, known)
            called = called or counts_group(quantity.span[1], passage)
            claim = _Judgement(quantity, passage, claims, known).claim() if called else None
            return claim if claim is not None and claim.status == "supported" else None
    first = _Judgement(quantity, passage, claims, known)
    claim = first.claim()
    if claim is None or claim.status in ("supported", "derived"):
        return claim
    for written, lost in other_readings(quantity, passage, may_be_lost=first.may_be_lost()):
        other = _Judgement(written, passage, claims, known, lost=lost).claim()
        often = quantity.unit == "×" and other is not None and any(f.unit for f in other.facts)
        held = other is not None and (other.status == "supported" or other.kind != claim.kind)
        if other is not None and held and other.status in ("supported", "derived") and not often:
            return other
        if written.scale != quantity.scale and claim.status == "contradicted":
            claim = replace(claim, status="unsupported")  # it may be in millions, as the other is
    return claim


class _Judgement(StatedNumber):
    def claim(self) -> Claim | None:
        if self.moves_against():
            own = find_fits(self.quantity, self.known.facts, falls=False)
            facts = [fit.fact for fit in own if self.context.allows(fit.fact)]
            return self._make("contradicted", None, "the two figures go the other way", facts)
        falls = self.way < 0 or self.told_as_loss
        fits = find_fits(self.quantity, self.known.facts, falls=falls)
        if not fits and self.quantity.raw[0] == "(" and self.passage.passage.kind != "cell":
            # In a sentence "(£3.00)" may be a loss, and may just stand beside "300p".
            self.quantity = replace(self.quantity, value=-self.quantity.value)
            fits = find_fits(self.quantity, self.known.facts, falls=False)
        fits = [fit for fit in fits if self._right_way(fit.fact) and self.says_divisor(fit)]
        if self.quantity.words and self.quantity.unit is None and not self.quantity.noun:
            # "The largest of the three" counts three things: it does not round 2.98.
            fits = [fit for fit in fits if fit.how == "exact"]
        self.others = [fit for fit in fits if not self.is_of_item(fit.fact)]
        fits = [fit for fit in fits if self.is_of_item(fit.fact)]
        for soft in (True, False):
            meant = [fit for fit in fits if self._is_meant(fit.fact, soft=soft)]
            if meant:
                alike = [fit for fit in meant if fit.how == meant[0].how and not fit.note]
                best = max(alike or meant[:1], key=lambda fit: self._named_by(fit.fact))
                return self._supported(best, [fit.fact for fit in meant])
        if self.denied:
            return None  # "not 4.2 trillion": what is not so is nowhere recorded
        return (
            self._derived()
            or self._counted()
            or self._of_another()
            or self._contradicted(fits)
            or self._unsupported()
        )

    def _named_by(self, fact: Fact) -> int:
        """Return how many words of the clause call the property of a value."""
        return len(self.known.words_about(fact).intersection(words_of(self.clause)))

    def _of_another(self) -> Claim | None:
        """A number that is recorded of another item than the one that is spoken of."""
        if not self.others:
            return None
        fact = self.others[0].fact
        detail = f"{fact.said} is recorded as {fact.about}"
        own = self._of_item(fact)
        status: Status = "contradicted" if excluding(self, own) else "unsupported"
        return self._make(status, fact.evidence_id, detail, own)

    def _of_item(self, other: Fact) -> list[Fact]:
        """Return the recorded numbers of this item for the property that another item has."""
        return [
            fact
            for fact in self.known.facts.numbers()
            if fact.value.item and fact.names & other.names and self.is_of_item(fact)
        ]

    def _is_meant(self, fact: Fact, *, soft: bool) -> bool:
        needed = told_need(fact, self.start, self.passage)
        if needed is False:
            return False
        return (
            (
                needed
                or self.context.allows(fact, soft=soft)
                or self._is_called_so(fact, soft=soft)
                or is_of_that_state(fact, self.context.name.keys, self.known)
            )
            and not counts_whole(fact, self.context.entity.keys, self.passage, self.start)
            and self._counts_that(fact)
            and not is_in_untold_state(fact, self.start, self.passage)
            and not is_meant_otherwise(fact, self.start, self.passage)
            and not self.passage.tells_value_of_another(fact, self.start)
            and (self.is_lost or not calls_another(fact, self.calling, self.known.rivals))
            and self.context.names_operands(fact, self.passage.periods, self.known.periods)
            and self._is_of_that_whole(fact)
            and not names_journey_only(fact, self.passage)
            and has_order_of(fact, self.passage, self.start)
            and not (self._moves(BY) and not self._is_change(fact))
            and not (self._moves(TO) and fact.operation == "difference")
            and (self.says_which or not is_one_of_several(fact, self.passage))
            and (soft or not self.passes_over(fact))
        )

    def _is_called_so(self, fact: Fact, *, soft: bool) -> bool:
        """Whether the noun of a number calls its own property: "mit 373 Mitarbeitern"."""
        noun = frozenset(words_of(self.noun) if self.quantity.unit is None else ())
        context = replace(self.context, name=Slot(frozenset[str](), ""))
        called = any(is_called(word, self.known.words_about(fact)) for word in noun)
        called |= not noun.isdisjoint(words_of(fact.value.name.partition("number of ")[2]))
        return called and not fact.operands and context.allows(fact, soft=soft)

    def _moves(self, cue: re.Pattern[str]) -> bool:
        """Whether a number says by how much, or to what, something rose or fell."""
        before = self.text[max(0, self.start - 24) : self.start]
        return self.way != 0 and cue.search(before) is not None

    def _is_change(self, fact: Fact) -> bool:
        return fact.operation in _CHANGES or bool(fact.names & self.known.changes)

    def _is_of_that_whole(self, fact: Fact) -> bool:
        """Whether a recorded share is of the whole that the sentence names, if it names one."""
        if fact.operation != "share" or len(fact.operands) < 2 or self._whole is None:
            return True
        part, *whole = fact.operands
        return self._whole.may_be(whole if is_share(fact, part, whole[0]) else [part, *whole])

    @cached_property
    def _whole(self) -> SaidWhole | None:
        return said_whole(self.passage, self.start)

    def _right_way(self, fact: Fact) -> bool:
        """Whether "fell by 3 %" and "rose by 3 %" go the way of a recorded change."""
        if self.is_lost and self.quantity.bound and fact.number is not None and fact.number < 0:
            # "A loss of less than 10" speaks of how much was lost.
            lost = abs(self.quantity.value)
            return agrees(self.quantity, lost, -fact.number, count=False) is not None
        if not self._is_change(fact):
            if self.quantity.value <= 0 or fact.operands or fact.number is None:
                return True
            if fact.number < 0:
                return self.is_lost or self.may_be_lost()  # a profit that fell is no loss
            return not (self.is_lost and "loss" not in min(fact.names, default=""))
        if fact.number is None or not fact.number or self.quantity.value < 0:
            return True
        return not self.way or (self.way > 0) == (fact.number > 0)

    def _counts_that(self, fact: Fact) -> bool:
        """Whether a bare number with a noun can count what the fact counts."""
        if self.quantity.unit is not None:
            return True
        noun = frozenset(words_of(self.noun)) - _HOW_OFTEN
        if counts_other_things(fact, self.quantity, noun, self.passage, self.context.entity.keys):
            return False
        if fact.unit is not None or not noun:
            return True
        if fact.entities and fact.value.unit == ASSETS:
            return bool(self.context.entity.keys)
        own, counted = self.known.words_about(fact), self._calls(noun, self.known.numeric_words)
        if counted or (fact.value.item is not None and not fact.entities):
            return self._calls(noun, own)  # "3 Kreuzungen" are no traffic lights
        if fact.entities:
            return bool(noun & own) or not noun & (COUNTED | self.known.words)
        named = frozenset(k for a in self.passage.names for k in a.keys)
        return not (noun & named and not noun & fact.names)

    def _calls(self, noun: frozenset[str], words: frozenset[str]) -> bool:
        field = field_counted(self.text, self.quantity.span[1])
        named = share_word(noun, words) or any(is_called(word, words) for word in noun)
        return named or (bool(field) and field <= words)

    def _make(
        self, status: Status, evidence_id: str | None, detail: str, facts: Sequence[Fact] = ()
    ) -> Claim:
        kind = "percent" if self.quantity.percent else "number"
        start, end = self.quantity.span
        return Claim(self.quantity.raw, kind, status, evidence_id, detail, start, end, tuple(facts))

    def _supported(self, fit: Fit, alike: Sequence[Fact]) -> Claim:
        fact = fit.fact
        if self.denied:
            detail = f"{fact.about}: {fact.said}"
            return self._make("contradicted", fact.evidence_id, detail, (fact,))
        note = f" ({fit.note})" if fit.note else ""
        if fact.operands:
            detail = f"recorded {fact.operation}: {fact.about}{note}"
            return self._make("derived", fact.evidence_id, detail, (fact, *fact.operands))
        detail = f"{fact.about}: {fact.said}{note}"
        same = [one for one in alike if one.names == fact.names and one.entities == fact.entities]
        return self._make("supported", fact.evidence_id, detail, same)

    def _derived(self) -> Claim | None:
        told = self.sentence
        plain = not (self.quantity.percent or self.quantity.unit == "×")
        if self._moves(TO) and plain and not (SUM.search(told) or DIFFERENCE.search(told)):
            return None  # "the gap was down to 8.5 million" is computed
        operands = self.of_multiple(self._operands(self._periods_named()))
        adds = self.context.period.binding and SUM.search(told)
        found = sum_of_parts(self.quantity, self.context, self.known) if adds else None
        found = found or self._computed(operands)
        found = found or derive_of_whole(
            self.quantity, self._alone(), self.known, self.sentence, self._whole
        )
        one_time = len(self.passage.periods) == 1
        if found is None and self.way and one_time:  # "rose by 5 % in 2023"
            before = year_before(self._periods_named(), self.known.periods)
            found = self._computed(self._operands(self._periods_named() | before), moves=True)
        found = found or self._computed(values_before(self.passage))
        if found is None:
            whole = whole_of_shares(self.quantity, self.passage, self.known)
            told = f"the whole of the shares: {whole.about} {whole.said}" if whole else ""
            return self._make("derived", whole.evidence_id, told, (whole,)) if whole else None
        each = " + " in found.formula and is_of_each(self.text, *self.quantity.span)
        if each or self.is_compared_with(found.operands[0]):
            return None  # "A and B have two each" adds nothing up
        rounded = ", rounded" if found.rounded else ""
        evidence_id = found.operands[0].evidence_id
        return self._make("derived", evidence_id, found.formula + rounded, found.operands)

    def _computed(self, operands: Sequence[Fact], *, moves: bool = False) -> Derived | None:
        return derive(
            self.quantity,
            operands,
            self.sentence,
            alone=len(self.passage.quantities) == 1 and not moves,
            way=self.way,
            subject=self.context.entity.keys if self.context.entity.force == "own" else frozenset(),
            counts_once=self.known.counts_once,
            is_whole=self._whole.may_be if self._whole else lambda _: True,
        )

    def _alone(self) -> Context:
        """The context of the number, without entities where only a later clause names one."""
        own = self.context.entity.force == "own" and SUM.search(self.clause)
        if own and self.passage.names_only_later(self.start):
            return replace(self.context, entity=Slot(frozenset[str](), ""))
        return self.context

    def _periods_named(self) -> frozenset[PeriodKey]:
        return _named(self.passage.periods, self.context.period)

    def _operands(self, periods: frozenset[PeriodKey]) -> list[Fact]:
        """Values whose entity and period, as far as they have any, the sentence names."""
        pointed = self.passage.pointed_at()
        entities = _named(self.passage.entities, self.context.entity) | pointed
        periods = periods or self._time_beside(entities) or times_spanned(self.passage, self.known)
        names = frozenset(k for a in self.passage.names for k in a.keys) & self.known.numeric_names
        if not self.quantity.percent:  # 环境模型 are what a total counts, and of no one thing
            names -= self.known.answer_names
        if self.context.name.binding:  # beside another property, a figure is of its own
            names = names & self.context.name.keys or names
        if not entities:
            of = frozenset(
                k for f in self.known.facts.numbers() if f.names & names for k in f.entities
            )
            entities = of if len(of) == 1 else entities
        begin, _ = self.passage.clause(self.start)
        order = places_of_things(self.text, self.passage.entities, self.start, begin)
        order |= dict.fromkeys(pointed, -1)
        some = [
            fact
            for fact in self.known.facts.numbers()
            if (fact.entities or fact.periods)
            and (not fact.entities or fact.entities & entities)
            and (not fact.periods or fact.periods & periods)
            and (not names or fact.names & names)
        ]

        def place(fact: Fact) -> int:
            return min((order.get(key, len(order)) for key in fact.entities), default=0)

        told = [f for q, f in self.passage.recorded if q.span[0] != self.start and f in some]
        compared = measures_told(told, alone=self.quantity.unit == "×")
        some = [f for f in some if not compared or names or f.names in compared]
        return sorted(untold_first(some, self.known, told), key=place)

    def _time_beside(self, entities: frozenset[str]) -> frozenset[PeriodKey]:
        """The one time of the other figures of a passage, else of all that it names."""
        names = frozenset(k for a in self.passage.names for k in a.keys) & self.known.numeric_names
        times = {
            fact.periods
            for quantity, fact in self.passage.recorded
            if quantity is not self.quantity and quantity.span != self.quantity.span
            if fact.entities & entities and not fact.operands
        }
        held = self.known.about(entities) if not times else ()
        held = [f for f in held if f.periods and f.number is not None]
        times |= {f.periods for f in held if not names or f.names & names}
        return next(iter(times)) if len(times) == 1 else frozenset()

    def _counted(self) -> Claim | None:
        """A count of entities: of those the sentence names a value of, or of all listed."""
        quantity, known = self.quantity, self.known
        noun = frozenset(words_of(self.noun))
        periods = periods_counted(self.passage, quantity.value)
        why = plain_count(quantity, noun, periods, self.passage)
        if why is not None:
            counted = [] if "periods" in why else known.about(known.entities)
            found = known.evidence_of(known.entities)
            return self._make("derived", found, f"count of {why}", counted)
        if (within := counted_within(quantity, noun, self.passage, known)) is not None:
            return self._make("derived", None, f"count of {within[1]}", within[0])
        if self.context.name.binding:
            return None
        for group, why in named_groups(quantity, noun, self.passage, known):
            short = is_short_of_set(quantity, group, self.passage, known)
            if count_of(quantity, [group]) is not None and not short:
                return self._make("derived", known.evidence_of(group), why, known.about(group))
        return None

    def _contradicted(self, fits: Sequence[Fit]) -> Claim | None:
        """The figure held against what the records have instead, where they have something."""
        if self._counts_strangely():
            return None
        expected = self._expected()
        below = any(one.number == -self.quantity.value for one in expected)
        if below and (self.way < 0 or MAY_BE_LOSS.search(self.sentence)):
            return None  # told without its sign
        fine = self.quantity.scale != 1 or self.quantity.decimals
        if fine and expected and all(not f.entities and f.names & TOTALS for f in expected):
            return None  # an amount is no count of a whole answer
        against = excluding(self, expected, [fit.fact for fit in fits])
        if keeps_bound(self.quantity, against, falls=self.way < 0 or self.told_as_loss):
            return self._supported(
                Fit(against[0], "rounded", "within the bound that is told"), against
            )
        later = self.passage.names_only_later(self.start)  # 有47个国家，最大的是中国
        status: Status = "contradicted" if against and not later else "unsupported"
        instead = against or expected
        has = said_of(instead)
        if fits and self.context.anchored:
            fact = fits[0].fact
            detail = f"{fact.said} is recorded as {fact.about}{has and '; ' + has}"
            return self._make(status, fact.evidence_id, detail, [fact, *instead])
        if instead and not DIFFERENCE.search(self.sentence):
            return self._make(status, instead[0].evidence_id, has, instead)
        return None

    def _counts_strangely(self) -> bool:
        """Whether a number in words counts what no record has."""
        noun = frozenset(words_of(self.noun))
        said = noun & (self.known.numeric_words | self.known.words | COUNTED)
        return self.quantity.words and self.quantity.unit is None and bool(noun) and not said

    def _expected(self) -> list[Fact]:
        """Return the recorded values that the sentence could have stated."""
        dimension = self.dimension()
        facts = self.known.facts
        if self.context.anchored:
            named = [
                fact
                for fact in facts.numbers()
                if self.context.allows(fact, soft=False)
                and (fact.entities or fact.periods or fact.names & self.context.name.keys)
            ]
            alike = [
                fact
                for fact in named
                if (fact.unit.dimension if fact.unit else "") == dimension
                and not (fact.operation == "percent_change" and not self.way)
            ]
            if alike:
                return alike
            if self.context.name.binding:
                # An amount says nothing of a share of it, nor of what it is per head.
                return [] if self.quantity.percent or DIVISOR.search(self.sentence) else named
            return [f for f in named if f.number == abs(self.quantity.value)]
        noun = frozenset(words_of(self.noun))
        if self.quantity.unit is None and (noun & (COUNTED | self.known.words)):
            return [f for f in facts.numbers() if not f.entities and f.names & TOTALS]
        return []

    def _unsupported(self) -> Claim:
        hint = possible(self.quantity, self.known.facts)
        if hint is not None:
            return self._make("unsupported", None, f"{POSSIBLE}: {hint}")
        return self._make("unsupported", None, "no record has this value")


def _named(anchors: Sequence[Anchor[Key]], slot: Slot[Key]) -> frozenset[Key]:
    """Keys that the sentence names, or else what stands over it."""
    keys = frozenset(k for a in anchors for k in a.keys)
    return slot.keys if slot.force == "hard" and not keys else keys
