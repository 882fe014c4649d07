"""Sentences about what leaves a stop, on which days a line runs, and what is step-free.

The records are read as one table: a row for each departure of a board (its stop, line, mode, end,
day and time), for the days of each line, and for what is step-free or is not. "The last bus to
Talbach on Tuesday leaves at 19:20" picks the rows that have what it names, and of them the last;
its time must be that of this row. Only a sentence every word of which is known is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Names, Word, may_state, names_of, words_in
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.records import Statement
from groundwire.quantities.dates import find_partial_dates, find_written_dates

_WORDS = "timetable_words"
_EDGES = ("first", "last", "next")
_DAYS = tuple(f"day_{number}" for number in range(7))
_RAILS = frozenset(("train", "metro", "tram", "funicular"))
_TOTAL, _DAY = "number of departures", "day of the departure"
_OF_LINES = {"first service": "first", "last service": "last"}
_ON = frozenset(_DAYS)
_MOST_TOLD = 6
# Words of a sentence about services by their line, end and time that tell no more of them.
_SAY_NOTHING = ("is", "runs", "service", "thing")
_APART = re.compile("[,，、(（:：]")
_Outcome = tuple[bool, str, str]


@dataclass(frozen=True, slots=True)
class Departure:
    """A recorded departure.

    Attributes:
        evidence_id: the record.
        edge: "first" or "last" where the record is of those of a day, else "next".
        minutes: minutes after midnight, as text.
        day: its day; None where it is not told.
        cells: what it has by kind (place, lines, mode, end), in lower case.
    """

    evidence_id: str
    edge: str
    minutes: str
    day: date | None
    cells: Mapping[str, frozenset[str]]

    def has(self, kind: str, names: Sequence[str]) -> bool:
        """Whether it has one of some names."""
        own = self.cells.get(kind, frozenset())
        return not own.isdisjoint(names) or ("rail" in names and not own.isdisjoint(_RAILS))


def _small(names: Sequence[str]) -> frozenset[str]:
    return frozenset(map(str.casefold, names))


def _cell(one: Statement, name: str) -> tuple[str, ...]:
    """Return the names of a property of a part."""
    found = (it for it in one.conditions if it.predicate[:1] == (name,))
    return tuple(called for it in found for names in it.objects for called in names)


def _departures(known: Knowledge) -> Sequence[Departure]:
    """Return every recorded departure of a board, and the first and last services of lines."""
    facts: dict[tuple[str, int], dict[str, str]] = {}
    totals: dict[str, str] = {}
    found: list[Departure] = []
    for fact in known.facts.all:
        item, value = fact.value.item, fact.value
        if item is not None and len(item.options) == 1 and item.names[0].startswith("departures"):
            facts.setdefault((fact.evidence_id, item.options[0]), {})[value.name] = value.value
        elif value.name == _TOTAL:
            totals[fact.evidence_id] = value.value
        elif value.name in _OF_LINES and value.entity:
            cells = {"lines": _small([value.entity])}
            minutes = _minutes(value.value)
            edge, day = _OF_LINES[value.name], _days(known).get(value.entity.casefold())
            on = day.first if day else None
            found.append(Departure(fact.evidence_id, edge, minutes, on, cells))
    modes: dict[str, frozenset[str]] = {}
    rows: list[Departure] = []
    for number in known.by_kind.get("part", ()):
        stated = known.statements[number]
        one = stated.statement
        own = facts.get((stated.evidence_id, one.position or 0), {})
        if _cell(one, "from") or not _cell(one, "towards") or _DAY not in own:
            continue
        named = _cell(one, "mode")
        modes.setdefault(named[0], _small(named))
        edge = next((edge for edge in _EDGES if f"{edge} departure" in own), "next")
        cells = {
            "place": _small(one.subject),
            "lines": _small(_cell(one, "line")),
            "mode": modes[named[0]],
            "end": _small(_cell(one, "towards")),
        }
        on = date.fromisoformat(own[_DAY])
        minutes = _minutes(_cell(one, "departs")[0])
        rows.append(Departure(stated.evidence_id, edge, minutes, on, cells))
    counts = {row.evidence_id: sum(r.evidence_id == row.evidence_id for r in rows) for row in rows}
    whole = {key for key, count in counts.items() if totals.get(key) == str(count)}
    return [*found, *(row for row in rows if row.evidence_id in whole or row.edge != "last")]


def _minutes(clock: str) -> str:
    hour, _, minute = clock.partition(":")
    return str((int(hour) * 60 + int(minute)) % (24 * 60))


@dataclass(slots=True)
class _Days:
    """The days of a week on which a line runs, and those on which it does not.

    Attributes:
        evidence_id: the record.
        runs: by day, whether it runs then.
    """

    evidence_id: str
    runs: dict[date, bool]

    @property
    def first(self) -> date:
        """The day that was asked about: the first of the week."""
        return min(self.runs)

    def on(self, word: Word) -> bool | None:
        """Whether it runs on the day that a word means; None where that is not of the week."""
        days = [day for day in self.runs if _is_on(word, day)]
        return self.runs[days[0]] if days else None


def _is_on(word: Word, day: date) -> bool:
    """Whether a word means a day: by its date, or as a weekday."""
    return day.isoformat() in word.names if word.names else _DAYS.index(word.kind) == day.weekday()


def _days(known: Knowledge) -> Mapping[str, _Days]:
    """Return the days of each line of which a record tells the days of a week."""
    found: dict[str, _Days] = {}
    for stated in known.statements:
        one = stated.statement
        if one.predicate[:1] != ("runs on",) or one.kind not in ("relation", "absence"):
            continue
        days = [date.fromisoformat(names[0]) for names in one.objects]
        for name in map(str.casefold, one.subject):
            own = found.setdefault(name, _Days(stated.evidence_id, {}))
            own.runs |= dict.fromkeys(days, one.kind == "relation")
    return found


def _steps(known: Knowledge) -> Mapping[str, tuple[str, bool]]:
    """Return of each thing whether it is step-free, with its record; of trips where plans agree."""
    found: dict[str, tuple[str, bool]] = {}
    unclear: set[str] = set()
    for stated in known.statements:
        one = stated.statement
        if one.kind == "relation" and one.predicate[:1] == ("step-free",) and one.objects:
            told = (stated.evidence_id, one.objects[0][0] == "yes")
            for name in _small(one.subject):
                unclear |= {name} if found.get(name, told)[1] != told[1] else set()
                found[name] = told
    return {name: told for name, told in found.items() if name not in unclear}


def _names(known: Knowledge) -> Sequence[Names]:
    rows, days, steps = known.once(_departures), known.once(_days), known.once(_steps)
    cells = {kind: {n for row in rows for n in row.cells.get(kind, ())} for kind in _KINDS}
    trips = {name for name in steps if " to " in name}
    ends = {end for name in trips for end in name.split(" to ")}
    return (
        names_of("lines", {*cells["lines"], *days}, ("runs", *_EDGES)),
        names_of("place", {*cells["place"], *ends, *steps} - trips),
        names_of("end", cells["end"], ("to",)),
        names_of("mode", cells["mode"]),
    )


_KINDS = ("place", "lines", "mode", "end")


class TimetableReader:
    """Reads the sentences of one draft about departures, days of service and steps."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._rows = draft.known.once(_departures)
        self._days = draft.known.once(_days)
        self._steps = draft.known.once(_steps)
        self._names = draft.known.once(_names)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not (self._rows or self._days or self._steps) or not may_state(text, passage):
            return
        dates = [*self._dated(passage.start, passage.end)]
        words, unknown = words_in(context, _WORDS, self._names, [*context.clocks], given=dates)
        words = [one for one in words if not self._is_article(one)]
        listed = self._as_listed(words)
        if not words or (unknown and (listed is None or listed[0])):
            return
        if any(a.kind != b.kind and b.names for a, b in pairwise(words) if {a.kind, b.kind} <= _ON):
            return  # a weekday that is not that of its date
        plain = [one for one in words if one.kind != "is"]
        known = None
        if not unknown:
            known = self._stepped(plain) or self._run(plain) or self._departed(words)
        outcome = known or listed
        if outcome is not None:
            is_so, evidence_id, detail = outcome
            found.judge_whole(passage, text, claims, is_so, evidence_id, detail)

    def _dated(self, start: int, end: int) -> Iterator[Word]:
        """Yield the days that a passage names by their dates, those of the records' years."""
        own = self._draft.text[start:end]
        days = {day for one in self._days.values() for day in one.runs}
        days |= {row.day for row in self._rows if row.day}
        whole = {one.span[0]: (one.span[1], one.start) for one in find_written_dates(own)}
        years = {day.year for day in days}
        for first, last in (*find_partial_dates(own), *((a, b) for a, (b, _) in whole.items())):
            said = own[first:last].rstrip(".")
            forms = [f"{said} {year}" for year in years] + [f"{year}年{said}" for year in years]
            meant = {one.start for form in forms for one in find_written_dates(form)} & days
            if first in whole:
                last, meant = whole[first][0], {whole[first][1]}
            for day in meant if len(meant) == 1 else ():
                yield Word(
                    _DAYS[day.weekday()], start + first, start + last, names=(day.isoformat(),)
                )

    def _is_article(self, word: Word) -> bool:
        """Whether a line called "A" is not named: the article stands there."""
        said = self._draft.text[word.start : word.end]
        return word.kind == "lines" and len(said) == 1 and said.islower()

    def _stepped(self, words: Sequence[Word]) -> _Outcome | None:
        """Return whether a thing is step-free as is said; None where it says something else."""
        kinds = [one.kind for one in words if one.kind != "runs"]
        allowed = {"step_free", "thing", "service", "place", "not", "to"}
        if kinds.count("step_free") != 1 or not {*kinds} <= allowed:
            return None
        named = [one.names[0] for one in words if one.kind == "place"]
        things = [name for name in self._steps if " to " in name]
        if {"thing", "service"} & {*kinds} or len(named) > 1:
            meant = [one for one in things if all(name in one.split(" to ") for name in named)]
            in_order = len(named) != 2 or " to ".join(named) in meant
            meant = meant if in_order else []
        else:
            meant = named
        told = {self._steps[name] for name in meant if name in self._steps}
        denied = kinds.count("not")
        is_behind = "not" in kinds[kinds.index("step_free") + 1 :]
        if len({is_so for _, is_so in told}) != 1 or denied > 1 or is_behind:
            return None
        evidence_id, is_so = min(told)
        detail = f"the record has {meant[0]} as {'' if is_so else 'not '}step-free"
        return is_so == (denied == 0), evidence_id, detail

    def _run(self, words: Sequence[Word]) -> _Outcome | None:
        """Return whether a line runs on days as is said; None where it says something else."""
        line, outcomes = "", list[bool]()
        for clause in _parted(words, ("stop", "but")):
            kinds = [one.kind for one in clause]
            if not {*kinds} <= {"lines", "runs", "not", "thing", "service", *_DAYS}:
                return None
            own = [one.names[0] for one in clause if one.kind == "lines"]
            line = own[0] if own else line
            days = [one for one in clause if one.kind in _DAYS]
            told = self._days.get(line)
            is_said = "runs" in kinds or "not" in kinds or outcomes
            if len(own) > 1 or told is None or not days or not is_said or kinds.count("not") > 1:
                return None
            if any(told.on(day) is None for day in days):
                return None
            runs = kinds.count("not") == 0
            outcomes.append(all(told.on(day) == runs for day in days))
        if not outcomes:
            return None
        one = self._days[line]
        return all(outcomes), one.evidence_id, _running(line, one)

    def _departed(self, words: Sequence[Word]) -> _Outcome | None:
        """Return whether the first, last or next departures are as is said; None otherwise."""
        allowed = {*_EDGES, *_DAYS, *_KINDS, "clock", "to", "runs", "rail", "service", "is"}
        if not {one.kind for one in words} <= allowed:
            return None
        at = [place for place, one in enumerate(words) if one.kind in _EDGES]
        if not at:
            return None
        groups = [words[a:b] for a, b in zip(at, [*at[1:], len(words)], strict=True)]
        shared = [one for one in (*words[: at[0]], *groups[0]) if one.kind in ("place", "lines")]
        days = [one for one in words if one.kind in _DAYS]
        picked: list[tuple[Departure, bool]] = []
        for number, group in enumerate(groups):
            lead = words[: at[0]] if len(groups) == 1 else [w for w in words[: at[0]] if w in days]
            told = self._told_of(group)
            meant = [one for one in group if one not in told]
            row = self._picked([*meant, *lead, *(shared if number else ()), *days])
            clocks = [one for one in (*lead, *group) if one.kind == "clock"]
            if row is None or len(clocks) != 1:
                return None
            is_so = row in self._having([row], told) and row.minutes in clocks[0].names
            picked.append((row, is_so))
        row = next((row for row, is_so in picked if not is_so), picked[0][0])
        hour, minute = divmod(int(row.minutes), 60)
        detail = f"the record has {hour:02}:{minute:02} as the {row.edge} departure"
        return all(is_so for _, is_so in picked), row.evidence_id, detail

    def _as_listed(self, words: Sequence[Word]) -> _Outcome | None:
        """Return whether one service, line or end leaves at each time that a sentence has.

        None where it speaks of several, or of none that a board lists.
        """
        kinds = [one.kind for one in words]
        allowed = {*_DAYS, *_KINDS, "clock", "to", "led", "rail", *_SAY_NOTHING}
        single = all(kinds.count(kind) <= 1 for kind in ("lines", "end", "mode"))
        if not {*kinds} <= allowed or not single or not {"lines", "end"} & {*kinds}:
            return None
        plain = [one for one in words if one.kind not in ("clock", *_SAY_NOTHING)]
        clocks = [one for one in words if one.kind == "clock"]
        if not clocks or not self._rows or (kinds.count("place") > 1 + ("end" not in kinds)):
            return None
        rows = self._having(self._rows, plain)
        at = {row.minutes for row in rows}
        is_so = all(at & {*one.names} for one in clocks)
        rows = rows or self._rows
        times = [
            f"{int(m) // 60:02}:{int(m) % 60:02}" for m in dict.fromkeys(r.minutes for r in rows)
        ]
        detail = f"the record has departures at {', '.join(times[:_MOST_TOLD])}"
        return is_so, rows[0].evidence_id, detail

    def _picked(self, words: Sequence[Word]) -> Departure | None:
        """Return the departure that some words mean; None where no one row is meant."""
        edge = words[0].kind
        rows = [row for row in self._rows if row.edge == edge]
        if len({row.evidence_id for row in rows}) != 1:
            return None
        rows = self._having(rows, words)
        return (rows[-1] if edge == "last" else rows[0]) if rows else None

    def _told_of(self, group: Sequence[Word]) -> Sequence[Word]:
        """Return the words that are told of a departure and do not say which is meant.

        "The next one is the 2 to Zoo": behind "is" or a comma, with what leads to them.
        """
        for place, one in enumerate(group[1:], 1):
            gap = self._draft.text[group[place - 1].end : one.start]
            if one.kind == "is" or _APART.search(gap):
                return group[place:]
        return ()

    def _having(self, rows: Sequence[Departure], words: Sequence[Word]) -> list[Departure]:
        """Return the rows that have all that words name; none where it is not clear."""
        found = [*rows]
        for before, one, behind in zip([None, *words], words, [*words[1:], None], strict=False):
            is_led = (before is not None and before.kind == "to") or (
                behind is not None and behind.kind == "led"
            )
            if one.kind == "end" and not is_led:
                return []  # it may be where the service comes from
            if one.kind in _KINDS:
                kind = "end" if is_led and one.kind == "place" else one.kind
                found = [row for row in found if row.has(kind, one.names)]
            elif one.kind == "rail":
                found = [row for row in found if row.has("mode", ["rail"])]
            elif one.kind in _DAYS:
                found = [row for row in found if row.day and _is_on(one, row.day)]
        return found


def _running(line: str, one: _Days) -> str:
    """Return on which days of its week the record has a line."""
    days = [f"{day:%A}" for day in sorted(one.runs) if one.runs[day]]
    return f"the record has {line} on {', '.join(days)}"


def _parted(words: Sequence[Word], kinds: Sequence[str]) -> Iterator[list[Word]]:
    """Yield the runs of words between those of some kinds."""
    run: list[Word] = []
    for one in words:
        if one.kind in kinds:
            yield run
            run = []
        else:
            run.append(one)
    yield run
