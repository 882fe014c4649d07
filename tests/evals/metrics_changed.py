"""Counterfactuals of something else: other units, kinds, metrics, qualifiers and longer names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from groundwire.metrics.profile import TOTAL
from groundwire.metrics.terms import Arguments
from groundwire.vocabulary import fold
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, NO_VALUE, NOT_READ, OUT, UNREAD, Case
from tests.evals.metrics_spelling import is_chinese, period_names
from tests.evals.metrics_truth import Key

_UNREAD = frozenset((UNREAD,))
_OUT = frozenset((OUT,))

OTHER_UNITS = {
    "CNY": ("USD", "US dollars", "euros", "HKD", "yen", "pounds sterling", "EUR millions"),
    "USD": ("CNY", "euros", "yen", "British pounds", "RMB", "Swiss francs", "PPP dollars"),
    "people": ("households", "percent", "USD", "families"),
    "%": ("CNY", "USD", "basis points"),
    "shares": ("USD", "percent"),
}
OTHER_UNITS_CHINESE = {
    "CNY": ("以美元计", "折合港元", "按欧元计算", "（美元）"),
    "USD": ("以人民币计", "折合欧元", "按日元计算", "（人民币）"),
    "people": ("以户计", "（万户）"),
    "%": ("以人民币计", "（基点）"),
}
UNKNOWN = (
    "EBITDA", "inflation", "unemployment rate", "exports", "literacy rate", "market share",
    "R&D intensity", "dividend per share", "share price", "life expectancy", "CO2 emissions",
    "churn rate", "customer count", "heroes", "prose", "Gini index", "store openings", "GNI",
    "interest coverage", "birth rate", "net debt", "order backlog", "carbon footprint",
)  # fmt: skip
UNKNOWN_CHINESE = (
    "市值", "股价", "负债率", "出口额", "失业率", "通货膨胀率", "研发费用", "存货", "客户数",
    "预期寿命", "碳排放量", "进口额", "市场份额", "周转率", "基尼系数", "门店数", "识字率",
)  # fmt: skip
QUALIFIED = (
    "{} growth", "{} growth rate", "{} per employee", "{} per capita", "non-{}", "adjusted {}",
    "{} excluding VAT", "{} excluding Macau", "average {}", "{} target", "expected {}",
    "{} forecast", "budgeted {}", "{} deflator", "{} rank", "female {}", "rural {}",
    "{} before tax", "{} at constant prices", "real {}", "{} density", "{} CAGR", "pro forma {}",
    "median {}", "foreign {}", "{} change", "year-on-year {} growth", "{} ratio", "deferred {}",
    "{} loss", "potential {}", "{} without subsidies", "anti-{}", "{} per store", "projected {}",
    "underlying {}", "{} (PPP)", "seasonally adjusted {}", "{} volatility", "{} guidance",
    "{} share", "recurring {}", "{} from new customers", "half of the {}", "twice the {}",
    "{} index", "like-for-like {}", "{} multiple", "illegal {}", "former {}",
)  # fmt: skip
QUALIFIED_CHINESE = (
    "人均{}", "{}增长率", "{}同比", "{}同比增速", "平均{}", "非{}", "调整后{}", "{}目标",
    "预计{}", "{}预算", "{}占比", "{}排名", "扣非{}", "{}以外", "农村{}", "女性{}", "实际{}",
    "不含税{}", "{}密度", "税前{}", "{}环比", "户均{}", "{}增量", "{}中位数", "{}的一半", "可比{}",
    "单店{}", "潜在{}", "{}指数", "{}缺口", "剔除澳门的{}", "未审计{}",
)  # fmt: skip
# Of these a question is answered from two facts, where both are held.
GROWTH = ("growth", "增长率", "同比增速")
CHANNELS = ("franchise", "TikTok", "vending machines", "duty-free", "airport", "app store", "直播",
            "加盟", "免税店", "抖音")  # fmt: skip


def _phrased(draw: Draw, kind: str, metric: str, chinese: bool, number: int) -> Case:
    """A phrase in the place of a metric, for an entity and period that have facts."""
    key = draw.key(channel=False, chinese=chinese)
    if number % 3 == 0:
        sent = Arguments(metric, key.entity, draw.period(key), TOTAL)
        return Case(kind, draw.world, sent, _UNREAD)
    asked = draw.question(key, chinese, m=metric)
    return Case(kind, draw.world, asked.text, NOT_READ, mode="ask_first", held_out=asked.held_out)


def qualified(draw: Draw, count: int) -> Iterator[Case]:
    """A word before or after a metric makes it another one."""
    made = 0
    while made < count:
        form = draw.either(QUALIFIED, QUALIFIED_CHINESE)
        code = draw.key().metric
        pick = draw.chinese if is_chinese(form) else draw.english
        phrase = form.format(pick(draw.metric_names(code)))
        if fold(phrase) in draw.world.names:
            continue
        kind = "qualifier zh" if is_chinese(form) else "qualifier en"
        yield _phrased_of(draw, kind, code, phrase, is_chinese(form), made)
        made += 1


def _phrased_of(draw: Draw, kind: str, code: str, phrase: str, chinese: bool, number: int) -> Case:
    """As `_phrased`, for a fact of the metric that the phrase holds."""
    key = draw.key(channel=False, chinese=chinese)
    for _ in range(60):
        if key.metric == code:
            break
        key = draw.key(channel=False, chinese=chinese)
    else:
        if not any(word in phrase for word in GROWTH):
            return _phrased(draw, kind, phrase, chinese, number)
        profile = draw.world.profile
        named = [
            one
            for one in draw.world.truth.totals
            if one.metric == code and one.entity in profile.entity_by_code
            and period_names(profile, one, chinese)
        ]  # fmt: skip
        if not named:
            return _phrased(draw, kind, phrase, chinese, number)
        key = draw.rng.choice(named)
    if number % 3 == 0:
        sent = Arguments(phrase, key.entity, draw.period(key), TOTAL)
        return Case(kind, draw.world, sent, _UNREAD)
    asked = draw.question(key, chinese, m=phrase)
    if any(word in phrase for word in GROWTH):
        return replace(_growth(draw, key, asked.text), held_out=asked.held_out)
    return Case(kind, draw.world, asked.text, NOT_READ, mode="ask_first", held_out=asked.held_out)


def _growth(draw: Draw, key: Key, text: str) -> Case:
    """A question for growth: the change over the year before, its two facts, or no value at all."""
    truth = draw.world.truth
    before = truth.answer(key._replace(start=_year_before(key.start), end=_year_before(key.end)))
    now, kind = draw.truth(key), "growth of a metric"
    if before is None:
        return Case(kind, draw.world, text, NO_VALUE, withheld=now.value)
    change = now.value - before.value
    # No percentage is told of what was nothing or a loss.
    percent = (("percent_change", change / before.value * 100),) if before.value > 0 else ()
    return Case(
        kind, draw.world, text, NO_VALUE | {FOUND}, (now, before), derived=percent,
        beside=(("delta", change),),
    )  # fmt: skip


def _year_before(day: date) -> date:
    """The same day of a year before; of the end of February, its end there."""
    return (day + timedelta(1)).replace(year=(day + timedelta(1)).year - 1) - timedelta(1)


def unknown_metrics(draw: Draw, count: int) -> Iterator[Case]:
    """Metrics that no profile here has."""
    for number in range(count):
        name = draw.either(UNKNOWN, UNKNOWN_CHINESE)
        if fold(name) not in draw.world.names:
            case = _phrased(draw, "unknown metric", name, is_chinese(name), number)
            # Without a metric and a cue for a number a question is for the documents.
            statuses = case.statuses | {"empty", "quoted"}
            yield case if number % 3 == 0 else replace(case, statuses=statuses, mode=None)


def other_units(draw: Draw, count: int) -> Iterator[Case]:
    """A unit that the values do not have: they must not be shown as if it were theirs."""
    for number in range(count):
        key = draw.key(channel=False)
        chinese = draw.world.chinese and draw.rng.random() < 0.4
        units = (OTHER_UNITS_CHINESE if chinese else OTHER_UNITS).get(draw.truth(key).unit)
        if units is None:
            continue
        unit = draw.rng.choice(units)
        if number % 3 == 0:
            pick = draw.chinese if chinese else draw.english
            metric = pick(draw.metric_names(key.metric))
            metric += unit if chinese else f" in {unit}"
            sent = Arguments(metric, key.entity, draw.period(key), TOTAL)
            yield Case("swapped unit", draw.world, sent, _UNREAD)
            continue
        asked = draw.question(key, chinese)
        text = asked.text.rstrip("?.？")
        text += unit if chinese else draw.rng.choice((f" in {unit}", f" ({unit})"))
        yield Case(
            "swapped unit", draw.world, text, NOT_READ, mode="ask_first", held_out=asked.held_out
        )


def other_kinds(draw: Draw, count: int) -> Iterator[Case]:
    """A metric of one kind asked of an entity of another."""
    profile = draw.world.profile
    made = 0
    for _ in range(count * 20 if len(profile.kinds) > 1 else 0):
        if made == count:
            return
        key = draw.key(channel=False)
        kind = profile.metric_by_code[key.metric].kind
        other = draw.rng.choice([one for one in profile.entities if one.kind != kind])
        name = draw.rng.choice([other.name, *other.aliases])
        if fold(name) in draw.world.kinds[kind]:
            continue
        if made % 2:
            asked = draw.question(key, is_chinese(name), e=name)
            yield Case(
                "swapped kind", draw.world, asked.text, NOT_READ, mode="ask_first",
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            sent = Arguments(key.metric, name, draw.period(key), TOTAL)
            yield Case("swapped kind", draw.world, sent, _UNREAD)
        made += 1


def unknown_channels(draw: Draw, count: int) -> Iterator[Case]:
    """Channels that are none of the profile's."""
    for number in range(count):
        key = draw.key(channel=False)
        channel = draw.rng.choice(CHANNELS)
        if number % 2 or is_chinese(channel) != draw.world.chinese:
            asked = draw.question(key, is_chinese(channel) and draw.world.chinese, c=channel)
            yield Case(
                "unknown channel", draw.world, asked.text, NOT_READ, mode="ask_first",
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            sent = Arguments(key.metric, key.entity, draw.period(key), channel)
            yield Case("unknown channel", draw.world, sent, _UNREAD)
