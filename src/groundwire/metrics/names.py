"""Entities and other terms of a profile: their vocabularies, and which entities hold which.

An entity is a part of its `parent`, of its `parents`, and of the groups that name it a member. A
group may be `complete`: every entity of the profile that it holds is among its members, so that
any other entity is known to be none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from groundwire.language.glossary import is_called
from groundwire.metrics.about import Part
from groundwire.vocabulary import KnownWords, Policy, Resolution, Term, Vocabulary, fold
from groundwire.vocabulary.fold import fold_word

if TYPE_CHECKING:
    from groundwire.metrics.profile import Metric, Profile


Relation = Literal["same", "holds", "within", "overlap", "apart", "unknown"]


class Group(Part):
    """The members of an entity that is a group: `[groups.CODE]`.

    Attributes:
        members: codes of the entities that it holds.
        complete: whether the profile has no other entity that it holds.
    """

    members: tuple[str, ...] = ()
    complete: bool = False


@dataclass(frozen=True)
class Membership:
    """Which entity holds which, directly.

    Attributes:
        parts: the direct parts of every entity that has any.
        complete: of every group that says so, whether its parts are all named.
    """

    parts: Mapping[str, tuple[str, ...]]
    complete: Mapping[str, bool]

    @cached_property
    def _holders(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for whole, parts in self.parts.items():
            for part in parts:
                found.setdefault(part, {})[whole] = None
        return {part: tuple(wholes) for part, wholes in found.items()}

    @cached_property
    def _below(self) -> dict[str, frozenset[str]]:
        return {code: frozenset(_reached(code, self.parts)) for code in self.parts}

    def parts_of(self, whole: str) -> frozenset[str]:
        """All entities that are named as parts of one, at any depth."""
        return self._below.get(whole, frozenset())

    def wholes_of(self, part: str) -> tuple[str, ...]:
        """All entities that hold one, those of fewest parts first."""
        found = (one for one, how in self._groups_beside(part).items() if how == "holds")
        return tuple(sorted(found, key=lambda one: len(self.parts_of(one))))

    def wholes_of_all(self, parts: Sequence[str]) -> tuple[str, ...]:
        """All entities that hold each of some, those of fewest parts first."""
        first, *others = parts
        return tuple(
            one
            for one in self.wholes_of(first)
            if all(self.relation(one, other) == "holds" for other in others)
        )

    def overlapping(self, code: str) -> tuple[str, ...]:
        """All entities with parts that hold one, or something that it holds too."""
        return tuple(
            one for one, how in self._groups_beside(code).items() if how in ("holds", "overlap")
        )

    @cached_property
    def _beside(self) -> dict[str, dict[str, Relation]]:
        return {}

    def _groups_beside(self, code: str) -> dict[str, Relation]:
        """How each entity with parts stands to one; worked out once for each."""
        found = self._beside.get(code)
        if found is None:
            found = dict[str, Relation]()
            for one in self.parts:
                if one != code:
                    found[one] = self.relation(one, code)
            self._beside[code] = found
        return found

    def last_parts(self, whole: str) -> frozenset[str]:
        """The parts of an entity that have no parts themselves; itself where it has none."""
        return frozenset(one for one in self.parts_of(whole) if one not in self.parts) or frozenset(
            (whole,)
        )

    def shared(self, one: str, other: str) -> tuple[str, ...]:
        """Return the entities that two others both hold, in order of the code."""
        return tuple(sorted(self.last_parts(one) & self.last_parts(other)))

    def relation(self, one: str, other: str) -> Relation:
        """How one entity stands to another.

        Returns:
            "holds" or "within" where one is a part of the other, "overlap" where both hold
            something, "apart" where the profile says that they do not, "unknown" where a group
            whose members are not all named may hold the other, or nothing at all is said.
        """
        if one == other:
            return "same"
        if self._is_within(other, one):
            return "holds"
        if self._is_within(one, other):
            return "within"
        if self.shared(one, other):
            return "overlap"
        if self.may_hold_more(one) or self.may_hold_more(other):
            return "unknown"
        told = one in self.complete or other in self.complete
        return "apart" if told or self.are_siblings((one, other)) else "unknown"

    def may_hold_more(self, code: str) -> bool:
        """Whether an entity is a group, or holds one, whose members are not all named."""
        told = self.complete.get(code)
        if told is not None:
            return not told
        return any(self.complete.get(one) is False for one in self.parts_of(code))

    def are_siblings(self, codes: Sequence[str]) -> bool:
        """Whether some entities are parts of one and the same other."""
        wholes = [frozenset(_reached(code, self._holders)) for code in codes]
        return any(all(one in some for some in wholes) for one in wholes[0])

    def _is_within(self, part: str, whole: str) -> bool:
        if part in self.parts_of(whole):
            return True
        # A group whose members are all known is a part of what holds each of them.
        return bool(self.complete.get(part)) and self.last_parts(part) <= self.parts_of(whole)


def _reached(code: str, steps: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the codes that steps reach from a code, each once, without the code itself."""
    seen = {code}
    found: list[str] = []
    waiting = list(steps.get(code, ()))
    while waiting:
        one = waiting.pop(0)
        if one not in seen:
            seen.add(one)
            found.append(one)
            waiting += steps.get(one, ())
    return found


class Names:
    """Resolves raw terms of one profile. A near match is never more than a candidate."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._known = KnownWords()

    @cached_property
    def metrics(self) -> Vocabulary:
        """All metrics."""
        return Vocabulary(
            (Term(one.code, one.label, one.aliases) for one in self.profile.metrics), self._known
        )

    @cached_property
    def entities(self) -> dict[str, Vocabulary]:
        """The entities of each kind. One name may stand for an entity of each of two kinds."""
        terms: dict[str, list[Term]] = {kind: [] for kind in self.profile.kinds}
        for one in self.profile.entities:
            terms[one.kind].append(Term(one.code, one.name, one.aliases))
        return {kind: Vocabulary(found, self._known) for kind, found in terms.items()}

    @cached_property
    def channels(self) -> dict[str, Vocabulary]:
        """The channels that apply to entities of each kind."""
        return {
            kind: Vocabulary(
                (
                    Term(one.code, one.label, one.aliases)
                    for one in self.profile.channel_by_code.values()
                    if not one.kinds or kind in one.kinds
                ),
                self._known,
            )
            for kind in self.profile.kinds
        }

    def metric(self, raw: str) -> Resolution:
        """The metric that a raw term names."""
        return self.metrics.resolve(raw, Policy.CANDIDATES_ONLY)

    def entity(self, raw: str, kind: str) -> Resolution:
        """The entity of a kind that a raw term names, with an article before it or without."""
        vocabulary = self.entities[kind]
        found = vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        article, _, bare = raw.strip().partition(" ")
        if found.how != "unknown" or article.casefold() != "the" or not bare.strip():
            return found
        without = vocabulary.resolve(bare, Policy.CANDIDATES_ONLY)
        if without.term is None:
            return found
        how = "folded" if without.how == "exact" else without.how
        return replace(without, raw=raw, how=how)

    def channel(self, raw: str, kind: str) -> Resolution:
        """The channel that a raw term names, of those for entities of a kind."""
        return self.channels[kind].resolve(raw, Policy.CANDIDATES_ONLY)


def sizes_of(metric: Metric, profile: Profile, nouns: Sequence[str]) -> list[str]:
    """Return the words for things whose size a metric is: an economy is as large as its GDP.

    Args:
        metric: the metric.
        profile: the profile that it is of.
        nouns: further names of the entities of the metric.
    """
    kind = profile.kinds.get(metric.kind)
    named = set(map(fold, (*(kind.aliases if kind else ()), *nouns)))
    own = frozenset(fold_word(f"{metric.code} {metric.label}").split())
    return [one for one in metric.hinted_by if fold(one) in named or is_called(fold_word(one), own)]
