"""Hints that tool answers give for the next steps, and how sure they make the answer.

Both follow from the published fields of the answers alone (design.md, "Contracts"): status,
confidence, corrections, gaps, candidates, options, conflicts, cursors and notes. The hints are the
AgentHints of the agent class specification, made by the runtime, since the tools serve hosts too.

Confidence is 0 to 1, the least of its parts: high is 0.9, medium 0.6 and low 0.3 (design.md,
"Contracts > agents"). Parts are how terms matched and tools answered, whether answers contradict
one another, and how many rounds it took.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import SourceQuality, ToolAnswer

LASTING_S = 3_600.0
LIVE_S = 30.0
_MOST_ACTIONS = 3
_MOST_NAMED = 5
_MOST_RESOURCES = 20
_WORST_FIRST: tuple[SourceQuality, ...] = ("low", "medium", "high")

GOOD = frozenset({"found", "results", "answered", "complete"})
NOTHING = frozenset({"not_found", "empty"})
PARTLY = frozenset({"partial", "truncated", "entity_found"})
REFUSED = frozenset({"unrecognized_param", "rejected", "refused", "error", "aborted"})
Alignment = Literal["strong", "moderate", "conflict"]
CONFIDENCE: Mapping[SourceQuality, float] = {
    "high": 0.9, "medium": 0.6, "low": 0.3, "unknown": 0.6,
}  # fmt: skip
"""Confidence by the quality of a source (design.md, "Contracts > agents")."""
_RESOURCE = re.compile(r"(?:evidence|passage|card|node|deck|change|review|journey)_id")
_HANDLE = re.compile(r"(?:journey|run|evidence|cursor)_id|next_cursor")


@dataclass(frozen=True, slots=True)
class NextAction:
    """Something that could be done next.

    Attributes:
        text: what, as one line for a model.
        tool: the tool to call, or None if the user has to be asked.
        impact: how much it would bring, 0 to 1.
    """

    text: str
    tool: str | None
    impact: float


@dataclass(frozen=True, slots=True)
class AgentHints:
    """The meaning of an answer for what comes next: the eleven fields of AgentHints 2.0.0.

    `next_actions` is what the specification calls suggestedNextActions. `superseded_by_success` is
    the runtime's own.

    Attributes:
        next_actions: what could be done, best first.
        source_quality: how far the answer can be relied on.
        validity_period: seconds for which the same call need not be repeated; 0 means none.
        risk_factors: what may mislead.
        dependencies: handles in the answer that later calls need, as `name=value`.
        estimated_impact: how far the answer brings the task on, 0 to 1.
        related_resources: handles of what the answer speaks of, as `name=value`: records,
            passages, cards, concepts.
        confidence: how sure the hints are, 0 to 1, by the quality of the source.
        context_needed: what would have to be known for a better answer.
        assumptions: what the answer rests on.
        preference_alignment: how what was asked for was followed: each preference with `strong`
            (as it was sent), `moderate` (read otherwise) or `conflict` (not followed).
        superseded_by_success: whether the answer only asks for other arguments, so that a later
            success of the same tool takes its place.
    """

    next_actions: tuple[NextAction, ...] = ()
    source_quality: SourceQuality = "unknown"
    validity_period: float = 0.0
    risk_factors: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    estimated_impact: float = 0.0
    related_resources: tuple[str, ...] = ()
    confidence: float = 0.0
    context_needed: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    preference_alignment: tuple[tuple[str, Alignment], ...] = ()
    superseded_by_success: bool = False

    def dumped(self) -> dict[str, JsonValue]:
        """The eleven fields as JSON."""
        return {
            "suggested_next_actions": [
                {"action": one.text, "tool": one.tool, "impact": one.impact}
                for one in self.next_actions
            ],
            "related_resources": list(self.related_resources),
            "confidence": self.confidence,
            "source_quality": self.source_quality,
            "validity_period_s": self.validity_period,
            "context_needed": list(self.context_needed),
            "assumptions": list(self.assumptions),
            "risk_factors": list(self.risk_factors),
            "dependencies": list(self.dependencies),
            "estimated_impact": self.estimated_impact,
            "preference_alignment": [
                {"preference": name, "alignment": alignment}
                for name, alignment in self.preference_alignment
            ],
        }

    def lines(self) -> list[str]:
        """The hints as lines below an observation."""
        found = [f"Next: {action.text}" for action in self.next_actions[:_MOST_ACTIONS]]
        if self.source_quality in ("medium", "low"):
            found.append(f"Source quality: {self.source_quality}")
        found += [f"Mind: {risk}" for risk in self.risk_factors[:_MOST_NAMED]]
        if self.dependencies:
            found.append(f"Later calls need: {', '.join(self.dependencies)}")
        return found


def hints_of(answer: ToolAnswer, *, read_only: bool = True, open_world: bool = True) -> AgentHints:
    """The hints of one answer.

    Args:
        answer: what the tool said.
        read_only: whether the tool changes nothing.
        open_world: whether the tool reaches things that change at any time.
    """
    if answer.is_error:
        return AgentHints(
            next_actions=(
                NextAction(f"send {answer.tool} what its refusal says", answer.tool, 0.6),
            ),
            source_quality="low",
            risk_factors=("the tool refused or failed, so nothing is known from it",),
            estimated_impact=0.1,
            confidence=CONFIDENCE["low"],
            context_needed=(f"arguments that {answer.tool} takes",),
            superseded_by_success=True,
        )
    data = answer.data
    status = status_of(data)
    risks = tuple(_risks(data))
    quality = quality_of(data, status)
    validity = 0.0
    if read_only and status not in REFUSED | {"running", "needs_decision"}:
        validity = LIVE_S if open_world else LASTING_S
    return AgentHints(
        next_actions=tuple(
            sorted(_next_actions(answer.tool, data, status), key=lambda one: -one.impact)
        ),
        source_quality=quality,
        validity_period=validity,
        risk_factors=risks,
        dependencies=tuple(_dependencies(data)),
        estimated_impact=_impact(status, bool(risks)),
        related_resources=tuple(dict.fromkeys(_resources(data)))[:_MOST_RESOURCES],
        confidence=CONFIDENCE[quality],
        context_needed=tuple(_needed(data)),
        assumptions=tuple(_said(data, "assumptions")),
        preference_alignment=tuple(_alignment(answer.arguments, data)),
        superseded_by_success=status in REFUSED or status == "empty",
    )


def merged(hints: Sequence[AgentHints]) -> AgentHints:
    """The hints of several answers that one result rests on; the least sure decides."""
    counted = [one for one in hints if not one.superseded_by_success] or list(hints)
    if not counted:
        return AgentHints(context_needed=("an answer of a tool",))
    actions = {action.text: action for one in counted for action in one.next_actions}
    return AgentHints(
        next_actions=tuple(sorted(actions.values(), key=lambda one: -one.impact)[:_MOST_ACTIONS]),
        source_quality=least([one.source_quality for one in counted]),
        validity_period=min(one.validity_period for one in counted),
        risk_factors=_each(one.risk_factors for one in counted),
        dependencies=_each(one.dependencies for one in counted),
        estimated_impact=max(one.estimated_impact for one in counted),
        related_resources=_each(one.related_resources for one in counted)[:_MOST_RESOURCES],
        confidence=min(one.confidence for one in counted),
        context_needed=_each(one.context_needed for one in counted),
        assumptions=_each(one.assumptions for one in counted),
        preference_alignment=tuple(
            dict.fromkeys(pair for one in counted for pair in one.preference_alignment)
        ),
    )


def _each(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The texts of several tuples, each once."""
    return tuple(dict.fromkeys(text for some in texts for text in some))


def status_of(data: Mapping[str, JsonValue]) -> str:
    """The status of an answer; of an agent that was called as a tool, whether it succeeded."""
    if data.get("success") is False:
        return "error"
    if data.get("success") is True:
        return "answered"
    return _text(data.get("status"))


def least(qualities: Sequence[SourceQuality]) -> SourceQuality:
    """The worst of several qualities; unknown ones count only if there are no others."""
    for quality in _WORST_FIRST:
        if quality in qualities:
            return quality
    return "unknown"


def quality_of(data: Mapping[str, JsonValue], status: str) -> SourceQuality:
    """How far an answer can be relied on, by how its terms matched and what it says of itself."""
    parts: list[SourceQuality] = []
    said = _text(data.get("confidence"))
    if said in ("high", "medium", "low"):
        parts.append(cast("SourceQuality", said))
    parts += _quality_of_agent(data)
    if status in GOOD | NOTHING:
        parts.append("high")
    elif status in PARTLY or status in ("running", "needs_decision"):
        parts.append("medium")
    elif status in REFUSED:
        parts.append("low")
    how = {_text(one.get("how")) for key in ("corrections", "resolved") for one in _rows(data, key)}
    if "corrected" in how:
        parts.append("medium")
    if _rows(data, "gaps") or _text(data.get("source")) == "offline_estimate":
        parts.append("low" if _rows(data, "gaps") else "medium")
    if data.get("conflicts") or data.get("assumptions") or data.get("evidence_error"):
        parts.append("medium")
    if not parts:
        parts.append("high" if data.get("evidence_id") else "unknown")
    return least(parts)


def _quality_of_agent(data: Mapping[str, JsonValue]) -> list[SourceQuality]:
    """How sure an agent was that was called as a tool."""
    reasoning = data.get("reasoning")
    sure = reasoning.get("confidence") if isinstance(reasoning, dict) else None
    if not isinstance(sure, int | float):
        return []
    return ["high" if sure >= 0.9 else "medium" if sure >= 0.6 else "low"]


def _next_actions(tool: str, data: Mapping[str, JsonValue], status: str) -> Iterator[NextAction]:
    candidates = _named(data.get("candidates"))
    if candidates:
        param = _text(data.get("param")) or "the argument"
        yield NextAction(f"call {tool} again with {param} one of {candidates}", tool, 0.9)
    options = _named(data.get("options"))
    if options:
        yield NextAction(f"choose one of {options}, or ask the user which", tool, 0.9)
    for gap in _rows(data, "gaps")[:_MOST_NAMED]:
        if suggestions := _named(gap.get("suggestions")):
            term = _text(gap.get("term"))
            yield NextAction(f"instead of {term} send one of {suggestions}", tool, 0.7)
    if status == "running":
        yield NextAction(f"call {tool} again with run_id", tool, 0.9)
    if status == "needs_decision":
        yield NextAction(f"decide: {_text(data.get('question'))[:300]}", tool, 0.9)
    if isinstance(available := data.get("available"), dict) and available:
        listed = "; ".join(
            f"{key}: {names}" for key, value in available.items() if (names := _named(value))
        )
        if listed:
            yield NextAction(f"what is held is {listed}", tool, 0.5)
    if status == "empty" and _text(data.get("explanation_of_empty")):
        yield NextAction("leave out the condition that nothing meets", tool, 0.5)
    if data.get("next_cursor"):
        yield NextAction(f"call {tool} again with cursor = next_cursor for more", tool, 0.3)


def _risks(data: Mapping[str, JsonValue]) -> Iterator[str]:
    if data.get("conflicts"):
        yield "sources disagree: tell the conflict"
    if data.get("evidence_error"):
        yield "the answer could not be recorded as evidence"
    if _text(data.get("source")) == "offline_estimate":
        yield "times are estimates of an embedded network"
    if data.get("truncated") or data.get("left_out"):
        yield "something was left out: do not call it complete"
    for gap in _rows(data, "gaps")[:_MOST_NAMED]:
        yield f"not covered: {_text(gap.get('term'))[:80]}"
    if data.get("assumptions"):
        yield "the answer rests on assumptions: tell them"


def _dependencies(data: Mapping[str, JsonValue]) -> Iterator[str]:
    for key, value in data.items():
        if key != "evidence_id" and isinstance(value, str) and _HANDLE.fullmatch(key):
            yield f"{key}={value}"


def _resources(data: Mapping[str, JsonValue]) -> Iterator[str]:
    """Handles of an answer and of the objects in its lists."""
    for key, value in data.items():
        if isinstance(value, str) and _RESOURCE.fullmatch(key):
            yield f"{key}={value}"
        for row in _rows(data, key):
            yield from (
                f"{name}={one}"
                for name, one in row.items()
                if isinstance(one, str) and _RESOURCE.fullmatch(name)
            )


def _needed(data: Mapping[str, JsonValue]) -> Iterator[str]:
    """Return the parts that an answer says it lacks."""
    for key in ("needed", "needs", "question"):
        if text := _text(data.get(key)):
            yield text[:300]
    if param := _text(data.get("param")):
        yield f"another {param}"


def _said(data: Mapping[str, JsonValue], key: str) -> Iterator[str]:
    value = data.get(key)
    for one in value if isinstance(value, list) else []:
        if text := _text(one):
            yield text


def _alignment(
    sent: Mapping[str, JsonValue], data: Mapping[str, JsonValue]
) -> Iterator[tuple[str, Alignment]]:
    """How each argument that was sent was followed, by corrections, gaps and refusals."""
    changed = {
        _text(one.get(name))
        for key in ("corrections", "resolved")
        for one in _rows(data, key)
        for name in ("param", "slot", "raw")
        if _text(one.get("how")) not in ("exact", "")
    }
    missing = {_text(one.get("term")) for one in _rows(data, "gaps")} | {_text(data.get("param"))}
    for name, value in sent.items():
        if value in (None, "", [], {}):
            continue
        marks = {name, _text(value)} - {""}
        if marks & missing:
            yield name, "conflict"
        else:
            yield name, "moderate" if marks & changed else "strong"


def _impact(status: str, risky: bool) -> float:
    if status in REFUSED:
        return 0.2
    if status in NOTHING:
        return 0.4
    if status in PARTLY or status in ("running", "needs_decision"):
        return 0.5
    return 0.7 if risky else 0.9


def _rows(data: Mapping[str, JsonValue], key: str) -> list[dict[str, JsonValue]]:
    value = data.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: JsonValue) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _named(value: JsonValue) -> str:
    """The first few of a list of names, or of objects that have one, joined for a line."""
    if not isinstance(value, list):
        return ""
    names: list[str] = []
    for one in value[:_MOST_NAMED]:
        if isinstance(one, dict):
            keys = ("value", "name", "label", "code", "term", "id")
            one = next((one[key] for key in keys if one.get(key)), None)
        if isinstance(one, str | int | float) and one != "":
            names.append(str(one))
    return ", ".join(names)


HIGH = 0.9
MEDIUM = 0.6
LOW = 0.3
WORDS = {"high": HIGH, "medium": MEDIUM, "low": LOW}


@dataclass(frozen=True, slots=True)
class Judged:
    """A tool answer with its hints."""

    answer: ToolAnswer
    hints: AgentHints


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure an answer is.

    Attributes:
        value: 0 to 1.
        source_quality: of the answers that count.
        reasons: why it is not higher.
    """

    value: float
    source_quality: SourceQuality
    reasons: tuple[str, ...] = ()


def calculate_confidence(
    judged: Sequence[Judged],
    *,
    iterations: int,
    max_iterations: int,
    said: str = "",
    failed: bool = False,
) -> Confidence:
    """The confidence of a run.

    Args:
        judged: every tool answer.
        iterations: rounds that it took.
        max_iterations: rounds that were allowed.
        said: "high", "medium" or "low" where the answer itself says so.
        failed: whether the run ended without an answer; then nothing can be relied on.
    """
    counted = list(_counting(judged))
    quality = least([one.hints.source_quality for one in counted])
    parts: list[tuple[float, str]] = [(HIGH, "")]
    if said in WORDS:
        parts.append((WORDS[said], f"the answer itself says {said}"))
    if not counted:
        parts.append((LOW, "no tool has answered"))
    elif quality in WORDS:
        parts.append((WORDS[quality], f"the quality of the sources is {quality}"))
    else:
        parts.append((MEDIUM, "the quality of the sources is unknown"))
    refused = sum(one.answer.is_error for one in judged)
    if refused * 2 > len(judged):
        parts.append((MEDIUM, "most calls were refused or failed"))
    if contradictions(judged):
        parts.append((LOW, "answers of tools contradict one another"))
    if iterations > 2 and iterations * 2 > max_iterations:
        parts.append((MEDIUM, "it took more than half of the rounds"))
    if failed:
        parts.append((0.0 if not counted else LOW, "the run did not end with an answer"))
    value = min(part for part, _ in parts)
    reasons = tuple(reason for part, reason in parts if part < HIGH)
    return Confidence(value, quality, reasons)


def contradictions(judged: Sequence[Judged]) -> list[str]:
    """Tools that gave two different answers to one and the same call."""
    said: dict[tuple[str, str], str] = {}
    found: list[str] = []
    for one in judged:
        answer = one.answer
        if answer.is_error or one.hints.validity_period == 0:
            continue
        key = (answer.tool, json.dumps(answer.arguments, sort_keys=True, ensure_ascii=False))
        text = str(answer.data.get("answer", answer.text))
        if said.setdefault(key, text) != text:
            found.append(answer.tool)
    return list(dict.fromkeys(found))


def _counting(judged: Sequence[Judged]) -> Iterator[Judged]:
    """The answers that the result can rest on.

    One that only asks for other arguments counts no more once the same tool has answered.
    """
    for position, one in enumerate(judged):
        later = judged[position + 1 :]
        answered = any(
            other.answer.tool == one.answer.tool and not other.hints.superseded_by_success
            for other in later
        )
        if one.answer.is_error or (one.hints.superseded_by_success and answered):
            continue
        yield one
