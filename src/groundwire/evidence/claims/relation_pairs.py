"""Two lists that a passage pairs in their order: the capitals of A and B are C and D, respectively.

Every pair must be a recorded relation of the one kind that the passage names.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.relation_cues import cues_for, recorded_senses
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_IN_ORDER = frozenset[str](cue_tables()["in_order"])


def pair_in_order(draft: DraftStatements, here: Here, words: Sequence[Word], found: Found) -> None:
    """Support "respectively" where the names before it are related pair by pair.

    Args:
        draft: the draft.
        here: the names of statements that stand in the passage.
        words: its words.
        found: what statements say of it, to which this adds.
    """
    pairing = [word for word in words if word.text.casefold() in _IN_ORDER]
    hits = [hit for hit in here.hits if any(t.slot in ("subject", "object") for t in hit.terms)]
    hits = [hit for hit in hits if _relates(draft, hit)]
    if len(pairing) != 1 or len(hits) < 4 or len(hits) % 2:
        return
    half = len(hits) // 2
    labels = [
        _labels(draft, one, other) for one, other in zip(hits[:half], hits[half:], strict=True)
    ]
    common = set(labels[0]).intersection(*labels[1:])
    for label in sorted(common):
        number = labels[0][label]
        stated = draft.known.statements[number]
        senses = recorded_senses(stated.statement.predicate)
        cues = [
            cue
            for cue in cues_for(stated.statement.predicate, words)
            if cue.role is not None and cue.role.sense in senses
        ]
        if not cues:
            continue
        spans = [(hit.start, hit.end) for hit in hits]
        found.taken += [*spans, *((cue.start, cue.end) for cue in cues)]
        found.taken.append((pairing[0].start, pairing[0].end))
        found.foreign = [span for span in found.foreign if span not in spans]
        start, end = spans[0][0], spans[-1][1]
        detail = f"the record has {label} of each, in this order"
        text, evidence_id = draft.text[start:end], stated.evidence_id
        found.claims.append(Claim(text, "statement", "supported", evidence_id, detail, start, end))
        return


def _relates(draft: DraftStatements, hit: Hit) -> bool:
    return any(draft.known.statements[t.stated].statement.kind == "relation" for t in hit.terms)


def _labels(draft: DraftStatements, one: Hit, other: Hit) -> dict[str, int]:
    """Return the relations that two names stand in, each with the number of its statement."""
    found: dict[str, int] = {}
    slots = {(term.stated, term.slot) for term in other.terms}
    for term in one.terms:
        turned = {"subject": "object", "object": "subject"}.get(term.slot, "")
        statement = draft.known.statements[term.stated].statement
        if (term.stated, turned) in slots and statement.kind == "relation":
            found[statement.predicate[0]] = term.stated
    return found
