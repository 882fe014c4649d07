"""Options to send instead, each one step from an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from groundwire.metrics import wording
from groundwire.metrics.intent.parsed import Leftover
from groundwire.metrics.intent.tokens import hinted
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.wording import Language, say_or
from groundwire.vocabulary import Candidate
from groundwire.vocabulary.fold import CJK_RUN

MOST = 12
_MOST_ENTITIES = 6
_MOST_NEAR = 3
_LIKELY = 0.6
_SHORTEST_NEAR = 3
_LONG_NAME = 9
_NEAR_LONG = 0.7
_NEAR_SHORT = 0.8
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


def name_in(profile: Profile, entity: str, language: Language) -> str:
    """The name of an entity in a language, if the profile has one."""
    known = profile.entity_by_code[entity]
    return wording.name_in(language, known.name, known.aliases, known.labels)


def kind_name(profile: Profile, kind: str, language: Language) -> str:
    """The name of a kind of entity in a language, if the profile has one."""
    known = profile.kinds[kind]
    if language == "de" and language not in known.labels:
        return say_or("kind_" + kind, language, known.label)
    return wording.name_in(language, known.label, known.aliases, known.labels)


def homes(profile: Profile, language: Language) -> tuple[Option, ...]:
    """The home entities."""
    codes = [kind.home for kind in profile.kinds.values() if kind.home]
    return tuple(Option("entity", code, name_in(profile, code, language)) for code in codes)


def external_name(profile: Profile, shown: str, language: Language) -> str:
    """The name of an entity out of scope: the one to show, after its name in the language."""
    known = next((one for one in profile.external if one.name == shown), None)
    own = wording.name_in(language, shown, known.aliases if known else (), {})
    return shown if own == shown else f"{own}（{shown}）"


def metrics(
    profile: Profile,
    entities: Sequence[str],
    language: Language,
    first: Sequence[Metric] = (),
) -> list[Option]:
    """The metrics that are held: those given first, then those of the kinds that are named."""
    kinds = {profile.entity_by_code[code].kind for code in entities}
    ordered = sorted(profile.metrics, key=lambda one: (one not in first, one.kind not in kinds))
    return [_metric(one, language) for one in ordered]


def entities(
    profile: Profile, kind: str, language: Language, with_home: bool = False
) -> list[Option]:
    """Entities of a kind: the home itself if asked for, its own, then as the profile has them."""
    home = profile.kinds[kind].home
    own = [one for one in profile.entities if one.kind == kind]
    own = [one for one in own if with_home or one.code != home]
    own.sort(key=lambda one: (one.code != home, one.parent != home))
    return [
        Option("entity", one.code, wording.name_in(language, one.name, one.aliases, one.labels))
        for one in own[:_MOST_ENTITIES]
    ]


def for_leftover(
    leftover: Leftover, names: Names, asked: Sequence[Metric], language: Language
) -> list[Option]:
    """Return terms that a part of a question may have meant."""
    profile = names.profile
    if leftover.slot is not None:
        return [
            Option(leftover.slot, code, _label(profile, leftover.slot, code, language))
            for code in leftover.candidates
        ]
    if leftover.category == "time":
        return []
    found = [_metric(one, language) for one in hinted(profile, leftover.text)]
    if len(leftover.text) < _SHORTEST:
        return found

    def near(slot: Literal["metric", "entity"], candidates: Iterable[Candidate]) -> list[Option]:
        codes = [one.term.id for one in candidates if is_near(leftover.text, one)]
        return [Option(slot, code, _label(profile, slot, code, language)) for code in codes]

    found += near("metric", names.metrics.suggest(leftover.text, _MOST_NEAR))
    kinds = list(dict.fromkeys(metric.kind for metric in asked)) or list(profile.kinds)
    if leftover.category in ("name", "other"):
        for kind in kinds:
            found += near("entity", names.entities[kind].suggest(leftover.text, _MOST_NEAR))
    if leftover.category in ("qualifier", "derivation"):
        found = [_metric(one, language) for one in asked] + found
    return found


def is_near(raw: str, found: Candidate) -> bool:
    """Whether a name may have been meant by a text, rather than be alike by chance.

    A short name is alike to many: Tokyo does not misspell Togo, and a code of capitals is
    written as it is or not at all. So most letters must be the same, unless all of them are in
    another order, or one is a word of the other or begins it.
    """
    if found.score >= 1:
        return True
    one, other = (_letters(text) for text in (raw, found.label_matched))
    if CJK_RUN.search(raw) or CJK_RUN.search(found.label_matched):
        return found.score >= _LIKELY
    if min(len(one), len(other)) <= _SHORTEST_NEAR or found.label_matched.isupper():
        return False
    if one.startswith(other) or other.startswith(one) or sorted(one) == sorted(other):
        return found.score >= _LIKELY
    shared = set(raw.casefold().split()) & set(found.label_matched.casefold().split())
    if any(len(word) > _SHORTEST_NEAR for word in shared):
        return found.score >= _LIKELY
    long = min(len(one), len(other)) >= _LONG_NAME
    return found.score >= (_NEAR_LONG if long else _NEAR_SHORT)


def _letters(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalpha())


def _metric(metric: Metric, language: Language) -> Option:
    label = wording.name_in(language, metric.label, metric.aliases, metric.labels)
    return Option("metric", metric.code, label)


def _label(profile: Profile, slot: str, code: str, language: Language) -> str:
    known = {
        "metric": profile.metric_by_code,
        "entity": profile.entity_by_code,
        "channel": profile.channel_by_code,
    }.get(slot, {})
    one = known.get(code)
    if one is None:
        return code
    label = str(getattr(one, "label", "") or getattr(one, "name", code))
    return wording.name_in(language, label, one.aliases, one.labels)
