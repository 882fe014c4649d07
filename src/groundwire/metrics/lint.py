"""Doubtful but allowed parts of a profile: names that collide, overlap or hold one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.metrics.facts.model import FactStore
from groundwire.metrics.profile import Profile
from groundwire.metrics.wording import listed
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import KnownWords, fold
from groundwire.vocabulary.fold import CJK_RUN, joined, split_words

Level = Literal["error", "warning", "note"]
_SHORT = 2
_COUNTED_UNITS = frozenset(("people", "shares", "employees"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at.

    Attributes:
        level: an error makes questions fail; a warning may; a note is good to know.
        kind: what was looked for.
        message: what was found and what to do, in one line.
    """

    level: Level
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    owner: str
    group: str


def lint(profile: Profile, store: FactStore | None = None) -> list[Finding]:
    """Everything doubtful in a profile, errors first.

    Args:
        profile: the profile.
        store: its facts; without them, nothing is said of what has none.
    """
    groups = _groups(profile)
    external = [
        _Name(text, one.name, "external")
        for one in profile.external
        for text in (one.name, *one.aliases)
    ]
    found = [
        *_collisions(groups),
        *_overlaps(groups, external),
        *_parts(groups),
        *_weak(groups, external),
        *_members(profile),
        *_units(profile),
        *(_without_facts(profile, store) if store is not None else ()),
    ]
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(dict.fromkeys(found), key=lambda one: order[one.level])


def _groups(profile: Profile) -> dict[str, list[_Name]]:
    """Names by what must be told apart: metrics, channels, and the entities of each kind."""
    groups: dict[str, list[_Name]] = {
        "metric": [
            _Name(text, one.code, "metric")
            for one in profile.metrics
            for text in (one.code, one.label, *one.aliases)
        ],
        "channel": [
            _Name(text, one.code, "channel")
            for one in profile.channel_by_code.values()
            for text in (one.code, one.label, *one.aliases)
        ],
    }
    for one in profile.entities:
        group = groups.setdefault(f"entity of kind {one.kind}", [])
        texts = (one.code, one.name, *one.aliases)
        group += [_Name(text, one.code, f"entity of kind {one.kind}") for text in texts]
    return groups


def _collisions(groups: dict[str, list[_Name]]) -> Iterator[Finding]:
    for group, names in groups.items():
        owners: dict[str, dict[str, str]] = {}
        for name in names:
            owners.setdefault(fold(name.text), {}).setdefault(name.owner, name.text)
        for texts in owners.values():
            if len(texts) > 1:
                shown = ", ".join(f"{owner} ({text!r})" for owner, text in texts.items())
                yield Finding(
                    "error",
                    "collision",
                    f"one name of several {group}: {shown}; whoever sends it is asked back: keep "
                    "it for one of them",
                )


def _overlaps(groups: dict[str, list[_Name]], external: Sequence[_Name]) -> Iterator[Finding]:
    """Names in scope that are also, or hold, or are held by, names out of scope."""
    inside = {fold(name.text): name for names in groups.values() for name in names}
    for name in external:
        own = inside.get(fold(name.text))
        if own is not None:
            yield Finding(
                "error",
                "overlap",
                f"{name.text!r} is out of scope ({name.owner}) and also {own.group} {own.owner}: "
                "every question about it is refused; remove it from one of them",
            )
    outside = {fold(name.text): name for name in external}
    for name in inside.values():
        for part in _inner(name.text):
            if part in outside:
                yield Finding(
                    "warning",
                    "overlap",
                    f"{name.text!r} ({name.owner}) holds {outside[part].text!r}, which is out of "
                    f"scope ({outside[part].owner}): the longer name wins",
                )
    for name in outside.values():
        for part in _inner(name.text):
            if part in inside:
                yield Finding(
                    "note",
                    "overlap",
                    f"{name.text!r} (out of scope) holds {inside[part].text!r} "
                    f"({inside[part].owner}): the longer name wins",
                )


def _parts(groups: dict[str, list[_Name]]) -> Iterator[Finding]:
    for group, names in groups.items():
        known = {fold(name.text): name for name in names}
        for name in known.values():
            for part in _inner(name.text):
                other = known.get(part)
                if other is not None and other.owner != name.owner:
                    yield Finding(
                        "note",
                        "part of another",
                        f"{group}: {other.text!r} ({other.owner}) is a part of {name.text!r} "
                        f"({name.owner}): the longer name wins",
                    )


def _inner(text: str) -> Iterable[str]:
    """Every shorter run of whole words, or of CJK characters, in a name, folded."""
    units: list[str] = []
    for word in split_words(text).singular:
        units += list(word) if CJK_RUN.fullmatch(word) else [word]
    count = len(units)
    return {
        joined(units[start:end])
        for start in range(count)
        for end in range(start + 1, count + 1)
        if end - start < count
    }


def _weak(groups: dict[str, list[_Name]], external: Sequence[_Name]) -> Iterator[Finding]:
    """Names that ordinary text holds by chance."""
    for name in external:
        letters = fold(name.text).replace(" ", "")
        if len(letters) <= (1 if CJK_RUN.search(letters) else _SHORT):
            yield Finding(
                "warning",
                "short name",
                f"{name.text!r} ({name.owner}, out of scope) is so short that ordinary questions "
                "may be refused",
            )
    words = KnownWords(languages=("en",))
    for names in groups.values():
        for name in names:
            spelt = split_words(name.text).plain
            if len(spelt) == 1 and len(spelt[0]) <= 3 and words.of_language(spelt[0]):
                yield Finding(
                    "note",
                    "ordinary word",
                    f"{name.text!r} ({name.owner}) is also a word: in questions it counts only in "
                    "the letter case in which it stands here",
                )


def _units(profile: Profile) -> Iterator[Finding]:
    for metric in profile.metrics:
        if metric.formula:
            continue
        if not metric.unit:
            yield Finding(
                "note", "unit", f"{metric.code} names no unit: that of each source is kept"
            )
        elif resolve_unit(metric.unit) is None and metric.unit not in _COUNTED_UNITS:
            yield Finding(
                "note",
                "unit",
                f"the unit {metric.unit!r} of {metric.code} is no unit of measure: sources must "
                "write it so",
            )


def _members(profile: Profile) -> Iterator[Finding]:
    """Groups and members that are no entities, so that they say nothing about any."""
    known = profile.entity_by_code
    for code, group in profile.groups.items():
        missing = [one for one in (code, *group.members) if one not in known]
        if missing:
            told = listed([repr(one) for one in missing])
            yield Finding("warning", "groups", f"group {code!r} names what is no entity: {told}")


def _without_facts(profile: Profile, store: FactStore) -> Iterator[Finding]:
    held: set[str] = set()
    coverage = [(metric, store.coverage(metric.code)) for metric in profile.metrics]
    if not any(covered for _, covered in coverage):
        yield Finding(
            "note", "no facts", "no fact is held yet: `groundwire metrics import` reads them"
        )
        return
    for metric, covered in coverage:
        if covered is None:
            yield Finding("warning", "no facts", f"metric {metric.code} has no fact")
        else:
            held |= set(covered.entities)
    for entity in profile.entities:
        if entity.code not in held:
            yield Finding("note", "no facts", f"entity {entity.code} ({entity.name}) has no fact")
