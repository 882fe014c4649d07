"""This module cuts questions into requests: "What is the capital, and how many live there?".

A request begins with a question word, behind a joint or a question mark. In Chinese the question
word stands inside, so that a clause with one is a request, and a clause without one belongs to the
next. Not split are a clause that only describes what stands before it ("countries that ... and
which ..."), and one without a verb that shares what the next says ("how many scenarios and how many
traces are from Berlin").
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.language.asking import Asked, asked_in
from groundwire.language.lexicon import lexicon
from groundwire.language.ordinals import superlative_in

MOST_REQUESTS = 3
"""Requests of one question that are answered one by one."""

THERE = re.compile(
    r"(?<=\w )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?:over )?there(?![\w'’])"
    r"|(?<!\w)dort(?!\w)|那里|那儿|那边",
    re.IGNORECASE,
)
"""The place that was spoken of; "there" in "how many are there" is none."""

_CLAUSE_END = re.compile(r"[，,；;。？?！!]+")
_WORD = re.compile(r"\w+")
_VERBS = ("being", "having", "saying", "function", "relation")
_SHORT = 3


def requests_of(question: str) -> tuple[str, ...]:
    """Return the requests of a question in its own words, in order; one if it has one."""
    text = " ".join(question.split())
    parts = _in_chinese(text) if asked_in(text) == "zh" else _behind_joints(text)
    parts = parts if len(parts) > 1 else _both_ends(text)
    parts = parts if len(parts) > 1 else asked_of_each(text, always=True) or parts
    return parts if 1 < len(parts) <= MOST_REQUESTS and _is_told(parts) else (text,)


def asked_of_each(question: str, *, always: bool = False) -> tuple[str, ...]:
    """Return a question for two things as two requests; nothing for another question.

    "How many neighbours do Peru and Chile have" counts those of each, "does Germany border France
    and Spain" asks of each, and "the capital and the mayor of Lisbon" are two things.

    Args:
        question: the question.
        always: return those alone that ask for something else if they are asked at once.
    """
    for one in _data(asked_in(question))["each"]:
        is_meant = one.get("always") or not always
        if is_meant and (found := _pattern(one["of"]).fullmatch(question)):
            parts = found.groupdict("")
            names = _LISTED.split(parts["names"]) if "names" in parts else ()
            each = names or (parts["one"], parts["other"])
            return tuple(one["told"].format(who=who, **parts) for who in each)
    return ()


_LISTED = re.compile(r",? (?:and|or|und|oder|als auch) (?:an |die )?|, ")


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def is_aside(request: str, before: str) -> bool:
    """Return whether a request stands beside the one before it instead of going on from it.

    "How many have potholes and how many are of asphalt" counts twice; "how many of them" goes on.
    """
    language = asked_in(request)
    first, second = (_asking(language).search(one) for one in (before, request))
    if first is None or second is None or first[0].lower() != second[0].lower():
        return False
    if language != "zh" and second.start() and not first.start():
        # "Which scenarios are at night, and in which city?" is asked of those.
        return False
    return _words_in(request, "again", language) is None


def speaks_of_before(request: str) -> bool:
    """Return whether a request is about what was asked before: "and its margin?", "which had"."""
    language = asked_in(request)
    return any(_words_in(request, one, language) is not None for one in ("back", "bare"))


def _words_in(request: str, name: str, language: Asked) -> re.Match[str] | None:
    words = "|".join(_data(language)[name])
    bounded = words if language == "zh" else rf"(?<!\w)(?:{words})(?!\w)"
    return re.search(bounded, request, re.IGNORECASE)


def _is_told(parts: Sequence[str]) -> bool:
    """Whether each part says enough to be asked alone."""
    language = asked_in(parts[0])
    if _pattern(_data(language)["number_of_each"]).fullmatch(parts[-1].strip(" ,.?")):
        # "Which cities have maps, and how many each?" is counted by city.
        return False
    if language == "zh":
        return True
    words = [_WORD.findall(part) for part in parts]
    roles = [lexicon(language).role_of(word.lower()) for word in words[0]]
    has_verb = any(one is not None and one.role in _VERBS for one in roles)
    is_name = _asking(language).match(parts[0]) is None
    is_told = is_name or has_verb or len(words[0]) > _SHORT
    return is_told and all(len(one) > 1 for one in words)


def _behind_joints(text: str) -> tuple[str, ...]:
    """Return the parts of a question that begin with question words behind joints."""
    language = asked_in(text)
    starts = [0]
    for found in _joints(language).finditer(text):
        before = text[starts[-1] : found.start()]
        asks = _asking(language).search(before) is not None
        if not asks and "?" not in found[0] and _is_frame(before, language):
            continue
        relates = (found["word"] or "").lower() in _data(language)["relative"]
        relates = relates and _relative(language).search(before) is not None
        asks = asks or found["owned"] or "?" in found[0] or (text.endswith("?") and not relates)
        if len(_WORD.findall(before)) > 1 and asks:
            starts.append(found.start("next" if found["next"] else "request"))
    cut = (text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True))
    parts = [_JOINT_LEFT.sub("", part.strip(" ,;.")).strip(" ,;.") for part in cut]
    return tuple(_ranked_alike(*parts) if len(parts) == 2 else parts)


def _ranked_alike(first: str, second: str) -> tuple[str, str]:
    """Return two requests, of which the first may end where the second says what is ranked.

    "Which shop had the highest and which the lowest revenue" ranks by revenue both times.
    """
    last, other = superlative_in(first), superlative_in(second)
    if last and other and not first[last[1] :].strip():
        return f"{first}{second[other[1] :]}", second
    return first, second


def _both_ends(text: str) -> tuple[str, ...]:
    """Return a request for each end of an order: "the longest and the shortest map"."""
    first = superlative_in(text)
    joint = _ENDS.match(text, first[1]) if first else None
    second = superlative_in(text[joint.end() :]) if joint else None
    if first is None or joint is None or second is None or second[0]:
        return (text,)
    start, end = joint.end(), joint.end() + second[1]
    rest = _EACH.sub("", text[end:])
    return f"{text[: first[1]]}{rest}", f"{text[: first[0]]}{text[start:end]}{rest}"


_ENDS = re.compile(
    r",? (?:and|und) (?:(?:the|die|der|das|den) )?|的?(?:和|与|及|以及)", re.IGNORECASE
)
_EACH = re.compile("(?:各自?|分别)(?=是|有|为)")


def _is_frame(before: str, language: Asked) -> bool:
    """Whether a part only says what the next one is asked of: "For China, what was the GDP?"."""
    first = _WORD.search(before)
    data = _data(language)
    return first is not None and first[0].lower() in (*data["leading"], *data["framing"])


_JOINT_LEFT = re.compile(r"[ ,;](?:and|und)(?: also| auch)?$", re.IGNORECASE)


def _in_chinese(text: str) -> tuple[str, ...]:
    """Return the clauses of a Chinese question that have a question word, with what leads them.

    What belongs to what is asked for is a request too: "秘鲁的首都和它的货币".
    """
    parts: list[str] = []
    led = ""
    text, *owned = _owned_last().split(text)
    for clause in _clauses(text):
        if owned or _asking("zh").search(clause) is not None:
            parts.append(f"{led}{clause}")
            led = ""
        else:
            led += f"{clause}，"
    if led and parts:
        parts[-1] = f"{parts[-1]}，{led.rstrip('，')}"
    return (*parts, *(one.rstrip("。？?！! ") for one in owned))


def _clauses(text: str) -> Iterator[str]:
    for piece in filter(None, map(str.strip, _CLAUSE_END.split(text))):
        yield _joint_first().sub("", piece)


@cache
def _joint_first() -> re.Pattern[str]:
    return re.compile(f"^(?:{'|'.join(_data('zh')['joints'])})")


@cache
def _owned_last() -> re.Pattern[str]:
    """Return the pattern of a joint before what belongs to what was asked for, at the end."""
    data = _data("zh")
    joints, owning = ("|".join(data[one]) for one in ("owned_joints", "owning"))
    return re.compile(rf"(?<=\w)(?:{joints})(?=(?:{owning})\w{{2,10}}\W*$)")


@cache
def _joints(language: Asked) -> re.Pattern[str]:
    """Return the pattern of a joint before a question word."""
    data = _data(language)
    joint = rf"(?:\?\s*|[,;.]\s*|\s)(?:(?:{'|'.join(data['joints'])})\s+)+"
    led = rf"(?:(?:{'|'.join(data['leading'])})\s+)?"
    return re.compile(
        rf"(?:{joint}|[,;.]\s+)(?P<request>{led}(?P<word>{_words(language)})"
        rf"|(?P<owned>{'|'.join(data['owning'])})(?=(?: [\w-]+){{1,3}}\W*$))(?!\w)"
        r"|\?\s+(?P<next>\w)",
        re.IGNORECASE,
    )


@cache
def _relative(language: Asked) -> re.Pattern[str]:
    words = "|".join(_data(language)["relative"])
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


@cache
def _asking(language: Asked) -> re.Pattern[str]:
    if language == "zh":
        return re.compile(f"{_words('zh')}|{'|'.join(_data('zh')['more'])}")
    return re.compile(rf"(?<!\w)(?:{_words(language)})(?!\w)", re.IGNORECASE)


@cache
def _words(language: Asked) -> str:
    """Return the question words of a language as alternatives, the longest first."""
    entries = lexicon(language).entries
    said = [
        word
        for word, entry in entries.items()
        if entry.role == "question" and entry.sense != "request"
    ]
    return "|".join(map(re.escape, sorted(said, key=lambda one: (-len(one), one))))


@cache
def _data(language: Asked) -> Mapping[str, Any]:
    text = (files(__package__ or "") / "requests.toml").read_text("utf-8")
    return tomllib.loads(text)[language]
