"""The answer to a question that asks for a table: what the table says of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.plan import TABLE, Plan
from groundwire.agents.metrics_agent.sentences import refused, told
from groundwire.agents.runtime.errors import ToolExecutionFailure
from groundwire.agents.runtime.guards import Evidence, ToolAnswer, Verdict
from groundwire.language.sentences import number_text
from groundwire.metrics.intent.wording import language_of, say
from groundwire.metrics.table.query import PERIOD
from groundwire.metrics.table.question_parts import place_asked
from groundwire.metrics.wording import Language

_MOST_PERIODS = 12


def table_verdict(plan: Plan, evidence: Evidence) -> Verdict:
    """Answer with the table that the question asks for, and with no other.

    Raises:
        ToolExecutionFailure: the call of the table failed.
    """
    language = language_of(plan.question)
    own = _own(plan, evidence)
    if own is None:
        failed = [one for one in evidence.answers if one.tool == TABLE and one.is_error]
        if failed:
            raise ToolExecutionFailure(f"Nothing could be looked up: {failed[-1].text}")
        again = f"Call {TABLE} with {dict(plan.table or {})}, then end."
        return Verdict(_result(plan, say("unproven", language), "refused", {}), ask_again=again)
    data = cast("Mapping[str, Any]", own.data)
    status = str(data["status"])
    text = str(data.get("answer") or "")
    if language != "en":
        own_words = "answer_in_chinese" if language == "zh" else "answer_in_german"
        text = str(data.get(own_words) or _refused(data, language))
    place = place_asked(plan.question)
    rows = cast("list[list[str | None]]", data.get("rows") or [])
    if status == "found" and 1 < place == len(rows):
        text = f"{told('place', language, place=str(place), row=_row(data, place, text))} {text}"
    if status == "found":
        text += _each_period(data, language)
    result = _result(plan, text, status, data)
    return Verdict(result, fabrication=status != "found")


def _refused(data: Mapping[str, Any], language: Language) -> str:
    """Return which argument of the table is not used, and what could be sent instead."""
    param = str(data.get("param") or "").partition(".")[0]
    reason = str(data.get("reason") or "unknown")
    labels = [str(one["label"]) for one in data.get("candidates") or ()]
    raw = str(data.get("raw") or "")
    return refused(language, reason, raw, param, labels)


def _each_period(data: Mapping[str, Any], language: Language) -> str:
    """Return all values of a short trend, of which the sentence of the table tells the ends."""
    rows = cast("list[list[str | None]]", data.get("rows") or [])
    roles = [(one.get("code"), one.get("role")) for one in data.get("columns") or ()]
    if [role for _, role in roles] != ["key", "value"] or roles[0][0] != PERIOD:
        return ""
    if not 3 <= len(rows) <= _MOST_PERIODS or any(value is None for _, value in rows):
        return ""
    each = "; ".join(
        f"{period} {number_text(Decimal(str(value)), language)}" for period, value in rows
    )
    return f" ({each})"


def _row(data: Mapping[str, Any], place: int, text: str) -> str:
    """Return one row in words: as the sentence of the table has it, where it has it."""
    rows = cast("list[list[str | None]]", data["rows"])
    parts = re.split(r"; |；", text.partition("：" if "：" in text else ": ")[2])
    if len(parts) >= place:
        return re.sub(r" ?[（(](?:共 )?\d+ .*$|[.。]$", "", parts[place - 1])
    return " ".join(str(one) for one in rows[place - 1] if one is not None)


def _own(plan: Plan, evidence: Evidence) -> ToolAnswer | None:
    """The answer to the very call that the question asks for."""
    wanted = dict(plan.table or {})
    return next((one for one in evidence.of(TABLE) if dict(one.arguments) == wanted), None)


def _result(plan: Plan, text: str, status: str, data: Mapping[str, Any]) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {
        "answer": text,
        "route": plan.route,
        "mode": plan.mode,
        "status": status,
        "sources": [{"doc": doc, "locator": ""} for doc in data.get("sources") or ()],
        "slots": plan.slots,
    }
    for name in ("columns", "rows", "total_rows", "is_complete", "notes"):
        if data.get(name) is not None:
            result[name] = data[name]
    return result
