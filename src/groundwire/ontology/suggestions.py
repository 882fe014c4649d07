"""Suggestions that can be sent as they stand, each tried first, and gaps that are known after all.

A suggestion takes the place of what was refused, whole: it keeps the operator of the condition,
leaves no other value of it out, and is accepted in one step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

from groundwire.language.lexicon import LANGUAGES, lexicon
from groundwire.ontology.aggregates import Aggregate
from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import texts_of
from groundwire.ontology.conditions import (
    Condition,
    Filter,
    Range,
    Scalar,
    read_boolean,
    spoken_range,
    written,
)
from groundwire.ontology.index.model import Domain, local_name
from groundwire.ontology.pages import in_a_row
from groundwire.ontology.readings import Unreadable, bounds_of
from groundwire.ontology.resolve import Resolver, read_sort
from groundwire.ontology.results import Findings, GapItem, likely
from groundwire.ontology.slots import Reference, Slots, SubmittedGap
from groundwire.quantities import parse_quantity
from groundwire.vocabulary import Policy, fold
from groundwire.vocabulary.fold import fold_word, split_words

_MAX_GAPS = 10
_MAX_SUGGESTIONS = 5

_MOVE = re.compile(r"(filters|ranges|domains|references)(?:\.([^=]+?))?=(.+)", re.DOTALL)
_INNER = re.compile(r"references\[(\d+)\]\.?")
_MOST_TRIED = 40
_MOST_NAMED = 5


class Sent(NamedTuple):
    """The request as sent: the slots, what to sort and count by, and what to compute."""

    slots: Slots
    sort: str = ""
    count_by: str = ""
    aggregate: Aggregate | None = None


async def offer(sent: Sent, gaps: Sequence[GapItem], resolver: Resolver) -> list[GapItem]:
    """The gaps of a refused submission, each with those suggestions that would be accepted.

    Other gaps may remain; a suggestion that leads to a new one is not offered.

    Args:
        sent: what was refused.
        gaps: why; suggestions of gaps without a slot are not tried.
        resolver: resolved it.
    """
    tried = 0
    known = {(gap.slot, gap.term) for gap in gaps}
    offered: list[GapItem] = []
    for gap in gaps:
        kept: list[str] = []
        wider: list[str] = []
        if not gap.slot:
            offered.append(gap)
            continue
        for raw in gap.suggestions:
            suggestion = _kept_whole(sent, gap, raw)
            if suggestion and _is_wider(sent, gap, suggestion):
                wider.append(suggestion)
                continue
            changed = _applied(sent, gap, suggestion) if suggestion else None
            tried += 1
            if changed is None or tried > _MOST_TRIED:
                continue
            left = await _left(changed, resolver)
            if left <= known - {(gap.slot, gap.term)}:
                kept.append(suggestion)
        changes: dict[str, Any] = {"suggestions": list(dict.fromkeys(kept))}
        if wider and not kept:
            listed = in_a_row(wider, _MOST_NAMED)
            changes["detail"] = f"{gap.detail}; {listed} would be more than was asked for"
        elif not kept and gap.suggestions and _MOVE.fullmatch(gap.suggestions[0]) is None:
            listed = in_a_row(gap.suggestions, _MOST_NAMED)
            changes["detail"] = f"{gap.detail}; known, but not accepted with the rest: {listed}"
        offered.append(gap.model_copy(update=changes))
    return offered


def _is_wider(sent: Sent, gap: GapItem, suggestion: str) -> bool:
    """Whether a suggested value leaves out words of what it stands for."""
    holder, kind, key = _located(sent.slots, gap.slot or "")
    move = _MOVE.fullmatch(suggestion)
    if kind not in ("filters", "ranges") or holder is None or (gap.term == key and move is None):
        return False
    values: list[str] = [suggestion]
    names = [key, *(sent.slots.domains if isinstance(holder, Slots) else (holder.domain,))]
    if move is not None:
        if move[1] != "filters":
            return False
        names = [*names[gap.term == key :], move[2]]
        values = _texts(json.loads(move[3]))
    condition = _condition(holder, kind, key)
    excluded = condition.filter.none_of if condition and condition.filter else ()
    if any(_is(value, gap.term) for value in excluded):
        # What is excluded in place of less leaves more.
        return any(leaves_out(value, [gap.term], names) for value in values)
    return bool(leaves_out(gap.term, values, names))


def _texts(value: Any) -> list[str]:
    """Every text of a condition as it can be sent."""
    if isinstance(value, dict):
        value = [one for held in cast("dict[str, Any]", value).values() for one in _texts(held)]
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)]


async def _left(changed: Sent, resolver: Resolver) -> set[tuple[str | None, str]]:
    """The gaps that another submission has."""
    again = resolver.again()
    await again.plan(*changed)
    return {(gap.slot, gap.term) for gap in again.findings.gaps}


def _kept_whole(sent: Sent, gap: GapItem, suggestion: str) -> str:
    """A suggestion with the operator of the condition that it replaces; empty where it has none.

    A condition of several values or bounds would lose the others, so it is not replaced.
    """
    move = _MOVE.fullmatch(suggestion)
    holder, kind, key = _located(sent.slots, gap.slot or "")
    if move is None or move[1] not in ("filters", "references") or holder is None:
        return suggestion
    condition = _condition(holder, kind, key)
    if condition is None:
        return suggestion
    if move[1] == "references":
        reference = {**json.loads(move[3]), kind: {key: written(condition)}}
        return f"references={json.dumps(reference, ensure_ascii=False)}"
    if condition.filter is None and gap.term == key and fold(move[2]) != fold(key):
        # The key is a value, of which a bound says nothing.
        return ""
    if condition.filter is None or (condition.range is not None and gap.term != key):
        bounds = condition.range
        single = bounds is not None and (bounds.lower is None or bounds.upper is None)
        return suggestion if single or bounds is None else ""
    wanted = condition.filter
    values = [*wanted.any_of, *wanted.all_of, *wanted.none_of, *wanted.contains]
    if gap.term == key:
        if len(values) == 1 and fold(str(values[0])) == fold(local_name(move[2] or "")):
            # Key and value were exchanged.
            return suggestion
        # The key is a value: that it is so, or not, is what was said of it.
        said = wanted.exists if not values else _truth(values, key) if len(values) == 1 else None
        said = not said if said is not None and wanted.none_of else said
        if said is None:
            return ""
        return suggestion if said else f'filters.{move[2]}={{"none_of": [{move[3]}]}}'
    if len(values) != 1 or wanted.exists is not None:
        return ""
    if wanted.any_of or move[3].startswith("{"):
        return suggestion if wanted.any_of else ""
    operator = "all_of" if wanted.all_of else "none_of" if wanted.none_of else "contains"
    return f'filters.{move[2]}={{"{operator}": [{move[3]}]}}'


def _truth(values: Sequence[Scalar], key: str) -> bool | None:
    said = read_boolean(values[0])
    return True if said is None and str(values[0]).casefold() == key.casefold() else said


def _applied(sent: Sent, gap: GapItem, suggestion: str) -> Sent | None:
    """Return the request with a suggestion in the gap's place, or None where it fits nowhere."""
    if gap.slot == "count_by":
        return sent._replace(count_by=suggestion)
    if gap.slot == "sort":
        _, descending = read_sort(sent.sort)
        return sent._replace(sort=f"{'-' * descending}{suggestion}")
    if (gap.slot or "").startswith("aggregate.") and sent.aggregate is not None:
        if _MOVE.fullmatch(suggestion) is None:
            field = (gap.slot or "").partition(".")[2]
            return sent._replace(aggregate=sent.aggregate.model_copy(update={field: suggestion}))
        gap = gap.model_copy(update={"slot": "domains[0]"})
    slots = sent.slots.model_copy(deep=True)
    holder, kind, key = _located(slots, gap.slot or "")
    if holder is None:
        return None
    try:
        _place(slots, holder, kind, key, gap.term, suggestion)
    except (ValueError, KeyError, ValidationError):
        return None
    return sent._replace(slots=slots)


def _place(
    slots: Slots, holder: Slots | Reference, kind: str, key: str, term: str, suggestion: str
) -> None:
    """Put a suggestion where it belongs."""
    move = _MOVE.fullmatch(suggestion)
    if move is not None:
        target, name = move[1], move[2]
        value = json.loads(move[3])
        if target == "domains":
            slots.domains = value
            return
        for part in ("filters", "ranges") if kind in ("filters", "ranges") else ():
            getattr(holder, part).pop(key, None)
        if target == "references":
            holder.references = [*holder.references, Reference.model_validate(value)]
        else:
            read = Reference.model_validate({"domain": "any", target: {name: value}})
            getattr(holder, target).update(getattr(read, target))
    elif kind == "domain" and isinstance(holder, Reference):
        holder.domain = suggestion
    elif kind == "over" and isinstance(holder, Reference):
        holder.over = suggestion
    elif kind == "domains":
        slots.domains = [suggestion if name == term else name for name in slots.domains]
    elif term == key:
        held = getattr(holder, kind)
        held[suggestion] = held.pop(key)
    else:
        condition = _condition(holder, kind, key)
        if condition is None or condition.filter is None:
            raise ValueError("only a value can be replaced")
        getattr(holder, kind)[key] = Condition(_exchanged(condition.filter, term, suggestion))


def _exchanged(wanted: Filter, term: str, suggestion: str) -> Filter:
    def values(held: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        return tuple(suggestion if _is(value, term) else value for value in held)

    return replace(
        wanted,
        any_of=values(wanted.any_of),
        all_of=values(wanted.all_of),
        none_of=values(wanted.none_of),
        contains=tuple(str(value) for value in values(wanted.contains)),
    )


def _is(value: Scalar, term: str) -> bool:
    return str(value).casefold() == term.casefold()


def _located(slots: Slots, slot: str) -> tuple[Slots | Reference | None, str, str]:
    """The part of the slots that a gap is in, the kind of its slot, and the key."""
    holder: Slots | Reference = slots
    while match := _INNER.match(slot):
        if int(match[1]) >= len(holder.references):
            return None, "", ""
        holder = holder.references[int(match[1])]
        slot = slot[match.end() :]
    kind, _, key = slot.partition(".")
    return holder, kind.partition("[")[0], key


def _condition(holder: Slots | Reference, kind: str, key: str) -> Condition | None:
    if kind == "filters":
        return holder.filters.get(key)
    if kind == "ranges" and key in holder.ranges:
        return Condition(range=holder.ranges[key])
    return None


async def answer_submitted(
    gaps: Sequence[SubmittedGap], state: State, domains: Sequence[Domain], findings: Findings
) -> None:
    """Report each submitted gap with the slot that takes the term, or with real suggestions."""
    for gap in gaps[:_MAX_GAPS]:
        places = await _places(gap.term, state, domains)
        if places:
            findings.gap(
                None,
                gap.term,
                gap.reason,
                f"{gap.term!r} is known after all: send {places[0]}",
                places,
            )
            continue
        suggestions, partly = await _suggestions(gap.term, state, domains)
        detail = f"{gap.term!r} is in no vocabulary of this catalogue, so it was not searched for"
        if partly and not suggestions:
            detail += f"; near to it, but more than was asked for: {in_a_row(partly, 5)}"
        findings.gap(
            None,
            gap.term,
            gap.reason,
            detail,
            suggestions,
        )
    if len(gaps) > _MAX_GAPS:
        findings.gap(
            None,
            f"{len(gaps) - _MAX_GAPS} more gaps",
            "limitation",
            f"only the first {_MAX_GAPS} gaps are looked up",
        )


async def _places(term: str, state: State, domains: Sequence[Domain]) -> list[str]:
    """Slots that take the term for certain."""
    found: list[str] = []
    named = state.lexicon.domain(term, state.assets)
    if named.term is not None and named.how != "corrected":
        found.append(f'domains=["{named.term.id}"]')
    for domain in domains:
        for prop, concept in (await state.lexicon.holders(domain, term))[:3]:
            key = state.lexicon.key_of(domain, prop)
            found.append(f'filters.{key}="{concept.label}"')
        named = state.lexicon.property_named(domain, term, Policy.CANDIDATES_ONLY)
        if named.term is not None:
            prop = domain.properties[named.term.id]
            found.append(f'filters.{state.lexicon.key_of(domain, prop)}={{"exists": true}}')
    return list(dict.fromkeys(found))


async def _suggestions(
    term: str, state: State, domains: Sequence[Domain]
) -> tuple[list[str], list[str]]:
    """Conditions that say all of a term, and those that share words or letters with it.

    Both are likeliest first. A bound with a unit stays what it is; a figure is never left out.
    """
    if spoken_range(term) is not None:
        return _bounds(term, state, domains), []
    whole: dict[str, float] = {}
    partly: dict[str, float] = {}
    for domain in domains:
        for candidate in state.lexicon.properties(domain).suggest(term, 3):
            prop = domain.properties[candidate.term.id]
            line = f'filters.{state.lexicon.key_of(domain, prop)}={{"exists": true}}'
            less = leaves_out(term, [candidate.label_matched], [domain.name])
            (partly if less else whole)[line] = candidate.score
        for prop in domain.properties.values():
            if not prop.enum:
                continue
            values = await state.lexicon.values(domain, prop)
            names = [domain.name, prop.local_name, *texts_of(prop.labels)]
            for candidate in likely(values.vocabulary.suggest(term, 2)):
                label = values.concepts[candidate.term.id].label
                line = f'filters.{state.lexicon.key_of(domain, prop)}="{label}"'
                held = partly if leaves_out(term, [candidate.label_matched], names) else whole
                held[line] = max(held.get(line, 0.0), candidate.score)
    first = sorted(whole, key=lambda line: -whole[line])[:_MAX_SUGGESTIONS]
    return first, sorted(partly, key=lambda line: -partly[line])[:_MAX_SUGGESTIONS]


def _bounds(term: str, state: State, domains: Sequence[Domain]) -> list[str]:
    """The range that a term says, on each property that is measured in a unit of its kind."""
    bounds = spoken_range(term)
    if bounds is None:
        return []
    sent = json.dumps(written(Condition(range=bounds)), ensure_ascii=False)
    found: list[str] = []
    for domain in domains:
        for prop in domain.properties.values():
            if prop.unit is not None and _has_unit(bounds, prop.unit):
                found.append(f"ranges.{state.lexicon.key_of(domain, prop)}={sent}")
    return list(dict.fromkeys(found))[:_MAX_SUGGESTIONS]


def _has_unit(bounds: Range, unit: str) -> bool:
    """Whether every bound is a figure with a unit that converts to the property's."""
    for bound in (bounds.lower, bounds.upper):
        quantity = parse_quantity(str(bound)) if bound is not None else None
        if bound is not None and (quantity is None or quantity.unit is None or quantity.noun):
            return False
    return not isinstance(bounds_of(bounds, "number", unit), Unreadable)


# Words of so few letters have no misspelling that is not another word.
_SHORTEST_MISSPELT = 4


def leaves_out(said: str, used: Iterable[str], context: Iterable[str]) -> list[str]:
    """Return the words of a text that the values in its place do not say.

    Args:
        said: the text that was sent.
        used: the values that would stand for it.
        context: names of the property and the kind, whose words need not be said again.

    Returns:
        the words that are left out; none where the values say something else or all of it.
    """
    words = list(split_words(said).singular)
    offered = [word for value in used for word in split_words(value).singular]
    known = {word for name in context for word in split_words(name).singular}
    if not offered or not all(_is_among(word, words) for word in offered):
        return []
    extra = [word for word in words if not _is_among(word, offered)]
    return [word for word in extra if not _is_among(word, known) and not _is_silent(word)]


def _is_among(word: str, words: Collection[str] | Sequence[str]) -> bool:
    """Whether a word is one of some words, but for a misspelling."""
    if word in words:
        return True
    if len(word) < _SHORTEST_MISSPELT:
        return False
    from rapidfuzz.distance import OSA

    edits = 1 if len(word) <= _SHORTEST_MISSPELT else 2
    return any(len(one) >= _SHORTEST_MISSPELT and OSA.distance(word, one) <= edits for one in words)


def _is_silent(word: str) -> bool:
    """Whether a word adds nothing in a language that has it: `the`, `mit`."""
    entries = (lexicon(language).role_of(fold_word(word)) for language in LANGUAGES)
    return not word[:1].isalnum() or any(entry and entry.is_silent for entry in entries)
