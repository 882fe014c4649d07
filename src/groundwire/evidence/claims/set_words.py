"""The words of a sentence about a recorded set, and what they mean of its members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from groundwire.evidence.claims.known_words import Word
from groundwire.evidence.claims.recorded_sets import Id, RecordedSet, RecordedSets

TIMES = {"once": 1, "twice": 2, "thrice": 3}
"""How often each of these words says that something is there."""

AMOUNTS = frozenset(("number", "single", "sole", "all", "both", *TIMES))
"""Kinds of words that tell how many."""

BARE = frozenset(("kind", "thing", "match", "them", "pronoun", "have", "stop"))
"""Kinds of words that say nothing of which members are meant."""

NOTHING = frozenset[Id]()
"""No value at all."""


def number_of(word: Word) -> Decimal:
    """Return the number that a word stands for: 1 for "single", 2 for "twice"."""
    one = 1 if word.kind in ("single", "sole") else TIMES.get(word.kind)
    return word.number if one is None else Decimal(one)


@dataclass(frozen=True, slots=True)
class SetWords:
    """A recorded set, with how values and properties are called.

    Attributes:
        set: the set.
        known: all sets, with the ids and properties that folded names may mean.
    """

    set: RecordedSet
    known: RecordedSets

    def ids(self, word: Word) -> frozenset[Id]:
        """Return what a name may mean; a property means yes: "without personal data"."""
        if word.kind == "prop":
            return frozenset((name, "true") for name in self.known.properties[word.names[0]])
        return NOTHING.union(*(self.known.values.get(one, ()) for one in word.names[:1]))

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
        if word.kind == "prop":
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


# A property that says of what kind a thing is: Geräteart, vehicle type.
_OF_KIND = re.compile(r"(?:art|typ|type|kind|category|kategorie|类型|种类|类别)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ConditionSentences(SetWords):
    """Sentences that tell of the conditions of one recorded set."""

    def is_absent(self, words: Sequence[Word]) -> bool:
        """Whether the set is empty, and of the values that a denial names."""
        if [w.kind for w in words[:2]] == ["not", "match"] and len(words) > 2:
            words = words[2:]
        plain, conditions = self.plain(words), self.set.conditions
        named = [self.ids(w) for w in words if w.kind in ("value", "prop")]
        met = NOTHING.union(*named) & (conditions or NOTHING)
        is_kind = any(_OF_KIND.search(name) for name, _ in met)
        if not is_kind and not any(w.kind in ("kind", "empty") for w in words):
            return False  # none of one kind says nothing of the others
        denials = [w for w in words if w.kind in ("not", "empty")]
        if plain is not None and not named and len(denials) == 1:
            return any(w.kind == "match" for w in words)  # "no device was found"
        if (
            plain is None
            or not conditions
            or len(denials) - any(w.kind == "empty" for w in denials[1:]) != 1
        ):
            return False
        told = all(ids & conditions for ids in named)
        return told and all(any(one in ids for ids in named) for one in conditions)

    def drops(self, words: Sequence[Word]) -> bool:
        """Whether so many are left of an empty set without its condition on a property."""
        numbers = [w.number for w in words if w.kind in ("number", "ref")]
        named = [self.ids(w) for w in words if w.kind == "value"]
        dropped = {p for w in words if w.kind == "prop" for p in self.known.properties[w.names[0]]}
        own = self.set.conditions
        if self.plain(words) is None or not own or len(numbers) != 1:
            return False
        for other in self.known.sets:
            rest = other.conditions
            if rest is None or not rest < own or other.evidence_id != self.set.evidence_id:
                continue
            gone = {name for name, _ in own - rest}
            gone = set[str]() if not dropped and len(own) == 1 else gone
            fits = gone <= dropped and all(ids & rest for ids in named)
            if fits and Decimal(other.count) == numbers[0]:
                return True
        return False

    def is_counted(self, is_told: bool, earlier: frozenset[Id], words: Sequence[Word]) -> bool:
        """Whether a figure counts the set, and the sentence names each of its conditions.

        The count of a wider set may stand before it: "of the 28 MCAP traces, 23 are". It says
        what is counted, unless the draft does and tells of nothing else.
        """
        plain, own = self.plain(words), self.set.conditions or NOTHING
        numbers = [w.number for w in words if w.kind in ("number", "ref")]
        kinds = [w.kind for w in words]
        last = max((w.start for w in words if w.kind in ("number", "ref")), default=0)
        early = [self.ids(w) & own for w in words if w.kind == "value" and w.start < last]
        met_before = NOTHING.union(*early)
        wider = [one.count for one in self.known.sets if one.conditions == met_before != own]
        numbers = numbers[1:] if len(numbers) > 1 and numbers[0] in wider else numbers
        if len(numbers) > 1 and numbers[0] == self.set.count:  # "23 of the 28 MCAP traces"
            behind = next((w for w in words if w.kind == "value" and w.start > last), None)
            of = self.ids(behind) & own if behind is not None else earlier or own
            part = [one.count for one in self.known.sets if one.conditions == of != own]
            numbers = numbers[:1] if numbers[1] in part else numbers
        if plain is None or numbers != [self.set.count] or not (is_told or "kind" in kinds):
            return False
        told = {name for w in plain if w.kind == "value" for name, _ in self.ids(w)}
        plain = [
            w for w in plain if w.kind != "prop" or not self.known.properties[w.names[0]] & told
        ]
        met: set[Id] = {*earlier}
        denied = example = False
        for word in plain:
            if word.kind == "not":
                denied = True
            elif word.kind == "example":
                example = True
            elif word.kind == "prop":
                so = "false" if "not" in kinds else "true"
                held = {(name, so) for name in self.known.properties[word.names[0]]} & own
                if not held:
                    return False
                met |= held
                denied = False
            elif word.kind == "value" and example:
                if not self.phrase(word, set()):
                    return False
            elif word.kind == "value":
                held = self.ids(word) & own
                if denied or not held:
                    return False
                met |= held
        return frozenset(met) == own and not denied

    def rests(self, words: Sequence[Word]) -> bool:
        """Whether so many of the set are not of a part of it: "79 are in other weather".

        Where none is of the part, the sentence says what all of them are: "two are not remote".
        """
        plain, own = self.plain(words), self.set.conditions
        numbers = [w.number for w in words if w.kind == "number"]
        if plain is None or own is None or len(numbers) != 1:
            return False
        kinds = [w.kind for w in plain]
        props = [self.known.properties[w.names[0]] for w in plain if w.kind == "prop"]
        rest = [self.ids(w) for w in plain if w.kind == "value" and not self.ids(w) & own]
        *ahead, last = [self.ids(w) for w in plain if w.kind in ("value", "prop")] or [NOTHING]
        for one in self.known.sets:
            if one.conditions is None or not own < one.conditions or one.kinds != self.set.kinds:
                continue
            more = one.conditions - own
            if len(more) != 1 or self.set.count - one.count != numbers[0]:
                continue
            if "other" not in kinds:
                told = all(ids & own for ids in ahead) and own <= NOTHING.union(*ahead)
                if one.count == 0 and told and kinds[-2:-1] == ["not"] and last & more:
                    return True
            elif kinds.count("not") == 1 and not props and len(rest) == 1 and rest[0] & more:
                return True
            elif "not" not in kinds and len(props) == 1 and not rest:
                return {name for name, _ in more} <= props[0]
        return False

    def advises(self, words: Sequence[Word]) -> bool:
        """Whether each member that is offered is what the reader may need."""
        plain = self.plain(words)
        if plain is None:
            return False
        wanted: list[frozenset[int]] = []
        offered: list[frozenset[int]] = []
        for at, word in enumerate(plain):
            if word.kind == "value":
                ahead = any(w.kind == "need" for w in plain[at:])
                led = any(w.kind in ("advise", "example") for w in plain[:at])
                (wanted if ahead or not led else offered).append(self.phrase(word, set()))
        fit = frozenset(range(len(self.set.members))).intersection(*wanted)
        return bool(wanted and offered) and all(fit & one for one in offered)
