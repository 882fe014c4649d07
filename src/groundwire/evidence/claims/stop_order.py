"""Sentences that say in which order the stops of a ride come, judged as a whole.

"Southwark comes right after Waterloo", "Old Street is the only stop between Moorgate and Angel",
"the Central line takes you past Holborn and St. Paul's to Bank": each is held against the stops
that a record lists of a ride, in their order. Only a sentence every word of which is known is
supported; a list that is said to be in order is refused whatever stands around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Names, Word, names_of, words_in
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.records import Statement

# A letter for each kind of word; a sentence is read as the string of its letters.
_LETTERS = {
    "place": "P", "lines": "L", "right_after": "R", "after": "A", "right_before": "F",
    "before": "B", "then": "T", "past": "V", "between": "W", "only": "O", "on_way": "Y",
    "from": "S", "to": "D", "in_turn": "I",
}  # fmt: skip
_SAYS = frozenset("RAFBVWOYI")
_SENTENCE = re.compile(
    r"L?(?:(?P<after>P[RA]P(?:T?P)*)|(?P<before>P+BP)|(?P<last>P+FP)|(?P<only>POWPP)"
    r"|(?P<between>WPPL?VP+|WPPP+V)|(?P<way>P+Y(?:DP)?)"
    r"|(?P<past>(?:SP)?(?:VI?|I)P+(?:TP+)*(?:[BD]P)?))"
)
_FEWEST_IN_TURN = 2


@dataclass(frozen=True, slots=True)
class Ride:
    """A recorded ride.

    Attributes:
        evidence_id: the record.
        lines: the names of its line, in lower case.
        called: its stops in order, from where it begins.
        stops: the same in lower case.
    """

    evidence_id: str
    lines: frozenset[str]
    called: tuple[str, ...]
    stops: tuple[str, ...]


def _rides(known: Knowledge) -> Sequence[Ride]:
    """Return every ride of which a record lists the stops."""
    found: list[Ride] = []
    for number in known.by_kind.get("part", ()):
        stated = known.statements[number]
        start, stops = _named(stated.statement, "from"), _named(stated.statement, "calls at")
        if start and stops:
            names = _named(stated.statement, "line")
            lines = frozenset(name.casefold().removesuffix(" line") for name in names)
            called = (start[0], *stops)
            found.append(Ride(stated.evidence_id, lines, called, (*map(str.casefold, called),)))
    return found


def _named(one: Statement, name: str) -> tuple[str, ...]:
    """Return what a part has of a property; of a line, all its names."""
    return tuple(
        called
        for condition in one.conditions
        if condition.predicate[:1] == (name,)
        for names in condition.objects
        for called in (names if name == "line" else names[:1])
    )


def _names(known: Knowledge) -> Sequence[Names]:
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
        self._names = draft.known.once(_names)

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by."""
        passage, text = context.passage, self._draft.text
        if not self._rides or passage.kind == "cell" or context.clocks or context.quantities:
            return
        if text[passage.start : passage.end].rstrip().endswith(("?", "？")):
            return
        words, unknown = words_in(context, "stop_order", self._names)
        letters = "".join(_LETTERS.get(word.kind, "?") for word in words)
        if not _SAYS & set(letters):
            return
        outcome = None if unknown else self._outcome(words, letters)
        if self._is_out_of_turn(words, unknown) or self._is_turned(words, unknown):
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
            is_so = next(judge for name, judge in _KINDS.items() if match[name] is not None)
            outcomes.append(any(is_so(stops, match[0], one.stops) for one in rides))
            listed = is_so in (_is_passed, _is_between) and "T" not in match[0]
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
            len(stops) >= _FEWEST_IN_TURN
            and not any(_rise(stops, one.stops) for one in self._rides)
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
    places = _places(stops, ride)
    return places is not None and places == sorted(set(places))


def _follows(stops: Sequence[str], letters: str, ride: Sequence[str]) -> bool:
    """Whether the first of two stops comes behind the second, and the others behind it."""
    places = _places([stops[1], stops[0], *stops[2:]], ride)
    near = "R" in letters
    return (
        places is not None
        and places == sorted(set(places))
        and (not near or places[1] - places[0] == 1)
    )


def _is_last(stops: Sequence[str], _: str, ride: Sequence[str]) -> bool:
    places = _places(stops, ride)
    return places is not None and places == [*range(places[0], places[0] + len(places))]


def _is_before(stops: Sequence[str], _: str, ride: Sequence[str]) -> bool:
    return _rise(stops, ride)


def _is_only(stops: Sequence[str], _: str, ride: Sequence[str]) -> bool:
    return _is_last([stops[1], stops[0], stops[2]], "", ride)


def _is_between(stops: Sequence[str], _: str, ride: Sequence[str]) -> bool:
    return _rise([stops[0], *stops[2:], stops[1]], ride)


def _is_passed(stops: Sequence[str], letters: str, ride: Sequence[str]) -> bool:
    """Whether stops lie within a ride, or before the one that they are on the way to."""
    behind = letters.endswith(("DP", "BP"))
    return _rise(stops, ride) and (behind or stops[-1] != ride[-1])


_KINDS: Mapping[str, Callable[[Sequence[str], str, Sequence[str]], bool]] = {
    "after": _follows,
    "before": _is_before,
    "last": _is_last,
    "only": _is_only,
    "between": _is_between,
    "way": _is_passed,
    "past": _is_passed,
}
