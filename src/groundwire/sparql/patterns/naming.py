"""Other wordings of the name of a property or class: plurals, parts, and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from groundwire.language.measures import Field, Measure, measures
from groundwire.quantities.units import resolve_unit
from groundwire.sparql.patterns.words import data, phrase, plain, synonyms, written
from groundwire.sparql.schema.names import Named, local

_UNIT = re.compile(
    r"(?P<name>\S.*?)\s*(?:[(\[](?P<in_brackets>[^()\[\]]{1,20})[)\]]| in (?P<after>\S{1,12}))"
)
_COMMENTED = re.compile(
    r"(?:[^.:]{1,60}\s)?(?:in|unit:|einheit:|单位[:：])\s*(?P<unit>[^\s.]{1,20})\.?", re.IGNORECASE
)
_CJK = re.compile(r"[\u3400-\u9fff]")
# A longer word is reduced to its stem; see `words.stem`.
_LONGEST_UNSTEMMED = 4
_SHORTEST_PART = 4


def unit_in(name: str) -> str:
    """Return the unit that ends a name, as in "Länge in km" and "price (EUR)"; "" for none."""
    found = _UNIT.fullmatch(name)
    unit = (found["in_brackets"] or found["after"]) if found else ""
    return unit if unit and resolve_unit(unit) is not None else ""


def unit_among(names: Iterable[str]) -> str | None:
    """Return the symbol of the one unit that ends some names of a property; None for none."""
    found = {unit.symbol for name in names if (unit := resolve_unit(unit_in(name))) is not None}
    return found.pop() if len(found) == 1 else None


def unit_commented(comment: str) -> str:
    """Return the unit that a comment says a property is in, as in "in euros"; "" for none."""
    found = _COMMENTED.fullmatch(comment.strip())
    return found["unit"] if found and resolve_unit(found["unit"]) is not None else ""


def without_unit(name: str) -> str:
    """Return a name without the unit that ends it."""
    found = _UNIT.fullmatch(name)
    return found["name"] if found and unit_in(name) else name


def with_plain_names(prompt: str, properties: Iterable[Named]) -> str:
    """Return a prompt with what names hold as words before them: "unpaid" is "not paid"."""
    denying: Mapping[str, Sequence[str]] = data()["denying"]
    names = {name: tag for one in properties for name, tag in one.labels if " " not in name}
    for name in sorted(names, key=len, reverse=True):
        language = "zh" if _CJK.match(name) else "de" if names[name] == "de" else "en"
        core = name.removeprefix("已") if language == "zh" else name
        for at in range(1, len(name)) if language == "zh" else ():
            # 订单总金额 is the 总 of 订单金额.
            prompt = prompt.replace(f"{name[:at]}总{name[at:]}", f"总{name}")
        least = 2 if language == "zh" else _SHORTEST_PART
        if len(core) < least or core.casefold() not in prompt.casefold():
            continue
        said = rf"(?:{'|'.join(map(re.escape, denying[language][1:]))}){re.escape(core)}"
        whole = said if language == "zh" else rf"(?<!\w){said}(?:e[nmrs]?)?(?!\w)"
        prompt = re.sub(whole, denying[language][0] + name, prompt, flags=re.IGNORECASE)
    return prompt


def plurals_of(name: str) -> Iterator[str]:
    """Yield the plurals of a name whose last word is too short for a stem: "Orte", "keys"."""
    *first, last = written(name) or ("",)
    if 2 < len(last) <= _LONGEST_UNSTEMMED and last.isalpha() and not _CJK.search(last):
        yield from (" ".join((*first, last + ending)) for ending in data()["plural"]["endings"])
        if last.endswith("s") and len(last) == _LONGEST_UNSTEMMED:
            # "Eats" is "eat" behind several.
            yield " ".join((*first, last[:-1]))
    for end, others in data()["naming"]["turned"].items():
        if last.endswith(end) and len(last) >= _SHORTEST_PART:
            yield from (" ".join((*first, last.removesuffix(end) + one)) for one in others)


def turned_round(name: str) -> Iterator[str]:
    """Yield a name of a noun and what was done to it the other way round: "paid her fee"."""
    said = written(name)
    if len(said) == 2 and said[1].endswith(tuple(data()["naming"]["done"])):
        yield from (f"{said[1]} {own} {said[0]}" for own in data()["naming"]["owning"])


def translated(name: str) -> Sequence[tuple[str, ...]]:
    """Return other phrases for what a name in another language than English says."""
    return _by_translation().get(phrase(name), ())


@cache
def _by_translation() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for key, others in synonyms().items():
        for one in others:
            found[one] = (*found.get(one, ()), key, *others)
    return found


def parts_of(name: str) -> Iterator[str]:
    """Yield what names a property in part: its noun ("cost" of "yearly cost"), or its verb.

    "Gründungsjahr" is asked for by "gegründet", 出版年份 by 出版, "creation date" by "created".
    """
    if _CJK.search(name):
        yield from _chinese_parts(name)
        return
    said = written(name)
    if len(said) > 2 and said[-1] in data()["naming"]["since"]:
        # "In service since" says when something is "in service".
        yield " ".join(said[:-1])
    inner = data()["naming"]["inner"]
    if len(said) > 1 and not set(said) & set(inner) and len(said[-1]) >= _SHORTEST_PART:
        yield said[-1]
    telling = [one for one in said if one not in data()["naming"]["time"]]
    if len(telling) == 1:
        yield from _verbs_in(telling[0])


def says_year(named: Named) -> bool:
    """Whether a property is called the year of something, so that its numbers are years."""
    ends = tuple(plain(one) for one in data()["naming"]["years"])
    return any(
        plain(one).endswith(ends) for one in (local(named.iri), *(n for n, _ in named.labels))
    )


def is_said_of(text: str, named: Named) -> bool:
    """Whether a word of an order is said of a property: "longest" of what ends with "length"."""
    said = written(text)
    return any(
        written(one) == said[: len(written(one))]
        for measure, _ in _measures_of(named)
        for one in measure.said("most", "least", "more", "less", "general", "bare")
    )


def asked_by(named: Named) -> Iterator[tuple[str, ...]]:
    """Yield the words that ask for a property by what it measures: "how long", "weighs"."""
    return (written(one) for _, field in _measures_of(named) for one in field.asks)


def _measures_of(named: Named) -> Iterator[tuple[Measure, Field]]:
    """Yield what a property measures, by the ends of its names."""
    names = [without_unit(one) for one in (local(named.iri), *(label for label, _ in named.labels))]
    for measure in measures():
        for field in measure.fields:
            nouns = tuple(plain(noun) for noun in field.nouns)
            if any(plain(name).endswith(nouns) for name in names):
                yield measure, field


def _verbs_in(word: str) -> Iterator[str]:
    """Yield participles of the verb that a noun is made of."""
    for ending in data()["naming"]["endings"]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_PART:
            word = word.removesuffix(ending).removesuffix("s")
            yield word
            break
    if word.endswith("ung"):
        base = word.removesuffix("ung")
        yield from (f"{start}{base}{end}" for start in ("", "ge") for end in ("t", "et"))
    for ending in ("ation", "ion"):
        if word.endswith(ending):
            yield word.removesuffix(ending) + "ed"


def _chinese_parts(name: str) -> Iterator[str]:
    for ending in data()["naming"]["counting"]:
        if name.endswith(ending) and len(name) > len(ending):
            counted = name.removesuffix(ending)
            yield counted
            yield from (f"{many}{counted}" for many in data()["naming"]["how_many"])
    for ending in data()["naming"]["nouns"]:
        if name.endswith(ending) and len(name) - len(ending) >= 2:
            yield name.removesuffix(ending)
            return
