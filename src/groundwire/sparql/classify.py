"""Classes of prompts, by rules: a fact, the source of one, the check of a citation, or else.

Classes and threshold are those of seed 003, "KG Enforcement & Operational Policy". No model is
asked. A prompt is read sentence by sentence; the class of a sentence is that of the first rule
that it matches, and how sure that makes is the rule's. Over the sentences a check of a citation
comes before a request for one, and that before a lookup, since the former are asked in the form
of the latter. Where the prompt also wants another task done, nobody can be sure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from groundwire.sparql.classify_citing import MENTION, REQUEST, VERIFICATION
from groundwire.sparql.classify_rules import (
    CLEAR,
    COURTESY,
    EXPLICIT,
    FACT,
    GREETING,
    GUESS,
    LISTING,
    OWN_TASK,
    TASK,
    Rule,
)
from groundwire.sparql.registry import PromptClass

CONFLICT = 0.6
"""The most confidence in the class of a prompt that also wants another task done."""

LONGEST = 4_000
"""Characters of a prompt that are read: of a longer one half of them at each end."""

_MOST_KEYWORDS = 6
_ORDER: tuple[PromptClass, ...] = (
    "citation_verification",
    "citation_request",
    "fact_lookup",
    "other",
)
_SENTENCES = re.compile(r"(?<=[?!。;])\s*|(?<=\.)\s+|\n+|(?<=[^\d\s]):\s+|:(?=[\u4e00-\u9fff])")
_SPACE = re.compile(r"\s+")
_WORDS = re.compile(r"[\w'-]+")
# Characters of the rules' words, and of words beside them, as they are simplified.
_SIMPLIFIED = str.maketrans(
    "實證驗處來參獻誰麼幾時為嗎義釋紹寫譯潤總結編謝覺認該薦議講請說這話稱確據個裡們給標註資對錯種點條誤檢無長遠別與於應寶書論"
    "題問幫職簡體學現開關頭轉換創發設計畫圖單電網員歐聯萬當從還過進則歷億價買賣訂劃聽讀錄記導選擇較優調試複產屬讚",
    "实证验处来参献谁么几时为吗义释绍写译润总结编谢觉认该荐议讲请说这话称确据个里们给标注资对错种点条误检无长远别与于应宝书论"
    "题问帮职简体学现开关头转换创发设计画图单电网员欧联万当从还过进则历亿价买卖订划听读录记导选择较优调试复产属赞",
)


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of a prompt.

    Attributes:
        kind: its class.
        confidence: from 0 to 1; below the registry's threshold the user is asked.
        reason: what was recognised, in a few words.
    """

    kind: PromptClass
    confidence: float
    reason: str


def classify(prompt: str) -> Classification:
    """The class of a prompt, in English or Chinese, with how sure the rules are.

    Of a prompt that is not read whole nobody can be sure that it asks for nothing else.
    """
    found = _of_text(_read(prompt))
    if len(prompt) > LONGEST and found.kind == "other":
        return Classification("other", GUESS, f"{found.reason}, in what was read of it")
    return found


def _read(prompt: str) -> str:
    if len(prompt) <= LONGEST:
        return prompt
    return f"{prompt[: LONGEST // 2]}\n{prompt[-LONGEST // 2 :]}"


def _of_text(text: str) -> Classification:
    """The class of all sentences together."""
    found = [_of_sentence(sentence) for sentence in _sentences(text)]
    said = [one for one in found if one.reason != "a greeting"] or found
    if not said:
        return Classification("other", EXPLICIT, "nothing is asked")
    best = min(said, key=lambda one: (_ORDER.index(one.kind), -one.confidence))
    tasks = [one for one in said if one.kind == "other" and one.confidence >= CLEAR]
    if best.kind != "other" and tasks:
        if best.confidence <= GUESS:
            return tasks[0]
        reason = f"{best.reason}, but also {tasks[0].reason}"
        return Classification(best.kind, min(best.confidence, CONFLICT), reason)
    return best


def _sentences(text: str) -> list[str]:
    """The sentences that hold a word, folded."""
    folded = unicodedata.normalize("NFKC", text).translate(_SIMPLIFIED).lower()
    parts = (_SPACE.sub(" ", part).strip() for part in _SENTENCES.split(folded.replace("’", "'")))
    return [part for part in parts if _WORDS.search(part)]


def _of_sentence(sentence: str) -> Classification:
    plain = sentence.strip(" .,!?。、~")
    if GREETING.fullmatch(plain):
        return Classification("other", EXPLICIT, "a greeting")
    asked = _without_courtesies(sentence)
    task = None if LISTING.match(asked) else _first(TASK, asked)
    if rule := _first(VERIFICATION, asked):
        return _cited("citation_verification", rule, task)
    if rule := _first(REQUEST, asked):
        return _cited("citation_request", rule, task)
    if rule := _first(MENTION, asked):
        return _cited("citation_verification", rule, task)
    if task is not None:
        return Classification("other", task.confidence, task.name)
    if LISTING.match(asked):
        return Classification("fact_lookup", CLEAR, "asks for a list")
    if rule := _first(FACT, asked):
        return Classification("fact_lookup", rule.confidence, rule.name)
    if len(_WORDS.findall(plain)) <= _MOST_KEYWORDS and not sentence.endswith((".", "!", "。")):
        return Classification("fact_lookup", GUESS, "a few words alone")
    return Classification("other", GUESS, "no question")


def _cited(kind: PromptClass, rule: Rule, task: Rule | None) -> Classification:
    """A sentence about citations; one that begins as a task may be that task all the same."""
    if task is not None and task.name == OWN_TASK:
        return Classification(kind, CONFLICT, f"{rule.name}, but also {task.name}")
    return Classification(kind, rule.confidence, rule.name)


def _without_courtesies(sentence: str) -> str:
    while (found := COURTESY.match(sentence)) and found.end() and found.end() < len(sentence):
        sentence = sentence[found.end() :].lstrip(" ,")
    return sentence


def _first(rules: tuple[Rule, ...], sentence: str) -> Rule | None:
    return next((rule for rule in rules if rule.pattern.search(sentence)), None)
