"""Words beside figures that are computed: together, that makes, as large as."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.derivation import SUM
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.language import Span as Word

_OF_SUM = re.compile(r"÷ [\d.,]+$")  # a share of a whole that is a sum, and not recorded itself
_MAKES = re.compile(r"(?:That|This|Which|Das|Dies)\s(?:makes|made|means|macht)\b")
# Behind a multiple: "as large as", "so lang wie"; the length of something needs a length.
_AS_LARGE = re.compile(
    r"\s(?:as|so)\s(?:(?P<long>long|lang)|large|big|high|great|many|much|groß|hoch|viele?)\b"
    r"(?:\s(?P<noun>\w+))?\s(?:as|wie)\b"
)
_COMPARING = frozenset(("comparison", "superlative"))


def said_of_computed(text: str, passage: Passage, claims: Iterable[Claim]) -> Iterable[Span]:
    """Where a passage says of a derived figure that it was summed up: "together", "combined"."""
    derived = [c for c in claims if c.status == "derived"]
    summed = any(
        " + " in c.detail or _OF_SUM.search(c.detail) or any(f.operation == "sum" for f in c.facts)
        for c in derived
    )
    if summed:
        yield from (match.span() for match in SUM.finditer(text, passage.start, passage.end))
    if derived and (makes := _MAKES.match(text, passage.start, passage.end)):
        yield makes.span()  # "that makes it 1.45 times the size"
    for claim in derived:
        if " ÷ " in claim.detail and (size := _AS_LARGE.match(text, claim.end, passage.end)):
            of_size = any(f.unit and f.unit.dimension in ("length", "time") for f in claim.facts)
            if of_size or size["long"] is None:
                yield size.start(), size.start("noun") if size["noun"] else size.end()
                yield text.rindex(" ", 0, size.end()) + 1, size.end()


def only_compares(
    proof: Proof, words: Sequence[Word], place: int, told: Sequence[Claim]
) -> Outcome:
    """Whether a clause only compares what the figures before it are of: "so Spain is larger"."""
    start, behind = words[place].end, words[place + 1 :]
    compares = any(w.role is not None and w.role.role in _COMPARING for w in behind)
    moves = any(w.role is not None and w.role.role in ("direction", "cause") for w in behind)
    held = {key for claim in told for fact in claim.facts for key in fact.entities}
    later = [a for a in proof.context.entities if a.start >= start]
    return True if compares and not moves and all(a.keys & held for a in later) else None


def lasts(figure: Claim, told: Sequence[Claim]) -> bool:
    """Whether a figure says how long something takes whose beginning and end are told."""
    times = [claim for claim in told if claim.kind == "time"]
    units = (fact.unit for fact in figure.facts)
    return len(times) > 1 and any(unit and unit.dimension == "time" for unit in units)
