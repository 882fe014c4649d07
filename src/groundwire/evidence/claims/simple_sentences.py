"""Compound sentences told apart into simple ones, each with the subject that it carries on.

"A was second, although it had fewer people than B" claims what "A was second. A had fewer people
than B." claims. A sentence of several clauses that is not proven as a whole is supported where the
draft with its clauses as sentences of their own is: none of them may be left open.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from typing import Any

from groundwire.evidence.claims.antecedents import named_first, only_described
from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.bare_items import told_as_one
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.extraction import Ordered
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.table_heads import heads_column
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

# A sentence of more clauses, or about a longer subject, is not told apart.
_MOST_CLAUSES, _LONGEST_SUBJECT = 4, 80
_HOLDS = ("supported", "derived")
_FILE = "simple_sentences.toml"
_COMMA = re.compile(r", |，")
_CHINESE_COMMA = re.compile(r"[，：]")
_AMONG_THEM = "其中"
_WITHIN = "中里内时"
_ASIDE_END = r"(?P<said>[^,;:]{3,80}),(?= )"


@cache
def _tree() -> Mapping[str, Any]:
    """Return the words and sentences of each language."""
    return tomllib.loads((files("groundwire.evidence.claims") / _FILE).read_text("utf-8"))


@cache
def _words() -> Mapping[str, tuple[str, str]]:
    """Return the words of each kind as two patterns: spaced ones, and Chinese ones."""
    en, de, zh = (_tree()[language] for language in ("en", "de", "zh"))
    kinds = (kind for kind in en if kind != "sentences")
    return {kind: (_any((*en[kind], *de[kind])), _any(zh[kind])) for kind in kinds}


def _any(words: Sequence[str]) -> str:
    """Return a pattern that matches any of some words, the longest first; none matches nothing."""
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})" if words else "(?!)"


@cache
def _pattern(kind: str, before: str = "", behind: str = " ") -> re.Pattern[str]:
    """Return a pattern for a word of a kind, with what stands before it and behind it."""
    spaced, han = _words()[kind]
    return re.compile(rf"{before}{spaced}{behind}|{han}", re.IGNORECASE)


@cache
def _joint() -> re.Pattern[str]:
    """Return a pattern for what stands between two clauses."""
    words = _words()
    contrast, adding = words["contrast"], words["adding"]
    leads = "|".join(words[kind][0] for kind in ("relative", "makes"))
    return re.compile(
        rf",? (?:{adding[0]} )?{contrast[0]} (?!{words['not_contrast'][0]}\b)|, {adding[0]} |; "
        rf"|, (?=(?:{leads})\b)|，(?:{contrast[1]}|{adding[1]})|；",
        re.IGNORECASE,
    )


@cache
def _kind_led() -> re.Pattern[str]:
    """Return a pattern for a thing that a sentence begins with by its kind alone: "the map"."""
    (spaced, han), (_, ends) = _words()["kind_led"], _words()["kind_ends"]
    named = rf"{han}(?P<han>[\u4e00-\u9fff]{{2,4}}?)(?={ends})"
    return re.compile(rf"{spaced} (?P<kind>[\w-]{{3,24}})(?= )|{named}", re.IGNORECASE)


@cache
def _ellipsis() -> re.Pattern[str]:
    """Return a pattern for a clause that only says of another thing what was said before.

    "And Kowloon did too."
    """
    words = _words()
    (verb, verb_), (word, word_), (lead, lead_) = (
        words[f"ellipsis_{part}"] for part in ("verb", "word", "lead")
    )
    return re.compile(
        rf"\b{verb}(?: {word})*\W*$|^{lead} {verb}\b|{word_}{verb_}?\W*$|^{lead_}{verb_}",
        re.IGNORECASE,
    )


@cache
def _aside() -> re.Pattern[str]:
    """Return a pattern for what is said of a thing by the way: "A, whose rent was 3, ..."."""
    how, relative = _words()["aside"][0], _words()["relative"][0]
    return re.compile(rf", (?P<how>{how}|{relative}) {_ASIDE_END}", re.IGNORECASE)


@cache
def _compared_with() -> re.Pattern[str]:
    """Return a pattern for what a clause compares with, at its end."""
    than, near = _words()["than"][0], _words()["in"][0]
    return re.compile(rf" {than} (?P<other>(?:{near} )?[^,;]{{2,60}})$")


# From the one who has something on: "Bolivia's area".
_OWN = re.compile(r"['’]s\b.*$")
# The figures of both at the end of a clause that compares: "(5.4 compared with 5.8)".
_ASIDE_TOLD = re.compile(r"\s?[(（][^()（）]{1,80}[)）][.。]?\s*$")
_VERBS = frozenset(("being", "having", "direction"))
# Roles of words whose reach over the clauses behind them is not known.
_REACHING = frozenset(("source", "forecast condition", "cause", "negation without"))
# "The quickest" is one of what the clause before tells of.
_PLACES = frozenset(("superlative", "order"))
_AMOUNTS = frozenset(("bound", "approximation"))


def proven_by_clauses(
    claims: Sequence[Claim],
    contexts: Contexts,
    recheck: Callable[[str, Mapping[Span, Span]], Sequence[Claim]],
) -> list[Claim]:
    """Return claims, those of a sentence supported each of whose clauses holds by itself.

    Args:
        claims: the claims of a draft.
        contexts: its passages.
        recheck: returns the claims of a draft in which clauses are sentences, within these: by
            where a sentence stood, where its clauses stand.
    """
    text, apart, regions = contexts.reading.text, list[str](), dict[Span, Span]()
    told, at = 0, 0
    owner: str | None = ""
    statuses = Ordered((c.start, c.status) for c in claims)
    for place, passage in enumerate(contexts.reading.passages):
        span, simple = told_as_one(text, contexts.reading.passages, place)
        simple = simple if simple and _is_headed(contexts, passage, span) else ""
        span = span if simple else (passage.start, passage.end)
        own = set(statuses.within(span))
        held = own and own <= set(_HOLDS)
        open_ = "contradicted" not in own and not held and passage.start >= at
        if open_ and not simple and passage.kind != "cell":
            simple = _simple(contexts.of(passage), owner)
        named = named_first(contexts.of(passage))
        owner = owner if named == "" else named
        if simple and open_:
            before = text[at : span[0]]
            regions[span] = told + len(before), told + len(before) + len(simple)
            apart += before, simple
            told, at = regions[span][1], span[1]
    if not regions:
        return list(claims)
    judged = recheck("".join((*apart, text[at:])), regions)
    for (start, end), (low, high) in regions.items():
        here = [c for c in judged if low <= c.start < high]
        if here and all(c.status in _HOLDS for c in here):
            told_here = [c for c in claims if start <= c.start < end]
            claims = [_proven(c, here) if c in told_here else c for c in claims]
            if not told_here:
                claims.append(replace(here[-1], text=text[start:end], start=start, end=end))
    return list(claims)


def _is_headed(contexts: Contexts, lead: Passage, span: Span) -> bool:
    """Whether the heads of a table under a lead say no more than the lead, or are of its rows."""
    head = next((p for p in contexts.reading.passages if lead.end <= p.start < span[1]), None)
    end = contexts.reading.text.find("\n", head.start) if head is not None else -1
    said = contexts.annotated.within(lead.start, lead.end)
    told = {token.lemma for word in said for token in word.tokens}
    words = contexts.annotated.within(head.start, end) if head and head.kind == "cell" else ()
    unsaid = [w for w in words if told.isdisjoint(token.lemma for token in w.tokens)]
    return all(w.kind == "sign" or heads_column(w, contexts.known) for w in unsaid)


def _proven(claim: Claim, judged: Sequence[Claim]) -> Claim:
    """Return a claim with the judgement that it has in its own clause."""
    if claim.status in _HOLDS:
        return claim
    one = next((c for c in judged if (c.text, c.kind) == (claim.text, claim.kind)), judged[0])
    same = one.text == claim.text
    detail = one.detail if same else "each clause of its sentence holds by itself"
    return replace(claim, status=one.status, evidence_id=one.evidence_id, detail=detail)


def _simple(context: PassageContext, owner: str | None) -> str:
    """Return the clauses of a passage as sentences of their own; "" where it has but one.

    Args:
        context: the passage.
        owner: the thing that was named last before it, "" for none, None where it is not clear.
    """
    text, passage = context.contexts.reading.text, context.passage
    if not context.roles.isdisjoint(_REACHING) or text[: passage.end].rstrip().endswith("?"):
        return ""
    clauses = _Clauses(context, owner)
    parts = clauses.told() or [clauses.whole()]
    if len(parts) < 2 and parts[0] == text[passage.start : passage.end]:
        return ""
    end = clauses.sentences["end"]
    return "".join(f"{part[0].upper()}{part[1:].strip(' .,，。')}{end}" for part in parts).rstrip()


class _Clauses:
    """The clauses of one passage, and what they are about."""

    def __init__(self, context: PassageContext, owner: str | None) -> None:
        self._context, self._owner = context, owner
        self._text = context.contexts.reading.text
        self._kept = [(m.start, m.end) for m in context.mentions]
        self._kept += [q.span for q in context.quantities] + [d.span for d in context.dates]
        languages = Counter(token.language for word in context.words for token in word.tokens)
        told = next((name for name, _ in languages.most_common() if name in _tree()), "en")
        self._is_chinese = "zh" in languages
        told = "zh" if self._is_chinese else told
        self.sentences: Mapping[str, str] = _tree()[told]["sentences"]

    def told(self) -> list[str]:
        """Return the clauses, each with what it is about; none where that is not clear."""
        spans = list(self._spans())
        if len(spans) > _MOST_CLAUSES:
            return []
        first, *aside = self._first(spans[0])
        named, owner = self._pointed(first)
        subject = owner or self._subject(spans[0])
        first = named or first
        carried = [self._carried(b, a, subject) for a, b in pairwise(spans)]
        return self._dated([first, *carried, *aside], spans) if all(carried) else []

    def whole(self) -> str:
        """Return the passage with the name of what it points at."""
        said = self._text[self._context.passage.start : self._context.passage.end]
        return self._pointed(said)[0] or said

    def _pointed(self, text: str) -> tuple[str, str]:
        """Return a first clause with the name of what it points at, and this; "" for neither.

        "It" is what was named last, else the one thing that is described; "the scenario" is the
        one of its kind.
        """
        known = self._context.contexts.known
        kind = _kind_led().match(text)
        owner = only_described(known, text, kind["kind"] or kind["han"]) if kind else self._owner
        owner = only_described(known, text) if owner == "" and not kind else owner
        if not owner or self._tells_in_words_of(owner):
            return "", ""
        if kind:
            return f"{owner}{text[kind.end() :]}", owner
        if points := _pattern("points").match(text):
            gap = " " if points[0].endswith(" ") else ""
            return f"{owner}{gap}{text[points.end() :]}", owner
        if owned := _pattern("owned").match(text):
            return self._said("owned", owner, text[owned.end() :]), owner
        placed = self._placed(text, owner)
        return (placed, owner) if placed else ("", "")

    def _tells_in_words_of(self, owner: str) -> bool:
        """Whether the passage has words of a name elsewhere, which would prove themselves."""
        own = frozenset(words_of(owner))
        return any(
            not own.isdisjoint(words_of(word.text))
            for word in self._context.words
            if not word.is_silent and not any(a <= word.start < b for a, b in self._kept)
        )

    def _spans(self) -> Iterator[Span]:
        """Yield where each clause stands, the first one whole and those behind it."""
        passage = self._context.passage
        start, end = passage.start, passage.end
        fronted = _pattern("fronted").match(self._text, start)
        start = fronted.end() if fronted else start
        joints = list(_joint().finditer(self._text, start, end))
        if fronted and not joints:
            joints = list(_COMMA.finditer(self._text, start, end))
        joints += self._bare(start, end, {j.start() for j in joints})
        joints.sort(key=lambda joint: joint.start())
        for joint in joints:
            held = any(a < joint.end() and joint.start() < b for a, b in self._kept)
            if not held and self._is_clause(start, joint.start()) and self._is_clause(
                joint.end(), self._next(joint, joints, end)
            ):  # fmt: skip
                yield start, joint.start()
                start = joint.end()
        yield start, end

    def _bare(self, start: int, end: int, joints: Collection[int]) -> Iterator[re.Match[str]]:
        """Yield the commas of a Chinese sentence between parts that tell a figure of a name."""
        for comma in _CHINESE_COMMA.finditer(self._text, start, end):
            if comma.start() in joints:
                start = comma.end()
            elif self._text[comma.start() - 1] not in _WITHIN and self._tells(
                (start, comma.start())
            ):
                behind = comma.end(), end
                first = (min(a for a, _ in own) for own in self._told_in(behind) if own)
                if self._tells(behind) and next(first) < next(first):
                    yield comma
                    start = comma.end()

    def _tells(self, span: Span) -> bool:
        """Whether a part of a sentence has a name and a figure."""
        return all(self._told_in(span))

    def _told_in(self, span: Span) -> tuple[list[Span], list[Span]]:
        """Return where the names and the figures of a part of a sentence stand."""
        names = [(m.start, m.end) for m in self._context.mentions if span[0] <= m.start < span[1]]
        figures = [q.span for q in self._context.quantities if span[0] <= q.span[0] < span[1]]
        return names, figures

    def _next(self, joint: re.Match[str], joints: Sequence[re.Match[str]], end: int) -> int:
        return next((j.start() for j in joints if j.start() > joint.start()), end)

    def _words(self, start: int, end: int) -> Sequence[Word]:
        return self._context.contexts.annotated.within(start, end)

    def _is_clause(self, start: int, end: int) -> bool:
        """Whether a part of a sentence has a verb, or adds to another by a word for that."""
        if any(_pattern(kind).match(self._text, start) for kind in ("makes", "relative")):
            return True
        return any(map(_is_verb, self._words(start, end))) or (
            self._is_chinese and self._tells((start, end))
        )

    def _first(self, span: Span) -> Iterator[str]:
        """Yield the first clause, and what it says of its subject by the way."""
        text = self._text[slice(*span)]
        aside = _aside().search(self._text, *span)
        named = aside and self._named_before(aside.start())
        if aside is None or not named:
            yield text
            return
        start = aside.start() - span[0]
        yield text[:start] + text[aside.end() - span[0] :]
        yield (
            self._said("owned", named, aside["said"])
            if re.fullmatch(_words()["aside"][0], aside["how"])
            else f"{named} {aside['said']}"
        )

    def _named_before(self, end: int) -> str:
        """Return the name that ends at a place, or ""."""
        ends = [m.start for m in self._context.mentions if m.end == end]
        return self._text[min(ends) : end] if ends else ""

    def _subject(self, span: Span) -> str:
        """Return what a clause begins with, up to its verb, where that names something."""
        aside = _aside().search(self._text, *span)
        verb = next((w.start for w in self._words(*span) if _is_verb(w)), span[0])
        end = min(aside.start(), verb) if aside else verb
        fronted = [p.end for p in self._context.periods if p.end < end and self._text[p.end] == ","]
        start = max((span[0], *(at + 1 for at in fronted)))  # "In 2020, A ..., which"
        named = any(start <= m.start < end for m in self._context.mentions)
        return self._text[start:end].strip() if named and end - start <= _LONGEST_SUBJECT else ""

    @cached_property
    def _things(self) -> Sequence[Anchor[str]]:
        """The names of things in the passage, those of parts of figures among them."""
        parts = self._context.contexts.known.parts.keys()
        return [*self._context.entities, *(a for a in self._context.names if a.keys & parts)]

    def _carried(self, span: Span, before: Span, subject: str) -> str:
        """Return a later clause with the subject that it carries on, "" where that is not known."""
        text = self._text[slice(*span)]
        if text.startswith(_AMONG_THEM) and self._tells(span):
            return text
        if _ellipsis().search(text) or _pattern("of_them", r"\b", r"\b").search(text):
            return ""
        named = self._named_before(before[1])
        bare = _OWN.sub("", subject)
        of_name = named and _pattern("relative").match(text)  # "than Coventry, which is 22 km"
        if not of_name and (whole := _pattern("whole").match(text)):
            if "direction" in self._context.roles:
                return ""  # "it grew by 4.6 %, which was less than B" compares changes
            word = next(iter(self._words(span[0] + whole.end(), span[1])), None)
            amount = word is not None and (word.quantity or _role(word) in _AMOUNTS)
            return self._said("amount", bare, text[whole.end() :]) if amount else ""
        if relative := _pattern("relative").match(text):
            owner = named or subject
            turn = _pattern("by_relative").match(text, relative.end())
            return f"{owner} {text[(turn or relative).end() :]}" if owner else ""
        if makes := _pattern("makes").match(text):
            owner = named or subject
            return self._said("made", owner, text[makes.end() :])
        if pronoun := _pattern("pronoun").match(text):
            gap = " " if pronoun[0].endswith(" ") else ""
            text = f"{subject}{gap}{text[pronoun.end() :]}" if subject else ""
        elif owned := _pattern("owned").match(text):
            text = self._said("owned", bare, text[owned.end() :])
        elif any(m.start == span[0] for m in self._context.mentions):
            pass  # it names its own subject, whatever its first word may be
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
            return self._placed(text, subject)
        if not self._things or first.quantity is not None or _role(first) == "quantifier":
            return text
        if placed := self._placed(text, subject):
            return placed
        keys = {a.keys for a in self._context.entities}
        article = _pattern("article").match(text)
        rest = text[article.end() :] if article else text
        return self._said("owned", subject, rest) if len(keys) == 1 else ""

    def _placed(self, text: str, subject: str) -> str:
        """Return a clause that says "there" with the place that is meant, or ""."""
        there = _pattern("there", " ", r"\b")
        if not subject or there.search(text) is None:
            return ""
        return there.sub(self.sentences["there"].format(owner=subject), text)

    def _said(self, sentence: str, owner: str, rest: str) -> str:
        """Return a clause about an owner, or "" where there is none."""
        return self.sentences[sentence].format(owner=owner, rest=rest) if owner else ""

    def _compared(self, text: str, before: Span) -> str:
        """Return a clause with what it compares with, where only the clause before says it."""
        other = _compared_with().search(self._text[slice(*before)])
        than, compares = _pattern("than", " "), _pattern("compares", r"\b", r"\b")
        if other is None or than.search(text) or not compares.search(text):
            return text
        aside = _ASIDE_TOLD.search(text)
        told = aside[0] if aside else ""
        rest, compared = text.removesuffix(told).rstrip(". "), _OWN.sub("", other["other"])
        return self.sentences["compared"].format(rest=rest, other=compared) + told

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
        dated = self.sentences["dated"]
        return [
            part if own else dated.format(time=said, rest=part)
            for part, own in zip(parts, has, strict=True)
        ]


def _role(word: Word) -> str:
    return word.role.role if word.role is not None else ""


def _is_verb(word: Word) -> bool:
    tags = [token.tag for token in word.tokens]
    return _role(word) in _VERBS or "verb" in tags
