"""Questions as templates: {m}etric, {e}ntity, {p}eriod, {c}hannel. A third is held out.

Which are held out is fixed by a hash of the template, so that no one chooses; nothing is tuned on
what becomes of these.
"""

from __future__ import annotations

import re
import zlib

_DAY = re.compile(r"\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d+, \d{4}|\d+ [A-Z][a-z]+ \d{4}")
_SLOT = re.compile(r"\{(\w+)\}")

ENGLISH = (
    "What was the {m} of {e} in {p}?",
    "{m} of {e} in {p}",
    "{e} {m} {p}",
    "{p} {m} of {e}",
    "How much was the {m} of {e} in {p}?",
    "Show me the {m} of {e} for {p}.",
    "What is {e}'s {m} for {p}?",
    "Please give me {e}'s {p} {m}",
    "I would like to know the {m} of {e} in {p}.",
    "{m}, {e}, {p}",
    "In {p}, what was the {m} of {e}?",
    "Tell me the {p} {m} for {e}",
    "Can you look up {m} for {e} in {p}?",
    "What {m} did {e} have in {p}?",
    "What was {e}'s {m} during {p}?",
    "Could you report the {m} of {e} for {p}, please?",
    "{e}: {m} in {p}?",
    "Find the {m} for {e}, {p}",
    "Do you know the {m} of {e} in {p}?",
    "How high was the {m} of {e} in {p}?",
    "{e} {p} {m}?",
    "What did the {m} of {e} amount to in {p}?",
    "Give me the figure for {m} of {e} in {p}",
    "I need {e}'s {m} in {p}, thanks",
    "For {e}, what was {m} in {p}?",
    "Which {m} did {e} report for {p}?",
    "Look up {p} {m}, {e}.",
    "hi, what's the {m} for {e} in {p}?",
    "Is there a value of {m} for {e} in {p}?",
    "Retrieve {m} for {e} ({p})",
    "{m} ({e}, {p})",
    "What was the value of {m} in {e} in {p}?",
    "{m} for {e}: {p}?",
    "How big was {e}'s {m} in {p}?",
    "Let me see {m} for {e} in {p}",
    "what has been the {m} of {e} in {p}",
)
CHINESE = (
    "{e}{p}的{m}是多少？",
    "{p}{e}的{m}是多少",
    "{e}{p}{m}",
    "{p}{e}{m}多少？",
    "请问{e}{p}的{m}是多少？",
    "查一下{e}{p}的{m}",
    "我想知道{e}在{p}的{m}",
    "{e}的{p}{m}",
    "{e} {p} {m}",
    "{p}，{e}的{m}为多少？",
    "帮我查询{p}{e}的{m}",
    "{e}{p}{m}是多少呢",
    "告诉我{e}{p}的{m}",
    "{m}：{e}，{p}",
    "{e}{p}的{m}有多少？",
    "{e}{p}的{m}达到多少？",
    "麻烦查一下{p}{e}{m}，谢谢",
    "{e}在{p}的{m}是多少？",
    "显示{e}{p}的{m}",
    "给我{p}{e}的{m}数据",
    "{e}{p}{m}的数值是多少",
    "{p}的{m}，{e}",
    "你好，{e}{p}的{m}是多少",
    "能否提供{e}{p}的{m}？",
    "{e}公布的{p}{m}是多少",
    "我需要{e}{p}的{m}数字",
    "{e}于{p}的{m}是多少？",
    "想了解{e}{p}的{m}情况",
    "{e}，{p}，{m}",
    "{e}{p}{m}几何？",
)
TRADITIONAL = (
    "{e}{p}的{m}是多少？",
    "{p}{e}的{m}",
    "請問{e}{p}的{m}是多少？",
    "查詢{e}{p}的{m}",
    "我想知道{e}在{p}的{m}",
    "{e}{p}{m}",
    "告訴我{e}{p}的{m}",
    "{e}{p}的{m}有多少？",
    "幫我查一下{p}{e}的{m}",
)
ENGLISH_CHANNEL = (
    "What was the {c} {m} of {e} in {p}?",
    "{c} {m} of {e} in {p}",
    "{m} of {e} from {c} in {p}",
    "{e} {c} {m} {p}",
    "{c} {m}, {e}, {p}",
    "Show the {p} {m} of {e} for {c}",
    "{m} ({c}) of {e} for {p}",
    "Give me {e}'s {c} {m} for {p}",
    "What {c} {m} did {e} report for {p}?",
    "How much {m} did {e} have in {p} through {c}?",
    "For {e}, what was the {c} {m} in {p}?",
    "{p} {c} {m} for {e}",
)
CHINESE_CHANNEL = (
    "{e}{p}{c}{m}是多少？",
    "{e}{p}的{c}{m}",
    "{p}{e}{c}的{m}是多少",
    "查一下{e}{p}{c}的{m}",
    "请问{p}{e}的{c}{m}是多少？",
    "{e} {c} {p} {m}",
    "{e}{c}{p}的{m}",
    "{p}{e}的{m}，{c}",
)
# One metric, two entities and two periods, or two of each.
ENGLISH_LISTS = (
    "What were the {m} and {m2} of {e} and {e2} in {p} and {p2}?",
    "{m} and {m2} of {e} and {e2}, {p} and {p2}",
    "Compare {m} and {m2} for {e} and {e2} in {p} and {p2}",
    "Show me {m} and {m2} of {e} and {e2} for {p} and {p2}.",
    "{e} and {e2}: {m}, {m2} in {p} and {p2}",
    "For {e} and {e2}, what were {m} and {m2} in {p} and {p2}?",
    "Give me {m} and {m2} of {e} as well as {e2} for {p} and {p2}",
)
CHINESE_LISTS = (
    "{e}和{e2}{p}和{p2}的{m}和{m2}是多少？",
    "{e}与{e2}在{p}、{p2}的{m}及{m2}",
    "对比{e}和{e2}{p}和{p2}的{m}和{m2}",
    "{p}和{p2}{e}、{e2}的{m}、{m2}分别是多少？",
    "请列出{e}和{e2}{p}与{p2}的{m}和{m2}",
)
# What is computed from two periods, or two entities.
ENGLISH_DERIVED = {
    "delta": (
        "difference between the {m} of {e} in {p} and {p2}",
        "change in {m} of {e}, {p} and {p2}",
        "What is the change in {e}'s {m} between {p} and {p2}?",
    ),
    "percent_change": (
        "percent change in {m} of {e}, {p} and {p2}",
        "{m} growth of {e} between {p} and {p2}",
        "What was the growth rate of {m} for {e} from {p} to {p2}?",
    ),
    "ratio": (
        "ratio of the {m} of {e} to {e2} in {p}",
        "What is the ratio of {m} in {p} of {e} and {e2}?",
    ),
}
CHINESE_DERIVED = {
    "delta": ("{e}{p}和{p2}{m}的变化", "{e}{p}与{p2}的{m}差额是多少？"),
    "percent_change": ("{e}{p}和{p2}{m}的增长率", "{e}{p}与{p2}的{m}增幅是多少？"),
    "ratio": ("{e}和{e2}{p}{m}之比", "{p}{e}与{e2}的{m}比值"),
}


def is_held_out(template: str) -> bool:
    """Whether a template is one of the third that nothing is tuned on."""
    return zlib.crc32(template.encode()) % 3 == 0


def filled(template: str, **words: str) -> str:
    """A template with its words; what was on a day is asked with "on".

    Latin letters and digits that meet at the edge of a word are parted, as people part them.
    """
    if _DAY.fullmatch(words.get("p", "")):
        template = template.replace(" in {p}", " on {p}")
    text = ""
    for at, part in enumerate(_SLOT.split(template)):
        piece = words[part] if at % 2 else part
        if text and piece and _is_latin(text[-1]) and _is_latin(piece[0]):
            text += " "
        text += piece
    return text


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
