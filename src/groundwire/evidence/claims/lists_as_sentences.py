"""A list told as one sentence with its lead: "The largest are:" and two items, or two rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.evidence.claims.segments import Passage, Span
from groundwire.quantities import find_quantities

_LEADS = (":", "：")
_MOST_ITEMS = 12
# A name and what is told of it: "A: 3", "A – 3", "A (3)", or the name alone.
_ITEM = re.compile(
    r"(?P<name>[^:：|]{1,80}?)(?:\s*(?:[:：]|\s[–—-]\s|,\s)\s*(?P<told>[^:：|]{1,40}))?[.,;。；，]?"
)
_SIGNS = "* _`\t"
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
    said = text[lead.start : lead.end].strip(_SIGNS)
    under = [one for one in passages[place + 1 :] if _is_under(lead, one)] if (
        said.endswith(_LEADS) and lead.kind != "cell" and not _RANKED_BY.search(said)
    ) else []  # fmt: skip
    items = list(_rows(text, under) if under and under[0].kind == "cell" else _items(text, under))
    if not 1 < len(items) <= _MOST_ITEMS or "" in items or len(set(items)) < len(items):
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


def _items(text: str, under: Sequence[Passage]) -> Iterator[str]:
    """Yield the items of a list, "" for one that is more than a name and a figure."""
    for one in under:
        match = _ITEM.fullmatch(text[one.start : one.end].replace("**", "").strip(_SIGNS))
        yield _told(match["name"], match["told"]) if match and one.kind == "item" else ""


def _rows(text: str, under: Sequence[Passage]) -> Iterator[str]:
    """Yield the rows of a table of two columns, "" for another one."""
    lines = dict[int, list[str]]()
    for one in under:
        row = lines.setdefault(text.count("\n", 0, one.start), [])
        row.append(text[one.start : one.end].strip(_SIGNS))
    for row in [*lines.values()][1:]:
        yield _told(*row) if len(row) == 2 and all(row) else ""


def _told(name: str, told: str | None) -> str:
    return f"{name.strip(_SIGNS)} ({told.strip(_SIGNS)})" if told else name.strip(_SIGNS)
