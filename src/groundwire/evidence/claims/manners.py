"""How a recorded figure is meant, which a sentence has to say: wished for, or of a schedule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.words import cue_tables, words_of

_COLONS = (":", "：")
_REMINDS = re.compile(r"remind|alarm|alert|erinner|wecker|提醒|闹钟")
_AFTER_LEAVING = re.compile(r"\b(?:arriv|ankunft|ankomm|after\b|danach)|到达|抵达|之后|发后")


def is_meant_otherwise(fact: Fact, position: int, passage: PassageContext) -> bool:
    """Return whether a clause does not say how a figure is meant, or says it of one not so meant.

    "Your retention is 90 %" is not told by a desired retention of 90 %, nor "your score is 0.13" by
    that of the schedule; and "the schedule's score is 0.16" is not told by the learner's own.

    Args:
        fact: the value that agrees with a number.
        position: where the number begins.
        passage: its passage.
    """
    if fact.value.name == "reminder":  # it comes before one leaves
        said = passage.contexts.reading.small[slice(*passage.clause(position))]
        return _REMINDS.search(said) is None or _AFTER_LEAVING.search(said) is not None
    meant, rivals = passage.contexts.known.once(_manners)
    if not meant:
        return False
    text, clause = passage.contexts.reading.text, passage.clause(position)
    labels = [passage.clause(clause[0] - 2)] if text[clause[0] - 1 : clause[0]] in _COLONS else []
    spans = [clause, *labels, *(scope.span for scope in passage.passage.scopes)]
    said = _said(" ".join(text[slice(*span)] for span in spans))
    own = meant.get(id(fact), frozenset[str]())
    others = frozenset[str]().union(*(rivals.get(name, ()) for name in fact.names)) - own
    return not own <= said or bool(others & said)


def _manners(
    known: Knowledge,
) -> tuple[Mapping[int, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return how figures are meant, as their thing or all their names say, by figure and name."""
    meant: dict[int, frozenset[str]] = {}
    by_name: dict[str, frozenset[str]] = {}
    for fact in known.facts.numbers():
        first, *names = map(_said, (fact.value.name, *fact.value.labels))
        every = first.intersection(*names) | _said(fact.value.entity or "")
        if every:
            meant[id(fact)] = every
            for name in fact.names:
                by_name[name] = by_name.get(name, frozenset()) | every
    return meant, by_name


def _said(text: str) -> frozenset[str]:
    words = set(words_of(text))
    return frozenset(
        manner
        for manner, cues in _cues().items()
        if not cues.isdisjoint(words) or any(c in text for c in cues if not c.isascii())
    )


@cache
def _cues() -> Mapping[str, frozenset[str]]:
    tables: Mapping[str, list[str]] = cue_tables()["manners"]
    # Chinese words have several characters, which `words_of` takes apart.
    return {
        manner: frozenset(w if len(words_of(w)) > 1 else words_of(w)[0] for w in words)
        for manner, words in tables.items()
    }
