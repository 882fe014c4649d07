"""Words and numbers of time that are no period: where one of them stands, nobody may assume one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.quantities.period_grammar import scan
from groundwire.quantities.period_marks import MONTH, NUMBER
from groundwire.quantities.period_spellings import (
    BOUNDS,
    unread_pattern,
    word_after,
    word_before,
)

_FOLLOWS = (*(f"{kind}_follows" for kind in BOUNDS), "vague_follows")

# What begins with these goes on as far as the word does: week, weeks, weekly.
_STEMS = (
    "year quarter month week fortnight day hour minute decade centur millenni semester trimester "
    "season holiday yesterday today tomorrow tonight overnight nowadays recent histor pandemic "
    "covid lockdown christmas easter ramadan thanksgiving diwali michaelmas semiannual "
    "biannual bimonth interim period half-year sunday monday tuesday wednesday thursday friday "
    "saturday spring summer autumn winter midyear annualis annualiz"
)
_WORDS = (
    "ytd qtd mtd yoy qoq mom ttm ltm ntm fy cy ago before after until till since earlier later "
    "lately soon upcoming formerly previously currently presently now daily early late mid eve era "
    "last next past cumulative cumulatively lunar hitherto thereafter afterwards weekend "
    "noon midnight fiscal"
)
# "AD" is an era beside a number alone, and "fall" a season where a word says so.
_PHRASES = (
    r"[0-9]{1,4}(?:st|nd|rd|th)?\s?(?:bce?|ad|ce|c\.?e\.?|b\.?c\.?)\b",
    r"(?:last|next|this|the|in|every|each)\s(?:fall|half|term)\b|fall(?=\s(?:of|[0-9]))",
    r"(?:over|all|some|same|at\sthe|at\sthat|long|a\slong)[\s-]time\b|all-time",
    r"same\s(?:quarter|period|month|time|week|day|year|half)",
    r"(?:by|to|up\sto|prior\sto|as\slate\sas|not\slater\sthan|pre|post|through|thru|around|circa|about|c\.)"
    r"(?=[\s-]?(?:the\s)?(?:FY|Q|H)?\s?'?[0-9]{2,4})",
    r"(?:pre|post)-(?:pandemic|covid|crisis|war|ipo|merger|acquisition|launch|listing)\w{0,8}",
    r"(?:as\s(?:of|at))(?=\s(?:the\s)?(?:Q[1-4]|H[12]|[1-4]Q|first|second|third|fourth|[a-z]{3,9}\s"
    r"[0-9]{4}|(?:1[5-9]|2[01])[0-9]{2}(?:\s|-)?(?:Q|H|年第|年上)))",
    r"(?:begin|beginning|start|middle|end|rest|most|part|half|turn|eve|close)\sof(?=\s(?:the\s)?(?:FY|[0-9]{4}))",
    r"(?:last|previous|prior|next)\s(?:annual|interim|report|earnings|release|filing|results|one)\b",
    r"[STWP][0-9]{1,2}(?=\s?(?:FY)?\s?(?:1[5-9]|2[01])[0-9]{2}(?![0-9]))|FYE",
    r"(?:y/y|q/q|m/m|y-o-y|q-o-q|24/7)",
    r"(?:per|each|every|by|half|full|past|last|next|coming|previous)\s(?:year|quarter|month|week|half|day)s?",
    r"[0-9]{3}0'?s\b|'?[0-9]0'?s\b",
    r"(?:so\sfar|to\sdate|at\spresent|at\sthe\smoment|right\snow|these\sdays|new\syear|black\sfriday)",
    rf"{NUMBER}[\s-](?:year|quarter|month|week|day|hour)s?(?:\s(?:ago|back|earlier|later|before))?",
    rf"{MONTH}[\s-]?'?[0-9]{{1,2}}(?![0-9])|in\sthe\spast|in\spast",
    r"(?:nineteen|twenty)[\s-](?:hundred|oh|ten|eleven|twelve|[a-z]{3,5}teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety)(?:[\s-][a-z]{3,5}(?![a-z]))?",
    r"two\sthousand(?:\sand)?\s(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|[a-z]{3,5}teen|twenty)(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?",
    r"(?:few|several|couple\sof|many)\s(?:year|quarter|month|week|day)s?(?:\s(?:ago|back))?",
    rf"(?:last|this|next|past)\s(?:{MONTH}|Q[1-4]|H[12]|week|weekend|half|century|decade)",
    r"(?:FY|CY|Q|H)\s?'?[0-9]{1,8}|[0-9]{1,2}[QH](?![A-Za-z])",
    r"'[0-9]{2}(?![0-9A-Za-z])|[0-9]{2}/[0-9]{2}(?![0-9])",
    r"(?:january|february|april|june|july|august|september|october|november|december)",
    r"(?:jan|feb|apr|jun|jul|aug|sept|oct|nov)\b\.?",
)
_YEARS = (
    # The digits may be a year whatever is around them, except other digits.
    r"(?<![0-9])(?<![0-9][.,])(?:1[5-9]|2[01])[0-9]{2}(?![0-9])(?![.,][0-9])(?:\s?年代)?",
    r"(?<![0-9])(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])?(?![0-9])",
    r"(?<![0-9])(?:1[5-9]|2[01])[0-9]{2}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?(?![0-9])",
    r"(?<![0-9])[0-9]{1,2}[/.][0-9]{1,2}[/.](?:[0-9]{2}|[0-9]{4})(?![0-9])",
)
_HAN_WORDS = (
    "上上周 上周 本周 下周 这周 每周 周末 周初 星期 礼拜 世纪 年代 近期 "
    "近几年 近年 近来 近日 近况 以前 之前 之后 以后 此前 此后 事后 当时 "
    "当年 当月 当季 当期 当日 当天 同期 同年 同月 同季 环比 同比 按年 按季 "
    "按月 逐年 逐季 逐月 历年 历史 往年 往期 常年 连年 多年 每年 每季 每月 "
    "每日 年均 月均 季均 日均 今天 今日 昨天 昨日 明天 明日 后天 前天 前日 "
    "今晚 昨晚 今早 早前 早期 晚期 初期 前期 后期 末期 中期 期末 期初 期中 "
    "期间 上期 本期 下期 报告期 时期 年底 年末 年初 年中 岁末 月底 月末 "
    "月初 季末 季初 半年 季报 年报 中报 半年报 春节 国庆 元旦 中秋 端午 "
    "清明 圣诞 农历 阴历 黄金周 双十一 春天 夏天 秋天 冬天 春季 夏季 秋季 "
    "冬季 春夏 秋冬 假期 暑假 寒假 疫情 新冠 战前 战后 现在 目前 当前 如今 "
    "眼下 迄今 至今 截至 截止 最近 刚刚 刚才 不久 即将 将来 未来 过去 曾经 "
    "从前 以来 累计 全年 季度 月度 年度末 财年 财季 年前 年后 年内 年间 "
    "月内 月前 月后 上旬 中旬 下旬 早些时候 旺季 淡季 公元 凌晨 小时 分钟 "
    "上次 历来 起初 届时 同时期 几年 几个月 数年 数月 多少年 哪年 哪一年 "
    "哪个季度 哪个月 何时 什么时候 这一年 那一年 那年 那时 此时 平时 上一期 "
    "下一期 上一次 次年 翌年 隔年 头年 末年 跨年 年年 半载 昔日 周一 周二 "
    "周三 周四 周五 周六 周日 周天 腊月 正月 大年 除夕 去岁 今岁 本世纪 "
    "上世纪 民国 年终 岁初 季中 月中 日前 早年 晚年 去冬 今春 前几年 后几年 "
    "前些年 这些年 这几年 那几年 一段时间"
)
_HAN_NUMBER = "[0-9〇零○一二三四五六七八九十百千两几数半多这那每]"
_HAN_AMOUNT = (
    rf"(?<!统)(?:第\s?)?{_HAN_NUMBER}{{1,8}}\s?(?:多|余|来)?(?:个|整)?\s?"
    r"(?:年代|年(?!级|轻|薪|龄|化)|月(?!薪|饼|球|亮|票|租|活)|季(?!节|军)|日(?![本元常活程志益语圆文])|天(?![然气津花猫])"
    r"|周(?![转边围黑大杰])|季度|财年|世纪|年代|小时|分钟|号(?![码线机]))"
    r"(?:以?[前后来内]|之[前后内间]|[初末底中间])?"
)


@cache
def _pattern() -> re.Pattern[str]:
    """Every word and number of time, compiled when the first text is read."""

    def any_of(words: Sequence[str]) -> str:
        return "|".join(sorted(map(re.escape, words), key=len, reverse=True))

    stems = f"(?:{any_of(_STEMS.split())})[a-z]{{0,12}}"
    words = f"(?:{any_of(_WORDS.split())})"
    # What begins no word of time is passed over at once.
    first = "".join(sorted({word[0] for word in _HAN_WORDS.split()}))
    return re.compile(
        rf"(?<![0-9A-Za-z_])(?=[0-9a-z'])(?:{'|'.join(_PHRASES)}|{stems}|{words})(?![A-Za-z])"
        rf"|(?=[0-9])(?:{'|'.join(_YEARS)})"
        rf"|(?=[{first}])(?:{any_of(_HAN_WORDS.split())})"
        rf"|(?=[第0-9〇零○一二三四五六七八九十百千两几数半多这那每]){_HAN_AMOUNT}",
        re.IGNORECASE | re.ASCII,
    )


# What makes another time of the period beside it: 2024年初, 2024年前, 到2024年, "2019+".
_HAN_BEFORE = re.compile(r"(?:(?<![达得提看找])到|至|直至|早于|晚于)\s?$")
_BESIDE = re.compile(
    r"\s?\+|\s?(?:年?初|[以之]?前(?![0-9一二两三四五六七八九十])|[以之]?后|前后|左右|早期|晚期|后期"
    r"|[上中下]旬|[春夏秋冬]|年?中(?=$|[的,，。、?？)）;；\s]))"
)
# A number that a range sign ties to an expression: "1 to 31 March 2024", "2022Q1-3".
_NUMBER_TO = re.compile(
    r"(?<![0-9A-Za-z])[0-9]{1,4}\s?(?:-|~|to|and|through|&|至|到|、)\s?$", re.IGNORECASE
)
_TO_NUMBER = re.compile(
    r"\s?(?:-|~|to|through|/|至|到)\s?'?[0-9]{1,4}(?![0-9A-Za-z,.%])(?!\s?(?:million|billion|percent|[万亿%]))",
    re.IGNORECASE,
)


def find_time_words(text: str) -> list[tuple[int, int]]:
    """Find spans of what speaks of time and is not read by `find_periods`.

    Vague words ("recently", 近几年), comparisons (yoy, 同比), bounds ("before", "until"), units
    alone, seasons, feasts, eras, impossible periods (Q5 2024, 31 June), four digits that may be a
    year, and digits with 年, 月, 日 or 季. In order, without overlap.
    """
    found = scan(text)
    folded, marks = found.folded, found.marks
    spans = [*found.dropped]
    for mark in marks:
        before = _NUMBER_TO.search(folded, max(0, mark.start - 14), mark.start)
        after = _TO_NUMBER.match(folded, mark.end)
        until = _HAN_BEFORE.search(folded, max(0, mark.start - 3), mark.start)
        beside = _BESIDE.match(folded, mark.end)
        around = (before, after, until, beside)
        spans.extend(match.span() for match in around if match is not None)
        said = word_before(folded, mark.start, *BOUNDS, "vague")
        if said is not None and mark.start > said[2]:
            spans.append((said[2], said[2] + len(said[1])))
        late = word_after(folded, mark.end, *_FOLLOWS)
        if late is not None:
            spans.append((late[2] - len(late[1]), late[2]))
    spans.extend(match.span() for match in unread_pattern().finditer(folded))
    spans.extend(match.span() for match in _pattern().finditer(folded))
    apart = _apart(spans, [(mark.start, mark.end) for mark in marks])
    stripped = [(start, start + len(folded[start:end].rstrip())) for start, end in apart]
    return [found.respelt.span(start, end) for start, end in stripped]


def _apart(spans: list[tuple[int, int]], read: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that touch nothing read, in order, merged where they overlap."""
    kept: list[tuple[int, int]] = []
    i = 0
    for start, end in sorted(spans):
        while i < len(read) and read[i][1] <= start:
            i += 1
        if i < len(read) and read[i][0] < end:
            if read[i][0] <= start:
                continue
            end = read[i][0]
            if end - start < 2:  # 过 of 过去年
                continue
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept
