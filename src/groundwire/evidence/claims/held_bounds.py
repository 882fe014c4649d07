"""A reader of sentences about the times for which a series has values.

"1950 has no figure; the data only goes back to 1960" says that a value is not held and
where its series begins. A sentence is read where each of its words is known; it is supported where
each of its clauses agrees with the recorded ends of the series, or with the periods that are held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import key_of_period
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Word, may_state, vocabulary, words_in
from groundwire.evidence.claims.narrowing import about_conditions, metric_called, narrows
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Condition, Names

_WORDS = "held_bounds"
_KNOWN = re.compile(
    rf"{vocabulary(_WORDS)['known'].pattern}|missing|unavailable|stops? (?:at|in)"
    "|nothing (?:for|after|before)|fehlt|zahlen|[查找]不到|缺失"
)
_PARTS = re.compile(r"[,;:()，；：（）。]|\s[–—-]\s")
_COMPOUND = re.compile(r"-|s?(?:zahl(?:en)?|daten|werte?|angaben)$")
_DATA = ("数据", "数字", "数值")
_LEADS = frozenset(("from", "until", "before", "after"))
_BARE = frozenset(("date", "thing", "metric", "year"))
_NEITHER = frozenset(("neither", "nor"))
_NAMES = frozenset(("thing", "metric"))
_FIRST, _LAST = frozenset(("first", "start", "back")), frozenset(("last", "end"))
_UNREAD, _SAYS_NOTHING = None, "nothing"
_ALONE = 1
Days = tuple[str, str]
Outcome = bool | str | None


@dataclass(frozen=True, slots=True)
class Series:
    """The times of one series of which a value is not held, each by its first and last day.

    Attributes:
        number: of the statement that the value is not held.
        stated: that statement.
        metric: what it is a value of.
        first: the first period that is held.
        last: the last one.
        held: the periods that are listed, the latest first.
        absent: the period that was asked for.
        is_listed: whether all periods are listed that are held.
    """

    number: int
    stated: Stated
    metric: Condition
    first: Days
    last: Days
    held: Sequence[Days]
    absent: frozenset[Days]
    is_listed: bool

    @property
    def names(self) -> frozenset[str]:
        """Keys of the names of its metric: an absence has them behind those of a fact."""
        names, label = self.stated.statement.predicate, self.metric.objects[0][0]
        at = names.index(label) if label in names else len(names)
        return frozenset(map(key_of, (*names[at:], *self.metric.objects[0])))

    def lacks(self, days: Days) -> bool:
        """Whether no value is held of some days."""
        outside = days[1] < self.first[0] or self.last[1] < days[0]
        listed = any(days[0] <= one[1] and one[0] <= days[1] for one in self.held)
        return outside or days in self.absent or (self.is_listed and not listed)

    def begins(self, days: Days) -> bool:
        """Whether the values begin when some days begin."""
        return days[0] == self.first[0]

    def ends(self, days: Days, *, of_grain: bool) -> bool:
        """Whether the values end when some days end, or those of periods that are as long do."""
        alike = [one for one in self.held if _months(one) == _months(days)]
        return days[1] == self.last[1] or (of_grain and alike[:1] == [days])


def _months(days: Days) -> int:
    (year, month), (until, last) = (map(int, one.split("-")[:2]) for one in days)
    return (until - year) * 12 + last - month


def _days(*names: Names) -> list[Days]:
    keys = (key_of_period(name) for some in names for name in some)
    return [(key[0], key[1]) for key in keys if not isinstance(key, str)]


def _series(known: Knowledge) -> Sequence[Series]:
    """Return the series that records tell the ends of."""
    return [one for number in known.by_kind.get("absence", ()) for one in _series_of(number, known)]


def _series_of(number: int, known: Knowledge) -> Iterator[Series]:
    stated = known.statements[number]
    asked = {c.predicate[0]: c for c in stated.statement.conditions if c.predicate}
    metric, period = asked.get("metric"), asked.get("period")
    if metric is None or period is None:
        return
    for scope in known.by_kind.get("scope", ()):
        other = known.statements[scope]
        every = other.statement.conditions
        ends = {c.operator: _days(c.objects[0]) for c in every if "period" in c.predicate}
        of = {key_of(names[0]) for c in every for names in c.objects}
        own = {key_of(one[0]) for one in (stated.statement.subject, metric.objects[0])}
        narrowed = any(map(narrows, stated.statement.conditions))
        if other.evidence_id == stated.evidence_id and len(ends) > 1 and own <= of and not narrowed:
            (first, *_), (last, *_) = ends["at_least"], ends["at_most"]
            listed = _days(*(names[:1] for names in other.statement.objects))
            whole = other.statement.complete == "all_listed"
            absent = frozenset(_days(*period.objects))
            yield Series(number, stated, metric, first, last, listed, absent, whole)


def _unknown_things(known: Knowledge) -> Sequence[int]:
    """Return the numbers of the statements that a thing is held under no name."""
    every = ((n, known.statements[n].statement) for n in known.by_kind.get("absence", ()))
    return [n for n, one in every if (("unknown",),) in (c.objects for c in one.conditions)]


@dataclass(slots=True)
class _Told:
    """The part of a sentence that was read: its series, what of it is named, which of its ends."""

    series: Sequence[Series]
    named: set[str]
    ends: set[str] = field(default_factory=set[str])


Named = Mapping[tuple[str, Span], Sequence[Series]]


class BoundsReader:
    """Reads the sentences of one draft about the times of which values are held."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._series = draft.known.once(_series)
        self._unknown = draft.known.once(_unknown_things) if self._series else ()

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known by what the records have."""
        passage, text = context.passage, self._draft.text
        if not (self._series and context.dates and may_state(text, passage)):
            return
        earlier = [scope.span for scope in passage.scopes if scope.earlier]
        low = min((passage.start, *(span[0] for span in earlier)))
        if _KNOWN.search(context.contexts.reading.small, low, passage.end) is None:
            return  # "had no revenue" says nothing of what is known
        named = self._named(context, (passage.start, passage.end))
        words, unknown = words_in(
            context, _WORDS, (), most_unknown=0, given=[*self._given(context, named)]
        )
        if unknown:
            return
        told = self._before(context, earlier)
        told.named |= {kind for kind, _ in named}
        outcomes = [self._outcome(clause, named, told) for clause in self._clauses(words)]
        is_read = _UNREAD not in outcomes and {*outcomes} != {_SAYS_NOTHING}
        if is_read and not self._may_be_other(told):
            stated = told.series[0].stated
            about = about_conditions(stated.statement.subject, stated.statement.conditions)
            is_so, detail = False not in outcomes, f"the times that are held: {about}"
            found.judge_whole(passage, text, claims, is_so, stated.evidence_id, detail)

    def _given(self, context: PassageContext, named: Named) -> Iterator[Word]:
        """Yield the times of a passage, and the names that stand in none of them."""
        for one in context.dates:
            yield Word("date", *one.span, names=(one.start.isoformat(), one.end.isoformat()))
        passage = context.passage
        hits = (self._draft.between(n, passage.start, passage.end) for n in self._unknown)
        spans = [("unknown", h.start, h.end) for own in hits for h, t in own if t.slot == "subject"]
        for kind, start, end in [*spans, *((kind, *span) for kind, span in named)]:
            if not any(start < one.span[1] and one.span[0] < end for one in context.dates):
                yield Word(kind, start, end)

    def _named(self, context: PassageContext, span: Span) -> Named:
        """Return where a range names things and metrics of series, with these."""
        found: dict[tuple[str, Span], list[Series]] = {}
        text, words = self._draft.text, self._draft.annotated.within(*span)
        for one in self._series:
            names = one.names
            spans = [("metric", where) for where in metric_called(one.metric, words)]
            for word in words:
                if any(key in names for token in word.tokens for key in _COMPOUND.split(token.key)):
                    spans.append(("metric", (word.start, word.end)))
            for anchor in context.contexts.entities(span):
                if anchor.keys & one.stated.subjects:
                    spans.append(("thing", (anchor.start, anchor.end)))
            conditions = one.stated.statement.conditions
            for hit, term in self._draft.between(one.number, *span):
                # 人口数据 are data, and no 人口数.
                where = hit.start, hit.end - text.startswith(_DATA, hit.end - 1)
                if term.slot == "subject":
                    spans.append(("thing", (hit.start, hit.end)))
                elif (term.slot == "condition" and conditions[term.place] is one.metric) or key_of(
                    text[hit.start : hit.end]
                ) in names:
                    spans.append(("metric", where))
            for where in dict.fromkeys(spans):
                found.setdefault(where, []).append(one)
        return found

    def _before(self, context: PassageContext, earlier: Sequence[Span]) -> _Told:
        """Return of what series the sentence before a passage tells; of all where there is none."""
        every = [item for span in earlier for item in self._named(context, span).items()]
        kinds = {kind for (kind, _), _ in every}
        others = any(context.contexts.entities(span) for span in earlier)
        is_other = others and "thing" not in kinds
        about = self._meant([(kind, own) for (kind, _), own in every])
        return _Told([] if is_other else about, kinds)

    def _meant(self, named: Sequence[tuple[str, Sequence[Series]]]) -> Sequence[Series]:
        """Return the series of any of the things and any of the metrics that are named."""
        kinds = {kind: [one for k, own in named if k == kind for one in own] for kind, _ in named}
        return [one for one in self._series if all(one in own for own in kinds.values())]

    def _may_be_other(self, told: _Told) -> bool:
        """Whether values are recorded of others that what is not named may be as well."""
        things = frozenset[str]().union(*(one.stated.subjects for one in told.series))
        metrics = {name for one in told.series for name in one.metric.objects[0]}
        for one in self._draft.known.facts.numbers():
            is_own, called = bool(one.entities & things), one.value.name.split(" ")[0] in metrics
            if one.periods and not one.operands and is_own != called and (
                "metric" if is_own else "thing"
            ) not in told.named:  # fmt: skip
                return True
        return False

    def _clauses(self, words: Sequence[Word]) -> list[list[Word]]:
        """Return the words of each clause, names and times told apart put where they belong."""
        text, clauses = self._draft.text, list[list[Word]]([[]])
        for word, behind in zip_longest(words, words[1:]):
            kinds = [one.kind for one in clauses[-1]]
            last = clauses[-1][-1].end if kinds else word.start
            # "Between 1960 and 2024" is one clause, and so is "of revenue and net profit".
            lists = kinds[-1:] == [behind.kind] if behind and behind.kind in _NAMES else False
            joins = word.kind == "joint" and kinds[-2:] != ["from", "date"] and not lists
            if joins or word.kind == "stop" or _PARTS.search(text, last, word.start):
                clauses.append([])
            if word.kind not in ("joint", "stop"):
                clauses[-1].append(word)
        told: list[list[Word]] = []
        waiting: list[Word] = []
        for clause in filter(None, clauses):
            kinds = {one.kind for one in clause}
            if told and kinds <= _NAMES | _NEITHER:  # "nothing is held, neither A nor B"
                told[-1] += [one for one in clause if one.kind in _NAMES]
                continue
            goes_on = text[clause[-1].end :].lstrip(" ")[:1].isalpha()  # "but 2021 is"
            fronted = kinds <= _BARE | _LEADS and not told  # "After 2020, none are held"
            if not (kinds <= _BARE or fronted) or (told and goes_on and "date" in kinds):
                told.append([*waiting, *clause])
                waiting = []
            else:
                (told[-1] if told and "date" in kinds else waiting).extend(clause)
        return [*told, waiting] if waiting else told

    def _outcome(self, clause: Sequence[Word], named: Named, told: _Told) -> Outcome:
        """Return whether what a clause says is so; None where it is not understood."""
        parts = _Clause(clause)
        kinds = {one.kind for one in clause}
        if "computed" in kinds and parts.denies != _ALONE:
            return _UNREAD  # of what is missing nothing is computed
        if "unknown" in kinds:
            return (parts.denies == _ALONE and "thing" not in kinds) or _UNREAD
        own = [(w.kind, named[w.kind, (w.start, w.end)]) for w in clause if w.kind in _NAMES]
        if own:
            meant = self._meant(own)
            if not all(any(one in some for one in meant) for _, some in own):
                return _UNREAD
            whole = kinds >= _NAMES
            told.series = [one for one in meant if whole or one in told.series] or meant
        outcomes = {parts.holds(one, told.ends) for one in told.series}
        told.ends |= parts.ends
        return outcomes.pop() if len(outcomes) == 1 else _UNREAD


class _Clause:
    """One clause: what it denies, and what its words say of each of its times."""

    def __init__(self, words: Sequence[Word]) -> None:
        kinds = [one.kind for one in words]
        self._kinds = {*kinds}
        self.denies = kinds.count("neg") or int(not _NEITHER.isdisjoint(kinds))
        self.ends: set[str] = set()
        dates = [one for one in words if one.kind == "date"]
        self._is_dashed = any(two.start - one.end == _ALONE for one, two in pairwise(dates))
        self._dates: list[tuple[Days, str]] = []
        lead = ""
        for at, one in enumerate(words):
            beyond = "before" if "back" in kinds else "after"
            kind = beyond if one.kind == "beyond" else one.kind
            lead = kind if kind in _LEADS else lead
            if one.kind == "date":
                behind = (
                    "" if lead or "date" in kinds[at + 1 :] else "".join(kinds[at + 1 : at + 2])
                )
                said = lead or (behind if behind in _LEADS else "")
                self._dates.append(((one.names[0], one.names[1]), said))
                lead = ""

    def holds(self, series: Series, ends: set[str]) -> Outcome:
        """Return whether a clause is so of a series, the ends told before it known."""
        if self.denies > _ALONE:
            return _UNREAD
        if not self._dates:
            return self._untimed(series, ends)
        if len(self._dates) == _ALONE:
            return self._denied(series) if self.denies else self._told(series)
        leads = tuple(lead for _, lead in self._dates)
        if self.denies:
            plain = not any(leads) and not self._kinds & {"only", *_FIRST, *_LAST}
            return all(series.lacks(days) for days, _ in self._dates) if plain else _UNREAD
        is_span = leads in (("from", "until"), ("", "until"), ("from", "")) or self._is_dashed
        (first, _), (last, _), *_ = self._dates
        return series.begins(first) and self._is_last(series, last) if is_span else _UNREAD

    def _untimed(self, series: Series, ends: set[str]) -> Outcome:
        """Return whether a clause without a time is so: "older ones are not", "not that far"."""
        denied, early = self.denies == _ALONE, any(o[1] < series.first[0] for o in series.absent)
        for kind, is_so in (("older", "first" in ends), ("newer", "last" in ends), ("far", early)):
            if kind in self._kinds:
                return (denied and is_so) or _UNREAD
        says = self._kinds & (_FIRST | _LAST | _LEADS | {"only"}) or (
            denied and self._kinds & _NAMES
        )
        return _UNREAD if says else _SAYS_NOTHING

    def _denied(self, series: Series) -> Outcome:
        """Return whether it is so that nothing is held of a time, before it or after it."""
        ((days, lead),) = self._dates
        marked = self._kinds & {"only", *_FIRST, *_LAST}
        if lead == "before" and marked <= _FIRST:
            return self._is_first(series, days)
        if lead == "after" and not marked:
            return self._is_last(series, days)
        if lead == "until" and marked == {"start"}:
            return self._is_first(series, days)
        if lead == "until" and marked == {"back"}:
            return days[1] < series.first[0]
        return series.lacks(days) if not lead and not marked else _UNREAD

    def _told(self, series: Series) -> Outcome:
        """Return whether values begin or end at a time, or are held of it, as is said."""
        ((days, lead),) = self._dates
        first, last = self._kinds & _FIRST, self._kinds & _LAST
        if lead in ("before", "after") or (first and last):
            return _UNREAD
        if first or (lead == "from" and not last):
            return self._is_first(series, days)
        if last or lead == "until":
            return self._is_last(series, days)
        if self._kinds & {"only", "nor"}:
            return _UNREAD
        return True if days in series.held else False if series.lacks(days) else _UNREAD

    def _is_first(self, series: Series, days: Days) -> bool:
        self.ends.add("first")
        return series.begins(days)

    def _is_last(self, series: Series, days: Days) -> bool:
        self.ends.add("last")
        return series.ends(days, of_grain="year" in self._kinds)
