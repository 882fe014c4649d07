"""The answer of a search in words, and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.function_words import NUMBER_WORDS
from groundwire.agents.ontology_search_agent.tokens import tokenize
from groundwire.vocabulary import fold

_MOST_ASSETS = 10
_MOST_COUNTS = 20
_MOST_SUGGESTIONS = 5
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_KEPT = ("total", "total_is_exact", "counts", "applied", "confidence", "next_cursor", "evidence_id")

Data = Mapping[str, Any]


def told(data: Data, slots: Data, question: str) -> dict[str, JsonValue]:
    """The result of a run.

    Args:
        data: the answer of the search.
        slots: what was submitted; they are returned so that a conversation can go on from them.
        question: what was asked; terms that are only the model's own are not repeated.
    """
    gaps, foreign = _gaps(data, question)
    corrections = [
        one
        for one in _entries(data, "corrections")
        if _is_said(str(one.get("raw", "")), question) and one.get("raw") != one.get("resolved")
    ]
    status = str(data.get("status", ""))
    result: dict[str, Any] = {
        "answer": "",
        "status": status,
        "assets": _entries(data, "results"),
        **{name: data[name] for name in _KEPT if data.get(name) is not None},
        "corrections": corrections,
        "gaps": gaps,
    }
    own = status == "results" or _is_own(slots, question)
    if status == "empty" and own and data.get("explanation_of_empty"):
        result["explanation_of_empty"] = data["explanation_of_empty"]
    if not own:
        result.pop("applied", None)
    if status != "rejected" and own:
        result["slots"] = dict(slots)
    lines = [_opening(data, status, own=own)]
    lines += [f"Read as: {one['raw']} as {one['resolved']}." for one in corrections]
    lines += [_gap_line(one) for one in gaps]
    if foreign and not gaps:
        lines.append("A condition that was tried is not in the catalogue.")
    if status == "empty" and own:
        lines += list(_ways_out(_entries(data, "explanation_of_empty")))
    lines += list(_counts(_entries(data, "counts")))
    lines += list(_assets(_entries(data, "results"), data.get("total")))
    if data.get("evidence_id"):
        lines.append(f"Evidence: {data['evidence_id']}.")
    result["answer"] = "\n".join(lines)
    return result


def _opening(data: Data, status: str, *, own: bool) -> str:
    if status == "rejected":
        return "Nothing was searched."
    if not own:
        return "No asset matches what was searched."
    said = data.get("answer")
    return said if isinstance(said, str) else "The catalogue was searched."


def _gaps(data: Data, question: str) -> tuple[list[Data], int]:
    """Gaps whose term the question has, and how many others there are."""
    found = _entries(data, "gaps")
    said = [one for one in found if _is_said(str(one.get("term", "")), question)]
    return said, len(found) - len(said)


def _gap_line(gap: Data) -> str:
    told_why = {
        "ambiguous": "can mean several things",
        "unsupported": "cannot be asked for",
        "limitation": "cannot be searched together with the rest",
    }.get(str(gap.get("reason")), "is not in the catalogue")
    offered = [str(one) for one in gap.get("suggestions") or ()][:_MOST_SUGGESTIONS]
    hint = f" Known: {', '.join(offered)}." if offered else ""
    return f'Not used: "{gap["term"]}" {told_why}.{hint}'


def _ways_out(explained: Sequence[Data]) -> Iterator[str]:
    for one in explained:
        remaining = one.get("remaining")
        if isinstance(remaining, int) and remaining:
            least = "" if one.get("remaining_is_exact") else "at least "
            nearest = ", ".join(map(str, one.get("nearest") or ()))
            also = f" Nearest stored values: {nearest}." if nearest else ""
            yield f"Without {one.get('condition')} there are {least}{remaining:,}.{also}"


def _counts(counts: Sequence[Data]) -> Iterator[str]:
    for one in counts[:_MOST_COUNTS]:
        number = one.get("count")
        yield f"- {one.get('value')}: {number:,}" if isinstance(number, int) else ""
    if len(counts) > _MOST_COUNTS:
        yield f"- and {len(counts) - _MOST_COUNTS:,} more values"


def _assets(assets: Sequence[Data], total: object) -> Iterator[str]:
    for asset in assets[:_MOST_ASSETS]:
        values = cast("Mapping[str, Any]", asset.get("values") or {})
        shown = "; ".join(f"{key}: {_value(value)}" for key, value in values.items())
        name = asset.get("label") or asset.get("domain") or "Asset"
        yield f"- {name} <{asset.get('iri')}>{' - ' + shown if shown else ''}"
    if isinstance(total, int) and total > _MOST_ASSETS and assets:
        yield f"- and {total - min(len(assets), _MOST_ASSETS):,} more"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[Any]", value)))
    return str(value)


def _entries(data: Data, name: str) -> list[Data]:
    found = data.get(name)
    return [dict(one) for one in cast("list[Data]", found)] if isinstance(found, list) else []


def _is_said(term: str, question: str) -> bool:
    """Whether the question has a term, or every figure and word of it."""
    if fold(term) and fold(term) in fold(question):
        return True
    asked = {fold(word) for word in re.findall(r"\w+", question)}
    words = [fold(word) for word in re.findall(r"\w+", term)]
    return bool(words) and all(word in asked for word in words)


def _is_own(slots: Data, question: str) -> bool:
    """Whether every figure and every text that is searched as it stands is the question's."""
    asked = {_plain(figure) for figure in _FIGURE.findall(question)}
    words = (token.plain for token in tokenize(question))
    asked |= {NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS}
    for key, value in _scalars(slots):
        text = str(value)
        if key == "contains" and not _is_said(text, question):
            return False
        if key in ("min", "max", "gt", "lt", "gte", "lte"):
            figures = re.findall(r"\d{4}(?=-\d\d)|\d+(?:[.,]\d+)*", text)
            if figures and _plain(figures[0]) not in asked and text not in question:
                return False
    return True


def _scalars(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, below in cast("Mapping[str, Any]", value).items():
            yield from _scalars(below, name)
    elif isinstance(value, list):
        for below in cast("list[Any]", value):
            yield from _scalars(below, key)
    else:
        yield key, value


def _plain(figure: str) -> str:
    text = figure.replace(",", ".")
    return text.rstrip("0").rstrip(".") if "." in text else text.lstrip("0") or "0"
