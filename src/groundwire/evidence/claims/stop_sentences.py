"""Sentences about stops, judged as a whole: in which order a ride calls, which lines serve them.

"Southwark comes right after Waterloo", "Old Street is the only stop between Moorgate and Angel",
"the Central line takes you past Holborn and St. Paul's to Bank": each is held against the stops
that a record lists of a ride, in their order. Only a sentence every word of which is known is
supported; a list that is said to be in order is refused whatever stands around it, and so is a line
that a record lists not where it is said to serve a stop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.compared_plans import trips_of
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import (
    END,
    Names,
    Word,
    may_state,
    names_of,
    words_in,
)
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.rides import Ride, chains_of, legs_of, line_of

# A letter for each kind of word; a sentence is read as the string of its letters.
_LETTERS = {
    "place": "P", "lines": "L", "right_after": "R", "after": "A", "right_before": "F",
    "before": "B", "then": "T", "past": "V", "between": "W", "only": "O", "on_way": "Y",
    "from": "S", "to": "D", "in_turn": "I", "next_is": "N", "prev_is": "Q",
}  # fmt: skip
_SAYS = frozenset("RAFBVWOYINQ")
_SENTENCE = re.compile(
    r"L?(?:(?P<next>PNP|RPP+)|(?P<prev>PQP|FPP+)|(?P<after>P[RA]P(?:T?P)*)|(?P<before>P+BP)|(?P<last>P+FP)|(?P<only>POWPP)"
    r"|(?P<between>WPPL?VP+|WPPP+V)|(?P<way>P+Y(?:DP)?)"
    r"|(?P<past>(?:[SA]P)?L?(?:VI?|I)P+(?:TP+)*(?:[BD]P)?))"
)
_FEWEST_IN_TURN = 2
_COUNTS_NOT = frozenset(("next_is", "prev_is"))


def _rides(known: Knowledge) -> Sequence[Ride]:
    """Return every ride of which a record lists the stops."""
    return [ride for ride in known.once(legs_of) if ride.called]


def _ways(known: Knowledge) -> Sequence[Sequence[str]]:
    """Return the stops of every ride, and those of every plan as a whole."""
    wholes = (
        [stop for ride in chain.rides for stop in ride.stops[1 if ride.place > 1 else 0 :]]
        for chain in known.once(chains_of)
        if chain.has_legs
    )
    return [*(ride.stops for ride in known.once(_rides)), *wholes]


def _names_of_rides(known: Knowledge) -> Sequence[Names]:
    rides = known.once(_rides)
    stops = {stop for ride in rides for stop in ride.stops}
    lines = {line for ride in rides for line in ride.lines}
    # A line may be called like a stop: "past Victoria", but "the Victoria line".
    return names_of("lines", lines, joined=True), names_of("place", stops, {*_LETTERS} - {"lines"})


class StopOrderReader:
    """Reads the sentences of one draft about the stops of a ride."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._rides = draft.known.once(_rides)
        self._ways = draft.known.once(_ways)
        self._names = draft.known.once(_names_of_rides)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not self._rides or not may_state(text, passage):
            return
        words, unknown = words_in(context, "stop_order", self._names)
        # The one of 下一站 counts nothing.
        counted = (
            not any(w.start <= q.span[0] < w.end for w in words if w.kind in _COUNTS_NOT)
            for q in context.quantities
        )
        figures = bool(context.clocks) or any(counted)
        letters = "".join(_LETTERS.get(word.kind, "?") for word in words)
        if not _SAYS & set(letters):
            return
        outcome = None if unknown or figures else self._outcome(words, letters)
        if self._is_out_of_turn(words, unknown) or (
            not figures and self._is_turned(words, unknown)
        ):
            outcome = False
        stops = {name for word in words for name in word.names}
        ride = max(self._rides, key=lambda one: len(stops & {*one.stops, *one.lines}))
        detail = f"the stops are recorded as {', '.join(ride.called)}"
        if outcome is not None:
            found.judge_whole(passage, text, claims, outcome, ride.evidence_id, detail)

    def _outcome(self, words: Sequence[Word], letters: str) -> bool | None:
        """Whether all that a sentence says of stops is so; None where it is not understood."""
        at = 0
        outcomes: list[bool] = []
        while at < len(letters):
            match = _SENTENCE.match(letters, at)
            if match is None:
                return None
            own = words[match.start() : match.end()]
            lines = {name for word in own if word.kind == "lines" for name in word.names}
            stops = [word.names[0] for word in own if word.kind == "place"]
            rides = [one for one in self._rides if lines <= one.lines]
            kind = match.lastgroup or ""
            outcomes.append(any(_is_so(kind, stops, match[0], one.stops) for one in rides))
            listed = kind in ("way", "past", "between") and "T" not in match[0]
            if listed and not outcomes[-1] and any({*stops} <= {*one.stops} for one in rides):
                return None  # it need not list them in their order
            at = match.end()
        return all(outcomes) if outcomes else None

    def _is_out_of_turn(self, words: Sequence[Word], unknown: Sequence[int]) -> bool:
        """Whether stops that are said to come in turn are listed as no ride has them."""
        if not any(self._is_in_turn(word) for word in words):
            return False
        lists = [[w.names[0] for w in run] for is_place, run in _runs(words, unknown) if is_place]
        return any(
            len(stops) >= _FEWEST_IN_TURN and not any(_rise(stops, one) for one in self._ways)
            for stops in lists
        )

    def _is_turned(self, words: Sequence[Word], unknown: Sequence[int]) -> bool:
        """Whether of two stops of a ride the later one is told first: "at B, then at A"."""
        for one, then, other in zip(words, words[1:], words[2:], strict=False):
            between = any(one.end <= at < other.start for at in unknown)
            if between or [w.kind for w in (one, then, other)] != ["place", "then", "place"]:
                continue
            stops = [one.names[0], other.names[0]]
            own = [ride.stops for ride in self._rides if set(stops) <= set(ride.stops)]
            if own and not any(_rise(stops, ride) for ride in own):
                return True
        return False

    def _is_in_turn(self, word: Word) -> bool:
        text = self._draft.text[word.start : word.end]
        return word.kind == "in_turn" or (word.kind == "past" and text.startswith("依次"))


def _runs(words: Sequence[Word], unknown: Sequence[int]) -> Iterator[tuple[bool, list[Word]]]:
    """Yield words in runs of stops and of others; a word that is not known parts runs."""
    for key, run in groupby(
        words, key=lambda w: (sum(at < w.start for at in unknown), w.kind == "place")
    ):
        yield key[1], [*run]


def _places(stops: Sequence[str], ride: Sequence[str]) -> list[int] | None:
    """Return the places of stops in a ride, or None where it lacks one."""
    return [ride.index(one) for one in stops] if set(stops) <= set(ride) else None


def _rise(stops: Sequence[str], ride: Sequence[str]) -> bool:
    behind = iter(ride)  # in which a name may stand twice
    return all(one in behind for one in stops)


# The order in which a kind of sentence has its stops called, where it does not name them so.
_TURNED: Mapping[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "after": lambda stops: [stops[1], stops[0], *stops[2:]],
    "only": lambda stops: [stops[1], stops[0], *stops[2:]],
    "between": lambda stops: [stops[0], *stops[2:], stops[1]],
    "prev": lambda stops: [*stops[1:], stops[0]],
}


def _is_so(kind: str, stops: Sequence[str], letters: str, ride: Sequence[str]) -> bool:
    """Whether a ride calls at stops as a kind of sentence says, within it or side by side."""
    turned = _TURNED[kind](stops) if kind in _TURNED else stops
    places = _places(turned, ride)
    if places is None or places != sorted(set(places)):
        return False
    if kind in ("last", "only", "next", "prev"):
        return places == [*range(places[0], places[0] + len(places))]
    if kind in ("way", "past"):  # or before the one that they are on the way to
        return letters.endswith(("DP", "BP")) or stops[-1] != ride[-1]
    return "R" not in letters or places[1] - places[0] == 1


_NUMBER_OF_STOPS = "number of stops"
_COUNT = ["number", "line_noun"]
_OF_STATUS = (("live status",), ("status",))
# Between clauses of which one may deny what the other says.
_CLAUSES = re.compile(r"[,;，；：:]|\b(?:but|aber|und|and)\b|[但而]", re.IGNORECASE)
_SAYS_OF_STOPS = ("serve", "match", "zone", "line_noun")
_SERVES = ["place", "serve", "lines"]


@dataclass(frozen=True, slots=True)
class _Stops:
    """The stops that records describe.

    Attributes:
        lines: the lines of each stop, in lower case and without "line".
        zones: the zone of each stop; empty where a search did not find it.
        found: by record, the stops that a search found, and how many it says that these are.
        evidence: by stop, its record.
        asked: the lines of which it was asked how they run.
    """

    lines: Mapping[str, frozenset[str]]
    zones: Mapping[str, str]
    found: Mapping[str, tuple[frozenset[str], int]]
    evidence: Mapping[str, str]
    asked: frozenset[str]


def _stops(known: Knowledge) -> _Stops:
    """Return the stops of which a record lists every line."""
    lines: dict[str, frozenset[str]] = {}
    zones: dict[str, str] = {}
    evidence: dict[str, str] = {}
    asked, by_record = set[str](), dict[str, set[str]]()
    for number in (*known.by_kind.get("relation", ()), *known.by_kind.get("absence", ())):
        stated = known.statements[number]
        one = stated.statement
        if one.predicate[:1] == ("zone",) and one.subject:
            zones[one.subject[0].casefold()] = one.objects[0][0] if one.objects else ""
        if one.predicate[:1] in _OF_STATUS and one.subject and one.subject[0].endswith(" line"):
            asked.add(min(map(line_of, one.subject)))
        if one.predicate[:1] != ("line",) or one.complete != "all_listed" or not one.subject:
            continue
        stop = one.subject[0].casefold()
        own = frozenset(min(map(line_of, names)) for names in one.objects)
        lines[stop] = own if lines.get(stop, own) == own else frozenset()
        evidence[stop] = stated.evidence_id
        by_record.setdefault(stated.evidence_id, set()).add(stop)
    counts = {
        fact.evidence_id: int(fact.number)
        for fact in known.facts.numbers()
        if fact.value.name == _NUMBER_OF_STOPS and fact.number is not None
    }
    found = {id_: (frozenset(by_record.get(id_, ())), count) for id_, count in counts.items()}
    return _Stops(lines, zones, found, evidence, frozenset(asked))


def lines_of_stops(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return all lines of each stop that records describe, in lower case and without "line"."""
    return known.once(_stops).lines


def _names_at_stops(known: Knowledge) -> Sequence[Names]:
    """Return the described stops, and every line that a record names."""
    stops = known.once(_stops)
    lines = {line for own in stops.lines.values() for line in own}
    for number in known.by_kind.get("order", ()):
        one = known.statements[number].statement
        lines |= {line_of(n) for names in one.objects for n in names if "line" in one.predicate}
    lines |= stops.asked
    places = {*stops.lines, *known.once(_lines_at_ends)}
    return (
        names_of("place", places, ("serve", "match", "stop_noun")),
        names_of("lines", lines, joined=True),
    )


def _lines_at_ends(known: Knowledge) -> Mapping[str, set[str]]:
    """Return the lines by which plans go to or from each end of a trip, in lower case."""
    found: dict[str, set[str]] = {}
    for trip in known.once(trips_of):
        for end in trip.ends:
            found.setdefault(end, set()).update(*(plan.lines for plan in trip.plans))
    return found


class StopReader:
    """Reads the sentences of one draft about stops and their lines."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._stops = draft.known.once(_stops)
        self._names = draft.known.once(_names_at_stops)
        self._ridden = draft.known.once(_lines_at_ends)
        self._places = sorted({*self._ridden, *self._stops.lines}, key=len)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not self._stops.lines or not may_state(text, passage):
            return
        words, unknown = words_in(context, "stop_lines", self._names)
        kinds = {word.kind for word in words}
        if kinds.isdisjoint(_SAYS_OF_STOPS) or kinds.isdisjoint(("place", "lines", "zone")):
            return
        kept, denied = self._denied(words) if "not" in kinds else (words, [])
        outcomes = [*self._served(kept), *self._matched(kept), *self._zoned(kept), *denied]
        if unknown:
            # Whatever stands around them: "X is served by Y" says so.
            for beside in _side_by_side(words, unknown):
                if False in self._served(beside):
                    found.judge_whole(passage, text, claims, False, *self._told(beside))
        elif (outcomes and None not in outcomes) or False in outcomes:
            is_so = False not in outcomes
            found.judge_whole(passage, text, claims, is_so, *self._told(words))

    def _denied(self, words: Sequence[Word]) -> tuple[list[Word], list[bool | None]]:
        """Return the words of clauses that deny nothing, and whether lines that are denied are not.

        Which stop they do not serve is named beside them, or the one of the sentence.
        """
        clauses: list[list[Word]] = [[]]
        for before, word in pairwise((END, *words)):
            gap = self._draft.text[before.end : word.start] if before is not END else ""
            if _CLAUSES.search(gap) and before.kind != word.kind:
                clauses.append([])
            clauses[-1].append(word)
        kept, denied = list[Word](), list[bool | None]()
        for clause in clauses:
            kinds = [word.kind for word in clause]
            if "not" not in kinds:
                kept += clause
                continue
            stop = self._one_stop(clause) or self._one_stop(words)
            own = self._stops.lines.get(stop or "")
            lines = {name for word in clause if word.kind == "lines" for name in word.names}
            plain = {*kinds} <= {"not", "lines", "serve", "place", "part"} and "lines" in kinds
            denied.append(lines.isdisjoint(own) if plain and own else None)
        return kept, denied

    def _served(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether the lines beside each stop are its own."""
        waiting: tuple[str, ...] = ()
        number: Word | None = None
        only = any(word.kind == "only" for word in words)
        queried = {id(word) for word in self._queries(words)}
        stop = self._one_stop(word for word in words if id(word) not in queried)
        stop = stop or self._meant(words)
        asked, is_of_asked = self._stops.asked, any(word.kind == "asked" for word in words)
        for place, word in enumerate(words):
            counts = [one.kind for one in words[place : place + 3]]
            if is_of_asked and counts == [*_COUNT, "asked"]:
                yield word.number == len(asked)
                continue
            if word.kind == "place" and id(word) not in queried:
                stop = word.names[0]
                if waiting:
                    yield self._has(stop, waiting, only)
                    waiting = ()
            elif word.kind == "lines":
                if stop is None:
                    waiting = word.names
                    continue
                if only and is_of_asked:  # "of the lines you asked about, only A stops there"
                    yield asked & self._stops.lines.get(stop, frozenset()) == frozenset(word.names)
                    continue
                yield self._has(stop, word.names, only)
                if number is not None and not any(one.kind == "part" for one in words):
                    yield len(word.names) == number.number
            elif [word.kind, *(one.kind for one in words[place + 1 : place + 2])] == _COUNT:
                number = word
                own = self._stops.lines.get(stop or "")
                yield number.number == len(own) if own else None
            elif word.kind in ("number", "minutes") and (
                [one.kind for one in words[place + 1 : place + 2]] != ["stop_noun"]
                and word not in self._numbers(words)
            ):
                yield None  # it counts nothing that is read here: it may be called a line
        if waiting:
            yield None

    def _has(self, stop: str, lines: Sequence[str], only: bool) -> bool | None:
        own = self._stops.lines.get(stop)
        if stop not in self._stops.lines and not set(lines) <= self._ridden.get(stop, {*lines}):
            return False  # of this stop only the lines are known by which plans go there
        if not own:
            return None
        return own <= set(lines) <= own if only else set(lines) <= own

    def _meant(self, words: Sequence[Word]) -> str | None:
        """Return the stop that a sentence means which names none: the one that is named last.

        "Four lines run through the station" and "the line stops there" mean that.
        """
        if not words or any(word.kind == "place" for word in words):
            return None
        before = self._draft.small[: words[0].start]
        ends = {before.rfind(one) + len(one): one for one in self._places if one in before}
        one = min(self._stops.lines) if len(self._stops.lines) == 1 else None
        return ends[max(ends)] if ends else one

    def _one_stop(self, words: Iterable[Word]) -> str | None:
        """Return the one stop that is named, or None."""
        named = {word.names[0] for word in words if word.kind == "place"}
        return min(named) if len(named) == 1 else None

    def _numbers(self, words: Sequence[Word]) -> Sequence[Word]:
        """Return the numbers of zones: those behind "zone", or right before it as in 2区."""
        found, zoned = list[Word](), False
        for before, word, behind in zip((END, *words), words, (*words[1:], END), strict=False):
            zoned = zoned or word.kind == "zone"
            counts = behind.kind in ("stop_noun", "line_noun") and before.kind != "zone"
            if word.kind == "number" and not counts and (zoned or _is_before_han(word, behind)):
                found.append(word)
        return found

    def _zoned(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether a stop lies in the zone that is said, or whether none is known of it."""
        kinds = [word.kind for word in words]
        if "zone" not in kinds:
            if "unheld" in kinds:
                yield None
            return
        stop = self._one_stop(words)
        if stop is None and "place" not in kinds and len(self._stops.zones) == 1:
            stop = min(self._stops.zones)
        zone = self._stops.zones.get(stop or "")
        beside = self._numbers(words)
        if beside and stop and stop not in self._stops.lines:
            yield False
        elif zone is None or (len(beside) != 1 and "unheld" not in kinds):
            yield None
        elif "unheld" in kinds:
            yield None if beside else not zone
        else:
            yield zone == str(beside[0].number)

    def _queries(self, words: Sequence[Word]) -> Iterator[Word]:
        """Yield the names that are searched for, and no stops: two stops match 'Greenwich'."""
        for before, word in pairwise(words):
            is_led = ":" not in self._draft.text[before.end : word.start]
            if before.kind == "match" and word.kind == "place" and is_led:
                yield word

    def _matched(self, words: Sequence[Word]) -> Iterator[bool | None]:
        """Yield whether a search found so many stops, and those that are named."""
        queries = [*self._queries(words)]
        if not any(word.kind == "match" for word in words):
            zoned = self._numbers(words) if any(w.kind == "zone" for w in words) else ()
            pairs = [(a, b) for a, b in pairwise(words) if a not in zoned]
            if any(a.kind == "number" and b.kind == "stop_noun" for a, b in pairs):
                yield None
            return
        counted = [
            word
            for word, behind in pairwise(words)
            if word.kind == "number" and behind.kind == "stop_noun"
        ]
        named = {w.names[0] for w in words if w.kind == "place" and w not in queries}
        if len(queries) > 1 or len(counted) != 1 or not (queries or named):
            yield None
            return
        query = queries[0].names[0] if queries else min(named, key=len)
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


def _is_before_han(number: Word, behind: Word) -> bool:
    """Whether a number is that of a zone behind it: 2区, but neither "two zones" nor 两个区."""
    return behind.kind == "zone" and number.end == behind.start


def _side_by_side(words: Sequence[Word], unknown: Sequence[int]) -> Iterator[Sequence[Word]]:
    """Yield a stop, a word for serving and lines that stand side by side."""
    for place in range(len(words) - 2):
        three = words[place : place + 3]
        start, end = three[0].start, three[-1].end
        if [word.kind for word in three] == _SERVES and not any(start < at < end for at in unknown):
            yield three
