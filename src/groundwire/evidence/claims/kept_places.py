"""Places that things keep among others: "remained the largest", "blieb auf Rang zwei"."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.series import stated_in_clause
from groundwire.evidence.claims.stated_values import alike
from groundwire.language import Span as Word

_PLACES = frozenset(("superlative", "order"))


def tells_place(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a clause goes on with a place among others: "remained the largest", "second"."""
    end = proof.context.clause(words[place].start)[1]
    roles = [w.role.role for w in words[place + 1 :] if w.role is not None and w.start < end]
    placed = [at for at, role in enumerate(roles) if role in _PLACES]
    return bool(placed) and "direction" not in roles[: placed[0]]


def keeps_place(proof: Proof, word: Word) -> Outcome:
    """Whether a thing has one place among all that are recorded, at each of several times."""
    kept: list[bool] = []
    for fact in stated_in_clause(proof, word):
        of_it = [
            one
            for one in proof.known.facts.numbers()
            if (one.names, one.entities, one.value.unit)
            == (fact.names, fact.entities, fact.value.unit)
            and one.periods
            and not one.operands
        ]
        others = [(one, alike(proof.known, one)) for one in of_it]
        of = {frozenset(f.entities for f in held) for _, held in others}
        places = {sum((f.number or 0) > (one.number or 0) for f in held) for one, held in others}
        if len({one.periods for one in of_it}) > 1 and len(of) == 1 and of != {frozenset()}:
            kept.append(len(places) == 1)
    return all(kept) if kept else None
