"""Names for codes that shapes only describe: a country stored as `DE` is asked for as Germany.

Source: ISO 3166-1 alpha-2 codes with the names of Unicode CLDR, from the package `babel`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast

from groundwire.ontology.index.model import Property, Text
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

_LANGUAGES = ("en", "de", "zh", "fr", "es", "it", "nl", "pl", "pt", "sv", "ja", "ko")
_ALPHA_2 = re.compile(r"[A-Za-z]{2}")
_LIKELY = 0.8
_LONGEST_CODE = 40
# A pattern that matches one of these is no pattern of codes.
_WORDS = ("zqxwv", "Zqxwv", "Zqxwv kjhg", "zqx-wv")
# Short forms in common use that CLDR does not list as territory names.
_COMMON = {
    "US": ("USA", "United States of America", "America"),
    "GB": ("UK", "Great Britain", "Britain"),
    "KR": ("Korea",),
    "AE": ("UAE",),
    "CZ": ("Czech Republic",),
    "NL": ("Holland",),
    "HK": ("Hong Kong",),
    "MO": ("Macao", "Macau"),
}


def countries(*languages: str) -> dict[str, tuple[str, ...]]:
    """Names of all countries in some languages, by ISO 3166-1 alpha-2 code."""
    return {
        code: tuple(dict.fromkeys(name.value for name in names if name.language in languages))
        for code, names in _countries().items()
    }


def unstored_code(
    prop: Property, values: Iterable[str], raw: str, *, is_known: bool = False
) -> str | None:
    """The valid code that `raw` is or names and no value of `prop` is; None if it is none.

    Of a country it is written in capitals or small letters as the values are.

    Args:
        prop: the property.
        values: of it.
        raw: what was sent.
        is_known: it may be a misspelling of one of the values.
    """
    if not is_known and _is_valid(prop, raw):
        return raw
    listed = list(values)
    if not code_labels(prop, listed) and not any(country_code(prop, one) for one in listed):
        return None
    codes = [value for value in listed if _ALPHA_2.fullmatch(value)]
    if _ALPHA_2.fullmatch(raw):
        found = raw.upper() if raw.upper() in _countries() else None
    else:
        found = _by_name().get(fold(raw))
    return found and (found.lower() if codes and all(code.islower() for code in codes) else found)


def code_labels(prop: Property, values: Iterable[str]) -> dict[str, tuple[Text, ...]]:
    """Names by value, where the values of `prop` are country codes; else nothing.

    They are when the property says so (its name or description speaks of a country or of ISO
    3166) and every one of its two-letter values is such a code.
    """
    if not _speaks_of_countries(prop):
        return {}
    codes = {value: value.upper() for value in values if _ALPHA_2.fullmatch(value)}
    names = _countries() if codes else {}
    if not codes or not all(code in names for code in codes.values()):
        return {}
    return {value: names[code] for value, code in codes.items()}


def _is_valid(prop: Property, raw: str) -> bool:
    """Whether the shapes' patterns (`sh:pattern`) say that a text is a valid code of a property.

    A pattern that any word meets says nothing, so that a typing mistake does not pass as a code.
    """
    if not prop.patterns or prop.enum or len(raw) > _LONGEST_CODE:
        return False
    try:
        patterns = [re.compile(pattern) for pattern in prop.patterns]
    except re.error:
        return False
    return any(pattern.search(raw) for pattern in patterns) and not any(
        pattern.search(word) for pattern in patterns for word in _WORDS
    )


def country_code(prop: Property, text: str) -> str | None:
    """The alpha-2 code of a country by any of its codes or names, "" where a text is none.

    None where the property does not say that its values are countries.
    """
    if not _speaks_of_countries(prop):
        return None
    from babel.core import get_global

    known, code = _countries(), text.strip().upper()
    if code in known:
        return code
    others = cast("Mapping[str, list[str]]", get_global("territory_aliases")).get(code, ())
    if len(others) == 1 and others[0] in known:
        return others[0]
    return _by_name().get(fold(text), "")


def _speaks_of_countries(prop: Property) -> bool:
    texts = [prop.local_name, *(text.value for text in (*prop.labels, *prop.descriptions))]
    return any("country" in fold(text) or "ISO 3166-1" in text for text in texts)


def misspelt_countries(prop: Property, values: Iterable[str], raw: str) -> tuple[str, ...]:
    """Codes of the countries that `raw` may be a misspelling of, stored or not.

    None where the values of `prop` are no codes of countries.
    """
    if not code_labels(prop, values):
        return ()
    found = _vocabulary().resolve(raw, Policy.WORDWISE)
    if found.how == "corrected" and found.term is not None:
        return (found.term.id,)
    return tuple(dict.fromkeys(one.term.id for one in found.candidates if one.score >= _LIKELY))


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(
        [
            Term(code, code, tuple(dict.fromkeys(name.value for name in names)))
            for code, names in _countries().items()
        ]
    )


@cache
def _by_name() -> dict[str, str]:
    """Codes by the folded names of countries; a name of two countries is none."""
    found: dict[str, set[str]] = {}
    for code, names in _countries().items():
        for name in names:
            found.setdefault(fold(name.value), set()).add(code)
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


@cache
def _countries() -> dict[str, tuple[Text, ...]]:
    from babel import Locale

    found: dict[str, list[Text]] = {}
    for language in _LANGUAGES:
        territories = cast("Mapping[str, str]", Locale(language).territories)
        for code, name in territories.items():
            if _ALPHA_2.fullmatch(code) and code not in ("EU", "EZ", "UN", "XA", "XB", "ZZ"):
                found.setdefault(code, []).append(Text(name, language))
    for code, others in _COMMON.items():
        found[code] += [Text(name, "en") for name in others]
    return {code: tuple(dict.fromkeys(names)) for code, names in found.items()}
