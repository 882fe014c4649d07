"""How values, names and sources are written for readers, and the sentences of metrics.

Sentences are in the language of the question: English, German or Chinese. They are data:
`sentences_<language>.toml` beside the modules of metrics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, cast

from groundwire.evidence.records import Names
from groundwire.language.sentences import Catalogue, number_text, read_catalogue
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.profile import Profile
from groundwire.metrics.terms import TOTAL
from groundwire.safe_text import safe_name
from groundwire.vocabulary.fold import CJK_RUN

Language = Literal["en", "de", "zh"]
_SAFE_INTEGER = 2**53
_NUMBER = re.compile(r"(?<![\w.])\d{1,40}(?:\.\d{1,40})?(?!\w)")


def exact(value: Decimal) -> str:
    """The exact decimal without grouping and without an exponent: 3626396000."""
    return format(value, "f")


def grouped(value: Decimal) -> str:
    """The exact decimal with grouped thousands: 3,626,396,000."""
    return format(value, ",f")


def number(value: Decimal) -> int | float:
    """A JSON number: an integer where it is one that every reader keeps exactly."""
    if value == value.to_integral_value() and abs(value) <= _SAFE_INTEGER:
        return int(value)
    return float(value)


def with_unit(text: str, unit: str) -> str:
    """A number with its unit: "38.2%", "1,234 CNY"."""
    if unit == "%":
        return f"{text}%"
    return f"{text} {unit}" if unit else text


_CHINESE_UNITS = {
    "people": "人",
    "CNY": "元",
    "USD": "美元",
    "HKD": "港元",
    "EUR": "欧元",
    "GBP": "英镑",
    "JPY": "日元",
    "percentage points": "个百分点",
    "units": "件",
    "visits": "人次",
    "visit": "人次",
    "person": "人",
}


def _unit_in(unit: str, names: Mapping[str, str]) -> str:
    """Return a unit, or both units of a quotient, as a language calls them."""
    return "/".join(names.get(one, one) for one in unit.split("/"))


def with_unit_in_chinese(text: str, unit: str) -> str:
    """`with_unit`, with the Chinese name of the unit where it has one."""
    return with_unit(text, _unit_in(unit, _CHINESE_UNITS))


_GERMAN_UNITS = {
    "people": "Personen",
    "percentage points": "Prozentpunkte",
    "units": "Stück",
    "visits": "Besuche",
    "visit": "Besuch",
    "person": "Person",
}


def amount(value: Decimal, unit: str, language: Language) -> str:
    """A value with its unit as a language writes both, with all of its digits."""
    if language == "zh":
        return with_unit_in_chinese(grouped(value), unit)
    if language == "de":
        written = number_text(value, "de")
        return f"{written} {_unit_in(unit, _GERMAN_UNITS)}" if unit else written
    return with_unit(grouped(value), unit)


def formula_in(formula: str, language: Language) -> str:
    """A formula with the numbers and the name of the unit as a language writes them."""
    units = {"de": _GERMAN_UNITS, "zh": _CHINESE_UNITS}.get(language, {})
    unit = next((one for one in units if formula.endswith(f" {one}")), "")
    formula = formula.removesuffix(unit) + units.get(unit, "")
    if language != "de":
        return formula
    return _NUMBER.sub(lambda found: number_text(Decimal(found[0]), "de"), formula)


def subject(profile: Profile, metric: str, entity: str, channel: str, period: str) -> str:
    """Name the subject of a value: "Revenue (Online) of Hong Kong for FY2024"."""
    label = profile.metric_by_code[metric].label
    if channel != TOTAL:
        label += f" ({profile.channel_by_code[channel].label})"
    named = f"{label} of {profile.entity_by_code[entity].name}"
    return f"{named} for {period}" if period else named


def sentence(profile: Profile, facts: Sequence[Fact], period: str) -> str:
    """The quotable sentence of a found value.

    Args:
        profile: names of metric, entity and channel.
        facts: the fact that answers, then those of sources that differ.
        period: label of the period that was answered for.
    """
    fact, *others = facts
    what = subject(profile, fact.metric, fact.entity, fact.channel, period)
    value = with_unit(grouped(fact.value), fact.unit)
    said = f"{what}: {value} ({fact.source.doc}, {fact.source.locator})"
    if others:
        differing = [
            f"{with_unit(grouped(one.value), one.unit)} in {one.source.doc}" for one in others
        ]
        said += f"; other sources differ: {listed(differing, 3)}"
    return f"{said}."


def chinese_name(label: str, aliases: Sequence[str]) -> str:
    """Return the first Chinese name, or else the main one."""
    return next((name for name in (label, *aliases) if CJK_RUN.search(name)), label)


def german_name(label: str) -> str:
    """Return the German name of a country, from CLDR, or else the main name."""
    return _german_countries().get(label, label)


def name_in(
    language: Language, label: str, aliases: Sequence[str], labels: Mapping[Any, str]
) -> str:
    """Return the name in a language, or else the main one.

    Args:
        language: the language.
        label: the main name.
        aliases: other names, in any language.
        labels: the names to use, by language.
    """
    if language in labels:
        return labels[language]
    if language == "zh":
        return chinese_name(label, aliases)
    return german_name(label) if language == "de" else label


@cache
def _german_countries() -> dict[str, str]:
    from babel import Locale

    english = cast("dict[str, str]", dict(Locale("en").territories))
    german = cast("dict[str, str]", dict(Locale("de").territories))
    return {name: german[code] for code, name in english.items() if code in german}


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a row, the first of them where there are many."""
    shown = ", ".join(map(safe_name, names[:most]))
    return f"{shown} and more" if len(names) > most else shown


_YEAR = re.compile(r"(?:FY)?\d{4}")
# Words before the year of a document that is issued every year: "discussion of the year 2024".
_BEFORE_YEAR = frozenset({"for", "of", "in", "the", "year"})


def source_names(profile: Profile, name: str, title: str, publisher: str) -> Names:
    """Return the name of a document, then the other names that sentences have for it.

    These are its title; the data set that its name begins with ("World Bank NY.GDP.MKTP.CD" of
    "World Bank NY.GDP.MKTP.CD: GDP"); its name without its publisher and without its year ("annual
    report"); its names in other languages; its publisher, by every name that the profile has for
    it. None is a place within the document, and none is the name of a metric.

    Args:
        profile: names of documents, of publishers and of metrics.
        name: name of the document.
        title: its title for people, or "".
        publisher: who issued it, or "".
    """
    named = ((one.code, one.label, *one.aliases) for one in profile.metrics)
    metrics = {name.casefold() for names in named for name in names}
    aliases = [one for key in (name, title) for one in profile.document_aliases.get(key, ())]
    parts = [part for one in (name, title) if one for part in _parts(one, publisher)]
    short = [one for one in parts if one and one.casefold() not in metrics]
    others = _other_names(profile, publisher) if publisher else ()
    return tuple(dict.fromkeys(filter(None, (name, title, *short, *aliases, publisher, *others))))


def _parts(name: str, publisher: str) -> Iterator[str]:
    """Yield the parts of a name that sentences use for the whole."""
    dataset, colon, rest = name.partition(": ")
    own = dataset.removeprefix(publisher).lstrip(" ,-") if publisher else dataset
    for one in (dataset, own, rest) if colon else (own,):
        yield one
        yield _without_year(one)


def _without_year(name: str) -> str:
    """Return a name without the year that it ends with: "annual report" of "annual report 2025"."""
    words = name.split()
    if not words or not _YEAR.fullmatch(words[-1].strip("(),")):
        return name
    words.pop()
    while words and words[-1].casefold() in _BEFORE_YEAR:
        words.pop()
    return " ".join(words).rstrip(" ,(")


def _other_names(profile: Profile, publisher: str) -> Names:
    """Return the other names of a publisher, which may be one of the entities."""
    for one in profile.publishers:
        if publisher.casefold() in (name.casefold() for name in (one.name, *one.aliases)):
            return (one.name, *one.aliases)
    for entity in profile.entities:
        if entity.name.casefold() == publisher.casefold():
            return entity.aliases
    return ()


@cache
def _catalogue() -> Catalogue:
    return read_catalogue(files("groundwire.metrics"))


def say(key: str, language: Language, **parts: str) -> str:
    """Return a sentence with its gaps filled.

    Raises:
        KeyError: the sentence does not exist, or a part of it is missing.
    """
    return _catalogue().say(key, language, **parts)


def say_or(key: str, language: Language, other: str) -> str:
    """Return a sentence without gaps, or another text where there is none of that key."""
    return _catalogue().sentences[language].get(key, other)


class Phrases(NamedTuple):
    """Sentences of one language about a question, with places for what they are about."""

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


_MOST_QUOTED = 60


@cache
def phrases(language: Language) -> Phrases:
    """The sentences of a language."""
    sentences = _catalogue().sentences[language]
    return Phrases(**{name: sentences[name] for name in Phrases._fields})


def quoted(text: str, language: Language) -> str:
    """A part of the question, cut to what a sentence can hold."""
    one_line = " ".join(text.split())
    if len(one_line) > _MOST_QUOTED:
        one_line = one_line[:_MOST_QUOTED] + "..."
    return phrases(language).quote.format(text=one_line)


def note(parts: Sequence[str], language: Language) -> str:
    """Return the assumptions as one sentence."""
    said = phrases(language)
    text = said.joint.join(parts) + said.end
    return text[:1].upper() + text[1:]
