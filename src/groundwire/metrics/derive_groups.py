"""Which facts that were found belong together in one computation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

from groundwire.metrics.facts.model import Fact
from groundwire.metrics.intent.slots import parts_of_whole
from groundwire.metrics.premises import earlier_periods
from groundwire.metrics.profile import Named, Profile
from groundwire.metrics.results import Cell, NotDerivedItem
from groundwire.metrics.terms import THOSE_LISTED, TOTAL, DerivedBy
from groundwire.metrics.wording import listed, name_in
from groundwire.safe_text import safe_name

_MOST_SHARED = 3
_MOST_WHOLES = 6
_LONGEST_RAW = 80


@dataclass(frozen=True, slots=True)
class Operand:
    """A found fact on its way into a computation.

    Attributes:
        position: its place among the facts that were found.
        fact: the fact.
        period: label of its period.
        exact: whether its value was not rounded here, as one that a formula computed may be.
    """

    position: int
    fact: Fact
    period: str
    exact: bool = True


class Why(NamedTuple):
    """Why something is not computed, in English, Chinese and German."""

    english: str
    chinese: str = ""
    german: str = ""


_Key = Callable[[Operand], tuple[str, ...]]


def groups_of(operation: DerivedBy, operands: Sequence[Operand]) -> list[list[Operand]]:
    """The groups of facts that one operation is computed from, a value from each.

    Args:
        operation: what was asked for, any but a share: `share_groups` says what those are of.
        operands: facts found, in the order in which the caller named them.

    Returns:
        earlier and later of a change, the other and the first of a difference; numerator and
        denominator of a ratio, of the last and the first of a difference of ratios; the terms of
        a sum.
    """
    return list(_GROUPS[operation](operands))


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


def _every(operands: Sequence[Operand], key: _Key) -> list[list[Operand]]:
    groups: dict[tuple[str, ...], list[Operand]] = {}
    for one in operands:
        groups.setdefault(key(one), []).append(one)
    return list(groups.values())


def _grouped(operands: Sequence[Operand], key: _Key) -> Iterator[list[Operand]]:
    return (group for group in _every(operands, key) if len(group) > 1)


def _changes(operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Of one series and one length the first and last, and of three or more also neighbours.

    The change of the whole comes first: it is what is asked about, and the steps show its way.
    """
    for group in _grouped(operands, lambda one: (*_series(one), _length(one))):
        ordered = sorted(group, key=lambda one: one.fact.end)
        if len(ordered) > 2:
            yield [ordered[0], ordered[-1]]
        yield from ([before, after] for before, after in pairwise(ordered))


def _differences(operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Changes in time; where there are none, entities, else channels, each taken from the first."""
    changes = list(_changes(operands))
    if changes:
        yield from changes
        return
    for key in _BESIDE:
        groups = list(_grouped(operands, key))
        if groups:
            yield from ([other, group[0]] for group in groups for other in group[1:])
            return


def _growths(which: int, operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Each value after that of the period before it: of the part before (0), of a year ago (-1)."""
    by_period = {(*_series(one), one.period): one for one in operands}
    for one in operands:
        earlier = earlier_periods(one.period)
        before = by_period.get((*_series(one), earlier[which])) if earlier else None
        if before is not None:
            yield [before, one]


def _series(one: Operand) -> tuple[str, str, str]:
    return (one.fact.metric, one.fact.entity, one.fact.channel)


def _length(one: Operand) -> str:
    days = (one.fact.end - one.fact.start).days + 1
    # Years of 365 and 366 days, and months, compare; a quarter with a year does not.
    return str(round(days / 30.4))


def _ratios(operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    for key in _COMPARED:
        groups = list(_grouped(operands, key))
        if groups:
            yield from ([group[0], other] for group in groups for other in group[1:])
            return
    # Of one series the last by the first.
    for group in _grouped(operands, lambda one: (*_series(one), _length(one))):
        ordered = sorted(group, key=lambda one: one.fact.end)
        yield [ordered[-1], ordered[0]]


@dataclass(frozen=True, slots=True)
class Share:
    """A share that is to be computed, or the reason why there is none.

    Attributes:
        part: what it is a share of something.
        whole: what it is a share of: one value, or those of all parts where they are the whole.
        refusal: why it cannot be computed, or None.
    """

    part: Operand
    whole: tuple[Operand, ...] = ()
    refusal: Why | None = None


def share_groups(
    profile: Profile, operands: Sequence[Operand], share_of: str, cells: Sequence[Cell]
) -> list[Share]:
    """The shares of found values, each of a whole that is declared or named.

    Args:
        profile: which entity holds which.
        operands: facts found, in the order in which the caller named them.
        share_of: code of the entity that the caller named as the whole, `THOSE_LISTED` for the sum
            of what is listed, or "".
        cells: all that was looked up, by which the sum of those listed is known to be whole.

    Returns:
        one for each part and whole. Channels are shares of the total where that was found.
        Entities are shares of the named whole, else of each one found that holds them. What has
        no whole is refused with the question for it.
    """
    if share_of == THOSE_LISTED:
        return _of_listed(profile, operands, cells)
    found: list[Share] = []
    entities = list(_grouped(operands, _BESIDE[0])) if not share_of else []
    if share_of:
        for group in _every(operands, _BESIDE[0]):
            found += _of_named(profile, group, share_of)
    elif entities:
        for group in entities:
            found += _of_declared(profile, group)
    else:
        for group in _grouped(operands, _BESIDE[1]):
            total = [one for one in group if one.fact.channel == TOTAL]
            parts = [one for one in group if one.fact.channel != TOTAL]
            found += [Share(part, tuple(total)) if total else Share(part, refusal=_NO_TOTAL)
                      for part in parts]  # fmt: skip
    return found


def share_pairs(shares: Sequence[Share]) -> list[tuple[Share, Share]]:
    """The pairs of shares whose difference is told: the later and the earlier, else of one period.

    Args:
        shares: shares that may be computed; one that may not is paired with itself.

    Returns:
        of one part in one whole the last and the first period, and where there are three or more
        also neighbours; where nothing has two periods, the first part with each other one.
    """
    refused = [(one, one) for one in shares if one.refusal]
    if refused:
        return refused
    series: dict[object, list[Share]] = {}
    beside: dict[object, list[Share]] = {}
    for one in shares:
        wholes = tuple(_series(each) for each in one.whole)
        series.setdefault((_series(one.part), wholes, _length(one.part)), []).append(one)
        beside.setdefault((one.part.fact.metric, wholes, one.part.period), []).append(one)
    pairs: list[tuple[Share, Share]] = []
    for own in series.values():
        ordered = sorted(own, key=lambda one: one.part.fact.end)
        if len(ordered) > 2:
            pairs.append((ordered[-1], ordered[0]))
        pairs += [(after, before) for before, after in pairwise(ordered)]
    return pairs or [(own[0], other) for own in beside.values() for other in own[1:]]


def _ratio_pairs(operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    """Numerator and denominator of the last period and of the first, of each ratio."""
    series: dict[object, list[list[Operand]]] = {}
    for group in _ratios(operands):
        series.setdefault(tuple(map(_series, group)), []).append(group)
    for own in series.values():
        ordered = sorted(own, key=lambda one: one[0].fact.end)
        if len(ordered) > 1:
            yield [*ordered[-1], *ordered[0]]


def _of_named(profile: Profile, group: Sequence[Operand], share_of: str) -> Iterator[Share]:
    """The share of each value in the one that the caller named as the whole."""
    whole = next((one for one in group if one.fact.entity == share_of), None)
    names = _names(profile, share_of)
    for part in group:
        if part is whole:
            continue
        own = _names(profile, part.fact.entity)
        relation = profile.membership.relation(share_of, part.fact.entity)
        if relation in _NO_WHOLE:
            yield Share(part, refusal=_said(_NO_WHOLE[relation], own, names))
        elif whole is None:
            yield Share(part, refusal=_said(_WITHOUT_FACT, names, _same(part.period)))
        else:
            yield Share(part, (whole,))


def _of_declared(profile: Profile, group: Sequence[Operand]) -> Iterator[Share]:
    """Shares of those that hold others; the question for the whole of any other."""
    relation = profile.membership.relation
    wholes = {
        part.position: [
            one for one in group if relation(one.fact.entity, part.fact.entity) == "holds"
        ]
        for part in group
    }
    if not any(wholes.values()):
        codes = dict.fromkeys(one.fact.entity for one in group)
        yield Share(group[0], refusal=which_whole(profile, *codes))
        return
    holding = {one.position for some in wholes.values() for one in some}
    for part in group:
        yield from (Share(part, (whole,)) for whole in wholes[part.position])
        if not wholes[part.position] and part.position not in holding:
            yield Share(part, refusal=which_whole(profile, part.fact.entity))


def _of_listed(profile: Profile, operands: Sequence[Operand], cells: Sequence[Cell]) -> list[Share]:
    """Shares of the sum of all that is listed: entities, else channels."""
    found: list[Share] = []
    several = len({one.fact.entity for one in operands}) > 1
    for group in _every(operands, _BESIDE[0] if several else _BESIDE[1]):
        parts = group if several else [one for one in group if one.fact.channel != TOTAL]
        lacking = _lacking(profile, parts, cells, several) if parts else None
        if lacking is not None:
            found.append(Share(parts[0], refusal=lacking))
        elif len(parts) > 1:
            found += (
                _among(profile, parts) if several else [Share(one, tuple(parts)) for one in parts]
            )
    return found


def _lacking(
    profile: Profile, group: Sequence[Operand], cells: Sequence[Cell], of_entities: bool
) -> Why | None:
    """Why a group is not all that is listed: one has no value for the period, or is not known."""
    first = group[0].fact
    known = {(one.fact.entity, one.fact.channel) for one in group}
    for cell in cells:
        if cell.status == "unrecognized_param" and cell.param in ("entity", "channel"):
            raw = str(cell.raw)[:_LONGEST_RAW]
            return Why(
                f"{raw} among those listed is not known",
                f"所列的{raw}无法识别",
                f"{raw} unter den genannten ist nicht bekannt",
            )
        asked = cell.normalized or cell.model_dump()
        if asked["metric"] != first.metric:
            continue
        code = asked["entity"] if of_entities else first.entity
        channel = first.channel if of_entities else asked["channel"]
        if (of_entities or channel != TOTAL) and (code, channel) not in known:
            own = _names(profile, code) if of_entities else _channel(profile, channel)
            return _said(_PART_WITHOUT_FACT, own, _same(group[0].period))
    return None


def _channel(profile: Profile, code: str) -> Why:
    known = profile.channel_by_code[code]
    return _every_name(known.label, known)


def _among(profile: Profile, group: Sequence[Operand]) -> Iterator[Share]:
    """Shares of the sum of values whose entities are known to be apart and of one whole."""
    codes = {one.fact.entity for one in group}
    kind = profile.entity_by_code[group[0].fact.entity].kind
    is_flat = codes == set(parts_of_whole(profile, kind))
    for one, other in () if is_flat else combinations(group, 2):
        first, second = one.fact.entity, other.fact.entity
        if profile.membership.relation(first, second) != "apart":
            why = overlap(profile, first, second) or which_whole(profile, first)
            yield Share(one, refusal=why)
            return
    yield from (Share(part, tuple(group)) for part in group)


def overlap(profile: Profile, one: str, other: str) -> Why | None:
    """Why the values of two entities must not be added; None where nothing speaks against it."""
    names = [_names(profile, code) for code in (one, other)]
    relation = profile.membership.relation(one, other)
    if relation in ("holds", "within"):
        whole, part = names if relation == "holds" else reversed(names)
        return _said(_ONE_HOLDS, *names, part, whole)
    if relation == "overlap":
        shared = [_names(profile, code) for code in profile.membership.shared(one, other)]
        told = Why(
            listed([one.english for one in shared], _MOST_SHARED),
            "、".join(safe_name(one.chinese) for one in shared[:_MOST_SHARED])
            + ("等" if len(shared) > _MOST_SHARED else ""),
            ", ".join(safe_name(one.german) for one in shared[:_MOST_SHARED])
            + (" und mehr" if len(shared) > _MOST_SHARED else ""),
        )
        return _said(_BOTH_HOLD, *names, told)
    if relation == "unknown":
        for group, rest in ((0, 1), (1, 0)):
            if profile.membership.may_hold_more((one, other)[group]):
                return _said(_MAY_HOLD, names[group], names[rest])
    return None


def names_in(profile: Profile, left: Sequence[NotDerivedItem]) -> list[str]:
    """Names of the entities that the reasons speak of why something was not computed."""
    reasons = " ".join(one.reason for one in left)
    return [one.name for one in profile.entities if reasons and one.name in reasons]


def which_whole(profile: Profile, *parts: str) -> Why:
    """The question for the whole of shares, with the wholes that are known to hold all parts."""
    own = _all_of([_names(profile, code) for code in parts])
    wholes = profile.membership.wholes_of_all(parts)[:_MOST_WHOLES]
    known = _all_of([_names(profile, code) for code in wholes])
    if len(parts) > 1:
        return _said(_WHICH_WHOLE_OF_SEVERAL if wholes else _NO_WHOLE_OF_SEVERAL, own, known)
    return _said(_WHICH_WHOLE if wholes else _NO_KNOWN_WHOLE, own, known)


def _all_of(names: Sequence[Why]) -> Why:
    english, chinese, german = (
        ([safe_name(each) for each in one] for one in zip(*names, strict=True))
        if names
        else ([], [], [])
    )
    return Why(_joined(english, "and"), "、".join(chinese), _joined(german, "und"))


def _joined(names: Sequence[str], joint: str) -> str:
    *others, last = names or ("",)
    return f"{', '.join(others)} {joint} {last}" if others else last


def _same(text: str) -> Why:
    return Why(text, text, text)


def _every_name(name: str, known: Named) -> Why:
    chinese, german = (name_in(one, name, known.aliases, known.labels) for one in ("zh", "de"))
    return Why(name, chinese, german)


_NO_WHOLE = {
    "within": Why(
        "{1} is a part of {0}, not the other way round: name the whole that is meant",
        "{1}是{0}的一部分, 而非相反: 请指明所指的整体",
        "{1} ist ein Teil von {0}, nicht umgekehrt: Bitte das gemeinte Ganze nennen",
    ),
    "overlap": Why(
        "{0} is not wholly a part of {1}: name the whole that is meant",
        "{0}并非全部属于{1}: 请指明所指的整体",
        "{0} gehört nicht ganz zu {1}: Bitte das gemeinte Ganze nennen",
    ),
    "apart": Why(
        "{0} is no part of {1}: name the whole that is meant",
        "{0}不属于{1}: 请指明所指的整体",
        "{0} ist kein Teil von {1}: Bitte das gemeinte Ganze nennen",
    ),
}
_WITHOUT_FACT = Why(
    "the whole has no fact: {0} for {1}",
    "作为整体的{0}没有{1}的事实",
    "vom Ganzen ist kein Wert vorhanden: {0} für {1}",
)
_PART_WITHOUT_FACT = Why(
    "the whole is not held: {0} for {1} has no fact",
    "整体并不完整: {0}没有{1}的事实",
    "das Ganze ist nicht vollständig: {0} hat für {1} keinen Wert",
)
_ONE_HOLDS = Why(
    "of {0} and {1} one holds the other already: {2} is in {3}",
    "{3}已包含{2}, 不能相加",
    "von {0} und {1} enthält eines das andere schon: {2} gehört zu {3}",
)
_BOTH_HOLD = Why(
    "{0} and {1} both hold {2}",
    "{0}与{1}都包含{2}, 不能相加",
    "{0} und {1} enthalten beide {2}",
)
_MAY_HOLD = Why(
    "the profile does not name all members of {0}, so it may hold {1}",
    "配置未列出{0}的全部成员, 其中可能已包含{1}",
    "das Profil nennt nicht alle Mitglieder von {0}, es könnte also {1} enthalten",
)
_NO_KNOWN_WHOLE = Why(
    "which whole is meant? The profile does not say what {0} is a part of",
    "占比是占哪个整体? 配置未说明{0}属于什么",
    "welches Ganze ist gemeint? Das Profil sagt nicht, wovon {0} ein Teil ist",
)
_WHICH_WHOLE = Why(
    "which whole is meant? {0} is a part of {1}",
    "占比是占哪个整体? {0}属于{1}",
    "welches Ganze ist gemeint? {0} ist ein Teil von {1}",
)
_NO_WHOLE_OF_SEVERAL = Why(
    "which whole is meant? Name what holds {0}, or say that it is their total alone",
    "占比是占哪个整体? 请指明包含{0}的整体, 或说明是占其合计",
    "welches Ganze ist gemeint? Bitte nennen, was {0} enthält, oder ihre Summe als das Ganze",
)
_WHICH_WHOLE_OF_SEVERAL = Why(
    "which whole is meant? {0} are parts of {1}; name it, or say that it is their total alone",
    "占比是占哪个整体? {0}都属于{1}; 请指明, 或说明是占其合计",
    "welches Ganze ist gemeint? {0} sind Teile von {1}; bitte nennen, oder ihre Summe",
)
_NO_TOTAL = Why(
    "which whole is meant? The total of all channels is not among the values: name it, or say "
    "that the whole is the total of those listed alone",
    "占比是占哪个整体? 数值中没有全部渠道的总计: 请指明, 或说明是占所列渠道的合计",
    "welches Ganze ist gemeint? Die Summe aller Kanäle ist nicht unter den Werten: Bitte nennen, "
    "oder die Summe der genannten als das Ganze",
)


def _names(profile: Profile, code: str) -> Why:
    known = profile.entity_by_code[code]
    return _every_name(known.name, known)


def _said(why: Why, *names: Why) -> Why:
    return Why(
        why.english.format(*(one.english for one in names)),
        why.chinese.format(*(one.chinese for one in names)),
        why.german.format(*(one.german for one in names)),
    )


def _sums(operands: Sequence[Operand]) -> Iterator[list[Operand]]:
    grouped = (list(_grouped(operands, key)) for key in (*_BESIDE, _series))
    yield from next((one for one in grouped if one), ())


_GROUPS: dict[str, Callable[[Sequence[Operand]], Iterator[list[Operand]]]] = {
    "delta": _differences,
    "percent_change": _changes,
    "ratio": _ratios,
    "sum": _sums,
    "mean": _sums,
    "growth": partial(_growths, -1),
    "growth_previous": partial(_growths, 0),
    "cagr": _changes,
    "ratio_delta": _ratio_pairs,
}
