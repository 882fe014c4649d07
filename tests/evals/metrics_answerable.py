"""Cases that the store can answer: every name spelt exact, folded or by an alias."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.metrics.profile import TOTAL
from groundwire.metrics.terms import Arguments
from tests.evals import metrics_templates as templates
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, Case
from tests.evals.metrics_spelling import folded_names, is_chinese, period_names, wide
from tests.evals.metrics_truth import Key, Version

_FOUND = frozenset((FOUND,))
# Units as people add them to a question that has just these.
UNIT_PHRASES = {
    "CNY": (" in CNY", " in yuan", " in RMB"),
    "USD": (" in USD", " in US dollars", " in dollars"),
    "people": (" in people",),
    "%": (" in percent", " as a percentage"),
}
UNIT_PHRASES_CHINESE = {
    "CNY": ("（以人民币计）", "（人民币）", "，单位：元"),
    "USD": ("（以美元计）", "（美元）"),
}


def _found(draw: Draw, kind: str, sent: Arguments | str, key: Key, held: bool = False) -> Case:
    mode = "none" if isinstance(sent, str) else None
    return Case(kind, draw.world, sent, _FOUND, (draw.truth(key),), mode=mode, held_out=held)


def queries_exact(draw: Draw, count: int) -> Iterator[Case]:
    """Codes and main names, and the canonical name of the period."""
    for _ in range(count):
        key = draw.key()
        profile = draw.world.profile
        metric = draw.rng.choice((key.metric, profile.metric_by_code[key.metric].label))
        entity = draw.rng.choice((key.entity, profile.entity_by_code[key.entity].name))
        channel = draw.rng.choice((key.channel, profile.channel_by_code[key.channel].label))
        period = period_names(profile, key, chinese=False)[0]
        yield _found(draw, "query: exact", Arguments(metric, entity, period, channel), key)


def queries_folded(draw: Draw, count: int) -> Iterator[Case]:
    """Case, width, separators and plurals changed."""
    for _ in range(count):
        key = draw.key()
        metric = draw.rng.choice([key.metric, *draw.metric_names(key.metric)])
        entity = draw.rng.choice([key.entity, *draw.entity_names(key.entity)])
        metric = draw.rng.choice([*folded_names(metric, plural=True)])
        entity = draw.rng.choice([*folded_names(entity, plural=False)])
        channel = draw.rng.choice([*folded_names(key.channel, plural=False)])
        period = draw.period(key, draw.rng.random() < 0.3 and draw.world.chinese)
        period = draw.rng.choice((period.lower(), period.upper(), wide(period), f" {period} "))
        yield _found(draw, "query: folded", Arguments(metric, entity, period, channel), key)


def queries_by_alias(draw: Draw, count: int) -> Iterator[Case]:
    """Any name and any form of the period."""
    for _ in range(count):
        key = draw.key()
        sent = Arguments(
            draw.rng.choice(draw.metric_names(key.metric)),
            draw.rng.choice(draw.entity_names(key.entity)),
            draw.period(key, draw.rng.random() < 0.5),
            draw.rng.choice([key.channel, *draw.channel_names(key.channel)]),
        )
        yield _found(draw, "query: alias", sent, key)


def questions(draw: Draw, count: int) -> Iterator[Case]:
    """Whole questions in English, without and with a channel."""
    channels = any(series[2] != TOTAL for series in draw.world.truth.series)
    for number in range(count):
        split = channels and number % 4 == 3
        key = draw.key(channel=split)
        asked = draw.question(key, chinese=False)
        kind = "question en: channel" if split else "question en"
        yield _found(draw, kind, asked.text, key, asked.held_out)


def questions_folded(draw: Draw, count: int) -> Iterator[Case]:
    """Whole questions in capitals, in small letters, or with a name folded."""
    for _ in range(count):
        key = draw.key(channel=False)
        # Codes in small letters are words of the language.
        long = [name for name in draw.entity_names(key.entity) if len(name) > 3]
        names = [name for name in long if not (is_chinese(name) or name.isupper())]
        if not names:
            continue
        entity = draw.rng.choice(names)
        metric = draw.english(draw.metric_names(key.metric))
        match draw.rng.randrange(4):
            case 0:
                asked = draw.question(key, chinese=False, e=entity, m=metric)
                text = asked.text.upper()
            case 1:
                asked = draw.question(key, chinese=False, e=entity, m=metric)
                text = asked.text.lower()
            case 2:
                joined = entity.replace(" ", "-") if entity.replace(" ", "").isalnum() else entity
                asked = draw.question(key, chinese=False, e=joined, m=metric)
                text = asked.text
            case _:
                asked = draw.question(key, chinese=False, e=entity, m=metric)
                text = wide(asked.text)
        yield _found(draw, "question en: folded", text, key, asked.held_out)


def questions_with_codes(draw: Draw, count: int) -> Iterator[Case]:
    """Codes in capitals for the metric and the entity."""
    for _ in range(count):
        key = draw.key(channel=False)
        asked = draw.question(key, chinese=False, e=key.entity, m=key.metric)
        yield _found(draw, "question en: codes", asked.text, key, asked.held_out)


def questions_in_chinese(draw: Draw, count: int) -> Iterator[Case]:
    """Whole questions in Chinese, some with a channel, some with Latin names."""
    if not draw.world.chinese:
        return
    channels = any(series[2] != TOTAL for series in draw.world.truth.series)
    for number in range(count):
        split = channels and number % 4 == 3
        key = draw.key(channel=split, chinese=True)
        words: dict[str, str] = {}
        if number % 5 == 0:
            words["m"] = draw.rng.choice((key.metric, draw.english(draw.metric_names(key.metric))))
        asked = draw.question(key, chinese=True, **words)
        kind = "question zh: channel" if split else "question zh"
        yield _found(draw, kind, asked.text, key, asked.held_out)


def questions_in_traditional(draw: Draw, count: int) -> Iterator[Case]:
    """Questions in traditional characters, with names that the profile has in these."""
    if not draw.world.chinese:
        return
    for _ in range(count):
        key = draw.key(channel=False, chinese=True)
        entity = draw.traditional(draw.entity_names(key.entity))
        metric = draw.traditional(draw.metric_names(key.metric))
        if entity is None or metric is None:
            continue
        template = draw.rng.choice(templates.TRADITIONAL)
        period = draw.period(key, chinese=True)
        if "财" in period:
            period = period.replace("财", "財")
        text = templates.filled(template, m=metric, e=entity, p=period)
        yield _found(draw, "question zh-Hant", text, key, templates.is_held_out(template))


def with_units(draw: Draw, count: int) -> Iterator[Case]:
    """Questions that name the unit that the values have."""
    for _ in range(count):
        key = draw.key(channel=False)
        unit = draw.truth(key).unit
        chinese = draw.world.chinese and draw.rng.random() < 0.4
        phrases = (UNIT_PHRASES_CHINESE if chinese else UNIT_PHRASES).get(unit)
        if phrases is None:
            continue
        asked = draw.question(key, chinese)
        text = asked.text.rstrip("?.？") + draw.rng.choice(phrases)
        yield _found(draw, "unit named", text, key, asked.held_out)


def latest(draw: Draw, count: int) -> Iterator[Case]:
    """The newest period, as an argument and in questions."""
    words = ("latest", "most recent", "newest")
    for number in range(count):
        key = draw.key(channel=False)
        answer = newest(draw, key)
        if answer is None:
            continue
        if number % 3 == 0:
            sent = Arguments(key.metric, key.entity, "latest", key.channel)
            yield Case("latest", draw.world, sent, _FOUND, (answer,))
            continue
        chinese = draw.world.chinese and number % 3 == 1
        pick = draw.chinese if chinese else draw.english
        metric = pick(draw.metric_names(key.metric))
        entity = pick(draw.entity_names(key.entity))
        if chinese:
            text = draw.rng.choice(("{e}最新的{m}是多少？", "最新{e}{m}", "{e}最新一期的{m}"))
        else:
            text = draw.rng.choice(
                ("What is the {w} {m} of {e}?", "{w} {m} of {e}", "{e} {w} {m}", "{m} {e} {w}")
            )
        text = text.format(e=entity, m=metric, w=draw.rng.choice(words))
        held = templates.is_held_out(text)
        yield Case("latest", draw.world, text, _FOUND, (answer,), mode="none", held_out=held)


def newest(draw: Draw, key: Key) -> Version | None:
    """The newest fact of a series in the usual grain of its metric."""
    metric = draw.world.profile.metric_by_code[key.metric]
    keys = draw.world.truth.by_series[key.series]
    usual = metric.grains[0]
    days = {"year": range(360, 372), "quarter": range(88, 94), "day": range(1)}.get(usual)
    if days is None:
        return None
    fit = [
        one
        for one in keys
        if (one.end - one.start).days + 1 in days
        or (one.end - one.start).days in days
        or (metric.measure == "stock" and one.start == one.end)
    ]
    found = draw.world.truth.newest(fit)
    return draw.world.truth.answer(found) if found else None


def mixed_script(draw: Draw, count: int) -> Iterator[Case]:
    """English names in a Chinese sentence, where the profile has no Chinese ones."""
    if draw.world.chinese:
        return
    for _ in range(count):
        key = draw.key(channel=False)
        names = [name for name in draw.metric_names(key.metric) if not is_chinese(name)]
        asked = draw.asked(
            True,
            m=f" {draw.rng.choice(names)} ",
            e=f" {draw.english(draw.entity_names(key.entity))} ",
            p=period_names(draw.world.profile, key, chinese=True)[0],
        )
        yield _found(draw, "question zh: Latin names", asked.text, key, asked.held_out)
