"""The status that a passage gives to a thing, such as a line, and what is not known of it.

A status must be recorded of that thing. That nothing is known of it, how times were found and until
when they hold is read where every word of the sentence is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from groundwire.evidence.claims.attachment import joined_things
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Names, Word, may_state, names_of, words_in
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.evidence.records import Statement

_STATUS = "status"
# Between two things of which one status is told.
_JOINED = re.compile(
    r"(?<!\s)\s*+(?:(?:[,、/&和与及]|\b(?:and|or|und|oder|sowie|both|the|die|der|das)\b|以及)\s*+)++"
)
# Before a thing whose status was named: "minor delays on the Victoria line".
_ON = re.compile(r"\b(?:on|for|of|auf|bei|für)\s+(?:the|der|dem|den)?\s*$", re.IGNORECASE)
_MOST_BEFORE = 16
# Names of absences that tell of no hindrance.
_HINDRANCES = frozenset(("disruption", "planned works"))
# Before the place of a hindrance.
_WHERE = re.compile(
    r"(?:\b(?:at|in|near|between|bei|in|zwischen)\b|在)\s*(?:the\s+)?$", re.IGNORECASE
)
# Before a status that every thing is said to have.
_ALL = re.compile(
    r"\b(?:all|both|every|each|alle[nr]?|beide[nr]?|jede[rn]?|sämtliche)\b|所有|全部|都", re.I
)
_MOST_BEHIND_ALL = 60
# A line at the beginning of a sentence, and what says behind it that it runs.
_LEADS = re.compile(r"(?:^|[.!?:;。！？：\n*-] ?)(?:the |die |der )?$", re.IGNORECASE)
_RUNS = re.compile(
    r"(?:-?Linie|线| line)?(?: (?:currently|now|still|today|derzeit|heute|jetzt)|(?:目前|现在))?"
    r"(?: (?:is|are|has|have|ist|hat)(?: (?:currently|now|a|an|all|derzeit|in))?)?"
    r" ?(?:running|runs?|operating|operates?|service|operation|open|Betrieb|fährt|verkehrt"
    r"|(?:正在|正常|照常)?(?:运行|运营))"
    r"(?=\s*(?:[.,;!?。，；！]|$|(?:today|now|again|still|currently|normally|as"
    r"|heute|jetzt|derzeit|aktuell|gerade|wieder|normal)\b|中|正常))",
    re.IGNORECASE,
)
_SERVICE_ON = re.compile(
    r"\b(?:there(?: is|'s)|es gibt)(?: an?)? (?:service|Betrieb) (?:on|auf)(?: (?:the|der))? ?$"
    r"|^(?:derzeit|aktuell|heute|jetzt|gerade|zurzeit) (?:fährt|verkehrt) (?:die )?$",
    re.IGNORECASE,
)
_OF_RIDES = (("from",), ("to",), ("calls at",))


def judge_status(draft: DraftStatements, here: Here, found: Found) -> None:
    """Contradict a status that a passage gives to a thing of which the record has another.

    A status belongs to the things named right before it, or to those that "on" leads right behind.
    A hindrance that was looked for and not found is not supported, nor a place that no recorded
    text about hindrances has.

    Args:
        draft: where the draft names anything of statements.
        here: the names of the passage.
        found: what statements say of it, to which this adds.
    """
    _judge_hindrances(draft, here, found)
    relations = [
        (number, stated)
        for number, stated in draft.naming(here, "relation")
        if _STATUS in stated.statement.predicate and stated.statement.complete == "all_listed"
    ]
    subjects = _hits(here, relations, "subject")
    statuses = {
        hit: numbers for hit, numbers in _hits(here, relations, "object").items() if numbers
    }
    if not statuses:
        _judge_running(draft, here, found)
        return
    if not subjects:
        _judge_all(draft, statuses, found)
        return
    _judge_where(draft, here, [draft.text[one.start : one.end] for one in statuses], found)
    for hit, having in statuses.items():
        of = _of(draft.text, hit, list(subjects), list(statuses))
        wrong = [one for one in of if subjects[one].isdisjoint(having)]
        if not wrong:
            continue
        number = min(subjects[wrong[0]])
        stated = draft.known.statements[number]
        has = ", ".join(names[0] for names in stated.statement.objects)
        start, end = min(wrong[0].start, hit.start), max(wrong[0].end, hit.end)
        detail = f"the record has {stated.statement.subject[0]}: {has}"
        _refuse(draft, (start, end), "contradicted", number, detail, found)


def judge_vehicles(draft: DraftStatements, passage: Passage, found: Found) -> None:
    """Reject a line of trains that a passage tells as one of buses: "the Northern bus"."""
    vehicles = draft.known.once(_other_vehicles)
    for match in vehicles.finditer(draft.small, passage.start, passage.end) if vehicles else ():
        found.refuse(draft.text, match.span(), None, "the record has it as a line", "unsupported")


def _other_vehicles(known: Knowledge) -> re.Pattern[str] | None:
    """Return what finds the name of a line before the word for another vehicle."""
    told = [stated.statement for stated in known.statements]
    cells = [cell for one in told for cell in (one.subject, *one.objects)]
    cells += [cell for one in told for condition in one.conditions for cell in condition.objects]
    names = {name.casefold() for cell in cells for name in cell}
    lines = [name.removesuffix(" line") for name in names if name.endswith(" line")]
    if not lines:
        return None
    called = "|".join(re.escape(one) for one in sorted(lines, key=lambda one: (-len(one), one)))
    return re.compile(
        rf"\b(?:{called})[\s-]?(buse?s?(?=\s(?!stop|stations?\b))|tram|ferry|boat|fähre|公交车?|巴士|电车)"
    )


def _judge_running(draft: DraftStatements, here: Here, found: Found) -> None:
    """Reject that a line runs at all, which no plan of a trip tells: "the line is in service"."""
    for hit in here.hits:
        if not draft.of_name(_is_of_line, hit):
            continue
        low = max(0, hit.start - _MOST_BEFORE)
        behind = _RUNS.match(draft.text, hit.end)
        leads = _LEADS.search(draft.text, low, hit.start) is not None
        on = _SERVICE_ON.search(draft.text, max(0, low - _MOST_BEFORE), hit.start)
        if (leads and behind) or on:
            start = on.start() if on else hit.start
            end = behind.end() if behind else hit.end
            detail = "no record says how it runs"
            _refuse(draft, (start, end), "unsupported", hit.terms[0].stated, detail, found)
            return


def _is_of_line(known: Knowledge, terms: Sequence[Term]) -> bool:
    """Whether some statement that a name stands in tells of a line."""
    stated = (known.statements[term.stated].statement for term in terms)
    return any("line" in of.predicate for one in stated for of in (one, *one.conditions))


def _judge_all(
    draft: DraftStatements, statuses: Mapping[Hit, frozenset[int]], found: Found
) -> None:
    """Contradict a status of all things where the record has one with another."""
    for hit, having in statuses.items():
        if not _ALL.search(draft.text, max(0, hit.start - _MOST_BEHIND_ALL), hit.start):
            continue
        for number in draft.known.by_kind.get("relation", ()):
            one = draft.known.statements[number].statement
            if _STATUS in one.predicate and one.complete == "all_listed" and number not in having:
                detail = f"the record has {one.subject[0]}: {one.objects[0][0]}"
                _refuse(draft, (hit.start, hit.end), "contradicted", number, detail, found)
                return


def _judge_hindrances(draft: DraftStatements, here: Here, found: Found) -> None:
    """Reject that there is a hindrance of a kind that every record says there is none of."""
    if here.terms.keys().isdisjoint(draft.known.by_kind.get("absence", ())):
        return
    words = draft.annotated.within(here.hits[0].start, here.hits[-1].end) if here.hits else ()
    if any(word.role is not None and word.role.role == "negation" for word in words):
        return
    statements = draft.known.statements
    for hit in here.hits:
        kinds = {
            statements[term.stated].statement.predicate[0]
            for term in hit.terms
            if term.slot == "predicate" and statements[term.stated].statement.kind == "absence"
        }
        absent = kinds & _HINDRANCES - draft.known.once(_related)
        if absent and not found.claims:
            number = next(t.stated for t in hit.terms if t.slot == "predicate")
            detail = f"looked for and not found: {min(absent)}"
            _refuse(draft, (hit.start, hit.end), "unsupported", number, detail, found)


def _related(known: Knowledge) -> frozenset[str]:
    """Return the first names of all recorded relations."""
    every = (known.statements[number].statement for number in known.by_kind.get("relation", ()))
    return frozenset(one.predicate[0] for one in every if one.predicate)


def _judge_where(draft: DraftStatements, here: Here, statuses: Sequence[str], found: Found) -> None:
    """Reject places of a status that stand in no recorded sentence with it."""
    told = [one.casefold() for one in statuses]
    texts = [
        line
        for _, text in draft.known.names.texts
        for line in text.split("\n")
        if any(one in line.casefold() for one in told)
    ]
    if not texts:
        return
    for hit in here.hits:
        before = draft.text[max(0, hit.start - _MOST_BEFORE) : hit.start]
        if not _WHERE.search(before) or not _is_place(draft, hit):
            continue
        written = draft.text[hit.start : hit.end]
        if not any(written in text for text in texts):
            detail = f"no recorded text says so of {written}"
            _refuse(draft, (hit.start, hit.end), "unsupported", hit.terms[0].stated, detail, found)


def _is_place(draft: DraftStatements, hit: Hit) -> bool:
    """Whether a name is where a ride begins, ends or calls."""
    for term in hit.terms:
        one = draft.known.statements[term.stated].statement
        if term.slot == "object" and one.predicate[:1] in (("from",), ("to",)):
            return True
        if term.slot == "condition" and one.conditions[term.place].predicate[:1] in _OF_RIDES:
            return True
    return False


def _refuse(
    draft: DraftStatements, span: Span, status: Status, number: int, detail: str, found: Found
) -> None:
    evidence_id = draft.known.statements[number].evidence_id
    found.refuse(draft.text, span, evidence_id, detail, status)


def _hits(
    here: Here, relations: Sequence[tuple[int, object]], slot: str
) -> Mapping[Hit, frozenset[int]]:
    """Return the names that stand in a slot of some relations, each with their numbers."""
    found: dict[Hit, set[int]] = {}
    for number, _ in relations:
        for hit, term in here.terms[number]:
            if term.slot == slot:
                found.setdefault(hit, set()).add(number)
    return {hit: frozenset(found[hit]) for hit in sorted(found, key=lambda one: one.start)}


def _of(text: str, status: Hit, subjects: Sequence[Hit], statuses: Sequence[Hit]) -> list[Hit]:
    """Return the things that a status is told of."""
    behind = [one for one in subjects if one.start >= status.end]
    start = behind[0].start if behind else 0
    if behind and _ON.search(text, max(status.end, start - _MOST_BEFORE), start):
        between = [one for one in statuses if status.end <= one.start < start]
        if not between:
            return joined_things(text, behind, _JOINED)
    before = [one for one in subjects if one.end <= status.start]
    return joined_things(text, before[::-1], _JOINED)


_SOURCES = "source_words"
_PARTS = re.compile(r"[,;，；、]|\b(?:and|but|und|aber)\b|[和但而]", re.IGNORECASE)
_OPENS = ("whether", "of_status", "unheld")
_MERELY_JOINS = frozenset(("and", "und", "和"))
# Words of the draft, by the first name that statements have for what they call.
_GAPS = {
    "of_fare": "fare",
    "of_disruption": "disruption",
    "of_live": "disruption",
    "of_status": "disruption",
    "of_steps": "step-free",
}
# The first names of predicates by which a record knows nothing of its subject.
_UNKNOWN = ("live data", "live status", "live arrivals", "reached")


@dataclass(slots=True)
class _Told:
    """The sources of records, and what nothing is known of.

    Attributes:
        gaps: by what is not known (also "mode"), the small names that it is not known of.
        known: the lines whose status is known.
        places: where trips begin and end.
        standing: how each line stands: "good", "disrupted" or otherwise.
        names: what sources are called.
        kinds: "estimate" or "timetable", how sources have their times.
        until: the days until which their timetables hold.
        evidence_id: a record.
    """

    gaps: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    known: set[str] = field(default_factory=set[str])
    places: set[str] = field(default_factory=set[str])
    standing: dict[str, str] = field(default_factory=dict[str, str])
    names: set[str] = field(default_factory=set[str])
    kinds: set[str] = field(default_factory=set[str])
    until: set[str] = field(default_factory=set[str])
    evidence_id: str = ""

    def add(self, evidence_id: str, one: Statement) -> None:
        """Add what a statement tells."""
        subject, predicate = {name.lower() for name in one.subject}, one.predicate[:1]
        if one.kind == "source":
            self.names |= subject
            self.kinds |= {"timetable"} if "timetable" in subject else set()
            for condition in one.conditions:
                said = [name for names in condition.objects for name in names]
                self.kinds |= {"estimate"} if "estimate" in said else set()
                self.until |= {*said} if condition.predicate[0] == "holds until" else set()
        elif one.kind == "absence" and predicate[0] in _UNKNOWN:
            reasons = [c.objects for c in one.conditions if c.predicate[0] == "reason"]
            self.names |= {name.lower() for every in reasons for own in every for name in own}
            nothing = {"mode"} if predicate == ("live data",) else {"disruption"}
            for gap in {names[0] for names in one.objects} or nothing:
                self.gaps.setdefault(gap, set()).update(subject)
        elif one.kind == "scope" and one.subject[:1] == ("line",):
            stands = [c.objects[0][0] for c in one.conditions if c.predicate[0] == "standing"]
            lines = [name.lower() for names in one.objects for name in names if stands]
            self.standing |= dict.fromkeys(lines, stands[0] if stands else "")
        elif one.kind == "relation" and predicate == ("status",):
            self.known |= subject
        elif one.kind == "relation" and predicate in _OF_RIDES[:2]:
            self.places |= {name.lower() for names in one.objects for name in names}
            return
        else:
            return
        self.evidence_id = self.evidence_id or evidence_id

    def lacks(self, gap: str, bearers: Sequence[str]) -> bool | None:
        """Whether something is not known of all that is named; None where no record says."""
        gaps, known = self.gaps.get(gap, set()), self.known if gap == "disruption" else set[str]()
        if not known.isdisjoint(bearers):
            return False
        whole = not known and not gaps.isdisjoint(self.names)
        return True if (bearers and gaps.issuperset(bearers)) or whole else None


def _told(known: Knowledge) -> _Told:
    found = _Told()
    for stated in known.statements:
        found.add(stated.evidence_id, stated.statement)
    return found


def _bearers(known: Knowledge) -> Sequence[Names]:
    told = known.once(_told)
    named = {name for own in (*told.gaps.values(), told.known) for name in own}
    named |= {name.removesuffix(" line") for name in named}
    sources = told.names | {name.partition(" of ")[2] or name for name in told.names}
    bearers = named - sources
    places = names_of("place", told.places - bearers - sources)
    return names_of("source", sources), names_of("bearer", bearers), places


def _gaps_in(kinds: Sequence[str]) -> set[str]:
    """Return what a sentence speaks of knowing, by the kinds of its words."""
    gaps = {_GAPS[kind] for kind in kinds if kind in _GAPS}
    return gaps | {"disruption"} if {"whether", "good"} <= {*kinds} else gaps


class SourceReader:
    """Reads the sentences of one draft about its sources and what they know nothing of."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._told = draft.known.once(_told)
        self._names = draft.known.once(_bearers)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not self._told.evidence_id or context.clocks or not may_state(text, passage):
            return
        days = [
            Word("day", *one.span, names=(one.start.isoformat(),))
            for one in context.dates
            if one.grain == "day"
        ]
        words, unknown = words_in(context, _SOURCES, self._names, most_unknown=0, given=days)
        parts = groupby(words, lambda word: word.kind == "stop")
        every = [[*self._outcomes([*part])] for is_stop, part in parts if not is_stop]
        outcomes = [one for own in every for one in own]
        if not unknown and every and all(every) and None not in outcomes:
            told = self._told
            lacking = "; ".join(f"{gap} of {min(of)}" for gap, of in sorted(told.gaps.items()))
            detail = f"the record knows nothing of {lacking}" if lacking else "told by its source"
            found.judge_whole(passage, text, claims, all(outcomes), told.evidence_id, detail)

    def _outcomes(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether each thing that a sentence says is so; None where it says another."""
        told, kinds = self._told, [one.kind for one in words]
        bearers = [one.names[0] for one in words if one.kind == "bearer"]
        if "place" in kinds and "of_steps" not in kinds:
            yield None
        gaps = _gaps_in(kinds)
        modes = told.gaps.get("mode", set())
        of_now = "now" in kinds
        if "unheld" in kinds and self._asserts(words):
            yield None
        if gaps and not {"held", "unheld"}.isdisjoint(kinds):
            lacking = [told.lacks(gap, bearers) for gap in gaps]
            yield from lacking if "unheld" in kinds else [False if True in lacking else None]
        elif "unheld" in kinds:
            yield True if bearers and modes.issuperset(bearers) else None
        elif "good" in kinds or gaps == {"disruption"}:
            yield self._stands(kinds, bearers)
        elif gaps or of_now or (bearers and "faster" not in kinds):
            yield None
        if "faster" in kinds:
            yield True if modes and modes.issuperset(bearers) else None
        if "estimated" in kinds or "by_timetable" in kinds:
            said = {"estimate"} if "estimated" in kinds else {"timetable"}
            yield told.kinds == said if "of_times" in kinds and told.kinds else None
        if "until" in kinds or "day" in kinds:
            days = [one.names[0] for one in words if one.kind == "day"]
            whole = days and "until" in kinds and len(told.until) == 1
            yield told.until == {*days} if whole else None
        if "number" in kinds or "minutes" in kinds or ("made" in kinds and "source" not in kinds):
            yield None
        elif "made" in kinds:
            yield True

    def _clauses(self, words: Sequence[Word]) -> Iterator[tuple[list[Word], bool]]:
        """Yield the words of each clause, and whether more than a list or "and" goes on behind."""
        clause: list[Word] = []
        for word in words:
            parted = _PARTS.findall(self._draft.text, clause[-1].end, word.start) if clause else ()
            if parted:
                lists = clause[-1].kind == word.kind == "bearer"
                yield clause, not lists and not _MERELY_JOINS.issuperset(parted)
                clause = []
            clause.append(word)
        yield clause, True

    def _asserts(self, words: Sequence[Word]) -> bool:
        """Whether a clause says how something is, beside one that denies to know of others."""
        asked = False
        for clause, is_apart in self._clauses(words):
            kinds = {one.kind for one in clause}
            asked = asked or not kinds.isdisjoint(_OPENS)
            told = "asserts" in kinds or (is_apart and "bearer" in kinds)
            runs = kinds >= {"bearer", "asserts"}
            says = runs or ("of_disruption" in kinds and told) or kinds & {"good", "of_steps"}
            if says and not asked:
                return True
            # "Whether A and B run" goes on; "the status of A is not known and B" does not.
            ends = [one.kind == "unheld" for one in clause if one.kind in _OPENS]
            asked = asked and not is_apart and not (ends and ends[-1])
        return False

    def _stands(self, kinds: Sequence[str], bearers: Sequence[str]) -> bool | None:
        """Whether lines run well or are hindered, as is said; None where no record says."""
        said = "good" if "good" in kinds else "disrupted"
        stands = {self._told.standing.get(one) for one in bearers}
        plain = stands <= {"good", "disrupted"} and {*kinds} & {"good", "of_disruption"}
        return stands == {said} if stands and plain and not len(stands) > 1 else None
