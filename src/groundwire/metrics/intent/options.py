"""What one may send instead, each one step from an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.metrics.intent.parsed import Leftover
from groundwire.metrics.intent.wording import Language
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Metric, Profile
from groundwire.vocabulary import Candidate
from groundwire.vocabulary.fold import CJK_RUN

MOST = 12
_MOST_ENTITIES = 6
_MOST_NEAR = 3
_LIKELY = 0.6
_SHORTEST = 2


class Option(NamedTuple):
    """A value for a slot.

    Attributes:
        slot: metric, entity, channel or period.
        value: what to send.
        label: its name for people.
    """

    slot: str
    value: str
    label: str


def unique(offered: Iterable[Option]) -> tuple[Option, ...]:
    """Each option once, where it is first offered, as many as a reader can take in."""
    found: dict[tuple[str, str], Option] = {}
    for one in offered:
        found.setdefault((one.slot, one.value), one)
    return tuple(found.values())[:MOST]


def _in_language(label: str, names: Iterable[str], language: Language) -> str:
    """The first name in a language, or the label."""
    if language == "zh" and not CJK_RUN.search(label):
        return next((name for name in names if CJK_RUN.search(name)), label)
    return label


def name_in(profile: Profile, entity: str, language: Language) -> str:
    """The name of an entity in a language, if the profile has one."""
    known = profile.entity_by_code[entity]
    return _in_language(known.name, known.aliases, language)


def kind_name(profile: Profile, kind: str, language: Language) -> str:
    """The name of a kind of entity in a language, if the profile has one."""
    known = profile.kinds[kind]
    return _in_language(known.label, known.aliases, language)


def homes(profile: Profile) -> tuple[Option, ...]:
    """The home entities."""
    codes = [kind.home for kind in profile.kinds.values() if kind.home]
    return tuple(Option("entity", code, profile.entity_by_code[code].name) for code in codes)


def metrics(
    profile: Profile,
    entities: Sequence[str],
    language: Language,
    first: Sequence[Metric] = (),
) -> list[Option]:
    """The metrics that are held: those given first, then those of the kinds that are named."""
    kinds = {profile.entity_by_code[code].kind for code in entities}
    ordered = sorted(profile.metrics, key=lambda one: (one not in first, one.kind not in kinds))
    return [
        Option("metric", one.code, _in_language(one.label, one.aliases, language))
        for one in ordered
    ]


def entities(
    profile: Profile, kind: str, language: Language, with_home: bool = False
) -> list[Option]:
    """Entities of a kind: the home itself if asked for, its own, then as the profile has them."""
    home = profile.kinds[kind].home
    own = [one for one in profile.entities if one.kind == kind]
    own = [one for one in own if with_home or one.code != home]
    own.sort(key=lambda one: (one.code != home, one.parent != home))
    return [
        Option("entity", one.code, _in_language(one.name, one.aliases, language))
        for one in own[:_MOST_ENTITIES]
    ]


def for_leftover(leftover: Leftover, names: Names, asked: Sequence[Metric]) -> list[Option]:
    """What may have been meant by a part of a question."""
    profile = names.profile
    if leftover.slot is not None:
        return [
            Option(leftover.slot, code, _label(profile, leftover.slot, code))
            for code in leftover.candidates
        ]
    if leftover.category == "time" or len(leftover.text) < _SHORTEST:
        return []
    found = _near("metric", names.metrics.suggest(leftover.text, _MOST_NEAR))
    kinds = list(dict.fromkeys(metric.kind for metric in asked)) or list(profile.kinds)
    if leftover.category in ("name", "other"):
        for kind in kinds:
            found += _near("entity", names.entities[kind].suggest(leftover.text, _MOST_NEAR))
    if leftover.category in ("qualifier", "derivation"):
        found = [Option("metric", one.code, one.label) for one in asked] + found
    return found


def _near(slot: str, candidates: Iterable[Candidate]) -> list[Option]:
    return [Option(slot, one.term.id, one.term.label) for one in candidates if one.score >= _LIKELY]


def _label(profile: Profile, slot: str, code: str) -> str:
    known = {
        "metric": profile.metric_by_code,
        "entity": profile.entity_by_code,
        "channel": profile.channel_by_code,
    }.get(slot, {})
    one = known.get(code)
    if one is None:
        return code
    return str(getattr(one, "label", "") or getattr(one, "name", code))
