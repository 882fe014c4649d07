"""Semantic breakdown by rules: what a prompt is about, and what it asks of that.

The host's model may give the statements itself; this is what is used where it does not. Source:
seed 003, "Part 1: Semantic Breakdown".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.sparql.label_queries import search_terms
from groundwire.sparql.workflow.model import Triple
from groundwire.sparql.workflow.questions import read_questions

_MOST_TRIPLES = 4
ASKING = ("how", "definition")
"""Predicates of the rules, which no text says."""
_ASKS = re.compile(
    r"[?？]|\b(?:what|who|which|when|where|why|how)\b|什么|谁|为何|吗", re.IGNORECASE
)
_SCHEMES = ("http://schema.org/", "https://schema.org/")
_HOW_TO = frozenset(f"{scheme}HowTo" for scheme in _SCHEMES)
_QUESTION = frozenset(f"{scheme}Question" for scheme in _SCHEMES)
_TERM = frozenset(
    (
        *(f"{scheme}DefinedTerm" for scheme in _SCHEMES),
        "http://www.w3.org/2004/02/skos/core#Concept",
    )
)
_SENTENCES = re.compile(r"[?!？！。\n]")
_ARTICLE = r"(?:the\s+|an?\s+)?"
_BE = r"(?:\s+is|\s+are|\s+was|\s+were|['\u2019]s)"
_END = r"(?=\s*(?:[?!;\n]|\.(?:\s|$)|$))"
_SUBJECT = rf"(?P<subject>\S[^?!;\n]{{0,119}}?){_END}"
_ENGLISH: tuple[tuple[str, str], ...] = (
    # "what is the capital of France", "who was the founder of Acme"
    (
        rf"\b(?:what|which|who|where|when){_BE}\s+{_ARTICLE}(?P<predicate>[\w -]{{2,60}}?)"
        rf"\s+of\s+{_ARTICLE}{_SUBJECT}",
        "",
    ),
    # "when was Acme founded", "where is Rome located"
    (
        r"\b(?:when|where)\s+(?:is|are|was|were|did|does|do)\s+(?:the\s+)?"
        rf"(?P<subject>\S[^?!;\n]{{0,100}}?)\s+(?P<predicate>[a-z]{{3,30}}){_END}",
        "",
    ),
    # "who founded Acme"
    (rf"\bwho\s+(?!is\b|are\b|was\b|were\b)(?P<predicate>[a-z]{{3,30}})\s+{_SUBJECT}", ""),
    (rf"\bhow\s+(?:do|does|can|to|should|would)\b\s*(?:i|we|you|one)?\s+{_SUBJECT}", "how"),
    (rf"\b(?:define|explain|describe)\s+{_ARTICLE}{_SUBJECT}", "definition"),
    (rf"\bwhat\s+(?:does|do)\s+{_ARTICLE}(?P<subject>\S[^?!;\n]{{0,100}}?)\s+mean\b", "definition"),
    (rf"\b(?:what|who){_BE}\s+{_ARTICLE}{_SUBJECT}", "definition"),
)
_WHAT = "(?:什么|谁|哪里|哪个|多少|何时)"
_CHINESE: tuple[tuple[str, str], ...] = (
    (
        rf"(?P<subject>[^\s？?，。的]{{1,40}})的(?P<predicate>[^\s？?，。是]{{1,20}})(?:是|有){_WHAT}",
        "",
    ),
    (r"(?:如何|怎么|怎样)(?P<subject>[^？?，。]{2,60})", "how"),
    (r"(?:什么是|何谓|解释一下|解释)\s*(?P<subject>[^？?，。]{1,40})", "definition"),
    (rf"(?P<subject>[^\s？?，。][^？?，。]{{0,39}}?)\s{{0,9}}(?:是|指){_WHAT}", "definition"),
)
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), predicate) for pattern, predicate in (*_ENGLISH, *_CHINESE)
)


def break_down(prompt: str) -> tuple[Triple, ...]:
    """Split a prompt into statements with an empty part for what it asks for.

    A sentence that no rule reads is what it is about, and nothing else.
    """
    found: list[Triple] = []
    taken: list[tuple[int, int]] = []
    for pattern, predicate in _PATTERNS:
        for match in pattern.finditer(prompt):
            if any(match.start() < end and begin < match.end() for begin, end in taken):
                continue
            parts = match.groupdict()
            subject = _plain(parts["subject"])
            said = _plain(parts.get("predicate") or predicate)
            if subject:
                found.append(Triple(subject, said, ""))
                taken.append(match.span())
    if not found:
        terms = search_terms(prompt)
        if terms:
            found.append(Triple(" ".join(terms), "", ""))
    return tuple(dict.fromkeys(found))[:_MOST_TRIPLES]


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" \"'“”.,:，。：")


def terms_of(triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """The words of some statements that say what they are about."""
    text = " ".join(part for triple in triples for part in triple if part and part not in ASKING)
    return search_terms(text) if text else ()


def names_of(triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """Return names of the types that some statements are about: their parts, word by word."""
    parts = [part for triple in triples for part in triple if part and part not in ASKING]
    words = [word for part in parts for word in search_terms(part)]
    return tuple(dict.fromkeys(one.casefold() for one in (*parts, *words)))


def variants_of(prompt: str) -> tuple[str, ...]:
    """Other ways to say a prompt, where the caller gives none: what it is about, best first."""
    triples = break_down(prompt)
    said = [triple.subject for triple in triples]
    if all(not one.predicate or one.predicate in ASKING for one in triples):
        said[:0] = subjects_of(prompt)
    said.append(" ".join(search_terms(prompt)))
    plain = prompt.strip().rstrip("?？!！.。").casefold()
    return tuple(dict.fromkeys(one for one in said if one and one.casefold() != plain))


def subjects_of(prompt: str) -> tuple[str, ...]:
    """Return what the questions of a prompt are about, where their wording is known.

    Those of its sentences come before that of the prompt read as one.
    """
    read = [one for reading in reversed(read_questions(prompt)) for one in reading]
    found = (one.subject for one in read if one.kind in ASKING)
    return tuple(dict.fromkeys(one for one in found if not _SENTENCES.search(one)))


def wordings(
    prompt: str, variants: Sequence[str], most: int, *, longer: bool
) -> tuple[list[str], list[str]]:
    """The texts to match labels with, and the variants that the limit leaves out.

    Args:
        prompt: the prompt, which is the first of them; what it is about comes next.
        variants: other ways to say it that were given; without any, those of the rules.
        most: how many variants are tried.
        longer: a run that goes on: those of the rules too, and twice as many.
    """
    said = list(variants or variants_of(prompt))
    if longer:
        said = list(dict.fromkeys((*said, *variants_of(prompt))))
        most *= 2
    own = subjects_of(prompt)[:1] if variants else ()
    return list(dict.fromkeys((prompt, *own, *said[:most]))), said[most:]


def best_types(prompt: str) -> frozenset[str]:
    """IRIs of the types that fit a prompt best: how-tos, questions, or terms and concepts."""
    said = [triple.predicate for triple in break_down(prompt)]
    if "how" in said:
        return _HOW_TO
    return _QUESTION if _ASKS.search(prompt) else _TERM
