"""Words of steps: "every year", "steadily", "in every decade", by the values of one series."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.period_references import follow_on
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.series import facts_of_clause
from groundwire.evidence.claims.stated_values import stated_facts
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

# How many years lie between the values of a series that goes by such steps.
_DECADES = frozenset(("decade", "jahrzehnt"))
_STEPS = {"year": 1, "jahr": 1, "年": 1, "decade": 10, "jahrzehnt": 10}
_BETTERS = {
    way: frozenset[str](cue_tables()[one]) for way, one in (("up", "improves"), ("down", "worsens"))
}


def is_decade(word: Word) -> bool:
    """Whether a word calls a time of ten years."""
    return any(token.lemma in _DECADES for token in word.tokens)


def judge_step(proof: Proof, words: Sequence[Word], cue: Word | None = None) -> Outcome:
    """Quarter by quarter, steadily: whether each recorded value of a series goes the same way.

    The values must follow on each other without a gap.
    """
    ways = _ways(words)
    stated = stated_facts(proof)
    if cue is not None and len(ways) > 1:  # "rose every year, while the other fell"
        clause = proof.context.clause(cue.start)
        here = [w for w in words if clause[0] <= w.start < clause[1]]
        ways = _ways(here)
        stated = facts_of_clause(proof, cue)
    about = {
        (fact.names, fact.entities, fact.value.unit): fact
        for fact in stated
        if fact.periods and fact.entities
    }
    if len(about) != 1 or ways not in ({"up"}, {"down"}):
        return None
    named = {key for anchor in proof.context.periods for key in anchor.keys}
    spans = sorted(key for key in named if not isinstance(key, str))
    kinds = {k[2] for f in about.values() for k in f.periods if not isinstance(k, str)}
    is_fiscal = spans[0][2] if spans else all(kinds)
    series: dict[tuple[str, str, bool], Fact] = {}
    for fact in proof.known.facts.numbers():
        for key in fact.periods if not fact.operands else ():
            if (fact.names, fact.entities, fact.value.unit) in about and not isinstance(key, str):
                within = not spans or (spans[0][0] <= key[0] and key[1] <= max(s[1] for s in spans))
                if within and key[2] == is_fiscal:
                    series[key] = fact
    ordered = sorted(series)
    if len(ordered) < 3 or not follow_on(ordered):
        return None
    numbers = [series[key].number or Decimal(0) for key in ordered]
    rises = [a < b for a, b in pairwise(numbers) if a != b]
    return len(rises) == len(numbers) - 1 and all(one == (ways == {"up"}) for one in rises)


def _ways(words: Sequence[Word]) -> set[str]:
    """Return the ways that words say something went; what improves goes up where it is judged."""
    moves = {
        sense_of(word).partition("_")[0]
        for word in words
        if word.role is not None and word.role.role == "direction"
    }
    lemmas = {token.lemma for word in words for token in word.tokens}
    better = {way for way, verbs in _BETTERS.items() if lemmas & verbs}
    return moves | better


def judge_named_steps(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """In every decade: whether the values that a passage tells of one thing go one way.

    They are at least three, and as far apart as the word behind "every" says.
    """
    behind = words[place + 1].tokens[0] if place + 1 < len(words) else None
    step = _STEPS.get(behind.lemma, _STEPS.get(behind.key, 0)) if behind is not None else 0
    ways = _ways(words)
    series: dict[tuple[str, str, bool], Fact] = {}
    for fact in proof.plain:
        for key in fact.periods:
            if not isinstance(key, str) and not key[2]:
                series[key] = fact
    kinds = {(fact.names, fact.entities, fact.value.unit) for fact in series.values()}
    if not step or len(kinds) != 1 or len(series) < 3 or ways not in ({"up"}, {"down"}):
        return None
    ordered = sorted(series)
    apart = {int(b[0][:4]) - int(a[0][:4]) for a, b in pairwise(ordered)}
    numbers = [series[key].number or Decimal(0) for key in ordered]
    rises = {a < b for a, b in pairwise(numbers) if a != b}
    steady = apart == {step} and len(set(numbers)) == len(numbers)
    return True if steady and rises == {ways == {"up"}} else None
