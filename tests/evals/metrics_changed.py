"""Counterfactuals of something else: other units, kinds, metrics, qualifiers and longer names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.metrics.profile import TOTAL
from groundwire.metrics.reading import Arguments
from groundwire.vocabulary import fold
from tests.evals.gate_disguises import disguises
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, NOT_READ, OUT, UNREAD, Case
from tests.evals.metrics_spelling import is_chinese, lookalike

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
CONTAINING = (
    "New Guinea", "South Georgia", "New Mexico", "Mexico City", "Kuwait City", "Panama City",
    "Bank of China", "China Mobile", "China Tower", "Japan Airlines", "Bank of Japan",
    "Northern Ireland", "Inner Mongolia", "West Bengal, India", "Paris, France", "Georgia, USA",
    "Lebanon, Ohio", "Jordan River", "Chad Smith", "Gulf of Mexico", "Sea of Japan",
    "Peru, Indiana", "Niger Delta", "Hong Kong Airlines", "Hong Kong Island", "Bank of America",
    "East Germany", "Soviet Russia", "British India", "Turkey Creek", "South China Sea",
    "Norfolk, Virginia", "Air France", "Deutsche Bank Germany", "Korea Electric Power",
    "Toyota Japan", "Greater China", "Little Italy", "Western Australia", "Roman Egypt",
    "Air China", "Northern Nigeria", "Republic of Texas", "Guinea pig", "Brazil nut",
    "Tolvarne Bank", "Tolvarne Korea", "New Tolvarne", "Snowflake Arizona", "Snowflake Ventures",
)  # fmt: skip
CONTAINING_CHINESE = (
    "中国平安", "中国人寿", "中国移动", "日本航空", "香港航空", "北爱尔兰", "内蒙古", "外蒙古",
    "新几内亚", "南乔治亚", "印度洋", "英国石油", "美国银行", "德国之声", "加拿大鹅", "墨西哥城",
    "巴西利亚", "古巴比伦", "马里兰州", "尼日尔三角洲", "约旦河", "乍得湖", "几内亚湾", "印度支那",
    "中国银行", "中国石油", "香港中文大学", "日本制铁", "法国巴黎", "东德国", "南中国海",
    "大中华区", "英属印度", "新西班牙", "托瓦恩银行", "托瓦恩韩国", "中国联通", "日本邮政", "香港岛",
    "罗马帝国",
)  # fmt: skip
# Words that make another entity of one.
OF_ENTITY = (
    "northern {}", "former {}", "rural {}", "{} City", "the competitors of {}", "Greater {}",
    "{} excluding its capital", "{}'s competitors", "the {} branch office", "rest of {}",
    "most of {}", "{} and its neighbours", "everywhere but {}", "outside {}", "the capital of {}",
    "the neighbours of {}", "New {}", "{} Airlines", "Bank of {}", "{} Telecom", "non-{}",
    "the average of {}", "not {}", "South {} Sea", "{} River", "{} Bank Ltd", "East {}",
    "{} and Zorbania", "Zorbania and {}", "{} without the islands", "medieval {}", "all but {}",
)  # fmt: skip
OF_ENTITY_CHINESE = (
    "{}首都", "{}以外", "{}银行", "{}航空", "{}的竞争对手", "大{}", "{}北部", "前{}", "除{}外",
    "{}农村", "{}省", "非{}", "{}平安", "{}各城市", "{}的邻国", "{}和佐巴尼亚", "佐巴尼亚和{}",
    "{}石油", "新{}", "{}大学", "{}一半", "{}移民", "{}海",
)  # fmt: skip
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


def _pick(draw: Draw, english: Sequence[str], chinese: Sequence[str]) -> str:
    return draw.rng.choice(chinese if draw.world.chinese and draw.rng.random() < 0.4 else english)


def qualified(draw: Draw, count: int) -> Iterator[Case]:
    """A word before or after a metric makes it another one."""
    made = 0
    while made < count:
        form = _pick(draw, QUALIFIED, QUALIFIED_CHINESE)
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
        return _phrased(draw, kind, phrase, chinese, number)
    if number % 3 == 0:
        sent = Arguments(phrase, key.entity, draw.period(key), TOTAL)
        return Case(kind, draw.world, sent, _UNREAD)
    asked = draw.question(key, chinese, m=phrase)
    return Case(kind, draw.world, asked.text, NOT_READ, mode="ask_first", held_out=asked.held_out)


def unknown_metrics(draw: Draw, count: int) -> Iterator[Case]:
    """Metrics that no profile here has."""
    for number in range(count):
        name = _pick(draw, UNKNOWN, UNKNOWN_CHINESE)
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


def containing_names(draw: Draw, count: int) -> Iterator[Case]:
    """Longer names that hold the name of an entity, and are of something else."""
    for number in range(count):
        name = _pick(draw, CONTAINING, CONTAINING_CHINESE)
        if fold(name) in draw.world.names:
            continue
        key = draw.key(channel=False)
        if number % 3:
            asked = draw.question(key, is_chinese(name), e=name)
            yield Case(
                "name within a longer one", draw.world, asked.text, NOT_READ, mode="ask_first",
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            sent = Arguments(key.metric, name, draw.period(key), TOTAL)
            yield Case("name within a longer one", draw.world, sent, _UNREAD)


def altered_entities(draw: Draw, count: int) -> Iterator[Case]:
    """A word before or after a name makes it another one, or a part of it."""
    for number in range(count):
        form = _pick(draw, OF_ENTITY, OF_ENTITY_CHINESE)
        chinese = is_chinese(form)
        key = draw.key(channel=False, chinese=chinese)
        pick = draw.chinese if chinese else draw.english
        name = form.format(pick(draw.entity_names(key.entity)))
        if fold(name) in draw.world.names:
            continue
        if number % 3 == 0:
            sent = Arguments(key.metric, name, draw.period(key), TOTAL)
            yield Case("entity altered by a word", draw.world, sent, _UNREAD)
            continue
        asked = draw.question(key, chinese, e=name)
        yield Case(
            "entity altered by a word", draw.world, asked.text, NOT_READ, mode="ask_first",
            held_out=asked.held_out,
        )  # fmt: skip


def lookalikes(draw: Draw, count: int) -> Iterator[Case]:
    """Letters of other alphabets in a name: read rightly, or not at all."""
    made = 0
    while made < count:
        key = draw.key(channel=False)
        spelt = lookalike(draw.english(draw.entity_names(key.entity)), draw.rng)
        if spelt is None:
            continue
        statuses = NOT_READ | {FOUND}
        facts = (draw.truth(key),)
        if made % 2:
            asked = draw.question(key, chinese=False, e=spelt)
            yield Case(
                "lookalike letters", draw.world, asked.text, statuses, facts,
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            sent = Arguments(key.metric, spelt, draw.period(key), TOTAL)
            yield Case("lookalike letters", draw.world, sent, statuses, facts)
        made += 1


def external(draw: Draw, count: int) -> Iterator[Case]:
    """Entities out of scope: plain, beside entities in scope, and disguised."""
    outside = draw.world.profile.external
    for number in range(count if outside else 0):
        one = draw.rng.choice(outside)
        name = draw.rng.choice((one.name, *one.aliases))
        chinese = is_chinese(name)
        key = draw.key(channel=False, chinese=chinese)
        kind = "external entity"
        beside = draw.chinese if chinese else draw.english
        match number % 5:
            case 0:
                sent = Arguments(key.metric, name, draw.period(key), TOTAL)
                yield Case(kind, draw.world, sent, _OUT)
                continue
            case 1:
                kind = "external beside known"
                joined = f"{beside(draw.entity_names(key.entity))}{'和' if chinese else ' and '}"
                name = joined + name
            case 2 | 3:
                kind = "external, disguised"
                name = draw.rng.choice([text for _, text in disguises(name, draw.rng)])
            case _:
                pass
        asked = draw.question(key, chinese, e=name)
        yield Case(
            kind, draw.world, asked.text, _OUT, mode="out_of_scope_entity", held_out=asked.held_out
        )


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
