"""Read a question before any model does; refuse it or ask back where that is needed.

The order is strict (seed 001): out of scope first, on the raw question and before any tool or
model; then what has to be asked; only then is something looked up. What a question that goes on
with an earlier one leaves out is what was asked before. The guard reads it by the same steps, and
finds how each of them was read among the answers of the tools.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import chain
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.answer import asking, bound_in
from groundwire.agents.metrics_agent.rules import (
    CLARIFY,
    DERIVED_ASKED,
    SLOTS,
    TABLE_ASKED,
    Plan,
    clarifying,
    kinds_of,
    lookups,
    naming,
    read_plan,
)
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import AgentContext, AgentInput, Evidence, ToolAnswer
from groundwire.agents.runtime.definition import Brief, Briefing
from groundwire.agents.runtime.errors import ValidationFailure
from groundwire.language.asking import asked_in
from groundwire.language.ordinals import has_superlative
from groundwire.language.requests import THERE
from groundwire.metrics.intent.contents import asks_for_nothing
from groundwire.metrics.standing import until
from groundwire.metrics.table.question_parts import turned_round
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import find_periods

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in tomllib.loads(
        (files(__package__ or "") / "follow_ups.toml").read_text("utf-8")
    ).items()
}
_STEPS = {"year": "year", "jahr": "year", "年": "year"} | dict.fromkeys(
    ("quarter", "quartal", "季度"), "quarter"
)
_LABEL = re.compile(
    r"(?P<fy>FY)?(?P<year>[12]\d{3})(?:(?P<of>Q|-)?(?P<part>\d{1,2})|H(?P<half>[12]))?"
)
# A year that is named alone: "in 2023" and 2023年, and not "the full year 2023" or 2023年全年.
_YEAR = re.compile(
    r"(?<!year )(?<!jahr )(?<!\d)[12]\d{3}(?:年(?!全年|度))?(?![\d年])", re.IGNORECASE
)
_ANY_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_AT = ("at", "bei", "")
_WORD = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W\u3400-\u9fff]+")
_MOST_WORDS = 4


def completions(
    question: str, data: Mapping[str, JsonValue], before: Mapping[str, JsonValue]
) -> tuple[str, ...]:
    """A question with what it leaves out, in the order of trying; nothing if it is whole.

    Args:
        question: the question itself.
        data: how `clarify_question` reads it alone.
        before: the result of the turn before.
    """
    plan = read_plan(question, data)
    if plan.ends and (bound := bound_in(question)) is not None:
        return (bound.rest,)
    slots = before.get("slots")
    if not isinstance(slots, dict):
        return ()
    named = cast("Mapping[str, Any]", data["intent"])
    held = {name: _codes(slots.get(name)) for name in SLOTS}
    step = _PATTERNS["step"].fullmatch(question.strip(" ?？。!呢吗"))
    if step is not None and len(held["periods"]) == 1:
        told = _stepped(held["periods"][0], step)
        joint = " 和 " if asked_in(question) == "zh" else " and "
        others = [joint.join(held[one]) for one in SLOTS if held[one] and one != "periods"]
        asked = {"de": "Wie hoch war", "zh": "查询"}.get(asked_in(question), "What was")
        return (" ".join((asked, *others, told)),) if told else ()
    table = str(before.get(TABLE_ASKED) or "")
    if table and not held["periods"]:
        times = [one.raw for one in find_periods(table)]
        held["periods"] = times if len(times) == 1 else []
        if plan.table and "period" not in plan.table and _PATTERNS["beside"].search(question):
            # "And the rent of Central?" is asked of the time that was spoken of.
            return tuple(" ".join((question, one)) for one in held["periods"])
    computed = str(before.get(DERIVED_ASKED) or "")
    if again := _in_another_year(question, table or computed, named):
        return (again,)
    if table and (same := _ranking_again(question, table, named)):
        return same
    is_open = plan.ends or plan.route == "narrative"
    if table and is_open and (again := turned_round(question, table)):
        return (again,)
    if not _goes_on(question, plan):
        return ()
    if not named.get("metrics"):
        question = _within_year(question, _codes(named.get("periods")), held["periods"])
    asked = before.get("asked_about")
    # The user answers what the agent asked back: both texts are one question.
    made = [f"{asked} {question}"] if isinstance(asked, str) and asked else []
    if made and (doubted := str(before.get("doubted") or "")):
        meant = (
            before.get("suggested") if _PATTERNS["yes"].fullmatch(question.strip()) else question
        )
        made.append(str(asked).replace(doubted, str(meant or question), 1))
    since = until(question, held["periods"][0]) if len(held["periods"]) == 1 else ()
    return tuple(chain(made, *(_filled(one, named, held) for one in since or (question,))))


def _filled(
    question: str, named: Mapping[str, Any], held: Mapping[str, list[str]]
) -> tuple[str, ...]:
    """Return a question with the slots that it leaves out, as they were asked about before."""
    made: list[str] = []
    joint = " 和 " if asked_in(question) == "zh" else " and "
    fuller = question
    if _PATTERNS["compares"].search(question):
        for name in SLOTS:
            fuller += "".join(joint + one for one in held[name] if named.get(name))
    left = {name: joint.join(held[name]) for name in SLOTS if held[name] and not named.get(name)}
    if _PATTERNS["it"].search(question) and {"metrics", "entities"} <= left.keys():
        made.append(_PATTERNS["it"].sub(f"{left['metrics']} {left['entities']}", question, 1))
    if THERE.search(question) and (entity := left.pop("entities", "")):
        made += _placed(question, entity, left.get("periods", ""))
        fuller = THERE.sub(entity, question)
    # Codes alone behind a question in Chinese may be read as English, and 和 as a comparison.
    joints = (joint, " ") if asked_in(question) == "zh" else (" ",)
    texts = dict.fromkeys(one.join([fuller, *left.values()]) for one in joints)
    return (*made, *(one for one in texts if one != question))


def _goes_on(question: str, plan: Plan) -> bool:
    """Whether a question that is read as it stands may leave out what was asked before."""
    if plan.mode == "none" and plan.route == "narrative":
        return _is_remark(question) or _PATTERNS["it"].search(question) is not None
    if plan.mode == "none":
        return _PATTERNS["compares"].search(question) is not None
    return plan.mode in ("ask_first", "answer_with_assumptions")


def _placed(question: str, entity: str, period: str) -> list[str]:
    """Return a question about "there" with the entity, as it may ask for another metric.

    "How many people work there?" after a question for revenue asks for the headcount.
    """
    return [THERE.sub(f"{one} {entity}", f"{question} {period}".strip()) for one in _AT]


def _in_another_year(question: str, table: str, named: Mapping[str, Any]) -> str:
    """Return the question that a table answered with the year that alone is named now, or ""."""
    said = any(named.get(name) for name in SLOTS if name != "periods")
    years = [_ANY_YEAR.findall(one) for one in (question, table)]
    if said or len(_WORD.findall(question)) > _MOST_WORDS or [len(one) for one in years] != [1, 1]:
        return ""
    return _ANY_YEAR.sub(years[0][0], table)


def _ranking_again(question: str, table: str, named: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a ranking of what was ranked before, where a question does not name that again.

    "Which had the highest sales?" behind a ranking of categories ranks categories, of that time.
    """
    bare, ranked = _PATTERNS["bare_which"].match(question), _PATTERNS["ranked"].search(table)
    if bare is None or ranked is None or not has_superlative(question):
        return ()
    what, rest = ranked["what"] or ranked["han"], question[bare.end() :].rstrip(" ?？。.!")
    years = () if named.get("periods") else _ANY_YEAR.findall(table)
    if bare["han"]:
        time = "".join(f"{one}年" for one in years)
        return (f"{time}{bare['han']}{what}{rest}？",)
    again = turned_round(question, table)
    return (*((again,) if again else ()), " ".join((bare["which"], what + rest, *years)) + "?")


def _within_year(question: str, own: list[str], held: list[str]) -> str:
    """Return a question that only names another year, with that part of it which was asked about.

    "And in 2023?" behind a question for a fourth quarter asks for the fourth quarter of 2023.
    """
    year, before = (_LABEL.fullmatch(one[0]) if len(one) == 1 else None for one in (own, held))
    if year is None or before is None or year["part"] or year["half"]:
        return question
    if not (before["part"] or before["half"]) or len(_YEAR.findall(question)) != 1:
        return question
    told = held[0].replace(before["year"], year["year"], 1)
    return _YEAR.sub(f" {told} ", question)


def _stepped(label: str, step: re.Match[str]) -> str:
    """The label of a time one step beside another; "" where a step does not fit its length."""
    read = _LABEL.fullmatch(label)
    named = (v for k, v in step.groupdict().items() if v and k not in ("back", "same"))
    unit = "year" if step["same"] else _STEPS.get(next(named).casefold(), "month")
    if read is None:
        return ""
    by = -1 if step["back"] else 1
    year, part = int(read["year"]), int(read["part"] or 0)
    if unit == "year":
        return label.replace(read["year"], str(year + by), 1)
    most = {"Q": 4, "-": 12}.get(read["of"] or "", 0)
    if not most or unit != ("quarter" if most == 4 else "month"):
        return ""
    at = year * most + part - 1 + by
    shown = f"{at % most + 1:02d}" if most == 12 else f"{at % most + 1}"
    return f"{read['fy'] or ''}{at // most}{read['of']}{shown}"


def _is_remark(question: str) -> bool:
    """Whether a question for text is so short that it is about what was said before: "why?"."""
    words = _WORD.findall(question)
    return 0 < len(words) <= _MOST_WORDS and not asks_for_nothing(question)


def _codes(held: JsonValue) -> list[str]:
    """The codes of a slot of an earlier turn, without the total channel, which is every default."""
    values = held if isinstance(held, list) else []
    return [one for one in values if isinstance(one, str) and one != TOTAL]


def plan_of(evidence: Evidence) -> Plan | None:
    """Return the plan of the run's own question; questions that a model sent do not count."""
    own = _read_among(evidence, evidence.question)
    if own is None:
        return None
    alone = plan = read_plan(evidence.question, own.data)
    before = evidence.turns[-1].result if evidence.turns else {}
    for fuller in completions(evidence.question, own.data, before):
        read = _read_among(evidence, fuller)
        if read is None:
            break
        plan = read_plan(fuller, read.data)
        if not plan.ends:
            break
    return _surer(alone, plan)


def _surer(alone: Plan, fuller: Plan) -> Plan:
    """Return a fuller plan, or the search for the words alone where the fuller one asks back.

    Nothing is searched for "and the year after?", which says nothing alone.
    """
    is_search = alone.mode == "none" and alone.route == "narrative" and alone.not_understood
    is_step = _PATTERNS["step"].fullmatch(alone.question.strip(" ?？。!呢吗")) is not None
    return alone if is_search and fuller.ends and not is_step else fuller


def _read_among(evidence: Evidence, question: str) -> ToolAnswer | None:
    """How a question was read; the first answer, which was there before any model."""
    return next(
        (one for one in evidence.of(CLARIFY) if one.arguments.get("question") == question), None
    )


_WAYS = {
    "structured": "structured, it asks for values",
    "narrative": "narrative, it asks what documents say",
    "composite": "composite, it asks for values and what documents say of them",
}


def build_briefing() -> Brief:
    """The briefing of this agent."""
    return brief


async def brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    """Read the question.

    Raises:
        ValidationFailure: it cannot be read, as one that is too long.
    """
    day = asked.reference_date.isoformat() if asked.reference_date else ""
    alone, data = await _read(tools, asked.question, day)
    plan = alone
    before = context.turns[-1].result if context.turns else {}
    for fuller in completions(asked.question, data, before):
        plan, _ = await _read(tools, fuller, day)
        if not plan.ends:
            break
    plan = _surer(alone, plan)
    if plan.ends:
        return Briefing(verdict=asking(plan))
    said = [
        (await tools.call(call.tool, call.arguments, "Looks up how it is called.")).data
        for call in naming(plan)
    ]
    calls = [call._asdict() for call in lookups(plan, kinds_of(said))]
    reading = {"way": _WAYS[plan.route], "note": plan.note, "calls": calls}
    return Briefing({"reading": reading}, notes=(plan.note,) if plan.note else ())


async def _read(tools: Toolbox, question: str, day: str) -> tuple[Plan, Mapping[str, JsonValue]]:
    call = clarifying(question, day)
    answer = await tools.call(call.tool, call.arguments, "Reads the question.")
    if answer.is_error:
        raise ValidationFailure(f"The question cannot be read: {answer.text}", recoverable=True)
    return read_plan(question, answer.data), answer.data
