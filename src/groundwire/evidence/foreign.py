"""Names in a passage that no record knows, standing where a claim's subject would."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.binding import Slot
from groundwire.evidence.context import PassageContext
from groundwire.evidence.facts import Fact
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.passages import Span
from groundwire.evidence.wording import key_of
from groundwire.quantities import resolve_unit

_CAPITALISED = re.compile(
    r"[A-Z][A-Za-zÀ-ɏ0-9'_-]*(?:(?: (?:of|the|de|la|von|van|and))? [A-Z0-9][A-Za-zÀ-ɏ0-9'_-]*){0,6}"
)
# What follows a name that stands alone at the beginning: a verb, or the end of a cell or label.
_ALONE = re.compile(
    r"\**(?: (?:is|are|was|were|has|have|had|measures|covers|spans|reached|recorded|reports)\b"
    r"| ?[(|:–—]|\s*$)",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\s_-]+?(?='s\b|[\s_-]|$)", re.MULTILINE)
# fmt: off
_COMMON_STARTS = frozenset((
    "the", "a", "an", "in", "on", "at", "of", "for", "from", "to", "by", "with", "and", "or",
    "but", "it", "its", "this", "that", "these", "those", "there", "here", "we", "i", "you",
    "they", "as", "if", "when", "while", "however", "overall", "currently", "altogether",
    "together", "both", "all", "each", "every", "total", "length", "size", "area", "population",
    "value", "number", "share", "also", "so", "then", "what", "which", "among", "according",
    "based", "note", "yes", "no", "result", "results", "answer", "summary", "found", "monday",
    "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
))
# fmt: on
_HAN_SUBJECT = re.compile(
    r"(?:^|[，。；：、,;:\s（(])([\u3400-\u9fffA-Za-z0-9·-]{2,20}?)的[\u3400-\u9fff]{1,10}?(?:为|是|达|有|约|共|：|:)"
)
_HAN_GENERIC = re.compile(
    "该|此|其|它|这|那|总|共|目录|结果|查询|资产|本|所有|全部|平均|最|合计|数据|根据|截至|另|同|以|相|"
    "增|下|上|记录|来源|我|你|他|一|两|三|当|各|每|这些|以下|地图|国家|公司|年|月|期"
)


def stranger_to(
    fact: Fact, entity: Slot[str], passage: PassageContext, known: Knowledge, position: int
) -> str | None:
    """Why a fact cannot be what a claim says: its subject is a name that no record knows.

    Args:
        fact: the fact that agrees with the claim.
        entity: the entity that the claim is about, as far as it is a recorded one.
        passage: the passage of the claim.
        known: what the records hold.
        position: where the claim begins.

    Returns:
        The reason, or None where nothing speaks against the fact.
    """
    if not fact.entities or entity.force == "own":
        return None
    spans = [(passage.passage.start, passage.passage.end)]
    for scope in passage.passage.scopes:
        if not scope.hard or passage.contexts.entities(scope.span):
            break
        spans.append(scope.span)
    for span in spans:
        name = _foreign_name(span, passage, known, position)
        if name is not None:
            return f"{fact.said} is recorded as {fact.about}; no record knows {name!r}"
    return None


def _foreign_name(
    span: Span, passage: PassageContext, known: Knowledge, position: int
) -> str | None:
    text = known.reading.text
    mentions = passage.contexts.mentions(span)
    for mention in mentions:
        if mention.named.foreign:
            return text[mention.start : mention.end]
    taken = [(m.start, m.end) for m in mentions]
    taken += [d.span for d in passage.dates] + [q.span for q in passage.quantities]
    for match in _CAPITALISED.finditer(text, *span):
        if _is_name(text, match, span[0], taken, known):
            return match[0]
    for match in _HAN_SUBJECT.finditer(text, span[0], span[1]):
        inside = any(first < match.end(1) and match.start(1) < last for first, last in taken)
        if match.end(1) <= position and not inside and not _HAN_GENERIC.match(match[1]):
            return match[1]
    return None


def _is_name(
    text: str, match: re.Match[str], start: int, taken: Sequence[Span], known: Knowledge
) -> bool:
    """Whether capitalised words are a name that no record has, even one made of known words."""
    places = [(w.start(), w.end()) for w in _WORD.finditer(text, match.start(), match.end())]
    outside = [
        text[first:last]
        for first, last in places
        if not any(a < last and first < b for a, b in taken)
    ]
    words = [word for word in outside if not _is_common(word)]
    if not words or (len(places) > 1 and _is_said(match[0], known)):
        return False
    strange = [word for word in words if word.lower() not in known.names.words]
    if not strange and len(places) < 2:
        return False
    lead = text[start : match.start()].strip(' \t*_"“「#>-[|(')
    if lead or len(places) > 1:
        return True
    possessive = match[0].endswith("'s") or text.startswith("'s", match.end())
    return possessive or _ALONE.match(text, match.end()) is not None


def _is_common(word: str) -> bool:
    return (
        word.lower() in _COMMON_STARTS
        or (word.isupper() and len(word) <= 5)
        or word.isdigit()
        or resolve_unit(word) is not None
    )


def _is_said(name: str, known: Knowledge) -> bool:
    key = key_of(name)
    return any(key in text for _, text in known.haystack)
