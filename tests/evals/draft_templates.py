"""Sentences, lists and tables in which drafts state recorded values, in English and Chinese.

Placeholders: {E} entity, {N} property or metric, {P} period, {V} value with unit, {W} a value that
is a word, {D} a date, {I} an IRI, {T} a count, {X} something computed; a digit names the fact it
belongs to. Templates in HELD were set aside when they were written: no rule was chosen by them.
"""

from __future__ import annotations

METRIC = {
    "en": [
        "The {N} of {E} was {V} in {P}.",
        "In {P}, {E} had a {N} of {V}.",
        "{E}'s {N} reached {V} in {P}.",
        "{N} ({E}, {P}): {V}.",
        "In {P} the {N} of {E} stood at {V}, according to the World Bank.",
        "**{E}** – {N} in {P}: **{V}**",
        "For {P}, the recorded {N} of {E} is {V}.",
        "{V} was the {N} of {E} in {P}.",
        "The data show a {N} of {V} for {E} in {P}.",
        "Looking at {P}, {E} reports {N} of {V}.",
        "On the list, {E} leads with {N} of {V} in {P}.",
        "In the case of {E}, the {N} for {P} equals {V}.",
        "{P}: {E} with {N} of {V}",
        "{E} ({P}): {N} {V}",
    ],
    "zh": [
        "{P}年{E}的{N}为{V}。",
        "{E}在{P}年的{N}是{V}。",
        "{E}{P}年{N}达到{V}。",
        "根据世界银行的数据，{P}年{E}的{N}为{V}。",
        "{E}（{P}年）：{N}{V}。",
        "在{P}年，{E}的{N}约合{V}。",
        "对于{E}，{P}年的{N}是{V}。",
        "数据显示，{E}在{P}年实现{N}{V}。",
    ],
}
METRIC_HELD = {
    "en": [
        "According to the record, {E} posted {N} of {V} for {P}.",
        "{P} {N} in {E}: {V}",
        "As for {E}, its {N} came to {V} during {P}.",
        "Records put {E}'s {P} {N} at {V}.",
        "With {V} in {P}, {E} has the following {N} on record.",
    ],
    "zh": [
        "记录显示，{E}{P}年的{N}为{V}。",
        "{P}年，{E}录得{N}{V}。",
        "就{E}而言，{N}在{P}年为{V}。",
    ],
}

# Two values of one metric: of one entity in two periods, or of two entities in one period.
TWO_PERIODS = {
    "en": [
        "The {N} of {E1} was {V1} in {P1} and {V2} in {P2}.",
        "{E1}'s {N} went from {V1} in {P1} to {V2} in {P2}.",
        "In {P1}, {E1}'s {N} was {V1}; in {P2} it was {V2}.",
        "For {E1}, {N} in {P1} and {P2} was {V1} and {V2}, respectively.",
        "{E1}'s {N}: {V1} ({P1}), {V2} ({P2}).",
        "After {V1} in {P1}, {E1} reached {N} of {V2} in {P2}.",
        "The {N} of {E1} amounts to {V2} for {P2} (up or down from {V1} for {P1}).",
    ],
    "zh": [
        "{E1}的{N}在{P1}年为{V1}，在{P2}年为{V2}。",
        "{P1}年和{P2}年，{E1}的{N}分别为{V1}和{V2}。",
        "{E1}的{N}从{P1}年的{V1}变为{P2}年的{V2}。",
    ],
}
TWO_PERIODS_HELD = {
    "en": [
        "{E1} recorded {N} of {V2} in {P2}, compared with {V1} in {P1}.",
        "Between {P1} and {P2}, the {N} of {E1} moved from {V1} to {V2}.",
    ],
    "zh": ["{E1}{P2}年的{N}为{V2}，而{P1}年为{V1}。"],
}
TWO_ENTITIES = {
    "en": [
        "In {P1}, {E1} had a {N} of {V1} and {E2} one of {V2}.",
        "The {N} of {E1} was {V1} in {P1}, while that of {E2} was {V2}.",
        "{E1} and {E2} had {N} of {V1} and {V2} in {P1}, respectively.",
        "{N} in {P1}: {E1} {V1}, {E2} {V2}.",
        "In {P1}, {N} was {V1} in {E1} and {V2} in {E2}.",
        "For {P1}, we have {V1} ({E1}) and {V2} ({E2}) as {N}.",
        "{E1}'s {N} in {P1} was {V1} against {V2} for {E2}.",
    ],
    "zh": [
        "{P1}年，{E1}的{N}为{V1}，{E2}为{V2}。",
        "{P1}年{E1}和{E2}的{N}分别为{V1}和{V2}。",
        "{P1}年{E1}的{N}是{V1}，而{E2}的{N}是{V2}。",
    ],
}
TWO_ENTITIES_HELD = {
    "en": [
        "{E1} ({V1}) and {E2} ({V2}) are the two entries for {N} in {P1}.",
        "Whereas {E1} shows {N} of {V1} for {P1}, {E2} shows {V2}.",
    ],
    "zh": ["{P1}年的{N}：{E1}{V1}；{E2}{V2}。"],
}

# A change from the first period to the second; {X} is its size, and the verb says its direction.
CHANGE = {
    "en": [
        (
            "The {N} of {E1} rose by {X} from {P1} to {P2}.",
            "The {N} of {E1} fell by {X} from {P1} to {P2}.",
        ),
        (
            "Between {P1} and {P2}, {E1}'s {N} grew {X}.",
            "Between {P1} and {P2}, {E1}'s {N} declined {X}.",
        ),
        (
            "From {P1} to {P2} the {N} of {E1} went up by {X}.",
            "From {P1} to {P2} the {N} of {E1} went down by {X}.",
        ),
        (
            "{E1} saw its {N} expand by {X} between {P1} and {P2}.",
            "{E1} saw its {N} shrink by {X} between {P1} and {P2}.",
        ),
        (
            "{E1}'s {N} was up {X} in {P2} compared with {P1}.",
            "{E1}'s {N} was down {X} in {P2} compared with {P1}.",
        ),
    ],
    "zh": [
        ("{E1}的{N}从{P1}年到{P2}年增长了{X}。", "{E1}的{N}从{P1}年到{P2}年下降了{X}。"),
        ("与{P1}年相比，{P2}年{E1}的{N}增加{X}。", "与{P1}年相比，{P2}年{E1}的{N}减少{X}。"),
    ],
}
CHANGE_HELD = {
    "en": [
        (
            "{N} in {E1} increased by {X} in {P2} over {P1}.",
            "{N} in {E1} decreased by {X} in {P2} over {P1}.",
        ),
    ],
    "zh": [("{P2}年{E1}的{N}较{P1}年上升{X}。", "{P2}年{E1}的{N}较{P1}年下跌{X}。")],
}
SUM = {
    "en": [
        "Together, {E1} and {E2} had a {N} of {X} in {P1}.",
        "The combined {N} of {E1} and {E2} was {X} in {P1}.",
        "Taken together, the {N} of {E1} and that of {E2} make {X} for {P1}.",
        "{E1} plus {E2}: {N} of {X} in {P1}.",
    ],
    "zh": ["{P1}年，{E1}和{E2}的{N}合计{X}。", "{E1}、{E2}两国{P1}年的{N}总计{X}。"],
}
SUM_HELD = {
    "en": ["In {P1}, the {N} of {E1} and {E2} added up to {X}."],
    "zh": ["{E1}与{E2}在{P1}年的{N}之和为{X}。"],
}

TOTAL = {
    "en": [
        "I found {T} matching assets.",
        "There are {T} hdmap assets in the catalogue.",
        "The search returned {T} results in total.",
        "{T} assets match your filters.",
        "Total: {T}",
        "In all, {T} assets were found.",
    ],
    "zh": [
        "共找到{T}个资产。",
        "目录中有{T}个符合条件的资产。",
        "查询返回{T}条结果。",
        "总数：{T}",
    ],
}
TOTAL_HELD = {
    "en": [
        "Your query matches {T} entries.",
        "The catalogue lists {T} of them.",
        "{T} hits came back.",
    ],
    "zh": ["符合条件的资产总共{T}个。", "一共{T}项匹配。"],
}
PROPERTY = {
    "length": {
        "en": [
            "{E} is {V} long.",
            "{E} covers {V} of road.",
            "Among the results is {E} with {V} of road.",
            "With {V}, {E} is one of the matches.",
            "The length of {E} is {V}.",
            "{E} has a length of {V}.",
            "{E}: {V}",
        ],
        "zh": ["{E}全长{V}。", "{E}的长度为{V}。", "{E}：长度{V}。"],
    },
    "laneCount": {
        "en": ["{E} has {V} lanes.", "The lane count of {E} is {V}.", "{E} comes with {V} lanes."],
        "zh": ["{E}有{V}条车道。", "{E}的车道数为{V}。"],
    },
    "fileSize": {
        "en": [
            "{E} is {V} in size.",
            "The file size of {E} is {V}.",
            "{E} has a file size of {V}.",
        ],
        "zh": ["{E}的文件大小为{V}。", "{E}的大小是{V}。"],
    },
    "roadTypes": {
        "en": [
            "{E} has the road type {W}.",
            "The road type of {E} is {W}.",
            "{E} contains {W} roads.",
        ],
        "zh": ["{E}的道路类型为{W}。", "{E}包含{W}道路。"],
    },
    "license": {
        "en": [
            "{E} is licensed under {W}.",
            "The license of {E} is {W}.",
            '{E} is available under "{W}".',
        ],
        "zh": ["{E}采用{W}许可证。", "{E}的许可证是{W}。"],
    },
    "formatType": {
        "en": ["{E} is provided in {W} format.", "The format of {E} is `{W}`."],
        "zh": ["{E}的格式为{W}。"],
    },
    "created": {
        "en": ["{E} was created on {D}.", "{E} dates from {D}.", "{E} (created {D})"],
        "zh": ["{E}创建于{D}。", "{E}的创建日期为{D}。"],
    },
    "iri": {
        "en": ["{E} has the identifier {I}.", "See {E} ({I}).", "[{E}]({I})"],
        "zh": ["{E}的标识符是{I}。"],
    },
}
PROPERTY_HELD = {
    "length": {
        "en": ["At {V}, {E} is on the list.", "{E} spans {V}.", "{V} of road are mapped in {E}."],
        "zh": ["{E}总里程为{V}。"],
    },
    "laneCount": {"en": ["{E} features {V} lanes."], "zh": ["{E}共设{V}条车道。"]},
    "fileSize": {"en": ["{E} takes up {V}."], "zh": ["{E}占用{V}。"]},
    "roadTypes": {"en": ["{E} is a map of type {W}."], "zh": ["{E}属于{W}类型。"]},
    "license": {"en": ["{E} comes under the {W} license."], "zh": ["{E}以{W}发布。"]},
    "formatType": {"en": ["{E} ships as {W}."], "zh": ["{E}以{W}格式提供。"]},
    "created": {"en": ["{E} has been available since {D}."], "zh": ["{E}于{D}创建。"]},
    "iri": {"en": ["{E} – {I}"], "zh": ["{E}（{I}）"]},
}

FILLER = {
    "en": [
        "This looks like a good fit for highway tests.",
        "Let me know if you need more details.",
        "The figures come from the catalogue.",
        "Please note that only the first page is shown.",
        "Here is what the records say:",
    ],
    "zh": [
        "如需更多信息，请告诉我。",
        "这些数据来自目录。",
        "以下是查询结果：",
        "这可能适合您的测试。",
    ],
}
FILLER_HELD = {
    "en": ["Happy to refine the search further.", "Both statements are taken from the evidence."],
    "zh": ["欢迎继续提问。", "以上内容均有据可查。"],
}
