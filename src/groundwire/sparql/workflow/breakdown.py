"""Semantic breakdown by rules: what a prompt is about, and what it asks of that.

The host's model may give the statements itself; this is what is used where it does not. Source:
seed 003, "Part 1: Semantic Breakdown".
"""

from __future__ import annotations

import re

from groundwire.sparql.label_queries import search_terms
from groundwire.sparql.workflow.model import Triple

_MOST_TRIPLES = 4
# "who founded Acme", "what is the capital of France", "X的Y是什么"
_OF = re.compile(
    r"\b(?:what|which|who|whose|where|when|how)\b.*?\b(?:is|are|was|were|does|do|did)\b\s+"
    r"(?:the\s+|an?\s+)?(?P<predicate>[\w -]{2,60}?)\s+(?:of|for|in)\s+(?P<subject>[^?.!]{2,120})",
    re.IGNORECASE,
)
_IS = re.compile(
    r"\b(?:what|who)\b\s*(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:the\s+|an?\s+)?"
    r"(?P<subject>[^?.!]{2,120})",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\bhow\s+(?:do|does|can|to|should|would)\b\s*(?:i|we|you|one)?\s*(?P<subject>[^?.!]{2,120})",
    re.IGNORECASE,
)
_CHINESE_OF = re.compile(r"(?P<subject>[^\s？?的]{2,40})的(?P<predicate>[^\s？?是]{1,20})是")
_CHINESE_IS = re.compile(r"什么是(?P<subject>[^？?]{2,40})|(?P<other>[^？?]{2,40})是(?:什么|谁)")


def break_down(prompt: str) -> tuple[Triple, ...]:
    """Split a prompt into statements with an empty part for what it asks for."""
    found: list[Triple] = []
    for pattern, predicate in (
        (_OF, None),
        (_CHINESE_OF, None),
        (_HOW, "how"),
        (_IS, "definition"),
        (_CHINESE_IS, "definition"),
    ):
        for match in pattern.finditer(prompt):
            parts = match.groupdict()
            subject = (parts.get("subject") or parts.get("other") or "").strip()
            said = (parts.get("predicate") or predicate or "").strip()
            if subject:
                found.append(Triple(subject, said, ""))
        if found:
            break
    if not found:
        terms = search_terms(prompt)
        if terms:
            found.append(Triple(" ".join(terms), "", ""))
    return tuple(dict.fromkeys(found))[:_MOST_TRIPLES]


def terms_of(triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """The words of some statements that say what they are about."""
    text = " ".join(part for triple in triples for part in triple if part)
    return search_terms(text)


def variants_of(prompt: str) -> tuple[str, ...]:
    """Other ways to say a prompt, where the caller gives none: what it is about, best first."""
    said = [triple.subject for triple in break_down(prompt)]
    said.append(" ".join(search_terms(prompt)))
    plain = prompt.strip().rstrip("?？!！.。").casefold()
    return tuple(dict.fromkeys(one for one in said if one and one.casefold() != plain))
