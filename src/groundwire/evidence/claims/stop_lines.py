"""Sentences that say which lines serve a stop, or how many stops a name matches.

They are judged as a whole by the lines that a record lists of each stop. A line that the list has
not is refused wherever it is said to serve the stop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import (
    Names,
    Word,
    names_of,
    words_in,
)
from groundwire.evidence.claims.passage_statements import DraftStatements, Found

_NUMBER_OF_STOPS = "number of stops"
_COUNT = ["number", "line_noun"]
_SERVES = ["place", "serve", "lines"]


@dataclass(frozen=True, slots=True)
class _Stops:
    """The stops that records describe.

    Attributes:
        lines: the lines of each stop, in lower case and without "line".
        found: by record, the stops that a search found, and how many it says that these are.
        evidence: by stop, its record.
    """

    lines: Mapping[str, frozenset[str]]
    found: Mapping[str, tuple[frozenset[str], int]]
    evidence: Mapping[str, str]


def _stops(known: Knowledge) -> _Stops:
    """Return the stops of which a record lists every line."""
    lines: dict[str, frozenset[str]] = {}
    evidence: dict[str, str] = {}
    by_record: dict[str, set[str]] = {}
    for number in known.by_kind.get("relation", ()):
        stated = known.statements[number]
        one = stated.statement
        if one.predicate[:1] != ("line",) or one.complete != "all_listed" or not one.subject:
            continue
        stop = one.subject[0].casefold()
        own = frozenset(min(map(_line, names)) for names in one.objects)
        lines[stop] = own if lines.get(stop, own) == own else frozenset()
        evidence[stop] = stated.evidence_id
        by_record.setdefault(stated.evidence_id, set()).add(stop)
    counts = {
        fact.evidence_id: int(fact.number)
        for fact in known.facts.numbers()
        if fact.value.name == _NUMBER_OF_STOPS and fact.number is not None
    }
    found = {id_: (frozenset(by_record.get(id_, ())), count) for id_, count in counts.items()}
    return _Stops(lines, found, evidence)


def _line(name: str) -> str:
    return name.casefold().removeprefix("the ").removesuffix(" line")


def _names(known: Knowledge) -> Sequence[Names]:
    """Return the described stops, and every line that a record names."""
    stops = known.once(_stops)
    lines = {line for own in stops.lines.values() for line in own}
    for number in known.by_kind.get("order", ()):
        one = known.statements[number].statement
        lines |= {_line(n) for names in one.objects for n in names if "line" in one.predicate}
    return (
        names_of("place", stops.lines, ("serve", "match", "stop_noun")),
        names_of("lines", lines, joined=True),
    )


class StopReader:
    """Reads the sentences of one draft about stops and their lines."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._stops = draft.known.once(_stops)
        self._names = draft.known.once(_names)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not self._stops.lines or passage.kind == "cell":
            return
        if text[: passage.end].rstrip().endswith(("?", "？")):
            return
        words, unknown = words_in(context, "stop_lines", self._names)
        kinds = {word.kind for word in words}
        if not kinds & {"serve", "match"} or not kinds & {"place", "lines"}:
            return
        outcomes = [*self._served(words), *self._matched(words)]
        if unknown:
            # Whatever stands around them: "X is served by Y" says so.
            for beside in _side_by_side(words, unknown):
                if False in self._served(beside):
                    found.judge_whole(passage, text, claims, False, *self._told(beside))
        elif (outcomes and None not in outcomes) or False in outcomes:
            is_so = False not in outcomes
            found.judge_whole(passage, text, claims, is_so, *self._told(words))

    def _served(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether the lines beside each stop are its own."""
        stop: str | None = None
        waiting: tuple[str, ...] = ()
        number: Word | None = None
        only = any(word.kind == "only" for word in words)
        queried = {id(word) for word in self._queries(words)}
        for place, word in enumerate(words):
            if word.kind == "place" and id(word) not in queried:
                stop = word.names[0]
                if waiting:
                    yield self._has(stop, waiting, only)
                    waiting = ()
            elif word.kind == "lines":
                if stop is None:
                    waiting = word.names
                    continue
                yield self._has(stop, word.names, only)
                if number is not None:
                    yield len(word.names) == number.number
            elif [word.kind, *(one.kind for one in words[place + 1 : place + 2])] == _COUNT:
                number = word
                own = self._stops.lines.get(stop or "")
                yield number.number == len(own) if own else None
            elif word.kind in ("number", "minutes") and (
                place + 1 == len(words) or words[place + 1].kind != "stop_noun"
            ):
                yield None  # it counts nothing that is read here: it may be called a line
        if waiting:
            yield None

    def _has(self, stop: str, lines: Sequence[str], only: bool) -> bool | None:
        own = self._stops.lines.get(stop)
        if not own:
            return None
        return own <= set(lines) <= own if only else set(lines) <= own

    def _queries(self, words: Sequence[Word]) -> Iterator[Word]:
        """Yield the names that are searched for, and no stops: two stops match 'Greenwich'."""
        for before, word in pairwise(words):
            if before.kind == "match" and word.kind == "place":
                yield word

    def _matched(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether a search found so many stops, and those that are named."""
        queries = [*self._queries(words)]
        if not any(word.kind == "match" for word in words):
            if any(word.kind == "stop_noun" for word in words):
                yield None
            return
        counted = [
            word
            for word, behind in pairwise(words)
            if word.kind == "number" and behind.kind == "stop_noun"
        ]
        named = {w.names[0] for w in words if w.kind == "place" and w not in queries}
        if len(queries) != 1 or len(counted) != 1:
            yield None
            return
        query = queries[0].names[0]
        for stops, count in self._stops.found.values():
            if stops and all(query in stop for stop in stops):
                fits = counted[0].number == count == len(stops)
                yield fits and named <= stops and (not named or len(named) == count)
                return
        yield None

    def _told(self, words: Sequence[Word]) -> tuple[str | None, str]:
        """Return what the records list of the stops of a sentence, with a record."""
        stops = [w.names[0] for w in words if w.kind == "place" and w.names[0] in self._stops.lines]
        said = (f"{one}: {', '.join(sorted(self._stops.lines[one]))}" for one in stops)
        evidence_id = self._stops.evidence.get(stops[0]) if stops else None
        return evidence_id, f"the record has {'; '.join(dict.fromkeys(said))}"


def _side_by_side(words: Sequence[Word], unknown: Sequence[int]) -> Iterator[Sequence[Word]]:
    """Yield a stop, a word for serving and lines that stand side by side."""
    for place in range(len(words) - 2):
        three = words[place : place + 3]
        start, end = three[0].start, three[-1].end
        if [word.kind for word in three] == _SERVES and not any(start < at < end for at in unknown):
            yield three
