"""Counts of what a sentence or the records name: three countries, the two years."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import count_of
from groundwire.evidence.claims.direction import changes_told, direction
from groundwire.evidence.claims.fact_index import ASSETS, Fact, distinct
from groundwire.evidence.claims.figure_kinds import things_beside
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language.glossary import chinese_words, is_called
from groundwire.quantities import CLASSIFIER, Quantity, resolve_unit

if TYPE_CHECKING:
    from groundwire.evidence.claims.claim import Claim
    from groundwire.evidence.claims.knowledge import Knowledge

COUNTED = frozenset(
    words_of(
        "asset result match matching hit entry item record dataset object map scenario trace model "
        "file row eintrag einträge einträgen ergebnis ergebnisse ergebnissen treffer treffern "
        "datensatz datensätze datensätzen 资产 结果 条目 记录 数据集 匹配"
    )
)
"""What any answer counts."""

COUNT_OF_ALL = "count of the recorded entities"
"""The detail of a count of all things that have a value."""

BOUNDS = ("over", "under")
"""The bounds of figures that leave some things out."""

TOTALS = frozenset(("total", "count", "totalcount", "assetcount", "resultcount", "rowcount", "n"))
"""Names of what counts a whole answer."""

_PERIODS = frozenset(
    words_of(
        "year quarter month period half jahr jahren quartal quartale quartalen monat 年 季度 个月"
    )
)
# How many years a word for a length of time counts.
_YEARS = {
    **dict.fromkeys(words_of("year jahr jahren jahre"), 1),
    **dict.fromkeys(words_of("decade jahrzehnt jahrzehnten jahrzehnte"), 10),
}
_REGIONS = "region regionen place ort orte orten 地区 "
# Words for kinds of things; a record that says which kind its things are has that kind alone.
# Words for some of the things of an answer that a list under them tells.
SELECTIONS = frozenset(words_of("example sample beispiel beispiele beispielen 例子 示例"))
_KINDS = [
    frozenset(words_of(words))
    for words in (
        f"{_REGIONS} country economy nation state land länder ländern staat staaten 国 国家",
        f"{_REGIONS} company firm firma firmen unternehmen 公司",
        "city stadt städte städten 城市",
        "trip fahrt fahrten line linie linien",
    )
]
_ANY_KIND = frozenset[str]().union(*_KINDS)


_MEASURES = frozenset(
    words_of("ratio metric measure indicator kennzahl kennzahlen quote quoten 指标 比率")
)
_WHOLE = re.compile(r" (?:out )?(?:of|von|der)(?: (?:the|all|our|den|insgesamt|allen)){0,2} ", re.I)
# A count right behind one of these words is of a whole, of which the sentence tells a part.
_LED = re.compile(
    r"\b(?:of|among|out of|amongst|von|unter|aus|in)(?: (?:the|all|these|those|its|den|allen|diesen"
    r"|insgesamt|den insgesamt|a total of))* $|(?:在|这|全部|共)$",
    re.IGNORECASE,
)


_OF_ALL = re.compile(
    r"\b(?:the|all|these|those|both|die|alle|diese|den|der|allen)\s$|[这那有所]$", re.I
)
_WITHIN = re.compile(r"[^，。；,;、]{0,12}?(?:之中|当中|[中里])[^学国文心间]")
OUT_OF = re.compile(
    r"(?:^|[\s(])(?:of|among|out of|von|unter|aus|der)\s"
    r"(?:(?:the|all|these|those|den|allen|insgesamt|diesen)\s)*$",
    re.IGNORECASE,
)
"""Right before the number of a whole, of some of which a text tells."""


def _is_named(passage: PassageContext, position: int) -> bool:
    """Whether an entity stands within the noun of a number: "60 MCAP traces"."""
    quantity = next((q for q in passage.quantities if q.span[0] == position), None)
    if quantity is None:
        return False
    low, high = quantity.span[1], quantity.span[1] + len(quantity.noun) + 2
    return any(low <= anchor.start < high for anchor in passage.entities)


_HAS_AMONG = re.compile("[个條条张项份件]?[^，。；、0-9]{0,10}[中里](?:，|,)?(?:共|仅|只)?[有，]")


def counts_whole(
    fact: Fact, entities: frozenset[str], passage: PassageContext, position: int
) -> bool:
    """Whether a fact counts a whole answer, where a number is of something with a count of its own.

    Args:
        fact: the fact that agrees with the number.
        entities: keys of what the number is of.
        passage: its passage.
        position: where the number begins.
    """
    if fact.entities or not fact.names & TOTALS or not fact.value.unit:
        return False
    text = passage.contexts.reading.text
    if _LED.search(text, max(0, position - 24), position):
        return False  # "of the 60 traces"
    own = next((q for q in passage.quantities if q.span[0] == position), None)
    if own is not None and _HAS_AMONG.match(text, own.span[1]):
        return False  # 90个场景中有33个
    if any(_WHOLE.fullmatch(text, q.span[1], position) for q in passage.quantities):
        return False  # "55 of the 110"
    if passage.contexts.known.is_counted_under(fact, entities):
        return False
    of_them = OUT_OF.search(text, max(0, position - 24), position) or any(
        _WITHIN.match(text, q.span[1]) for q in passage.quantities if q.span[0] == position
    )
    if of_them and not _is_named(passage, position):
        return False  # "of the 60 traces": a part of them is named elsewhere
    here = any(a.keys & entities for a in things_beside(passage, position))
    return here and any(
        one.entities & entities and one.value.unit == fact.value.unit
        for one in passage.contexts.known.facts.numbers()
    )


def _apart(periods: Collection[frozenset[object]]) -> set[int]:
    """Return how many years lie between the first and the last of some periods."""
    starts = [
        {int(str(key[0])[:4]) for key in keys if isinstance(key, tuple)}  # type: ignore[index]  # a key that is no text is the first and last day
        for keys in set(periods)
    ]
    if len(starts) < 2:
        return set()
    return {max(map(max, starts)) - min(map(min, starts))} if all(starts) else set()


def plain_count(
    quantity: Quantity,
    noun: frozenset[str],
    periods: Collection[frozenset[object]],
    passage: PassageContext,
) -> str | None:
    """Return what a number counts by its noun alone: its sentence's periods, or all entities.

    Args:
        quantity: the number.
        noun: the folded words of what it counts.
        periods: the keys of every period that the sentence names.
        passage: its passage.

    Returns:
        What it is the count of, or None.
    """
    known = passage.contexts.known
    if noun & _YEARS.keys() and quantity.value * _YEARS[min(noun & _YEARS.keys())] in _apart(
        periods
    ):
        return "the years between the periods that the sentence names"
    if noun & _PERIODS and count_of(quantity, [frozenset(map(str, set(periods)))]):
        return "the periods that the sentence names"
    if quantity.words and noun & _kinds_in(known) and count_of(quantity, [known.entities]):
        return None if _limits_others(quantity, passage) else "the recorded entities"
    return None


def _limits_others(quantity: Quantity, passage: PassageContext) -> bool:
    """Whether a bound says which things a count is of: "four countries have over 90 million".

    All of the four may lie within it, and of the four some may.
    """
    text, start = passage.contexts.reading.text, quantity.span[0]
    bounds = [q for q in passage.quantities if q.span != quantity.span]
    bounds = [q for q in bounds if q.bound in BOUNDS]
    if not bounds or _LED.search(text, max(0, start - 24), start):
        return False
    if _OF_ALL.search(text, max(0, start - 12), start) is None:
        return True
    held = (within_bound(bound, passage, passage.contexts.known) for bound in bounds)
    return any(one is not None and len(one[0]) < len(one[1]) for one in held)


def _kinds_in(known: Knowledge) -> frozenset[str]:
    """Return the words for what the recorded things are."""
    if not known.kinds:
        return _ANY_KIND
    return known.kinds.union(*(words for words in _KINDS if words & known.kinds))


def within_bound(
    bound: Quantity, passage: PassageContext, known: Knowledge, count: Quantity | None = None
) -> tuple[list[Fact], list[Fact]] | None:
    """Return the values that lie within a bound, and all that might, of all things there are.

    "More than 3,000 admissions" speaks of the one property that is named, at the one time that is
    named or recorded.

    Args:
        bound: the bound, "more than 3,000".
        passage: its passage.
        known: what the records hold.
        count: how many the passage says lie within it, which says not how many there are.

    Returns:
        None where it is not clear which values are meant, or whether these are all: those that an
        answer was asked about are all of a kind, or as many as the passage counts.
    """
    inside, every = _bounded_by(bound, passage, known)
    things = frozenset(key for fact in every for key in fact.entities)
    if not every or (
        things not in known.whole_kinds
        and not any(
            q.unit is None and q.value == len(things)
            for q in passage.quantities
            if q is not bound and (count is None or q.span != count.span)
        )
    ):
        return None
    return inside, every


def _bounded_by(
    bound: Quantity, passage: PassageContext, known: Knowledge
) -> tuple[list[Fact], list[Fact]]:
    """Return the values that lie within a bound, and all that might; none where it is not clear."""
    if bound.bound not in BOUNDS:
        return [], []
    named = {key for anchor in passage.names for key in anchor.keys} & known.numeric_names
    times = {key for anchor in passage.periods for key in anchor.keys}
    nouns = set(words_of(bound.noun))
    unit = resolve_unit(bound.unit) if bound.unit else None
    every = distinct(
        fact
        for fact in known.facts.numbers()
        if not fact.operands and len(fact.entities) == 1
        if unit is None or fact.unit == unit
        if (fact.names & named if named else unit or nouns & known.words_about(fact))
        if not times or fact.periods & times
    )
    things = frozenset(key for fact in every for key in fact.entities)
    alike = {(fact.names, fact.unit, fact.periods) for fact in every}
    numbers = [fact.number for fact in every if fact.number not in (None, bound.value)]
    if len(alike) != 1 or not len(things) == len(every) == len(numbers):
        return [], []
    high = bound.bound == "over"
    inside = (f for f in every if f.number is not None and (f.number > bound.value) == high)
    return list(inside), every


def counted_within(
    quantity: Quantity, noun: frozenset[str], passage: PassageContext, known: Knowledge
) -> tuple[list[Fact], str] | None:
    """Return the values that a count of things counts by a bound: three wards with over 3,000."""
    for bound in passage.quantities if noun & _kinds_in(known) else ():
        held = within_bound(bound, passage, known, quantity) if bound is not quantity else None
        if held is not None and len(held[0]) == quantity.value:
            return held[0], f"the recorded entities with {bound.bound} {bound.raw}"
    return None


def counts_by_glossary(
    quantity: Quantity, noun: frozenset[str], passage: PassageContext, known: Knowledge
) -> bool:
    """Return whether a number counts what a value of a thing that is named counts: eine Ampel."""
    own = {key for anchor in passage.entities for key in anchor.keys}
    return any(
        is_called(word, known.words_about(fact))
        for fact in known.facts.numbers()
        if fact.unit is None and fact.entities & own and fact.number == quantity.value
        for word in noun
    )


def field_counted(text: str, end: int) -> frozenset[str]:
    """Return the English words of the field that a Chinese noun right behind a number names."""
    behind = CLASSIFIER.match(text, end)
    end = behind.end() if behind is not None else end
    if text[end : end + 1].isascii():
        return frozenset()
    nouns = [pair for pair in chinese_words() if text.startswith(pair[0], end)]
    return frozenset(max(nouns, key=lambda pair: len(pair[0]))[1].split()) if nouns else frozenset()


def named_groups(
    quantity: Quantity, noun: frozenset[str], passage: PassageContext, known: Knowledge
) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the groups of things that a number may count, each with what it is then the count of.

    Args:
        quantity: the number.
        noun: the folded words of what it counts.
        passage: its passage.
        known: what the records hold.
    """
    if known.complete:
        for mention in passage.mentions:
            if mention.named.values and not (known.totals and noun & _kinds_in(known)):
                bearers = frozenset(k for f in mention.named.values for k in f.entities)
                said = passage.contexts.reading.text[mention.start : mention.end]
                yield bearers, f"count of the recorded entities with {said!r}"
    selects = bool(noun & SELECTIONS)
    counts = selects or bool(noun & (COUNTED | known.words | known.kinds))
    behind = passage.contexts.annotated.at(quantity.span[1] + 1)  # "the three longest are:"
    is_bare = not noun or (behind is not None and len(noun) == 1 and _ranks(behind))
    if counts or (is_bare and passage.may_count(quantity)):
        here = frozenset(k for a in passage.entities or passage.listed for k in a.keys)
        others = None if noun & _PERIODS else _of_column(noun, here, known)
        if others is not None:
            yield others, "count of what the recorded entities have"
            return
        is_verb = behind is not None and behind.tokens[-1].tag == "verb"
        if not noun or noun & COUNTED or is_verb:
            here -= known.once(_groups_of_assets)  # "three maps have rural roads" counts the maps
        if len(here) > 1 and not _leaves_out(here, passage, known):
            yield here, "count of the entities that the sentence names"
        if selects or _limits_others(quantity, passage):
            return
        if known.complete or (not known.totals and not noun & COUNTED and known.once(_are_alike)):
            yield known.entities, COUNT_OF_ALL


def _ranks(word: Word) -> bool:
    """Whether a word gives a place among several things: the longest."""
    return word.role is not None and word.role.role == "superlative"


def _leaves_out(here: frozenset[str], passage: PassageContext, known: Knowledge) -> bool:
    """Whether more things went the way, or lie within the bound, than a sentence counts."""
    for bound in passage.quantities:
        inside, _ = _bounded_by(bound, passage, known)
        if not here.issuperset(key for fact in inside for key in fact.entities):
            return True
    changes = known.once(changes_told)
    ways = {changes[key] > 0 for key in here & changes.keys()}
    text = passage.contexts.reading.text[passage.passage.start : passage.passage.end]
    if len(ways) != 1 or not here <= changes.keys() or not direction(text):
        return False
    return any(key not in here and (change > 0) in ways for key, change in changes.items())


def _groups_of_assets(known: Knowledge) -> frozenset[str]:
    """Return the groups by which assets are counted: a weather, a kind of road."""
    counted = (fact for fact in known.facts.numbers() if fact.value.unit == ASSETS)
    return frozenset(key for fact in counted for key in fact.entities)


def _are_alike(known: Knowledge) -> bool:
    """Whether all recorded things have a value of one property: cards and their concept do not."""
    bearing: dict[tuple[frozenset[str], str], set[str]] = {}
    for fact in known.facts.all:
        if not fact.operands:
            bearing.setdefault((fact.names, fact.value.kind), set()).update(fact.entities)
    return any(known.entities <= keys for keys in bearing.values())


def _of_column(
    noun: frozenset[str], here: frozenset[str], known: Knowledge
) -> frozenset[str] | None:
    """Return what some things, or all, have in a column that a noun names; None for no such noun.

    A column that names the things themselves is none.
    """
    held: dict[frozenset[str], set[str]] = {}
    for fact in known.facts.all:
        if fact.value.kind in ("text", "name") and fact.entities:
            words = frozenset(words_of(fact.value.name))
            held.setdefault(words, set()).update(fact.entities)
    for words in held:
        if not noun & {*words, *(f"{word}s" for word in words)}:
            continue
        own = [
            fact
            for fact in known.facts.all
            if fact.value.kind in ("text", "name") and frozenset(words_of(fact.value.name)) == words
        ]
        if any(key_of(fact.value.value) in fact.entities for fact in own):
            continue
        bearers = here & held[words]
        return frozenset(
            key_of(fact.value.value) for fact in own if not bearers or fact.entities & bearers
        )
    return None


_EACH_BEFORE = re.compile(r"(?:\b(?:je|jeweils|each)\s+|[各均]有?)$", re.IGNORECASE)
_EACH_BEHIND = re.compile(r"\s+(?:each|apiece|jeweils)\b", re.IGNORECASE)


def is_of_each(text: str, start: int, end: int) -> bool:
    """Return whether a number from `start` to `end` is told of each of several things."""
    before = _EACH_BEFORE.search(text, max(0, start - 12), start)
    return bool(before or _EACH_BEHIND.match(text, end))


def counts_measures(quantity: Quantity) -> bool:
    """Whether a number counts properties: "the two ratios"."""
    return not _MEASURES.isdisjoint(words_of(quantity.noun))


def years_told(quantity: Quantity) -> int | None:
    """Return how many years a length of time in years or decades has, or None for others."""
    if quantity.unit == "year" and quantity.value == quantity.value.to_integral_value():
        return int(quantity.value)
    noun = [word for word in words_of(quantity.noun) if _YEARS.get(word, 1) > 1]
    return int(quantity.value * _YEARS[noun[0]]) if noun and quantity.unit is None else None


_HAN = {
    numeral: value
    for value, numerals in enumerate(["二两", "三", "四", "五", "六", "七", "八", "九", "十"], 2)
    for numeral in numerals
}
_FIGURES = frozenset[str](cue_tables()["figures"])
_HAN_THINGS = re.compile("这?([二两三四五六七八九十])(?:国|地|城|市|省|家|者|州|(个))")


def _bearers(known: Knowledge) -> Mapping[str, set[str]]:
    """Return the things that have a number of each property."""
    found: dict[str, set[str]] = {name: set() for name in known.numeric_names}
    for fact in known.facts.numbers():
        for name in fact.names:
            found[name] |= fact.entities
    return found


def group_sizes(passage: PassageContext, known: Knowledge) -> frozenset[int]:
    """Return how many things a passage may mean by "the five".

    These are all things that are recorded, those that have what it names, and those that it, or
    the sentence right before it, names.
    """
    named = frozenset(key for anchor in passage.names for key in anchor.keys)
    named &= known.numeric_names - known.answer_names
    bearing = frozenset[str]().union(*(known.once(_bearers)[name] for name in named))
    here = frozenset(anchor.keys for anchor in passage.entities)
    before = passage.contexts.entities(next((s.span for s in passage.passage.scopes), (0, 0)))
    told = {anchor.keys for anchor in before}
    return frozenset((len(known.entities), len(bearing), len(here), len(told)))


def sizes_in_han(words: Sequence[Word]) -> Iterator[tuple[int, Span]]:
    """Yield how many things Chinese words such as 五国 speak of, and where they stand."""
    for word, behind in zip_longest(words, words[1:]):
        said = _HAN_THINGS.fullmatch(word.text)
        if said and (not said[2] or (behind is not None and behind.kind == "set_noun")):
            yield _HAN[said[1]], (word.start, word.end)


def values_told(known: Knowledge) -> list[Fact]:
    """Return the recorded values of things, each once."""
    found = {
        (fact.names, fact.entities, fact.periods, fact.number): fact
        for fact in known.facts.numbers()
        if fact.entities and not fact.operands
    }
    return list(found.values())


def told_groups(
    passage: PassageContext, words: Sequence[Word], claims: Sequence[Claim], known: Knowledge
) -> Iterator[Span]:
    """Yield where a passage counts the things that it speaks of: "of the five", 五国.

    Args:
        passage: the passage.
        words: its words.
        claims: its claims.
        known: what the records hold.
    """
    judged = {claim.start for claim in claims}
    own = [
        quantity
        for quantity in passage.quantities
        if quantity.unit is None and quantity.words and quantity.value >= 2
        if quantity.span[0] not in judged
    ]
    told = [(quantity.value, quantity.span) for quantity in own]
    told = [*told, *sizes_in_han(words)]
    computed = (claim.facts for claim in claims if claim.status == "derived")
    of_figures = {len({key for fact in facts for key in fact.entities}) for facts in computed}
    sizes = group_sizes(passage, known) | of_figures if told else ()
    yield from (span for size, span in told if size in sizes)
    values = len(known.once(values_told))
    for word, behind in pairwise(words):  # 这两个数字
        if behind.text in _FIGURES and word.text[1:] == "个" and _HAN.get(word.text[0]) == values:
            yield word.start, word.end
