"""Names in a passage that no record knows, standing where a claim's subject would."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.attachment import Slot
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of
from groundwire.quantities import resolve_unit

_CAPITALISED = re.compile(
    r"[A-Z][A-Za-zÀ-ɏ0-9'_-]*(?:(?: (?:of|the|de|la|von|van|and))? [A-Z0-9][A-Za-zÀ-ɏ0-9'_-]*){0,6}"
)
# What follows a name that stands alone at the beginning: a verb, or the end of a cell or label.
_ALONE = re.compile(
    r"\**(?: (?:is|was|has|had|saw|sees|posted|recorded|reports?|reported|showed|shows|leads|"
    r"comes|offers|contains|covers|spans|features|measures|reached|stood|holds|takes|uses|grew|"
    r"fell|rose)\b"
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
# Where the subject of a Chinese sentence stands; N is a known name, P a date, each masked.
_HAN = "[\u3400-\u9fff·]{2,12}"
_HAN_SUBJECTS = (
    re.compile(f"({_HAN}?)的(?=[NP]|[\u3400-\u9fff]{{0,8}}(?:N|为|是|达|有|约|共|：|:|Q))"),
    re.compile(f"(?<![\u3400-\u9fffN])({_HAN}?)(?:在|于)?[（(]?(?=P)"),
    re.compile(f"P[，,]?({_HAN}?)(?=N|录得|[：:])"),
    re.compile(f"(?:^|[，。；])({_HAN}?)(?=[（(：:]|全长|长|有|共|占|采用|创建|以|于)"),
    re.compile(f"(?:对于?|关于|就|至于)({_HAN}?)(?=而言|来说|来讲|[，,])"),
)
_HAN_LEAD = re.compile(
    "(?:截至|在|于|与|和|从|到|自|对于?|就|据|根据|关于|其中|另外|此外|同时|以及|而|则|按|按照|相比|较|比|约)+"
)
_HAN_GENERIC = re.compile(
    "[该此其它这那各每某我你他]|总|共|合计|目录|结果|查询|资产|记录|数据|全部|所有|平均|国家|地区|公司|地图|文件|"
    "年|期|随后|最后|后来|目前|届时|接着|其次|首先|以下|以上|增长|下降|增加|减少|变化|达到|约为|来源|说明|显示|"
    "实现|录得|取得|拥有|保持|维持|公布|报告|约合|高达|仅为|[升降增减跌]至|长度|数量|数值|符合|匹配|条件|最[大小长短高低多少]"
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
    if passage.passage.kind == "cell" and (stranger := _strange_row(passage, known)):
        return f"{fact.said} is recorded as {fact.about}; no record knows {stranger!r}"
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


def _strange_row(passage: PassageContext, known: Knowledge) -> str | None:
    """The first cell of a row that names something no record knows."""
    row = [scope.span for scope in passage.passage.scopes if scope.hard]
    if not row or any(passage.contexts.entities(span) for span in row):
        return None
    start, end = row[0]
    name = passage.contexts.reading.text[start:end].strip(" \t*_`")
    key = key_of(name)
    wordy = len(key) > 1 and not any(c.isdigit() for c in key[:1])
    if not wordy or passage.contexts.mentions(row[0]) or _is_said(name, known):
        return None
    return name


def _foreign_name(
    span: Span, passage: PassageContext, known: Knowledge, position: int
) -> str | None:
    text = passage.contexts.reading.text
    mentions = passage.contexts.mentions(span)
    for mention in mentions:
        if mention.named.foreign:
            return text[mention.start : mention.end]
    reading = passage.contexts.reading
    days = [d.span for d in reading.dates.within(span)]
    numbers = [q.span for q in reading.quantities.within(span)]
    names = [(m.start, m.end) for m in mentions]
    for match in _CAPITALISED.finditer(text, *span):
        if _is_name(text, match, span[0], [*names, *days, *numbers], known):
            return match[0]
    marks = [*((s, "N") for s in names), *((s, "P") for s in days), *((s, "Q") for s in numbers)]
    return _han_name(text, span, marks, position)


def _han_name(
    text: str, span: Span, marks: Sequence[tuple[Span, str]], position: int
) -> str | None:
    """A run of Chinese characters where a subject would stand, and that no record knows."""
    start, end = span
    if text[start:end].isascii():
        return None
    masked = list(text[start:end])
    for (first, last), mark in marks:
        if start <= first and last <= end:
            masked[first - start : last - start] = mark * (last - first)
    line = "".join(masked)
    for pattern in _HAN_SUBJECTS:
        for match in pattern.finditer(line):
            lead = _HAN_LEAD.match(match[1])
            name = match[1][lead.end() :] if lead else match[1]
            if len(name) < 2 or start + match.start(1) > position or _HAN_GENERIC.search(name):
                continue
            return name
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
    return key_of(name) in known.all_texts
