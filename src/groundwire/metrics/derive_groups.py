"""Which facts that were found belong together in one computation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.metrics.facts.model import Fact
from groundwire.metrics.profile import Profile
from groundwire.metrics.terms import TOTAL, DerivedBy


@dataclass(frozen=True, slots=True)
class Operand:
    """A found fact on its way into a computation.

    Attributes:
        position: its place among the facts that were found.
        fact: the fact.
        period: label of its period.
    """

    position: int
    fact: Fact
    period: str


_Key = Callable[[Operand], tuple[str, ...]]


def groups_of(
    operation: DerivedBy, profile: Profile, operands: Sequence[Operand]
) -> list[list[Operand]]:
    """The groups of facts that one operation is computed from, a value from each.

    Args:
        operation: what was asked for.
        profile: which entity is a part of which.
        operands: facts found, in the order in which the caller named them.

    Returns:
        earlier and later of a change, the other and the first of a difference; numerator and
        denominator of a ratio; a part of a share, followed by its whole or by all parts; the
        terms of a sum.
    """
    return list(_GROUPS[operation](profile, operands))


def is_within(profile: Profile, part: str, whole: str) -> bool:
    """Whether an entity is a part of another, at any depth."""
    seen: set[str] = set()
    while part not in seen:
        seen.add(part)
        parent = profile.entity_by_code[part].parent
        if not parent:
            return False
        if parent == whole:
            return True
        part = parent
    return False


# What is alike but for the entity, then but for the channel.
_BESIDE: tuple[_Key, ...] = (
    lambda one: (one.fact.metric, one.fact.channel, one.period),
    lambda one: (one.fact.metric, one.fact.entity, one.period),
)


# What a ratio is taken of: two metrics, else two entities, else two channels.
_COMPARED: tuple[_Key, ...] = (
    lambda one: (one.fact.entity, one.fact.channel, one.period),
    *_BESIDE,
)


def _grouped(operands: Sequence[Operand], key: _Key) -> Iterator[list[Operand]]:
    groups: dict[tuple[str, ...], list[Operand]] = {}
    for one in operands:
        groups.setdefault(key(one), []).append(one)
    return (group for group in groups.values() if len(group) > 1)


def _changes(_: Profile, operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Of one series and one length the first and last, and of three or more also neighbours.

    The change of the whole comes first: it is what is asked about, and the steps show its way.
    """
    for group in _grouped(operands, lambda one: (*_series(one), _length(one))):
        ordered = sorted(group, key=lambda one: one.fact.end)
        if len(ordered) > 2:
            yield [ordered[0], ordered[-1]]
        yield from ([before, after] for before, after in pairwise(ordered))


def _differences(profile: Profile, operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Changes in time; where there are none, entities, else channels, each taken from the first."""
    changes = list(_changes(profile, operands))
    if changes:
        yield from changes
        return
    for key in _BESIDE:
        groups = list(_grouped(operands, key))
        if groups:
            yield from ([other, group[0]] for group in groups for other in group[1:])
            return


def _series(one: Operand) -> tuple[str, str, str]:
    return (one.fact.metric, one.fact.entity, one.fact.channel)


def _length(one: Operand) -> str:
    days = (one.fact.end - one.fact.start).days + 1
    # Years of 365 and 366 days, and months, compare; a quarter with a year does not.
    return str(round(days / 30.4))


def _ratios(_: Profile, operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    for key in _COMPARED:
        groups = list(_grouped(operands, key))
        if groups:
            yield from ([group[0], other] for group in groups for other in group[1:])
            return


def _shares(profile: Profile, operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Each part, followed by its whole: one operand, or all parts."""
    for group in _sums(profile, operands, periods=False):
        whole = _whole(profile, group)
        parts = [one for one in group if one is not whole]
        for part in parts:
            yield [part, *([whole] if whole else parts)]


def _whole(profile: Profile, group: Sequence[Operand]) -> Operand | None:
    """The member that the others are parts of: the total channel, or the parent of them all."""
    for one in group:
        others = [other for other in group if other is not one]
        if all(other.fact.channel != one.fact.channel for other in others):
            if one.fact.channel == TOTAL:
                return one
        elif all(is_within(profile, other.fact.entity, one.fact.entity) for other in others):
            return one
    return None


def _sums(
    _: Profile, operands: Sequence[Operand], *, periods: bool = True
) -> Iterator[list[Operand]]:
    for key in (*_BESIDE, _series) if periods else _BESIDE:
        groups = list(_grouped(operands, key))
        if groups:
            yield from groups
            return


_GROUPS: dict[str, Callable[[Profile, Sequence[Operand]], Iterator[list[Operand]]]] = {
    "delta": _differences,
    "percent_change": _changes,
    "ratio": _ratios,
    "share": _shares,
    "sum": _sums,
}
