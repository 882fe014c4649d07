"""The rules by which a case of `trust.py` is judged, and what an answer tells.

A case is TOML. `wrong` and `right` are rules, or lists of rules of which one must hold. The first
that applies decides:

    wrong          a rule of `wrong` holds: something untrue, or unproven, is told as right
    right          a rule of `right` holds
    fair           the answer asks, refuses or says that it does not hold this
    over_refused   the same where `fair = false`: today's right answer must stay
    wrong          otherwise: an answer that lacks what makes it right

A rule is a table, and all of its entries must hold:

    all, any, none      patterns over the text that a person reads, in any case of letters
    json_all, json_any, json_none   the same over the whole structured answer
    fields              values of the structured answer by dotted path; a list is any of it
    count               lengths of lists by dotted path
    filled              dotted paths of lists that hold something
    percent             each of these percentages is told
    stray_percent       a percentage is told that is none of these
    in_order            patterns that stand in the text, one after the other
    followed_above      a suggestion, sent as it stands, matched more than so many assets
    calendar_of         a calendar was written that ends when the plan of this index arrives
    asks                whether the answer asks or refuses
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

OUTCOMES = ("right", "fair", "over_refused", "wrong")

# Parts of an answer that say how it came about, and parts that repeat what was asked.
_TRACES = frozenset(
    {"reasoning", "metadata", "credit", "audits", "audit", "steps", "sparql", "evidence_id"}
    | {"evidence_ids", "run_id", "asked_about"}
)
_UNREAD = _TRACES | {"corrections", "applied"}
_SHOWN = frozenset(
    {"answer", "markdown", "text", "question", "notes", "assumptions", "exit_message", "error"}
    | {"legend", "explanation_of_empty", "detail", "reason"}
)
_ASKING_STATUS = frozenset(
    {"not_found", "unrecognized_param", "rejected", "needs_decision", "aborted", "ask_first"}
    | {"out_of_scope", "out_of_scope_entity", "refused", "error", "clarify", "entity_found"}
)
# Of these the words of the answer are not asked whether it refuses.
_TELLING_STATUS = frozenset({"answered", "results", "found"})
_ASKING_TEXT = re.compile(
    r"[?？]\s*$|did you mean|please (say|name|send|choose)|"
    r"\bnot (planned|searched|understood|computed|known|held|recognised|recognized)\b|"
    r"\bno (plan|passage|statement|fact|figure)\b|\bcannot\b|\bcould not\b|"
    r"无法|没有|未能|是否指|请|meinten Sie|nicht (verstanden|gesucht|bekannt)",
    re.IGNORECASE | re.MULTILINE,
)
# A comma that cannot group digits is a decimal comma.
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})*(?:\.\d+)?")
_PERCENT = re.compile(
    r"(?<![\d.,])(-?\d[\d,]*(?:\.\d+)?)\s*(?:%|％|percent\b|per cent\b|Prozent\b)"
)


@dataclass
class Told:
    """What came back for a case.

    Attributes:
        data: the structured content, or the line of an error under `error`.
        failed: whether it is an error.
        extra: text of files that were written, and what the runner added.
        followed: how many assets each suggestion matched that was sent as it stands.
        arrivals: when the plans of the first journey arrive, as a calendar writes it.
    """

    data: Mapping[str, Any]
    failed: bool = False
    extra: str = ""
    followed: list[int] = field(default_factory=list)
    arrivals: list[str] = field(default_factory=list)

    @property
    def read(self) -> str:
        """What a person reads."""
        return "\n".join([*_shown(self.data), self.extra])

    @property
    def whole(self) -> str:
        """The structured answer without traces."""
        return json.dumps(_pruned(self.data), ensure_ascii=False) + "\n" + self.extra

    @property
    def asks(self) -> bool:
        """Whether it asks, refuses, or says that this is not held."""
        if self.failed or self.data.get("success") is False or self.data.get("options"):
            return True
        result = self.data.get("result")
        parts = [self.data, result if isinstance(result, Mapping) else {}]
        for part in parts:
            if {part.get("status"), part.get("mode")} & _ASKING_STATUS:
                return True
            if part.get("not_derived") and not part.get("derived"):
                return True
        if {part.get("status") for part in parts} & _TELLING_STATUS:
            return False
        return bool(_ASKING_TEXT.search(str(self.data.get("answer", ""))))


def judge(case: Mapping[str, Any], told: Told) -> str:
    """The outcome of a case."""
    if any(holds(rule, told) for rule in _rules(case.get("wrong"))):
        return "wrong"
    if any(holds(rule, told) for rule in _rules(case.get("right"))):
        return "right"
    if told.asks:
        return "fair" if case.get("fair", True) else "over_refused"
    return "wrong"


def holds(rule: Mapping[str, Any], told: Told) -> bool:
    """Whether all entries of a rule hold."""
    if not rule:
        raise ValueError("a rule without entries holds of everything")
    return all(_entry(name, value, told) for name, value in rule.items())


def value_at(data: Any, path: str) -> Any:
    """The value at a dotted path, or None."""
    for step in path.split("."):
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data


def _entry(name: str, value: Any, told: Told) -> bool:
    if name not in _ENTRIES:
        raise ValueError(f"no rule is called {name!r}")
    return _ENTRIES[name](value, told)


def _calendar_of(index: int, told: Told) -> bool:
    ends = re.findall(r"DTEND[^:]*:(\w+)", told.extra)
    return bool(ends) and index < len(told.arrivals) and ends[-1] == told.arrivals[index]


def _said(told: Told, wanted: Sequence[float]) -> list[list[bool]]:
    """For each percentage that is told, which of the wanted ones it is."""
    return [[_near(one, want) for want in wanted] for one in _percents(told.read)]


_ENTRIES: Mapping[str, Callable[[Any, Told], bool]] = {
    "all": lambda value, told: all(_found(one, told.read) for one in value),
    "any": lambda value, told: any(_found(one, told.read) for one in value),
    "none": lambda value, told: not any(_found(one, told.read) for one in value),
    "json_all": lambda value, told: all(_found(one, told.whole) for one in value),
    "json_any": lambda value, told: any(_found(one, told.whole) for one in value),
    "json_none": lambda value, told: not any(_found(one, told.whole) for one in value),
    "fields": lambda value, told: all(
        _is(value_at(told.data, path), want) for path, want in value.items()
    ),
    "count": lambda value, told: all(
        len(value_at(told.data, path) or []) == n for path, n in value.items()
    ),
    "filled": lambda value, told: all(value_at(told.data, path) for path in value),
    "percent": lambda value, told: (
        all(map(any, zip(*_said(told, value), strict=True))) and any(_percents(told.read))
    ),
    "stray_percent": lambda value, told: not all(map(any, _said(told, value))),
    "in_order": lambda value, told: _in_order(value, told.read),
    "followed_above": lambda value, told: any(total > value for total in told.followed),
    "calendar_of": _calendar_of,
    "asks": lambda value, told: told.asks is value,
}


def _rules(value: Any) -> list[Mapping[str, Any]]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _is(value: Any, wanted: Any) -> bool:
    return value in wanted if isinstance(wanted, list) else value == wanted


def _percents(text: str) -> Iterator[float]:
    for found in _PERCENT.finditer(text):
        grouped = _GROUPED.fullmatch(found[1]) is not None
        yield float(found[1].replace(",", "" if grouped else "."))


def _near(said: float, wanted: float) -> bool:
    """Equal, or rounded to two places, one or none, as a person does."""
    return any(abs(said - round(wanted, places)) < 1e-9 for places in (0, 1, 2, 3, 4)) or (
        abs(said - wanted) <= 0.0001
    )


def _in_order(patterns: list[str], text: str) -> bool:
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.IGNORECASE | re.DOTALL).search(text, at)
        if found is None:
            return False
        at = found.end()
    return True


def _shown(value: Any, name: str = "") -> Iterator[str]:
    """Strings under the names that are shown to people."""
    if isinstance(value, str):
        if name in _SHOWN:
            yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _UNREAD:
                yield from _shown(inner, key if key in _SHOWN or name not in _SHOWN else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _shown(inner, name)


def _pruned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _pruned(inner) for key, inner in value.items() if key not in _TRACES}
    if isinstance(value, list):
        return [_pruned(inner) for inner in value]
    return value
