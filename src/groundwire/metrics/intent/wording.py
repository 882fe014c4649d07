"""What a question is answered with when it cannot be answered yet, in English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from groundwire.metrics.intent.chinese_words import GRAMMAR, SOFT_SINGLES
from groundwire.metrics.intent.english_words import CONNECTIVES, LISTING
from groundwire.vocabulary.fold import CJK_RUN

Language = Literal["en", "zh"]
_WORD = re.compile(r"[a-z]+")
_JOINTS = CONNECTIVES | LISTING | {"of", "the"}


def language_of(text: str) -> Language:
    """The language to answer in: that of a question's grammar, for its names may be of another.

    "Revenue of 中国内地 in FY2024?" is English, "REVENUE of 中国内地是多少" is Chinese.
    """
    runs = CJK_RUN.findall(text)
    if not runs:
        return "en"
    joints = sum(word in _JOINTS for word in _WORD.findall(text))
    chinese = any(word in run for run in runs for word in (*GRAMMAR, *SOFT_SINGLES))
    return "en" if joints > chinese else "zh"


class Phrases(NamedTuple):
    """The sentences of one language, with places for what they are about."""

    which_metric: str
    which_metric_of: str
    which_entity: str
    which_period: str
    not_understood: str
    ambiguous: str
    not_computed: str
    which_whole: str
    share: str
    added: str
    time_not_read: str
    paired: str
    assumed_entity: str
    assumed_period: str
    assumed_latest: str
    joint: str
    end: str
    choices: str
    quote: str
    not_ranked: str
    out_of_scope: str
    either: str
    no_passage: str
    latest: str
    latest_quarter: str
    growth: str
    yearly: str


_PHRASES: dict[Language, Phrases] = {
    "en": Phrases(
        which_metric="Which metric do you mean?",
        which_metric_of="Which metric of {entity} do you mean?",
        which_entity="Which {kind} do you mean?",
        which_period="Which period do you mean? Send a year, quarter or month with its year.",
        not_understood="I cannot tell what {text} means here.",
        ambiguous="{text} can be read in more than one way.",
        not_computed="{text} is not held, and is only computed from values that you list.",
        which_whole="A share is of a whole, and {text} does not say of which: name one.",
        share="{metric}, {period}: share of {part} in {whole}",
        added=" + ",
        time_not_read="I cannot read {text} as a period.",
        paired="{text} does not list values that go together.",
        assumed_entity="no {kind} is named, so {entity} is assumed",
        assumed_period="no period is named, so the latest complete fiscal year, {period}, is "
        "assumed",
        assumed_latest="no period is named, so the latest one with a value is assumed",
        joint="; ",
        end=".",
        choices="Did you mean {names}?",
        quote='"{}"',
        not_ranked="Values are not ranked here: name what is to be compared.",
        out_of_scope="{name} is outside the scope of this server; ask about {homes} instead.",
        either=" or ",
        no_passage="No passage of the documents answers this.",
        latest="latest",
        latest_quarter="latest quarter",
        growth="Percent change of {metric} of {entity} from {earlier} to {later}: {formula}.",
        yearly="Compound annual growth rate of {metric} of {entity} from {earlier} to {later}: "
        "{formula}.",
    ),
    "zh": Phrases(
        which_metric="请问您要查询哪个指标?",
        which_metric_of="请问您要查询{entity}的哪个指标?",
        which_entity="请问您指的是哪个{kind}?",
        which_period="请问您指的是哪个期间?请给出年份, 或带年份的季度或月份。",
        not_understood="无法确定{text}在这里的含义。",
        ambiguous="{text}有不止一种理解。",
        not_computed="{text}没有现成数据, 只能由您列出的数值计算得出。",
        which_whole="占比须有整体, {text}未说明是占哪个整体: 请指明一个。",
        share="{period} {metric}: {part}占{whole}的比重",
        added=" + ",
        time_not_read="无法将{text}识别为期间。",
        paired="{text}中的各项无法一一对应。",
        assumed_entity="未指明{kind}, 默认为{entity}",
        assumed_period="未指明期间, 默认为最近一个完整财年{period}",
        assumed_latest="未指明期间, 默认为有数据的最近期间",
        joint="; ",
        end="。",
        choices="您是否指{names}?",
        quote="“{}”",
        not_ranked="此处不做排名, 请列出要比较的对象。",
        out_of_scope="{name}不在本服务的范围内, 可改为查询{homes}。",
        either="或",
        no_passage="文档中没有能回答此问题的内容。",
        latest="最新一期",
        latest_quarter="最近一个季度",
        growth="{entity}{metric}从{earlier}到{later}的变动幅度: {formula}。",
        yearly="{entity}{metric}从{earlier}到{later}的年均复合增长率: {formula}。",
    ),
}
_MOST_QUOTED = 60


def phrases(language: Language) -> Phrases:
    """The sentences of a language."""
    return _PHRASES[language]


def quoted(text: str, language: Language) -> str:
    """A part of the question, cut to what a sentence can hold."""
    one_line = " ".join(text.split())
    if len(one_line) > _MOST_QUOTED:
        one_line = one_line[:_MOST_QUOTED] + "..."
    return phrases(language).quote.format(one_line)


def note(parts: Sequence[str], language: Language) -> str:
    """What is assumed, as one sentence."""
    said = phrases(language)
    text = said.joint.join(parts) + said.end
    return text[:1].upper() + text[1:]
