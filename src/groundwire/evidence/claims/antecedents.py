"""The thing that a sentence only points at: by "it", or by its kind, "the scenario"."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.words import key_of
from groundwire.language.detection import HAN_CHARACTER

_Things = Mapping[tuple[str, ...], frozenset[str]]


def _described(known: Knowledge) -> _Things:
    """Return the names of each thing that a record describes in full, with keys of its kinds."""
    found: dict[tuple[str, ...], frozenset[str]] = {}
    for number in known.by_kind.get("relation", ()):
        one = known.statements[number].statement
        if "type" in one.predicate and one.complete == "all_listed":
            names = {name for own in one.objects for name in own if "/" not in name}
            kinds = {key_of(said) for name in names for said in (name, name.split()[-1])}
            found[one.subject] = found.get(one.subject, frozenset()) | kinds
    return found


def only_described(known: Knowledge, text: str, kind: str = "") -> str:
    """Return the name of the one thing that records describe, or "" where there are more.

    Args:
        known: the records.
        text: a sentence in whose letters it is named.
        kind: what the thing is, where only those of a kind count; else no record may have a
            relation of another thing.
    """
    things, key = known.once(_described), key_of(kind)
    meant = [names for names, kinds in things.items() if not kind or key in kinds]
    if len(meant) != 1 or (not kind and _tells_of_others(known, meant[0])):
        return ""
    chinese = HAN_CHARACTER.search(text) is not None
    fitting = (one for one in meant[0] if bool(HAN_CHARACTER.match(one)) == chinese)
    return next(fitting, meant[0][0])


def _tells_of_others(known: Knowledge, names: tuple[str, ...]) -> bool:
    stated = (known.statements[number].statement for number in known.by_kind.get("relation", ()))
    own = frozenset(names)
    return any(one.complete == "all_listed" and own.isdisjoint(one.subject) for one in stated)


def named_first(context: PassageContext) -> str | None:
    """Return how a passage calls the thing that it names first; None where it is not clear.

    "Namibia borders Botswana": what is only related to others stands before the one thing.
    """
    first = min(context.entities, key=lambda one: one.start, default=None)
    if first is None:
        return ""
    related = context.contexts.known.once(_related)
    before = (w for w in context.words if w.end <= first.start)
    if any(key_of(word.text) in related for word in before):
        return None
    return context.contexts.reading.text[first.start : first.end]


def _related(known: Knowledge) -> frozenset[str]:
    """Return keys of the names of all that records relate things to."""
    stated = (known.statements[number].statement for number in known.by_kind.get("relation", ()))
    return frozenset(key_of(name) for one in stated for own in one.objects for name in own)
