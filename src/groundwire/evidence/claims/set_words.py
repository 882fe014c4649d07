"""The words of a sentence about a recorded set, and what they mean of its members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from groundwire.evidence.claims.known_words import Word
from groundwire.evidence.claims.recorded_sets import Id, RecordedSet

TIMES = {"once": 1, "twice": 2, "thrice": 3}
"""How often each of these words says that something is there."""

AMOUNTS = frozenset(("number", "single", "sole", "all", "both", *TIMES))
"""Kinds of words that tell how many."""

BARE = frozenset(("kind", "thing", "match", "them", "pronoun", "have", "stop"))
"""Kinds of words that say nothing of which members are meant."""


def number_of(word: Word) -> Decimal:
    """Return the number that a word stands for: 1 for "single", 2 for "twice"."""
    one = 1 if word.kind in ("single", "sole") else TIMES.get(word.kind)
    return word.number if one is None else Decimal(one)


@dataclass(frozen=True, slots=True)
class SetWords:
    """A recorded set, with how values and properties are called.

    Attributes:
        set: the set.
        values: the ids that a folded name may mean.
        properties: the properties that a folded name may mean.
    """

    set: RecordedSet
    values: Mapping[str, frozenset[Id]]
    properties: Mapping[str, frozenset[str]]

    def ids(self, word: Word) -> frozenset[Id]:
        """Return what a name may mean."""
        return frozenset[Id]().union(*(self.values.get(one, ()) for one in word.names[:1]))

    def plain(self, words: Sequence[Word]) -> list[Word] | None:
        """Return the words without those for what the set holds; None where they are others."""
        kinds = [w.names[0] for w in words if w.kind == "kind"]
        if any(kind not in self.set.kinds for kind in kinds):
            return None
        order = [w.kind for w in words]
        at = order.index("have") if "have" in order else 0
        if "number" in order[:at] and "kind" in order[at:] and "kind" not in order[:at]:
            return None  # "13 German motorways have maps" counts no maps
        if "any" in order and "not" not in order:
            return None
        return [w for w in words if w.kind not in BARE - {"stop"} | {"any"}]

    def phrase(self, word: Word, flags: set[str]) -> frozenset[int]:
        """Return the members that a value fits, as the words before it narrow it."""
        if len(word.names) > 1:
            each = (Word("value", word.start, word.end, names=(one,)) for one in word.names)
            return frozenset(range(len(self.set.members))).intersection(
                *(self.phrase(one, flags) for one in each)
            )
        ids = self.ids(word)
        if word.kind == "prop":  # of no value but yes: "without personal data"
            ids = frozenset((name, "true") for name in self.properties[next(iter(word.names))])
            known = ids | {(name, "false") for name, _ in ids}
            if not all(own & known for own in self.set.members):
                return frozenset()
        recorded = {one for one in ids if one[0]}
        members = self.set.members
        told = {name for name, _ in recorded}
        if any(own & recorded for own in members) or (
            told and all(any(name in told for name, _ in own) for own in members)
        ):
            ids = frozenset(recorded)  # a scenario in heavy rain is none in rain
        fits = {at for at, own in enumerate(members) if own & ids}
        if "near" in flags:
            fits &= self.near()
        if "only" in flags:
            names = {name for name, _ in ids}
            alone = {
                at
                for at, own in enumerate(members)
                if names - {""} and {one for one in own if one[0] in names} <= ids
            }
            fits &= alone
        if "not" in flags:
            is_known = all({name for name, _ in own} & {n for n, _ in ids} for own in members)
            fits = set(range(len(members))) - fits if is_known else set[int]()
        return frozenset(fits)

    def near(self) -> frozenset[int]:
        """Return the members whose labels say near what they are."""
        own = (at for at, ids in enumerate(self.set.members) if any("near " in n for _, n in ids))
        return frozenset(own)
