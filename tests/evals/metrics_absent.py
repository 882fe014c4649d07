"""Counterfactuals of what is not there: withheld facts, other periods, absent or misspelt names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from groundwire.metrics.profile import TOTAL
from groundwire.metrics.terms import Arguments
from groundwire.vocabulary import fold
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import ASKED, NO_VALUE, NOT_HELD, NOT_READ, UNREAD, Case
from tests.evals.metrics_spelling import is_chinese, one_edit, period_names
from tests.evals.metrics_truth import Key

_NOT_HELD = frozenset((NOT_HELD,))
# Entities are left out a block at a time, far apart in the list, so that their neighbours stay.
BLOCK = 4


def _both(
    draw: Draw, kind: str, key: Key, period: str | None, statuses: frozenset[str], number: int
) -> Case:
    """A query or a question about a fact that is not there."""
    chinese = draw.world.chinese and number % 3 == 1
    if number % 3 == 0:
        when = period or draw.period(key)
        sent = Arguments(key.metric, key.entity, when, key.channel)
        return Case(kind, draw.world, sent, statuses)
    words = {} if period is None else {"p": period}
    asked = draw.question(key, chinese, **words)
    mode = "none" if statuses == _NOT_HELD else None
    return Case(kind, draw.world, asked.text, statuses, mode=mode, held_out=asked.held_out)


def withheld(draw: Draw, count: int) -> Iterator[Case]:
    """Facts that are left out of a copy of the store, each asked for."""
    keys = dict.fromkeys(draw.key() for _ in range(count))
    copy = draw.world.without_facts(keys)
    there = Draw(copy, draw.rng)
    for number, key in enumerate(keys):
        truth = draw.truth(key)
        case = _both(there, "withheld fact", key, None, _NOT_HELD, number)
        if not held(there, key, case):
            yield Case(
                case.kind, copy, case.sent, _NOT_HELD, mode=case.mode, withheld=truth.value,
                held_out=case.held_out,
            )  # fmt: skip


def held(draw: Draw, key: Key, case: Case) -> bool:
    """Whether the name of a period stands for another fact too, which is there."""
    for other in draw.world.truth.by_series.get(key.series, ()):
        if other != key and set(_spans(draw, other)) & set(_spans(draw, key)):
            return True
    return False


def _spans(draw: Draw, key: Key) -> list[str]:
    return period_names(draw.world.profile, key, chinese=False)


def shifted(draw: Draw, count: int) -> Iterator[Case]:
    """Years before the first and after the last fact of a series."""
    number = 0
    while number < count:
        key = draw.key()
        keys = draw.world.truth.by_series[key.series]
        years = {one.start.year for one in keys} | {one.end.year for one in keys}
        year = draw.rng.choice((min(years) - 2, min(years) - 7, max(years) + 2, max(years) + 9))
        chinese = draw.world.chinese and number % 3 == 1
        form = draw.rng.choice(("FY{}", "{}", "{}Q3", "{}H1") if not chinese else (
            "{}年", "{}财年", "{}年第三季度"))  # fmt: skip
        yield _both(draw, "shifted period", key, form.format(year), _NOT_HELD, number)
        number += 1


def other_grain(draw: Draw, count: int) -> Iterator[Case]:
    """A month, quarter or half that a series does not have, though it has the year."""
    number = 0
    for _ in range(count * 4):
        key = draw.key()
        if number == count:
            return
        if not 360 <= (key.end - key.start).days <= 366:
            continue
        calendar = draw.world.profile.calendar_of[key.entity]
        fiscal = (calendar.month, calendar.day) != (1, 1)
        months = draw.rng.choice((3, 6) if fiscal else (1, 3, 6))
        skipped = draw.rng.randrange(0, 12, months)
        start = _later(key.start, skipped)
        end = _later(start, months) - timedelta(days=1)
        part = key._replace(start=start, end=end)
        stock = draw.world.profile.metric_by_code[key.metric].measure == "stock"
        at_end = part._replace(start=end)
        versions = draw.world.truth.versions
        if part in versions or (stock and at_end in versions):
            continue
        chinese = draw.world.chinese and number % 3 == 1
        names = period_names(draw.world.profile, part, chinese)
        if names:
            yield _both(draw, "another grain", key, draw.rng.choice(names), _NOT_HELD, number)
            number += 1


def _later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, day.day)


def calendar_year(draw: Draw, count: int) -> Iterator[Case]:
    """The calendar year where a fiscal year is held that begins in another month."""
    odd = [
        key
        for key in draw.world.truth.totals
        if draw.world.profile.calendar_of[key.entity].month != 1
        and 360 <= (key.end - key.start).days <= 366
    ]
    for number in range(count if odd else 0):
        key = draw.rng.choice(odd)
        chinese = draw.world.chinese and number % 3 == 1
        period = f"{key.start.year}年" if chinese else f"calendar year {key.start.year}"
        if number % 3 == 0:
            period = str(key.start.year)
        # A question is asked back, and offers the fiscal years that are held.
        statuses = _NOT_HELD if number % 3 == 0 else frozenset((ASKED,))
        case = _both(draw, "calendar year of a fiscal one", key, period, statuses, number)
        yield replace(case, offered=key)


def no_such_channel_fact(draw: Draw, count: int) -> Iterator[Case]:
    """A channel that a metric is not split by."""
    profile, versions = draw.world.profile, draw.world.truth.versions
    made = 0
    for _ in range(count * 6 if profile.channels else 0):
        key = draw.key()
        channel = draw.rng.choice(profile.channels)
        kind = profile.metric_by_code[key.metric].kind
        other = key._replace(channel=channel.code)
        if made == count:
            return
        if other in versions or (channel.kinds and kind not in channel.kinds):
            continue
        yield _both(draw, "channel without the fact", other, draw.period(key), _NOT_HELD, made * 3)
        made += 1


def absent_entities(draw: Draw, _: int) -> Iterator[Case]:
    """Every entity in turn is left out of the profile and asked for by its names."""
    profile = draw.world.profile
    homes = {kind.home for kind in profile.kinds.values()}
    with_facts = {key.entity for key in draw.world.truth.totals}
    codes = [
        one.code for one in profile.entities if one.code in with_facts and one.code not in homes
    ]
    blocks = -(-len(codes) // BLOCK)
    for block in range(blocks if len(codes) > 1 else 0):
        if draw.rng.random() >= draw.fraction:
            continue
        gone = codes[block::blocks]
        copy = draw.world.without_entities(gone)
        for code in gone:
            yield from _absent(Draw(copy, draw.rng), draw, code)


def _absent(there: Draw, draw: Draw, code: str) -> Iterator[Case]:
    entity = draw.world.profile.entity_by_code[code]
    known = there.world.kinds[entity.kind]
    facts = [key for key in draw.world.truth.totals if key.entity == code]
    for number, name in enumerate((entity.name, *entity.aliases)):
        if fold(name) in known or number > 4:
            continue
        key = draw.rng.choice(facts)
        if not period_names(draw.world.profile, key, is_chinese(name)):
            continue
        period = draw.period(key, is_chinese(name))
        value = draw.truth(key).value
        sent = Arguments(key.metric, name, period, TOTAL)
        yield Case("absent entity: query", there.world, sent, NOT_READ, withheld=value)
        metric = (draw.chinese if is_chinese(name) else draw.english)(draw.metric_names(key.metric))
        asked = there.asked(is_chinese(name), m=metric, e=name, p=period)
        yield Case(
            "absent entity: question", there.world, asked.text, NOT_READ, mode="ask_first",
            withheld=value, held_out=asked.held_out,
        )  # fmt: skip


def near_misses(draw: Draw, count: int) -> Iterator[Case]:
    """One letter of a name of an entity or metric is wrong: candidates, and no value."""
    made = 0
    for _ in range(count * 6):
        if made == count:
            return
        key = draw.key()
        of_metric = draw.rng.random() < 0.25
        code = key.metric if of_metric else key.entity
        names = (draw.metric_names if of_metric else draw.entity_names)(code)
        fit = [one for one in names if len(one) >= (3 if is_chinese(one) else 6)]
        if not fit:
            continue
        name = draw.rng.choice(fit)
        wrong = one_edit(name, draw.rng)
        if _same(wrong, name) or fold(wrong) in draw.world.names or not wrong.strip():
            continue
        kind = "near miss: metric" if of_metric else "near miss: entity"
        slots = {"metric": key.metric, "entity": key.entity}
        slots["metric" if of_metric else "entity"] = wrong
        # Read rightly after all it is no wrong value, though not what was expected.
        facts = (draw.truth(key),)
        if made % 2 == 0:
            sent = Arguments(slots["metric"], slots["entity"], draw.period(key), key.channel)
            yield Case(kind, draw.world, sent, frozenset((UNREAD,)), facts, candidate=code)
        else:
            words = {"m": wrong} if of_metric else {"e": wrong}
            asked = draw.question(key, is_chinese(name), **words)
            yield Case(
                kind,
                draw.world,
                asked.text,
                NOT_READ,
                facts,
                mode="ask_first",
                held_out=asked.held_out,
            )
        made += 1


def _same(first: str, second: str) -> bool:
    """Whether two spellings fold alike, wherever their words are parted."""
    return fold(first).replace(" ", "") == fold(second).replace(" ", "")


def ambiguous_names(draw: Draw, count: int) -> Iterator[Case]:
    """One invented name that two entities of a kind are given."""
    entities = list(draw.world.profile.entities)
    with_facts = {key.entity for key in draw.world.truth.totals}
    fit = [at for at, one in enumerate(entities) if one.code in with_facts]
    if len(fit) < 4:
        return
    chosen = draw.rng.sample(fit, min(len(fit) // 2 * 2, 60))
    shared: list[tuple[str, str]] = []
    for first, second in zip(chosen[::2], chosen[1::2], strict=True):
        if entities[first].kind != entities[second].kind:
            continue
        name = "".join(
            draw.rng.choice(("zor", "bel", "kum", "tav", "ri")) for _ in range(4)
        ).title()
        for at in (first, second):
            aliases = (*entities[at].aliases, name)
            entities[at] = entities[at].model_copy(update={"aliases": aliases})
        shared.append((name, entities[first].code))
    copy = draw.world.with_entities(tuple(entities))
    for number in range(count):
        name, code = draw.rng.choice(shared)
        keys = [key for key in draw.world.truth.totals if key.entity == code]
        key = draw.rng.choice(keys)
        period = draw.period(key)
        if number % 2:
            asked = draw.question(key, chinese=False, e=name, p=period)
            yield Case(
                "ambiguous name", copy, asked.text, NOT_READ, mode="ask_first",
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            yield Case("ambiguous name", copy, Arguments(key.metric, name, period, TOTAL), NOT_READ)


def nowhere(draw: Draw, count: int) -> Iterator[Case]:
    """Names that nothing has, and first parts of names that several have."""
    invented = ("Zorbania", "Kelvanor", "Upper Drommia", "Quessalia", "瓦伦蒂亚", "德罗米亚",
                "Vexford Holdings", "Marlund Stores", "Ostrevia", "泽兰尼亚国")  # fmt: skip
    heads: dict[str, set[str]] = {}
    for one in draw.world.profile.entities:
        head = one.name.replace(",", " ").split()[0]
        heads.setdefault(head, set()).add(one.code)
    parts = [one for one, codes in heads.items() if len(codes) > 1 and len(one) > 3]
    names = [one for one in (*invented, *parts) if fold(one) not in draw.world.names]
    for number in range(count):
        key = draw.key(channel=False)
        name = draw.rng.choice(names)
        if number % 2:
            asked = draw.question(key, is_chinese(name) and draw.world.chinese, e=name)
            yield Case(
                "name of nothing known", draw.world, asked.text, NO_VALUE, mode="ask_first",
                held_out=asked.held_out,
            )  # fmt: skip
        else:
            sent = Arguments(key.metric, name, draw.period(key), TOTAL)
            yield Case("name of nothing known", draw.world, sent, frozenset((UNREAD,)))
