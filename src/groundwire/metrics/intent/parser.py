"""The parser that uses no model: vocabulary, period grammar, and a check of what is left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from groundwire.language.asking import asked_in
from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.beside_periods import ANY_DAY, all_of, grains, year_before_metric
from groundwire.metrics.intent.explaining import explain, settle
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.leftovers import (
    UnitPhrase,
    apart_from_names,
    collect,
    forgive_reasons,
    is_unit,
    near_metric,
    unit_phrases,
)
from groundwire.metrics.intent.mentions import Mention, Mentions
from groundwire.metrics.intent.outlines import OutlineReader
from groundwire.metrics.intent.parsed import ParsedIntent, Route, Slot, Span
from groundwire.metrics.intent.shares import SharedOf, computed_of_shares, read_share
from groundwire.metrics.intent.slots import (
    Doubt,
    Value,
    added_up,
    explain_whole,
    fill,
    told_each,
    told_whole,
    two_readings,
    unlisted,
)
from groundwire.metrics.intent.tokens import (
    THIN_SPACE,
    Cleaned,
    Explained,
    Listed,
    Operation,
    Token,
    check_length,
    clean,
    explain_verbs,
    hints_at_a_metric,
    is_listed,
    tokenize,
)
from groundwire.metrics.names import Names
from groundwire.metrics.premises import Premise, read_premise, way_of
from groundwire.metrics.terms import ALLOWED_AS, THOSE_LISTED, TOTAL
from groundwire.quantities import CALENDAR_YEAR, PeriodExpression, find_periods, find_time_words
from groundwire.vocabulary import KnownWords

if TYPE_CHECKING:
    from groundwire.metrics.gate.screen import SecurityGate

Placed = TypeVar("Placed", PeriodExpression, UnitPhrase)
_LIKE_A_METRIC = 0.75
_MOST_WORDS_ASKED = 3
_SHORTEST_TYPO = 3

_OF_LOSSES: dict[Premise | None, Premise] = {None: "loss", "rise": "fall", "fall": "rise"}


class RuleIntentParser:
    """Reads questions by rules; the same question is always read alike."""

    def __init__(self, names: Names, gate: SecurityGate) -> None:
        """Prepare to read questions about a profile.

        Args:
            names: the vocabularies of the profile.
            gate: what masks the names of entities out of scope, so that no part of one resolves.
        """
        self.names = names
        self._profile = names.profile
        self._gate = gate
        self._mentions = Mentions(names)
        self._all_units = frozenset(one.unit for one in self._profile.metrics) - {""}
        self._labels = {
            kind: [own.label.lower().split(), kind.lower().split("_")]
            for kind, own in self._profile.kinds.items()
        }
        self._language = KnownWords((), ("en",))
        self._outlines = OutlineReader(self._profile, self._mentions)

    def parse(self, question: str) -> ParsedIntent:
        """Read a question.

        Raises:
            InputError: it has more than 4,000 characters.
        """
        check_length(question)
        intent = self._parse(question)
        if {"share_delta", "ratio_delta"} & set(intent.derive):
            # Which way a share went is told with it; it is no premise on the values.
            return intent
        premise = intent.premise or (way_of(question) if intent.derive else None)
        if intent.metrics and self._names_a_loss(question, intent):
            # A loss that grows is a profit that falls.
            premise = _OF_LOSSES.get(premise, premise)
        return replace(intent, premise=premise)

    def _names_a_loss(self, question: str, intent: ParsedIntent) -> bool:
        """Whether a metric is named by what it is called below zero."""
        text = question.casefold()
        if not any(name in text for code in intent.metrics for name in self._losses(code)):
            return False
        return any(map(self._is_loss, self._mentions.find(question)))

    def _losses(self, code: str) -> frozenset[str]:
        return frozenset(name.casefold() for name in self._profile.metric_by_code[code].losses)

    def _is_loss(self, mention: Mention) -> bool:
        """Whether a term is a metric by what it is called below zero: "loss", "Verlusts"."""
        raw = mention.raw.casefold()
        return mention.kind == "metric" and any(
            {raw, raw.rstrip("es")} & self._losses(code) for code, _ in mention.candidates
        )

    def _without_losses(self, mentions: list[Mention]) -> list[Mention]:
        """The terms without the name of a loss beside another metric: of what is not said."""
        metrics = [one for one in mentions if one.kind == "metric"]
        if all(map(self._is_loss, metrics)):
            return mentions
        return [one for one in mentions if not self._is_loss(one)]

    def _parse(self, question: str) -> ParsedIntent:
        screen = self._gate.screen(question)
        if not screen.hits:
            outlined = self._outlines.read(question, screen.masked, ANY_DAY)
            if outlined is not None:
                return outlined
        cleaned = clean(screen.masked)
        text = cleaned.text
        tokens = tokenize(text)
        periods = find_periods(text)
        phrases = unit_phrases(text, self._all_units)
        spans = [one.span for one in (*periods, *phrases)]
        found = self._mentions.find_among(text, tokens, spans)
        mentions = self._without_losses(found.mentions)
        periods = _outside(periods, mentions)
        units = self._units(mentions)
        said = [one.span for one in _outside(phrases, mentions) if _of_all(one, units)]
        times = [one for one in find_time_words(text) if not _is_versus(text, one, periods)]
        named_metrics = [one.span for one in mentions if one.kind == "metric"]
        if not periods and (year := year_before_metric(text, times, named_metrics)):
            periods, times = [year], []
        language = asked_in(question)
        explained = explain(
            tokens, mentions, periods, times, units, said, found.asked, self._labels, language
        )
        dropped = apart_from_names(explained, mentions)
        kept = [one for number, one in enumerate(mentions) if number not in dropped]
        values, doubts = fill(self._profile, kept, periods)
        doubts += two_readings(found.hidden, mentions, periods)
        metrics = _codes(values, "metric")
        kinds = frozenset(self._profile.metric_by_code[one].kind for one in metrics)
        share = read_share(explained, values, self._profile, kinds)
        aside = unlisted(explained, values, self._mentions.siblings)
        doubts += [one for one in aside if not (share and share.whole and one.slot == "entity")]
        added: list[Value] = []
        if len(metrics) == 1 and share is None and len({one.raw for one in periods}) < 2:
            metric = self._profile.metric_by_code[metrics[0]]
            added = added_up(explained, text, self._profile, metric, values)
            values = added or values
        wholes = told_whole(text, values)
        is_whole = bool(added or wholes)
        derive = self._derive(explained, values, periods, mentions, share, is_whole=is_whole)
        if derive == ("sum",) or (share and share.parts):
            explain_whole(explained, wholes)
        if share and share.parts:
            (kind,) = kinds
            explain_whole(explained, told_each(text, self._profile, kind, values))
        if (nested := computed_of_shares(explained)) is not None:
            doubts.append(_nested(explained, *nested))
        elif share and share.lacks_whole and "share" not in derive:
            doubts += _which_whole(explained, share.asks)
        explain_verbs(explained, (self._profile.metric_by_code[one] for one in metrics))
        named = bool(metrics) or any(doubt.slot == "metric" for doubt in doubts)
        touched = bool(found.joined) or any(mentions[one].kind == "metric" for one in dropped)
        route = self._route(explained, values, named, touched)
        if route == "composite":
            named_slots = {value.slot for value in values}
            forgive_reasons(explained, {"entity", "period"} <= named_slots)
        if route != "narrative":
            _check_years(explained, periods)
        named_periods = _placed(periods, cleaned)
        entities = _codes(values, "entity")
        channels = _codes(values, "channel")
        if share and "share" in derive:
            whole = share.whole if share.whole != THOSE_LISTED else ""
            entities = tuple(dict.fromkeys((*entities, *filter(None, (whole,)), *share.parts)))
            channels = tuple(dict.fromkeys((*channels, *share.channels)))
        return ParsedIntent(
            raw_question=question,
            route=route,
            metric=next(iter(metrics), None),
            entity=next(iter(entities), None),
            channel=next(iter(channels), None),
            period=next(iter(named_periods), None),
            metrics=metrics,
            entities=entities,
            channels=channels,
            periods=named_periods,
            kind=self._profile.metric_by_code[metrics[0]].kind if metrics else None,
            external_entity=screen.hits[0].name if screen.hits else None,
            leftovers=collect(explained, cleaned, question, doubts, self._language),
            derive=derive,
            share_of=(share.whole or None) if share and "share" in derive else None,
            premise=read_premise(explained, language) if metrics and route != "narrative" else None,
        )

    def _units(self, mentions: Sequence[Mention]) -> frozenset[str]:
        """Units of the metrics in a question."""
        codes = [code for one in mentions if one.kind == "metric" for code, _ in one.candidates]
        return frozenset(self._profile.metric_by_code[code].unit for code in codes) - {""}

    def _derive(
        self,
        explained: Explained,
        values: Sequence[Value],
        periods: Sequence[PeriodExpression],
        mentions: Sequence[Mention],
        share: SharedOf | None,
        *,
        is_whole: bool,
    ) -> tuple[Operation, ...]:
        """The operations whose operands the question lists."""
        counts: dict[Listed, int] = {
            "metric": len(_codes(values, "metric")),
            "entity": len(_codes(values, "entity")),
            "channel": len(_codes(values, "channel")),
            "period": 0,
        }
        metrics = [self._profile.metric_by_code[code] for code in _codes(values, "metric")]
        totals = [one for one in mentions if one.kind == "channel" and _is_total(one)]
        is_whole = is_whole or bool(totals)
        # "In total" over several periods adds up what flows, and no stock or rate.
        flows = is_whole and all(one.measure == "flow" for one in metrics)
        if explained.operations or flows:
            counts["period"] = sum(map(_length, {one.raw: one for one in periods}.values()))
        else:
            counts["period"] = len({one.raw for one in periods})
        allowed = [one.derivations for one in metrics]
        has_whole = share is not None and not share.lacks_whole

        def keep(operation: Operation) -> bool:
            return (
                bool(allowed)
                and all(ALLOWED_AS.get(operation, operation) in own for own in allowed)
                and (has_whole if operation == "share" and share else is_listed(operation, counts))
            )

        derive = settle(explained, keep)
        is_several = counts["entity"] > 1 or (flows and counts["period"] > 1)
        if is_whole and not derive and is_several and keep("sum"):
            return ("sum",)
        return derive

    def _route(
        self, explained: Explained, values: Sequence[Value], named: bool, touched: bool
    ) -> Route:
        """Which channel answers: a cue for reasons makes a metric composite, and all else text."""
        reasons = explained.has("cue")
        if named or touched:
            return "composite" if reasons else "structured"
        if reasons:
            return "narrative"
        if _is_numeric(explained) or (values and _ends_as_a_measure(explained)):
            return "structured"
        if values and hints_at_a_metric(explained, self._profile):
            return "structured"
        content = [
            token
            for token, role in zip(explained.tokens, explained.roles, strict=True)
            if role in ("loose", "movement")
        ]
        if values and len(content) <= _MOST_WORDS_ASKED and self._like_metrics(content):
            return "structured"
        slots = {value.slot for value in values}
        if "entity" in slots and ("period" in slots or explained.has("time")):
            near = near_metric(explained, self.names.metrics)
            if near is not None:
                explained.give(*near, "loose")
                return "structured"
        return "narrative"

    def _like_metrics(self, content: Sequence[Token]) -> bool:
        """Whether nothing else is said, or a word is a misspelt metric."""
        if not content:
            return True
        for token in content:
            if token.kind == "word" and len(token.plain) >= _SHORTEST_TYPO:
                near = self.names.metrics.suggest(token.text, 1)
                if near and near[0].score >= _LIKE_A_METRIC:
                    return True
        return False


def _nested(explained: Explained, first: int, last: int) -> Doubt:
    """The doubt that is left of what would be computed of a share."""
    explained.give(first, last, "function")
    tokens = explained.tokens
    return Doubt((tokens[first].start, tokens[last - 1].end), "nested", None, ())


def _which_whole(explained: Explained, wholes: tuple[str, ...]) -> list[Doubt]:
    """The doubt that is left of a share of what the question does not say."""
    tokens = explained.tokens
    places = [(first, last) for one, first, last in explained.operations if one == "share"]
    for first, last in places:
        explained.give(first, last, "function")
    spans = [(tokens[first].start, tokens[last - 1].end) for first, last in places]
    return [Doubt(span, "whole", "entity", wholes) for span in spans[:1]]


def _placed(periods: Sequence[PeriodExpression], cleaned: Cleaned) -> tuple[PeriodExpression, ...]:
    """The periods, each once, with their places in the question."""
    once = {one.raw: one for one in reversed(periods)}
    return tuple(
        replace(one, span=cleaned.original(*one.span), raw=one.raw.replace(THIN_SPACE, ""))
        for one in reversed(once.values())
    )


def _outside(found: Sequence[Placed], mentions: Sequence[Mention]) -> list[Placed]:
    """The periods or units that are no part of a longer name."""
    return [
        one
        for one in found
        if not any(
            other.span[0] < one.span[1] and one.span[0] < other.span[1] for other in mentions
        )
    ]


def _is_versus(text: str, word: Span, periods: Sequence[PeriodExpression]) -> bool:
    """Whether the German "gegen", else "about" a time, sets one period against another."""
    first, last = word
    return text[first:last].strip().casefold() == "gegen" and any(
        text[one.span[1] : first].isspace() for one in periods
    )


def _of_all(phrase: UnitPhrase, units: frozenset[str]) -> bool:
    """Whether all the values that are asked for are in one unit."""
    if not phrase.unit:
        # A scale alone.
        return bool(units) and "%" not in units
    return bool(units) and all(is_unit(phrase.unit, frozenset([one])) for one in units)


def _codes(values: Sequence[Value], slot: Slot) -> tuple[str, ...]:
    """The codes of one slot, each once, in the order of the question."""
    return tuple(dict.fromkeys(code for one in values if one.slot == slot for code in one.codes))


def _length(period: PeriodExpression) -> int:
    reading = period.on(CALENDAR_YEAR, ANY_DAY)
    return len(reading.periods) if reading.kind == "several" else 1


def _is_total(mention: Mention) -> bool:
    return any(code == TOTAL for code, _ in mention.candidates)


def _is_numeric(explained: Explained) -> bool:
    """Whether a question without a metric asks for a number all the same."""
    numeric = english.NUMERIC | english.MEASURES | german_words()["numeric"]
    if any(
        token.plain in numeric
        for token, role in zip(explained.tokens, explained.roles, strict=True)
        if role != "term"
    ):
        return True
    written = "".join(token.text for token in explained.tokens if token.kind == "cjk")
    return bool(written) and any(word in written for word in (*chinese.NUMERIC, *chinese.MEASURES))


def _ends_as_a_measure(explained: Explained) -> bool:
    """Whether an unexplained run of characters ends as names of measures do (门店数, 毛利)."""
    roles = [*explained.roles, "period"]
    return any(
        token.text in chinese.MEASURE_ENDINGS and role == "loose" and following != "loose"
        for token, role, following in zip(explained.tokens, roles, roles[1:], strict=False)
    )


def _check_years(explained: Explained, periods: Sequence[PeriodExpression]) -> None:
    """Explain "annual" and 年度 where every period that is asked for is a year."""
    if not all(all_of(grains(period), "year") for period in periods):
        return
    for at, token in enumerate(explained.tokens):
        yearly = token.plain in english.ANNUAL
        if yearly and explained.roles[at] in ("loose", "time"):
            explained.roles[at] = "function"
