"""Items of a list that are names alone: what they say is what their lead says of them.

"Over 10 million people: - Sweden - Norway" tells the bound of each of the two, and "Changes: -
Euston" that one changes there. So a lead is told of each such item as one sentence, or of all of
them in their order where it has no figure. What does not hold so is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.claims.attachment import are_names
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts
from groundwire.evidence.claims.segments import Passage, Span

_HOLDS = ("supported", "derived")
_SIGNS = "#* _`\t"
_ENDS = ".。;；,，"
_LEADS = ":：?？"
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
# A longer list is not told item by item.
_MOST_ITEMS = 30
Recheck = Callable[[str, Mapping[Span, Span]], Sequence[Claim]]


@dataclass(frozen=True, slots=True)
class _List:
    """A lead with what stands right under it.

    Attributes:
        lead: where the lead stands.
        items: the items under it, in order.
        bare: those of them that are names alone.
    """

    lead: Span
    items: list[Passage]
    bare: list[Passage]

    @property
    def span(self) -> Span:
        """Where the lead begins and the last item ends."""
        return self.lead[0], self.items[-1].end


def held_to_leads(claims: list[Claim], contexts: Contexts, recheck: Recheck) -> list[Claim]:
    """Return claims, those of bare items not judged of which their lead is not proven.

    Args:
        claims: the claims of a draft.
        contexts: its passages.
        recheck: returns the claims of a draft in which lists are told as sentences, within these:
            by where a list stood, where its sentences stand.
    """
    text = contexts.reading.text
    lists = [one for one in _lists(contexts) if _holds(claims, one.span)]
    if not lists:
        return claims
    apart = [[_told(contexts, one.lead, [item]) for item in one.bare] for one in lists]
    single = _judged(text, lists, apart, recheck)
    whole = [one for one, held in zip(lists, single, strict=True) if not all(held)]
    whole = [one for one in whole if not _has_figure(contexts, one.lead) and len(one.items) > 1]
    told = [[_told(contexts, one.lead, one.items)] for one in whole]
    held_whole = _judged(text, whole, told, recheck) if whole else []
    proven = {one.lead for one, (holds,) in zip(whole, held_whole, strict=True) if holds}
    open_ = [
        (item.start, item.end)
        for one, held in zip(lists, single, strict=True)
        for item, holds in zip(one.bare, held, strict=True)
        if not holds and one.lead not in proven
    ]
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; its lead is not proven of it")
        if any(start <= claim.start < end for start, end in open_)
        else claim
        for claim in claims
    ]


def _lists(contexts: Contexts) -> Iterator[_List]:
    """Yield the lists of a draft with an item that is names alone, in order.

    A sentence that is names alone stands under the one before it.
    """
    by_lead: dict[Span, list[Passage]] = {}
    for passage in contexts.reading.passages:
        scope = next((one for one in passage.scopes if one.hard and not one.earlier), None)
        if passage.kind == "item" and scope is not None:
            by_lead.setdefault(scope.span, []).append(passage)
        before = next((one.span for one in passage.scopes if one.earlier), (0, 0))
        beside = "\n" not in contexts.reading.text[before[1] : passage.start]
        if passage.kind == "sentence" and before != (0, 0) and beside:
            # "It was 13. Coventry." and "Which has most? Coventry."
            by_lead.setdefault(before, []).append(passage)
    end = 0
    for lead, items in sorted(by_lead.items()):
        bare = [one for one in items if _is_bare(contexts, (one.start, one.end))]
        if bare and lead[0] >= end and len(items) <= _MOST_ITEMS:
            end = items[-1].end
            yield _List(lead, items, bare)


def _is_bare(contexts: Contexts, span: Span) -> bool:
    return are_names(contexts.annotated.within(*span), contexts.mentions(span))


def _holds(claims: Sequence[Claim], span: Span) -> bool:
    """Whether all claims in a span hold, which has some."""
    own = [claim.status in _HOLDS for claim in claims if span[0] <= claim.start < span[1]]
    return bool(own) and all(own)


def _has_figure(contexts: Contexts, lead: Span) -> bool:
    return bool(contexts.reading.quantities.within(lead))


def _told(contexts: Contexts, lead: Span, items: Sequence[Passage]) -> str:
    """Return a lead and items as one sentence: "Lines: A, B.", "Change at A."."""
    text = contexts.reading.text
    said = text[slice(*lead)].strip(_SIGNS).rstrip(_LEADS).rstrip(_SIGNS)
    named = [text[one.start : one.end].strip(_SIGNS).rstrip(_ENDS) for one in items]
    if _CHINESE.search(said):
        return f"{said}：{'、'.join(named)}。"
    words = [word for word in contexts.annotated.within(*lead) if word.kind != "sign"]
    runs_on = bool(words) and all(token.tag == "function" for token in words[-1].tokens)
    return f"{said}{' ' if runs_on else ': '}{', '.join(named)}."


def _judged(
    text: str, lists: Sequence[_List], told: Sequence[Sequence[str]], recheck: Recheck
) -> list[list[bool]]:
    """Return for each list which of its sentences hold where they stand in its place."""
    parts, regions, spans = list[str](), dict[Span, Span](), list[list[Span]]()
    length = at = 0
    for one, sentences in zip(lists, told, strict=True):
        start, end = one.span
        parts.append(text[at:start])
        first = length = length + start - at
        own = list[Span]()
        for sentence in sentences:
            own.append((length, length + len(sentence)))
            parts.append(f"{sentence}\n\n")
            length += len(sentence) + 2
        regions[one.span], at = (first, length), end
        spans.append(own)
    judged = recheck("".join((*parts, text[at:])), regions)
    return [[_holds(judged, span) for span in own] for own in spans]
