"""Counterfactuals of names: longer ones that hold a known one, lookalikes, names out of scope."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.metrics.profile import TOTAL
from groundwire.metrics.terms import Arguments
from groundwire.vocabulary import fold
from tests.evals.gate_disguises import disguises
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, NOT_READ, OUT, UNREAD, Case
from tests.evals.metrics_spelling import is_chinese, lookalike

_UNREAD = frozenset((UNREAD,))
_OUT = frozenset((OUT,))

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
    "大中华区", "英属印度", "新西班牙", "托瓦恩银行", "托瓦恩韩国", "中国联通", "日本邮政",
    "香港岛", "罗马帝国",
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


def containing_names(draw: Draw, count: int) -> Iterator[Case]:
    """Longer names that hold the name of an entity, and are of something else."""
    for number in range(count):
        name = draw.either(CONTAINING, CONTAINING_CHINESE)
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
        form = draw.either(OF_ENTITY, OF_ENTITY_CHINESE)
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
