"""How sure an answer is: 0 to 1, the least of its parts.

high is 0.9, medium 0.6 and low 0.3 (design.md, "Contracts > agents"). Parts are how terms matched
and tools answered, whether answers contradict one another, and how many rounds it took.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.agents.runtime.guards import ToolAnswer
from groundwire.agents.runtime.hints import AgentHints, least
from groundwire.agents.runtime.output import SourceQuality

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
