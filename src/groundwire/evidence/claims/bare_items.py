"""Items, answers and cells that are names or a "yes" alone: they say what stands over them.

"Over 10 million people: - Sweden - Norway" tells the bound of each of the two, "Did it rise? Yes."
tells that it rose, and "yes" in a column "Rose?" too. So a lead, question or head is told of each
such item as one sentence, or of all of a list in their order where its lead has no figure but
their number. What does not hold so is not judged.

A list with its lead can be told as one sentence: "The largest are:" and two items, or two rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.claims.attachment import are_names
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts
from groundwire.evidence.claims.counts import SELECTIONS
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word
from groundwire.quantities import find_quantities

_HOLDS = ("supported", "derived")
_SIGNS = "#* _`\t|"
_ENDS = ".。;；,，!！"
_LEADS = ":："
_ASKS = ("?", "？")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_YES = re.compile(
    r"(?:yes|yep|yeah|indeed|correct|true|right|exactly|absolutely|certainly|definitely|of course|"
    r"ja|jawohl|genau|stimmt|richtig|doch|natürlich|gewiss|auf jeden fall)(?!\w)"
    r"|(?:是的?|对的?|没错|正确|当然)(?![\u4e00-\u9fff])|[✓✔✅☑]",
    re.IGNORECASE,
)
# A longer list is not told item by item.
_MOST_ITEMS = 30
_COUNTING = frozenset(("function", "quantifier", "set_noun"))
_NAMING = frozenset(("function", "being"))
Recheck = Callable[[str, Mapping[Span, Span]], Sequence[Claim]]


@dataclass(frozen=True, slots=True)
class _Told:
    """A part of a draft that is told as sentences of its own.

    Attributes:
        span: where it stands.
        bare: the items that only what stands over them tells of.
        sentences: for each of them, what it says.
        whole: what all say together, in their order; "" where each must hold by itself.
    """

    span: Span
    bare: list[Passage]
    sentences: list[str]
    whole: str


def held_to_leads(claims: list[Claim], contexts: Contexts, recheck: Recheck) -> list[Claim]:
    """Return claims, those of bare items not judged of which what stands over them is not proven.

    Args:
        claims: the claims of a draft.
        contexts: its passages.
        recheck: returns the claims of a draft in which such items are told as sentences, within
            these: by where they stood, where their sentences stand.
    """
    text = contexts.reading.text
    for item in _strange_questions(contexts):
        claims = _left_open(claims, item, text)
    told = [one for one in _apart(contexts) if _holds(claims, one.span, least=0)]
    if not told:
        return claims
    single = _judged(text, told, [one.sentences for one in told], recheck)
    in_turn = [vocabulary("stop_order")["in_turn"].search(one.whole.lower()) for one in told]
    each = list(zip(told, single, in_turn, strict=True))
    whole = [one for one, held, turn in each if one.whole and (turn or not all(held))]
    held_whole = _judged(text, whole, [[one.whole] for one in whole], recheck) if whole else []
    proven = {one.span for one, (holds,) in zip(whole, held_whole, strict=True) if holds}
    for one, held, turn in each:
        for item, holds in zip(one.bare, held, strict=True):
            if not (holds and not turn) and one.span not in proven:
                claims = _left_open(claims, item, text)
    return claims


def _strange_questions(contexts: Contexts) -> Iterator[Passage]:
    """Yield questions listed beside recorded ones that are not recorded, or are told before."""
    text = contexts.reading.text
    for items in _by_lead(contexts).values():
        told = [(one, text[one.start : one.end].strip(_SIGNS)) for one in items]
        asked = [(one, said) for one, said in told if said.endswith(_ASKS)]
        spans = [(one.start, one.end) for one, _ in asked]
        held = [are_names(contexts.annotated.within(*s), contexts.mentions(s)) for s in spans]
        for place, (one, said) in enumerate(asked if any(held) else ()):
            if not held[place] or said in (other for _, other in asked[:place]):
                yield one


def _by_lead(contexts: Contexts) -> dict[Span, list[Passage]]:
    """Return the items of the lists of a draft, by where their leads stand."""
    by_lead: dict[Span, list[Passage]] = {}
    for passage in contexts.reading.passages:
        scope = next((one for one in passage.scopes if one.hard and not one.earlier), None)
        if passage.kind == "item" and scope is not None:
            by_lead.setdefault(scope.span, []).append(passage)
    return by_lead


def _left_open(claims: Sequence[Claim], item: Passage, text: str) -> list[Claim]:
    """Return claims, those of an item not judged; it is one itself where it has none."""
    reason = "what stands over it is not proven of it"
    own = [claim for claim in claims if item.start <= claim.start < item.end]
    if not own:
        said = text[item.start : item.end].strip(_SIGNS)
        one = Claim(said, "statement", "not_judged", None, reason, item.start, item.end)
        return [*claims, one]
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; {reason}")
        if claim in own
        else claim
        for claim in claims
    ]


def _apart(contexts: Contexts) -> list[_Told]:
    """Return what is told apart, in order and each part of the draft once."""
    told = sorted((*_lists(contexts), *_answers(contexts)), key=lambda one: one.span)
    end, kept = 0, list[_Told]()
    for one in told:
        if one.span[0] >= end:
            kept.append(one)
            end = one.span[1]
    return kept


def _lists(contexts: Contexts) -> Iterator[_Told]:
    """Yield the lists of a draft with an item that is names alone."""
    for lead, items in _by_lead(contexts).items():
        bare = [one for one in items if _is_bare(contexts, one)]
        if bare and not _only_counts(contexts, lead) and len(items) <= _MOST_ITEMS:
            sentences = [_sentence(contexts, lead, [one]) for one in bare]
            figures = contexts.reading.quantities.within(lead)
            is_free = len(items) > 1 and all(one.value == len(items) for one in figures)
            whole = _sentence(contexts, lead, items) if is_free else ""
            yield _Told((lead[0], items[-1].end), bare, sentences, whole)


def _only_counts(contexts: Contexts, lead: Span) -> bool:
    """Whether a lead tells nothing of what stands under it: "Two of the four:", "Examples:"."""
    words = (word for word in contexts.annotated.within(*lead) if word.kind != "sign")
    return all(
        word.quantity is not None
        or (word.role is not None and word.role.role in _COUNTING)
        or not SELECTIONS.isdisjoint(words_of(word.text))
        for word in words
    )


def _answers(contexts: Contexts) -> Iterator[_Told]:
    """Yield names and a "yes" behind a sentence or question, or in a row of a table."""
    text, before = contexts.reading.text, (0, 0)
    for one in contexts.reading.passages:
        said = text[one.start : one.end].strip(_SIGNS)
        first = one.scopes[0].span if one.corner is not None else before
        asked = text[slice(*first)].strip(_SIGNS).endswith(_ASKS)
        is_yes = _YES.match(said) is not None
        beside = first[1] > 0 and "\n" not in text[first[1] : one.start]
        sentence = ""
        if asked and is_yes:
            sentence = _sentence(contexts, first, ())
        elif one.corner is not None and len(one.scopes) > 1 and _says_yes(said):
            heads = (text[slice(*s)].strip(_SIGNS) for s in (one.scopes[1].span, one.corner))
            head = next(filter(None, heads), "").rstrip("?？")
            sentence = f"{text[slice(*first)].strip(_SIGNS)}: {head}."
        elif (asked and _is_bare(contexts, one, short=True)) or (
            one.kind != "cell" and beside and _is_bare(contexts, one)
        ):
            sentence = _sentence(contexts, first, [one])
        if sentence:
            start = one.start if one.kind == "cell" else first[0]
            yield _Told((start, one.end), [one], [sentence], "")
        before = one.start, one.end


def _says_yes(said: str) -> bool:
    """Whether a cell is a "yes": "right" in one is a side."""
    return _YES.fullmatch(said) is not None and said.casefold() != "right"


def _is_bare(contexts: Contexts, item: Passage, *, short: bool = False) -> bool:
    """Whether a passage is names alone; a short answer may say "it was" too."""
    span = (item.start, item.end)
    words = contexts.annotated.within(*span)
    named = [w for w in words if not (_is_glue(w) if short else sense_of(w) == "determiner")]
    text = contexts.reading.text
    if text[slice(*span)].rstrip(_SIGNS).endswith(_ASKS):
        return False  # a question that is itself recorded
    if any(text.startswith((":", "："), a.end) for a in contexts.names(span)):
        return False  # "Capital: Gaborone" says what it tells of
    if named and any(token.tag == "verb" for token in named[0].tokens):
        return False  # a recorded step says all of itself: "Start the server."
    return are_names(named, contexts.mentions(span))


def _is_glue(word: Word) -> bool:
    """Whether a word only leads to the name of an answer: "it was", "surely"."""
    return (
        word.is_silent
        or (word.role is not None and word.role.role in _NAMING)
        or all(token.tag == "function" for token in word.tokens)
    )


def _holds(claims: Sequence[Claim], span: Span, *, least: int = 1) -> bool:
    """Whether all claims in a span hold, and there are enough."""
    own = [claim.status in _HOLDS for claim in claims if span[0] <= claim.start < span[1]]
    return len(own) >= least and all(own)


def _sentence(contexts: Contexts, lead: Span, items: Sequence[Passage]) -> str:
    """Return a lead and items as one sentence: "Lines: A, B.", "Change at A."."""
    text = contexts.reading.text
    said = text[slice(*lead)].strip(_SIGNS).rstrip(f"{_LEADS}?？").rstrip(_SIGNS)
    named = [text[one.start : one.end].strip(_SIGNS).rstrip(_ENDS) for one in items]
    is_chinese = _CHINESE.search(said) is not None
    if not named:
        return f"{said}{'。' if is_chinese else '.'}"
    if is_chinese:
        return f"{said}：{'、'.join(named)}。"
    words = [word for word in contexts.annotated.within(*lead) if word.kind != "sign"]
    runs_on = bool(words) and all(token.tag == "function" for token in words[-1].tokens)
    return f"{said}{' ' if runs_on else ': '}{', '.join(named)}."


def _judged(
    text: str, told: Sequence[_Told], sentences: Sequence[Sequence[str]], recheck: Recheck
) -> list[list[bool]]:
    """Return for each of what is told which of its sentences hold where they stand in its place."""
    parts, regions, spans = list[str](), dict[Span, Span](), list[list[Span]]()
    length = at = 0
    for one, said in zip(told, sentences, strict=True):
        start, end = one.span
        parts.append(f"{text[at:start]}\n\n")
        first = length = length + start - at + 2
        own = list[Span]()
        for sentence in said:
            own.append((length, length + len(sentence)))
            parts.append(f"{sentence}\n\n")
            length += len(sentence) + 2
        regions[one.span], at = (first, length), end
        spans.append(own)
    judged = recheck("".join((*parts, text[at:])), regions)
    return [[_holds(judged, span) for span in own] for own in spans]


_LEAD_ENDS = (":", "：")
_MOST_TOLD = 12
# A name and what is told of it: "A: 3", "A – 3", "A (3)", or the name alone.
_ITEM = re.compile(
    r"(?P<name>[^:：|]{1,80}?)(?:\s*(?:[:：]|\s[–—-]\s|,\s)\s*(?P<told>[^:：|]{1,40}))?[.,;。；，]?"
)
_ITEM_SIGNS = "* _`\t"
# A lead that says by what it ranks is read apart from the figures under it.
_RANKED_BY = re.compile(r"\b(?:by|nach)\b|按", re.IGNORECASE)
_NUMBERED = re.compile(r"[0-9][.)、]\s*\**$")


def told_as_one(text: str, passages: Sequence[Passage], place: int) -> tuple[Span, str]:
    """Return where a lead stands with its list, and both as one sentence; "" for no such list.

    Args:
        text: the draft.
        passages: its passages, in order.
        place: which of them may be a lead.
    """
    lead = passages[place]
    said = text[lead.start : lead.end].strip(_ITEM_SIGNS)
    under = [one for one in passages[place + 1 :] if _is_under(lead, one)] if (
        said.endswith(_LEAD_ENDS) and lead.kind != "cell" and not _RANKED_BY.search(said)
    ) else []  # fmt: skip
    items = list(
        _rows(text, under) if under and under[0].kind == "cell" else _told_items(text, under)
    )
    if not 1 < len(items) <= _MOST_TOLD or "" in items or len(set(items)) < len(items):
        return (0, 0), ""  # what stands in a list twice is not one of several
    values = [found[-1].value for one in items if (found := find_quantities(one))]
    ranked = _NUMBERED.search(text, 0, under[0].start) is not None
    if (ranked and len(values) < len(items)) or sorted(values) not in (values, values[::-1]):
        return (0, 0), ""  # its order tells ranks
    joined = "、" if said.endswith("：") else ", "
    end = "。" if said.endswith("：") else "."
    return (lead.start, under[-1].end), f"{said[:-1]} {joined.join(items)}{end}"


def _is_under(lead: Passage, one: Passage) -> bool:
    return any(s.span[0] == lead.start for s in one.scopes if not s.earlier) and one.kind in (
        "item",
        "cell",
    )


def _told_items(text: str, under: Sequence[Passage]) -> Iterator[str]:
    """Yield the items of a list, "" for one that is more than a name and a figure."""
    for one in under:
        match = _ITEM.fullmatch(text[one.start : one.end].replace("**", "").strip(_ITEM_SIGNS))
        yield _told(match["name"], match["told"]) if match and one.kind == "item" else ""


def _rows(text: str, under: Sequence[Passage]) -> Iterator[str]:
    """Yield the rows of a table of two columns, "" for another one."""
    lines = dict[int, list[str]]()
    for one in under:
        row = lines.setdefault(text.count("\n", 0, one.start), [])
        row.append(text[one.start : one.end].strip(_ITEM_SIGNS))
    for row in [*lines.values()][1:]:
        yield _told(*row) if len(row) == 2 and all(row) else ""


def _told(name: str, told: str | None) -> str:
    return (
        f"{name.strip(_ITEM_SIGNS)} ({told.strip(_ITEM_SIGNS)})"
        if told
        else name.strip(_ITEM_SIGNS)
    )
