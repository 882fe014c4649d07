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


def unstored_code(prop: Property, values: Iterable[str], raw: str) -> str | None:
    """The code of a country that `raw` names and no value of `prop` is; None if it names none.

    Written in capitals or small letters as the values are.
    """
    listed = list(values)
    if not code_labels(prop, listed):
        return None
    codes = [value for value in listed if _ALPHA_2.fullmatch(value)]
    if _ALPHA_2.fullmatch(raw):
        found = raw.upper() if raw.upper() in _countries() else None
    else:
        found = _by_name().get(fold(raw))
    return found and (found.lower() if all(code.islower() for code in codes) else found)


def code_labels(prop: Property, values: Iterable[str]) -> dict[str, tuple[Text, ...]]:
    """Names by value, where the values of `prop` are country codes; else nothing.

    They are when the property says so (its name or description speaks of a country or of ISO
    3166) and every one of its two-letter values is such a code.
    """
    texts = [prop.local_name, *(text.value for text in (*prop.labels, *prop.descriptions))]
    if not any("country" in fold(text) or "ISO 3166-1" in text for text in texts):
        return {}
    codes = {value: value.upper() for value in values if _ALPHA_2.fullmatch(value)}
    names = _countries() if codes else {}
    if not codes or not all(code in names for code in codes.values()):
        return {}
    return {value: names[code] for value, code in codes.items()}


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
