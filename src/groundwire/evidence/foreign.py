"""Names in a passage that no record knows, standing where a claim's subject would."""

from __future__ import annotations

import re

from groundwire.evidence.context import PassageContext
from groundwire.evidence.knowledge import Knowledge
from groundwire.quantities import resolve_unit

_CAPITALISED = re.compile(
    r"[A-Z][A-Za-zÀ-ɏ0-9'_-]*(?:(?: (?:of|the|de|la|von|van|and))? [A-Z0-9][A-Za-zÀ-ɏ0-9'_-]*){0,6}"
)
_VERB = re.compile(r" (?:is|are|was|were|has|have|had|measures|covers|spans|reached|recorded)\b")
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


def foreign_name(passage: PassageContext, position: int, known: Knowledge) -> str | None:
    """The name in a claim's sentence that is no recorded one, or None.

    Args:
        passage: the passage of the claim; it names no recorded entity.
        position: where the claim begins.
        known: what the records hold.
    """
    for mention in passage.mentions:
        if mention.named.foreign:
            return known.reading.text[mention.start : mention.end]
    start, end = passage.passage.start, passage.passage.end
    text = known.reading.text
    spans = [(m.start, m.end) for m in passage.mentions]
    spans += [d.span for d in passage.dates] + [q.span for q in passage.quantities]
    for match in _CAPITALISED.finditer(text, start, end):
        if any(first < match.end() and match.start() < last for first, last in spans):
            continue
        if _is_name(text, match, start, known):
            return match[0]
    for match in _HAN_SUBJECT.finditer(text, start, min(end, position + 1)):
        subject = match[1]
        inside = any(first < match.end(1) and match.start(1) < last for first, last in spans)
        if not inside and not _HAN_GENERIC.match(subject):
            return subject
    return None


def _is_name(text: str, match: re.Match[str], start: int, known: Knowledge) -> bool:
    words = [word for word in re.split(r"[ _-]", match[0]) if word]
    strange = [
        word
        for word in words
        if word.lower().removesuffix("'s") not in known.names.words
        and word.lower().removesuffix("'s") not in _COMMON_STARTS
        and word.lower() not in known.names.words
        and not (word.isupper() and len(word) <= 5)
        and not word.isdigit()
        and resolve_unit(word) is None
    ]
    if not strange:
        return False
    lead = text[start : match.start()].strip(' \t*_"“「#>-')
    if lead or len(words) > 1:
        return True
    possessive = match[0].endswith("'s") or text.startswith("'s", match.end())
    return possessive or _VERB.match(text, match.end()) is not None
