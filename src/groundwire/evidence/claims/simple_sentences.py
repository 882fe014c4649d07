"""Compound sentences told apart into simple ones, each with the subject that it carries on.

"A was second, although it had fewer people than B" claims what "A was second. A had fewer people
than B." claims. A sentence of several clauses that is not proven as a whole is supported where the
draft with its clauses as sentences of their own is: none of them may be left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.segments import Span
from groundwire.language import Span as Word

# A sentence of more clauses, or about a longer subject, is not told apart.
_MOST_CLAUSES, _LONGEST_SUBJECT = 4, 80
_HOLDS = ("supported", "derived")
_CONTRAST = r"(?:but|yet|while|whereas|even though|although|though)"
_JOINT = re.compile(
    rf",? (?:and )?{_CONTRAST} (?!also\b)|, and |; "
    r"|, (?=(?:which|making (?:it|them))\b)"
)
_FRONTED = re.compile(r"(?:While|Although|Even though|Though) ")
_ASIDE = re.compile(r", (?P<how>whose|which) (?P<said>[^,;:]{3,80}),(?= )")
_PRONOUN = re.compile(r"(?:it|they|this one|the former) ", re.IGNORECASE)
_OWNED = re.compile(r"(?:its|their) ", re.IGNORECASE)
_WHOLE = re.compile(r"(?:that|which|this) (?:is|was) ", re.IGNORECASE)
_RELATIVE = re.compile(r"which (?:in turn )?")
_MAKES = re.compile(r"making (?:it|them) ")
# A clause about some members of a set needs the clause about all of them.
_OF_THEM = re.compile(r"\bof (?:them|these|those|which)\b|\bthe (?:others?|rest)\b", re.IGNORECASE)
_THERE = re.compile(r" there\b")
_THAN = re.compile(r" than (?P<other>(?:in )?[^,;]{2,60})$")
_COMPARES = re.compile(r"\b(?:more|fewer|less|larger|smaller|higher|lower)\b")
# A clause that only says of another thing what was said before: "and Kowloon did too".
_ELLIPSIS = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|will|can)(?:n['’]t)?"
    r"(?: (?:not|too|so|also|as well|likewise|the same))*\W*$"
    r"|^(?:so|neither|nor) (?:do|does|did|is|are|was|were|has|have|had)\b",
    re.IGNORECASE,
)
# From the one who has something on: "Bolivia's area".
_OWN = re.compile(r"['’]s\b.*$")
_ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)
_VERBS = frozenset(("being", "having", "direction"))
# Roles of words whose reach over the clauses behind them is not known.
_REACHING = frozenset(("source", "forecast condition", "cause", "negation without"))
# "The quickest" is one of what the clause before tells of.
_PLACES = frozenset(("superlative", "order"))
_AMOUNTS = frozenset(("bound", "approximation"))


def proven_by_clauses(
    claims: Sequence[Claim],
    contexts: Contexts,
    recheck: Callable[[str, Sequence[Span]], Sequence[Claim]],
) -> list[Claim]:
    """Return claims, those of a sentence supported each of whose clauses holds by itself.

    Args:
        claims: the claims of a draft.
        contexts: its passages.
        recheck: returns the claims of a draft in which clauses are sentences, within ranges.
    """
    text, apart, regions = contexts.reading.text, list[str](), dict[Span, Span]()
    told, at = 0, 0
    for passage in contexts.reading.passages:
        span = passage.start, passage.end
        own = {c.status for c in claims if span[0] <= c.start < span[1]}
        open_ = "contradicted" not in own and not own <= set(_HOLDS)
        simple = _simple(contexts.of(passage)) if open_ and passage.kind != "cell" else ""
        if simple:
            before = text[at : passage.start]
            regions[span] = told + len(before), told + len(before) + len(simple)
            apart += before, simple
            told, at = regions[span][1], passage.end
    if not regions:
        return list(claims)
    judged = recheck("".join((*apart, text[at:])), [*regions.values()])
    for (start, end), (low, high) in regions.items():
        here = [c for c in judged if low <= c.start < high]
        if here and all(c.status in _HOLDS for c in here):
            claims = [_proven(c, here) if start <= c.start < end else c for c in claims]
    return list(claims)


def _proven(claim: Claim, judged: Sequence[Claim]) -> Claim:
    """Return a claim with the judgement that it has in its own clause."""
    if claim.status in _HOLDS:
        return claim
    one = next((c for c in judged if (c.text, c.kind) == (claim.text, claim.kind)), judged[0])
    same = one.text == claim.text
    detail = one.detail if same else "each clause of its sentence holds by itself"
    return replace(claim, status=one.status, evidence_id=one.evidence_id, detail=detail)


def _simple(context: PassageContext) -> str:
    """Return the clauses of a passage as sentences of their own; "" where it has but one."""
    text, passage = context.contexts.reading.text, context.passage
    if not context.roles.isdisjoint(_REACHING) or text[: passage.end].rstrip().endswith("?"):
        return ""
    parts = _Clauses(context).told()
    if len(parts) < 2:
        return ""
    return " ".join(f"{part[0].upper()}{part[1:].strip(' .,')}." for part in parts)


class _Clauses:
    """The clauses of one passage, and what they are about."""

    def __init__(self, context: PassageContext) -> None:
        self._context = context
        self._text = context.contexts.reading.text
        self._kept = [(m.start, m.end) for m in context.mentions]
        self._kept += [q.span for q in context.quantities] + [d.span for d in context.dates]

    def told(self) -> list[str]:
        """Return the clauses, each with what it is about; none where that is not clear."""
        spans = list(self._spans())
        if len(spans) > _MOST_CLAUSES:
            return []
        subject = self._subject(spans[0])
        first, *aside = self._first(spans[0])
        carried = [self._carried(b, a, subject) for a, b in pairwise(spans)]
        return self._dated([first, *carried, *aside], spans) if all(carried) else []

    def _spans(self) -> Iterator[Span]:
        """Yield where each clause stands, the first one whole and those behind it."""
        passage = self._context.passage
        start, end = passage.start, passage.end
        fronted = _FRONTED.match(self._text, start)
        start = fronted.end() if fronted else start
        joints = list(_JOINT.finditer(self._text, start, end))
        if fronted and not joints:
            joints = list(re.compile(", ").finditer(self._text, start, end))
        for joint in joints:
            held = any(a < joint.end() and joint.start() < b for a, b in self._kept)
            if not held and self._is_clause(start, joint.start()) and self._is_clause(
                joint.end(), self._next(joint, joints, end)
            ):  # fmt: skip
                yield start, joint.start()
                start = joint.end()
        yield start, end

    def _next(self, joint: re.Match[str], joints: Sequence[re.Match[str]], end: int) -> int:
        return next((j.start() for j in joints if j.start() > joint.start()), end)

    def _words(self, start: int, end: int) -> Sequence[Word]:
        return self._context.contexts.annotated.within(start, end)

    def _is_clause(self, start: int, end: int) -> bool:
        """Whether a part of a sentence has a verb, or adds to another by a word for that."""
        if _MAKES.match(self._text, start) or _RELATIVE.match(self._text, start):
            return True
        return any(map(_is_verb, self._words(start, end)))

    def _first(self, span: Span) -> Iterator[str]:
        """Yield the first clause, and what it says of its subject by the way."""
        text = self._text[slice(*span)]
        aside = _ASIDE.search(self._text, *span)
        named = aside and self._named_before(aside.start())
        if aside is None or not named:
            yield text
            return
        start = aside.start() - span[0]
        yield text[:start] + text[aside.end() - span[0] :]
        yield (
            f"{named}'s {aside['said']}" if aside["how"] == "whose" else f"{named} {aside['said']}"
        )

    def _named_before(self, end: int) -> str:
        """Return the name that ends at a place, or ""."""
        ends = [m.start for m in self._context.mentions if m.end == end]
        return self._text[min(ends) : end] if ends else ""

    def _subject(self, span: Span) -> str:
        """Return what a clause begins with, up to its verb, where that names something."""
        aside = _ASIDE.search(self._text, *span)
        verb = next((w.start for w in self._words(*span) if _is_verb(w)), span[0])
        end = min(aside.start(), verb) if aside else verb
        named = any(span[0] <= m.start < end for m in self._context.mentions)
        return (
            self._text[span[0] : end].strip() if named and end - span[0] <= _LONGEST_SUBJECT else ""
        )

    @cached_property
    def _things(self) -> Sequence[Anchor[str]]:
        """The names of things in the passage, those of parts of figures among them."""
        parts = self._context.contexts.known.parts.keys()
        return [*self._context.entities, *(a for a in self._context.names if a.keys & parts)]

    def _carried(self, span: Span, before: Span, subject: str) -> str:
        """Return a later clause with the subject that it carries on, "" where that is not known."""
        text = self._text[slice(*span)]
        if _ELLIPSIS.search(text) or _OF_THEM.search(text):
            return ""
        named = self._named_before(before[1])
        bare = _OWN.sub("", subject)
        if whole := _WHOLE.match(text):
            if "direction" in self._context.roles:
                return ""  # "it grew by 4.6 %, which was less than B" compares changes
            word = next(iter(self._words(span[0] + whole.end(), span[1])), None)
            amount = word is not None and (word.quantity or _role(word) in _AMOUNTS)
            return f"{bare} has {text[whole.end() :]}" if amount and bare else ""
        if relative := _RELATIVE.match(text):
            owner = named or subject
            return f"{owner} {text[relative.end() :]}" if owner else ""
        if makes := _MAKES.match(text):
            owner = named or subject
            return f"{owner} is {text[makes.end() :]}" if owner else ""
        if _PRONOUN.match(text):
            text = f"{subject} {_PRONOUN.sub('', text, count=1)}" if subject else ""
        elif _OWNED.match(text):
            text = f"{bare}'s {_OWNED.sub('', text, count=1)}" if bare else ""
        elif _is_verb(next(iter(self._words(*span)))):
            text = f"{subject} {text}" if subject else ""
        elif not any(span[0] <= a.start < span[1] for a in self._things):
            text = self._of_same(text, span, bare)
        return self._compared(text, before)

    def _of_same(self, text: str, span: Span, subject: str) -> str:
        """Return a clause that names no thing with what the sentence is about."""
        first, *others = self._words(*span)
        if any(_role(word) in _PLACES for word in (first, *others)):
            return ""
        if not any(span[0] <= m.start < span[1] for m in self._context.mentions):
            return _THERE.sub(f" in {subject}", text) if _THERE.search(text) and subject else ""
        if not self._things or first.quantity is not None or _role(first) == "quantifier":
            return text
        if _THERE.search(text) and subject:
            return _THERE.sub(f" in {subject}", text)
        keys = {a.keys for a in self._context.entities}
        return f"{subject}'s {_ARTICLE.sub('', text)}" if len(keys) == 1 and subject else ""

    def _compared(self, text: str, before: Span) -> str:
        """Return a clause with what it compares with, where only the clause before says it."""
        other = _THAN.search(self._text[slice(*before)])
        if other is None or " than " in text or not _COMPARES.search(text):
            return text
        return f"{text.rstrip('. ')} than {_OWN.sub('', other['other'])}"

    def _dated(self, parts: list[str], spans: Sequence[Span]) -> list[str]:
        """Return clauses with the one time that the sentence tells; none where it tells several."""
        periods = self._context.periods
        if not periods:
            return parts
        has = [any(a <= p.start < b for p in periods) for a, b in spans]
        has += [False] * (len(parts) - len(has))
        if all(has):
            return parts
        times = {p.keys for p in periods}
        if len(times) > 1:
            return []
        said = self._text[periods[0].start : periods[0].end]
        return [part if own else f"In {said}, {part}" for part, own in zip(parts, has, strict=True)]


def _role(word: Word) -> str:
    return word.role.role if word.role is not None else ""


def _is_verb(word: Word) -> bool:
    tags = [token.tag for token in word.tokens]
    return _role(word) in _VERBS or "verb" in tags
