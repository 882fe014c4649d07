"""The user's decision after the graph had no answer goes to the workflow before any model.

No model decides what is the user's to decide: only the words of the user themselves do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import cast

from pydantic import JsonValue

from groundwire.agents.kg_agent.rules import WORKFLOW, read_as, result_of
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import AgentContext, AgentInput, ToolAnswer, Verdict
from groundwire.agents.runtime.definition import Brief, Briefing
from groundwire.language.asking import asked_in
from groundwire.language.requests import THERE
from groundwire.sparql.patterns.words import (
    data,
    fillers,
    plain,
    superlative_of,
    tokens,
)

_FILE = tomllib.loads((files(__package__ or "") / "follow_ups.toml").read_text("utf-8"))
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for table in ("decisions", "follow_ups", "of_it")
    for name, pattern in _FILE[table].items()
}
_CONNECTED = tuple(
    (re.compile(one["pattern"], re.IGNORECASE), one["said"]) for one in _FILE["connected"]
)
_TOLD_GROUP = re.compile(_FILE["told_group"]["pattern"], re.IGNORECASE)
_END = " \t\n.!?。！？"
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
# The workflow waits 25 s a call and runs for 120 s at most.
_MOST_WAITS = 10
_MOST_WORDS = 6


def build_briefing() -> Brief:
    """The briefing of this agent."""
    return brief


async def brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    """Carry out what the user decided, if the turn before asked for it."""
    decided = _decided(asked.question, context)
    if decided is None:
        return await _followed(tools.dated(asked.question), context, tools)
    prompt = prompt_of(context.turns[-1].result)
    answer = await _waited(tools, decided, "The user has decided.")
    if answer.is_error and prompt:
        # Runs live as long as their process: it is gone through again, up to the decision.
        answer = await _waited(tools, {"prompt": prompt}, "The run is gone: it is run again.")
        if not answer.is_error and answer.data.get("status") == "needs_decision":
            again = {**decided, "run_id": answer.data["run_id"]}
            answer = await _waited(tools, again, "The user has decided.")
    if answer.is_error:
        return Briefing(verdict=Verdict({"answer": answer.text, "status": "not_run"}))
    return Briefing(verdict=Verdict(result_of(answer.data, prompt)))


async def _followed(question: str, context: AgentContext, tools: Toolbox) -> Briefing:
    """Answer a question that carries the one before on, as the whole question that it asks."""
    result: dict[str, JsonValue] = {}
    whole = ""
    for whole in carried_on(question, context.turns[-1].result) if context.turns else ():
        answer = await _waited(tools, {"prompt": whole}, "The question carries on the one before.")
        result = {} if answer.is_error else result_of(answer.data, whole)
        if result.get("status") == "answered" or _tells_pair(whole, result):
            break
    if (
        whole
        and result.get("status") != "answered"
        and _PATTERNS["of_year"].fullmatch(_said(question))
    ):
        # The whole question is read as if the user had asked it.
        return Briefing(question=whole)
    if not whole and (whole := _of_other_end(question)):
        answer = await _waited(tools, {"prompt": whole}, "What is connected is asked for.")
        result = {} if answer.is_error else result_of(answer.data, whole)
        result = result if result.get("status") == "answered" else {}
    if not result:
        return Briefing(question=question)
    result["answer"] = f"{read_as(question, whole)}\n\n{result['answer']}"
    return Briefing(verdict=Verdict(result))


def _of_other_end(question: str) -> str:
    """Return "how do I connect Groundwire to Zed" as asked of Zed alone; "" for any other."""
    for pattern, said in _CONNECTED:
        text, number = pattern.subn(said, question)
        if number:
            return " ".join(text.split())
    return ""


async def _waited(tools: Toolbox, arguments: dict[str, JsonValue], why: str) -> ToolAnswer:
    """A call of the workflow, and further ones for as long as it is running."""
    answer = await tools.call(WORKFLOW, arguments, why)
    for _ in range(_MOST_WAITS):
        if answer.is_error or answer.data.get("status") != "running":
            break
        again: dict[str, JsonValue] = {"run_id": answer.data["run_id"]}
        answer = await tools.call(WORKFLOW, again, "The workflow is still running.")
    return answer


def prompt_of(context_result: Mapping[str, JsonValue]) -> str:
    """Return the prompt that the workflow of a turn was given, or ""."""
    return str(context_result.get("kg_prompt") or "")


def pending(context_result: Mapping[str, JsonValue]) -> str:
    """The run that waits for a decision after a turn, or ""."""
    if context_result.get("status") != "needs_decision":
        return ""
    return str(context_result.get("kg_run_id") or "")


def _decided(said: str, context: AgentContext) -> dict[str, JsonValue] | None:
    """The call that carries out what a user says to the question of the turn before."""
    if not context.turns or not (run_id := pending(context.turns[-1].result)):
        return None
    before = context.turns[-1].result
    options = cast("list[str]", before.get("options") or [])
    words = said.strip(_END)
    call: dict[str, JsonValue] = {"run_id": run_id}
    if _PATTERNS["continue"].fullmatch(words):
        return {**call, "decision": "continue"}
    if _PATTERNS["synthesize"].fullmatch(words):
        return {**call, "decision": "synthesize"}
    if "mandatory" in options and _PATTERNS["mandatory"].fullmatch(words):
        return {**call, "enforce": "strict"}
    if before.get("asks_in_other_words") and 0 < len(said.split()) <= _MOST_WORDS:
        # The question back is answered: both texts are one question.
        whole = f"{prompt_of(before).rstrip(_END)} {words}?"
        return {**call, "decision": "variants", "variants": [whole]}
    if "variants" in options and (found := _PATTERNS["variants"].fullmatch(said.strip())):
        variants = [one.strip() for one in re.split(r"[;；\n]", found["said"]) if one.strip()]
        return {**call, "decision": "variants", "variants": cast("JsonValue", variants)}
    return None


_LONGEST = 80
_STATEMENT = re.compile(
    r"^[ \t]+- (?P<subject>[^\n—]+?) — [^\n—]+ — (?P<object>[^\n]+)$", re.MULTILINE
)
# The two of which it is not stated.
_UNSTATED = re.compile(r"[(（]([^(（,，]+)[,，][^()（）]+[,，] ?([^,，)）]+)[)）]")
_ARTICLE = re.compile(r"(?:the|der|die|das)\s+", re.IGNORECASE)


def _said(question: str) -> str:
    return " ".join(question.split()).rstrip(" .!?。！？")


def carried_on(question: str, before: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the whole questions that a follow-up may ask, in the order of trying.

    Args:
        question: what the user says.
        before: the result of the turn before.
    """
    said = _said(question)
    prompt = str(before.get("kg_prompt") or "")
    is_told = before.get("status") == "answered" or _tells_pair(prompt, before)
    if not is_told or len(said) > _LONGEST:
        return ()
    if other := _by_the_other_end(said, prompt) or _of_another_year(said, prompt):
        return (other,)
    several = len(_STATEMENT.findall(str(before.get("answer") or ""))) > 1
    of_group = _of_group(said, prompt) if several else ()
    return (*of_group, *_of_one(said, question, before, prompt))


def _of_group(said: str, prompt: str) -> tuple[str, ...]:
    """Return what is asked of those that were told: "which of them", "and their capitals?"."""
    language = asked_in(said)
    named = _PATTERNS["group"].fullmatch(prompt.strip())
    if named is None or asked_in(prompt) != language:
        return ()
    told = _TOLD_GROUP.sub(_FILE["told_group"].get(language, ""), named["group"])
    group = _FILE["group"][language].format(told)
    if found := _PATTERNS["of_them"].search(said):
        return (f"{said[: found.start()]} {group}{said[found.end() :]}?".strip(),)
    found = _PATTERNS[language].fullmatch(said)
    if found is None or _PATTERNS["theirs"].search(said) is None:
        return ()
    what = found["what"].strip()
    return (f"{told}的{what}？" if language == "zh" else f"{what} {group}?",)


def _of_one(
    said: str, question: str, before: Mapping[str, JsonValue], prompt: str
) -> tuple[str, ...]:
    """Return what is asked of the one thing, or of the pair, that was spoken of."""
    found = _PATTERNS["of_another"].fullmatch(said)
    if found and (pair := _pair(before, prompt)) and not _ARTICLE.match(found["who"] or ""):
        # The name told last is asked of another one first.
        return tuple(_replaced(prompt, one, found["who"] or found["han"]) for one in pair)
    subject = _subject(before, prompt)
    if not subject:
        return ()
    language = asked_in(question)
    pattern, whole = _PATTERNS[language], _FILE["whole"][language]
    if found := pattern.fullmatch(said):
        return (whole.format(what=found["what"].strip(), subject=subject),)
    for pattern, place in (
        (THERE, _FILE["place"][language].format(subject)),
        (_PATTERNS["it"], subject),
    ):
        if there := pattern.search(said):
            return (f"{said[: there.start()]}{place}{said[there.end() :]}?",)
    if not (found := _PATTERNS["of_another"].fullmatch(said)):
        return ()
    other = found["who"] or found["han"]
    of_other = _replaced(prompt, subject, other)
    of_it = whole.format(what=_ARTICLE.sub("", other), subject=subject)
    # "And the currency?" is about the same; "and Peru?" asks the same of another.
    return (of_it,) if _ARTICLE.match(other) else (of_other, of_it)


def _replaced(prompt: str, name: str, other: str) -> str:
    return re.sub(re.escape(name), lambda _: other, prompt, flags=re.IGNORECASE)


def _tells_pair(prompt: str, result: Mapping[str, JsonValue]) -> bool:
    """Whether a question for yes or no is answered by what one of the two is said to be with."""
    is_one = result.get("status") == "entity_found" and len(_sources(result)) == 1
    return is_one and _asks_yes_no(prompt)


def _asks_yes_no(prompt: str) -> bool:
    words = [plain(one.text) for one in tokens(prompt)] or [""]
    ask = data()["ask"]
    return words[0] in ask["start"][asked_in(prompt)] or words[-1] in ask["end"]


def _pair(before: Mapping[str, JsonValue], prompt: str) -> tuple[str, ...]:
    """Return the two names that a question for yes or no joins, the last one first, or nothing."""
    if not _asks_yes_no(prompt):
        return ()
    told = str(before.get("answer") or "")
    stated = _STATEMENT.search(told) or _UNSTATED.search(told)
    names = {*(stated.groups() if stated else ()), *_sources(before)}
    folded = prompt.casefold()
    held = [one for one in names if one.casefold() in folded]
    ordered = sorted(held, key=lambda one: folded.rfind(one.casefold()), reverse=True)
    return tuple(ordered) if len(ordered) == len("ab") else ()


def _sources(result: Mapping[str, JsonValue]) -> list[str]:
    """Return the names of what a result is made of."""
    rows = cast("list[Mapping[str, JsonValue]]", result.get("sources") or [])
    return list(dict.fromkeys(str(one["label"]) for one in rows if one.get("label")))


def _by_the_other_end(said: str, prompt: str) -> str:
    """Return a prompt with the superlative that alone is said after it: "and the cheapest?"."""
    first, then = superlative_of(prompt), superlative_of(said)
    if not first or not then:
        return ""
    rest = tokens(said.replace(then, " ", 1))
    is_alone = all((plain(one.text),) in fillers(asked_in(said)) for one in rest)
    return prompt.replace(first, then, 1) if is_alone else ""


def _of_another_year(said: str, prompt: str) -> str:
    """Return a prompt with the one year that is said after it alone: "and in 2015?"."""
    found = _PATTERNS["of_year"].fullmatch(said)
    is_one = found is not None and len(_YEAR.findall(prompt)) == 1
    return _YEAR.sub(found["year"], prompt) if found and is_one else ""


def _subject(before: Mapping[str, JsonValue], prompt: str) -> str:
    """Return the one subject of the statements of an answer that its prompt names, or "".

    Where it names none, it is the one thing that was found: "the smallest country in Africa". A
    question for what something is names nothing else.
    """
    stated = _STATEMENT.findall(str(before.get("answer") or ""))
    subjects: Sequence[str] = list(dict.fromkeys(one for one, _ in stated))
    if not subjects and (defined := _PATTERNS["defined"].fullmatch(prompt.strip(" .!?。！？"))):
        return defined["what"] or defined["han"]
    named = [one for one in subjects if one.casefold() in prompt.casefold()]
    if len(named) == 1 == len(subjects):
        return named[0]
    found = _sources(before)
    return found[0] if len(found) == 1 and subjects else ""
