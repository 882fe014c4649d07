"""Sentences about the groups of a recorded set: how many each has, and which has the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.known_words import END, Word
from groundwire.evidence.claims.recorded_sets import Id, RecordedSet
from groundwire.evidence.claims.set_words import TIMES, SetWords, number_of
from groundwire.evidence.claims.words import key_of

SHARES = {
    "half": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "two_thirds": 2 / 3,
    "three_quarters": 3 / 4,
}
"""Kinds of words for a share of all, each with how much it is."""

MARKS = frozenset(("lead", "follow", "rear", "ordinal"))
"""Kinds of words that give a group its place among the others."""

# A number of groups counts values of a property.
_GROUPED = ("prop", "country")
_BOUNDING = frozenset(("reach", "than", "more", "fewer"))
# Kinds of figures that bound, each with whether more than that is meant.
_BOUNDS = {"over": True, "under": False}
_REMAINING = frozenset(("other", "number", "value", "prop", "show", "stop"))
_SUMMED = frozenset(("value", "number", "ref", "sum", "or", "prop", "show"))

# How far a share may be from the one that a hedge softens.
_NEAR = 0.12


class Before(NamedTuple):
    """Names and figures that a draft tells before a sentence.

    Attributes:
        keys: keys of all that it names.
        counts: the figures of the sentence right before.
    """

    keys: frozenset[str] = frozenset()
    counts: frozenset[Decimal] = frozenset()


def told_before(context: PassageContext) -> Before:
    """Return what a draft tells before a passage."""
    contexts, passage = context.contexts, context.passage
    named = contexts.entities((0, passage.start))
    earlier = [scope.span for scope in passage.scopes if scope.earlier][:1]
    figures = (q for span in earlier for q in contexts.reading.quantities.within(span))
    keys = frozenset(key for anchor in named for key in anchor.keys)
    return Before(keys, frozenset(q.value for q in figures))


@dataclass(frozen=True, slots=True)
class GroupSentences:
    """The groups of a set by the values of one property, with their counts.

    Attributes:
        of: the set.
        counts: how many each group has.
        before: what the draft tells before the sentence.
    """

    of: SetWords
    counts: Mapping[Id, int]
    before: Before

    def tells(self, words: Sequence[Word]) -> bool:
        """Whether the counts of the groups are just as a sentence tells."""
        if any(w.kind in ("each", "single") for w in words):  # "five countries have one each"
            words = [w for w in words if w.kind != "have"]
        plain, counts = self.of.plain(words), self.before.counts
        points = any(w.kind == "them" for w in words)
        if plain is None or (points and counts and Decimal(self.of.set.count) not in counts):
            return False  # "of these" are those that were told last
        shared = self.of.set.conditions or frozenset[Id]()
        plain = [
            word
            for at, word in enumerate(plain)
            if not (word.kind == "value" and self.of.ids(word) & shared)
            and not (word.kind == "all" and [w.kind for w in plain[at + 1 : at + 2]] == ["ref"])
        ]  # "all 11 fog scenarios" are the set itself
        pair = [w.kind for w in words[:2]] == ["number", "them"]  # "four of these, A, B, C and D"
        if pair and words[0].number != sum(w.kind == "value" for w in plain):
            return False
        plain = plain[1:] if pair else plain
        rest = next((at for at, w in enumerate(plain) if at and w.kind == "other"), 0)
        of_rest = {w.kind for w in plain[rest:]}
        led = any(w.kind == "value" for w in plain[:rest])
        if led and "value" not in of_rest and of_rest & {"prop", "country"}:
            return self._tells_with_rest(plain[:rest], plain[rest:])
        total, kinds = self.of.set.count, {w.kind for w in plain}
        groups = self._named(plain)
        if groups is None or any(w.number != total for w in plain if w.kind == "ref"):
            return False
        plain = [w for w in plain if w.kind != "ref"]
        numbers = [int(number_of(w)) for w in plain if w.kind in ("number", "single")]
        first = next((w.kind for w in plain if w.kind in ("value", "number", "single")), "")
        if "show" in kinds and not kinds & {*SHARES, "all"} and first == "value":
            return False  # "China's 9 include Japan's 7" tells of no such thing
        if kinds & {"than", "more", "fewer"} and not kinds & {"most", *TIMES, *SHARES}:
            led = any(a.kind == "kind" and b.kind in ("more", "fewer") for a, b in pairwise(words))
            numbers = [1] if led and not numbers else numbers  # "ein Modell mehr als"
            behind = [b.kind for a, b in pairwise(plain) if a.kind in ("more", "fewer")]
            kinds |= {"than"} if behind == ["value"] else set()  # "mehr als Schweden"
            return self._differ(groups, numbers, kinds)
        return self._holds(plain, groups, numbers)

    def _holds(self, plain: Sequence[Word], groups: Sequence[Id], numbers: list[int]) -> bool:
        """Whether the counts are as the words of a sentence tell that compares no two of them."""
        total, kinds = self.of.set.count, {w.kind for w in plain}
        if "most" in kinds and "follow" in kinds:  # "most come from A, followed by B"
            told = [replace(w, kind="lead") if w.kind == "most" else w for w in plain]
            is_most = 2 * self.counts[groups[0]] > total if groups else False
            return is_most and self._tells_rows(told, groups)
        if "most" in kinds:
            return self._are_most(groups, numbers, kinds)
        if kinds & TIMES.keys():
            return self._multiply(plain, groups, numbers)
        if kinds & {"each", "single"} and numbers[1:2] and not groups:
            return numbers[2:] in ([], [total]) and self._alike(plain, numbers)
        if kinds & {"sum", "or"}:
            return kinds <= _SUMMED and len(groups) > 1 and numbers == [self._added(groups)]
        if kinds & SHARES.keys():
            return self._tells_part(plain, groups, numbers)
        if "except" in kinds:
            return self._tells_rest(groups, numbers, kinds)
        if "other" in kinds and groups and kinds <= _REMAINING:  # "the remaining 49 are by day"
            left = {one for one in self.counts if key_of(one[1]) not in self.before.keys}
            return left == {*groups} and numbers == [self.counts[one] for one in groups]
        if kinds & {"not", "reach", "all", "other"}:
            return False
        if not groups:
            counted = [
                a.number for a, b in pairwise(plain) if a.kind == "number" and b.kind in _GROUPED
            ]
            rest = [*numbers]
            for number in counted:
                rest.remove(int(number))
            return len(counted) == 1 and counted[0] == len(self.counts) and rest in ([], [total])
        return self._tells_rows([w for w in plain if w.kind not in _GROUPED], groups)

    def tells_only(self, words: Sequence[Word], text: str) -> bool:
        """Whether just the groups that a sentence names have so many, or more or fewer.

        "At least" and "more than" are not told apart: none may have just as many as a bound says.
        Behind the count, "only" may limit the group: "28 traces are MCAP only".
        """
        plain = self.of.plain(words)
        groups = self._named(plain) if plain is not None else None
        figures = [w for w in plain or () if w.kind in ("number", "single", *_BOUNDS)]
        if not groups or len({(w.kind, w.number) for w in figures}) != 1:
            return False
        only = min(w.start for w in words if w.kind == "only")
        if text[only].isascii() and only > figures[0].start:
            return False
        is_more, bound = _BOUNDS.get(figures[0].kind), number_of(figures[0])
        if is_more is None:
            having = {one for one, count in self.counts.items() if count == bound}
            return having == set(groups) and not {w.kind for w in words} & _BOUNDING
        having = {one for one, count in self.counts.items() if (count > bound) == is_more}
        return having == set(groups) and bound not in self.counts.values()

    def _tells_rest(self, groups: Sequence[Id], numbers: list[int], kinds: set[str]) -> bool:
        """Whether so many are of none of some groups, or no other group has so many."""
        if len(numbers) != 1 or not groups or kinds & (MARKS | {"tie", "each"}):
            return False
        total = self.of.set.count
        rest = [n for one, n in self.counts.items() if one not in groups]
        if "not" in kinds:
            return max(rest) < numbers[0] <= min(self.counts[one] for one in groups)
        apart = sum(self.counts.values()) == total
        return apart and total - sum(self.counts[one] for one in groups) == numbers[0]

    def _named(self, words: Sequence[Word]) -> list[Id] | None:
        """Return the groups that are named; None where a name is of no group, or of several."""
        names = {name for name, _ in self.counts}
        props = [self.of.known.properties[w.names[0]] for w in words if w.kind == "prop"]
        props += [frozenset(("country",)) for w in words if w.kind == "country"]
        named = [
            [one for one in self.of.ids(w) if one in self.counts]
            for w in words
            if w.kind == "value"
        ]
        if any(names.isdisjoint(one) for one in props) or any(len(ids) != 1 for ids in named):
            return None
        return [ids[0] for ids in named]

    def _are_most(self, groups: Sequence[Id], numbers: list[int], kinds: set[str]) -> bool:
        """Whether more than half of all are of the one group, and as many as are told."""
        counts = [self.counts[one] for one in groups]
        plain = not kinds & (MARKS | {"tie", "not", "except", "other", "than"})
        return (
            plain
            and len(counts) == 1
            and 2 * counts[0] > self.of.set.count
            and (numbers in ([], counts, [self.of.set.count]))
        )

    def _differ(self, groups: Sequence[Id], numbers: list[int], kinds: set[str]) -> bool:
        """Whether the first of two groups has so many more, or fewer, than the second."""
        if len(groups) != 2 or len(numbers) != 1 or len(kinds & {"more", "fewer"}) != 1:
            return False
        more = self.counts[groups[0]] - self.counts[groups[1]]
        plain = "than" in kinds and not kinds & (MARKS | {"tie", "not", "except", "other", "each"})
        return plain and numbers[0] == (more if "more" in kinds else -more)

    def _multiply(self, words: Sequence[Word], groups: Sequence[Id], numbers: list[int]) -> bool:
        """Whether the first of two groups is so many times as many as the second."""
        factors = [TIMES[w.kind] for w in words if w.kind in TIMES]
        plain = {w.kind for w in words} <= {*TIMES, "tie", "value", "prop", "show"}
        if len(groups) != 2 or len(factors) != 1 or numbers or not plain:
            return False
        is_told = any(w.kind == "tie" for w in words) and words[0].kind in TIMES
        return is_told and self.counts[groups[0]] == factors[0] * self.counts[groups[1]]

    def _tells_with_rest(self, words: Sequence[Word], rest: Sequence[Word]) -> bool:
        """Whether all that the groups before leave are so many, and are of so many other groups.

        "34 come from Germany; the remaining 26 are spread over eleven other countries."
        """
        groups = self._named(words)
        if (
            not groups
            or self._named(rest) is None
            or {w.kind for w in rest} - {"other", "number", "prop", "country", "stop"}
        ):
            return False
        left = [n for one, n in self.counts.items() if one not in groups]
        pairs = [*pairwise([*(w for w in rest if w.kind != "other"), END])]
        of_groups = [a.number for a, b in pairs if a.kind == "number" and b.kind in _GROUPED]
        members = [a.number for a, b in pairs if a.kind == "number" and b.kind not in _GROUPED]
        fits = of_groups in ([], [len(left)]) and members in ([], [sum(left)])
        whole = sum(self.counts.values()) == self.of.set.count
        told = [w for w in words if w.kind != "stop" or w != words[-1]]
        return whole and fits and self.tells(told)

    def _alike(self, words: Sequence[Word], numbers: list[int]) -> bool:
        """Whether so many groups have so many each; others are all that were not named before."""
        kinds = {w.kind for w in words}
        if not kinds <= {"number", "single", "each", "other", "prop", "country", "stop"}:
            return False
        of = {one: n for one, n in self.counts.items() if key_of(one[1]) not in self.before.keys}
        if "other" in kinds and words[0].kind == "number":  # "five other countries have one each"
            return [*of.values()].count(numbers[1]) == numbers[0]
        if "other" in kinds:
            return len(of) == numbers[0] and set(of.values()) == {numbers[1]}
        is_counted = any(b.kind in _GROUPED for _, b in pairwise(words))
        alike = [n for n in self.counts.values() if n == numbers[1]]
        return is_counted and len(alike) == numbers[0]

    def _added(self, groups: Sequence[Id]) -> int | None:
        """Return how many several groups have together; None where they may share members."""
        apart = sum(self.counts.values()) == self.of.set.count
        return sum(self.counts[one] for one in {*groups}) if apart else None

    def _tells_part(self, words: Sequence[Word], groups: Sequence[Id], numbers: list[int]) -> bool:
        parts = [w for w in words if w.kind in SHARES]
        total = self.of.set.count
        kinds = {w.kind for w in words}
        if len(parts) != 1 or len(groups) != 1 or not total or kinds & {"not", "except"}:
            return False
        if kinds & MARKS:  # "asphalt is ahead with twelve models, which is half"
            plain = kinds <= MARKS | {*SHARES, "value", "number", "prop"}
            rows = [w for w in words if w.kind not in SHARES and w.kind != "prop"]
            if not plain or not self._tells_rows(rows, groups):
                return False
        count = self.counts[groups[0]]
        if any(number not in (total, count) for number in numbers):
            return False
        told, share = SHARES[parts[0].kind], count / total
        order = [w.kind for w in words]
        at = order.index(parts[0].kind)
        if kinds & {"than", "more", "fewer"}:  # "more than half"
            bound = [one for one in order[:at] if one != "than"]
            once = sum(one in ("more", "fewer") for one in order) == 1
            is_more = bound[-1:] == ["more"]
            fits = share > told if is_more else share < told
            return once and fits and bound[-1:] in (["more"], ["fewer"])
        if "nearly" in kinds:
            return told * (1 - _NEAR) <= share < told
        if "about" in kinds:
            return abs(share - told) <= told * _NEAR
        return abs(share - told) < 1 / total / 2

    def _tells_rows(self, words: Sequence[Word], groups: Sequence[Id]) -> bool:
        """Whether each group has the count and the place that stand beside it."""
        first = next(w.kind for w in words if w.kind in ("value", "number", "single"))
        rows: list[tuple[list[Id], list[int], set[str], list[int]]] = [([], [], set(), [])]
        left = list(groups)
        for place, word in enumerate(words):
            ids, numbers, marks, places = rows[-1]
            is_value = word.kind == "value"
            is_number = word.kind in ("number", "single")
            before = word.kind in MARKS and [w.kind for w in words[place + 1 : place + 2]] == [
                "value"
            ]
            new = bool(ids) and (
                (is_value and bool(numbers or places) and first == "value")
                or (is_number and first != "value")
                or (before and (bool(numbers or marks or places) or word.kind == "follow"))
            )
            if new or word.kind == "stop":
                rows.append(([], [], set(), []))
                ids, numbers, marks, places = rows[-1]
            if is_value:
                ids.append(left.pop(0))
            elif is_number:
                numbers.append(int(number_of(word)))
            elif word.kind == "ordinal":
                places.append(int(word.number))
            elif word.kind != "stop":
                marks.add(word.kind)
        told = 0
        previous: int | None = None
        each = False
        for ids, numbers, marks, places in rows:
            each |= "each" in marks  # "A and B in two each, C and D in one"
            if not ids or len(numbers) > 1 or not self._has_place(ids, marks, places, previous):
                return False
            counts = {self.counts[one] for one in ids}
            shared = len(ids) == 1 or each or bool(marks & {"tie", "rear"})
            if numbers and (counts != {numbers[0]} or not shared):
                return False
            if marks & {"tie", "each"} and (len(ids) < 2 or len(counts) > 1):
                return False  # "MCAP files have 28 traces each" is not the count of the group
            told += bool(numbers or marks & (MARKS | {"tie"}) or places)
            previous = min(counts)
        return told > 0 and all(row[1] or row[2] or row[3] for row in rows[1:])

    def _has_place(
        self, ids: Sequence[Id], marks: set[str], places: Sequence[int], previous: int | None
    ) -> bool:
        own = {self.counts[one] for one in ids}
        alike = [one for one, n in self.counts.items() if n in own]
        if (marks & MARKS or places) and (len(own) > 1 or set(alike) != set(ids)):
            return False
        count = min(own)
        above = len([n for n in self.counts.values() if n > count])
        if "lead" in marks and above:
            return False
        if "rear" in marks and count != min(self.counts.values()):
            return False
        if "follow" in marks:
            greater = [n for n in self.counts.values() if n > count]
            if not greater or (previous is None and above != 1):
                return False
            if previous is not None and min(greater) != previous:
                return False
        return all(place == above + 1 for place in places)


def groups_in(whole: RecordedSet, sets: Sequence[RecordedSet]) -> dict[Id, int]:
    """Return the counts of the groups of a set, by what makes each; none where it has no groups."""
    if whole.conditions is None:
        return {}
    found: dict[Id, int] = {}
    for one in sets:
        if one.evidence_id == whole.evidence_id and one.conditions is not None:
            more = one.conditions - whole.conditions
            if whole.conditions < one.conditions and len(more) == 1:
                value = next(iter(more))  # one that is written in two ways has members of both
                found[value] = found.get(value, 0) + one.count
    is_whole = len(found) > 1 and sum(found.values()) >= whole.count
    return found if is_whole and len({name for name, _ in found}) == 1 else {}
