"""Label matches in the query language of engines that have no index of ours.

Virtuoso has a full-text index (`bif:contains`); for any other engine REGEX is what the standard
offers. What a prompt says gets into a query as words of letters and digits, or as a literal that
`Term.n3` writes; nothing in it can end a string, a filter or a query.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from groundwire.errors import InputError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri, literal
from groundwire.textindex.index import CHINESE_RUN, ENGLISH
from groundwire.vocabulary.fold import CJK_RUN

PhraseMode = Literal["phrase", "and", "or", "either"]
TermMode = Literal["and", "or"]

COLUMNS = ("entity", "value", "attribute", "sc")
"""What each of these queries returns; a greater ?sc fits better."""
FIT = "fit"
"""What they return beside it where types are preferred: the one that an entity has, if any."""

MOST_WORDS = 32
MOST_LIMIT = 10_000
# The engines split words at anything else; an underscore is a letter to some of them.
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_SCRIPTS = re.compile(f"({CJK_RUN.pattern})")
# XPath and XQuery Functions 3.1, section 5.6.1: what is escaped in a regular expression by "\".
_PATTERN_SIGNS = re.compile(r"[\\.?*+{}()|\[\]^$-]")


def search_terms(text: str) -> tuple[str, ...]:
    """The words of a text that say what it is about, as written; all if none does.

    A run of CJK is parted at words such as 什么 and 的.
    """
    found: dict[str, None] = {}
    for word in _WORD.findall(_POSSESSIVE.sub("", text)):
        for piece in _SCRIPTS.split(word):
            if CJK_RUN.fullmatch(piece):
                found.update(dict.fromkeys(filter(None, CHINESE_RUN.split(piece))))
            elif piece and piece.casefold() not in ENGLISH:
                found[piece] = None
    return tuple(found or dict.fromkeys(_WORD.findall(text)))[:MOST_WORDS]


def bif_contains_query(
    text: str,
    mode: PhraseMode = "phrase",
    types: Collection[str] = (),
    limit: int = 10,
    *,
    properties: Collection[str] = (),
    preferred: Collection[str] = (),
) -> CompiledQuery:
    """A label match by Virtuoso's full-text index.

    Args:
        text: a prompt.
        mode: as a `phrase` all its words stand in a row, quoted; by `and` and `or` the words that
            say something are joined; `either` takes the phrase, whose score is far greater, or
            all of these words, within one clause.
        types: IRIs of types, of which an entity has one; empty for any.
        limit: most rows.
        properties: IRIs of the properties that may say it; empty for any.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: the text has no letter or digit, or the limit is below 1.
    """
    row = _WORD.findall(text)[:MOST_WORDS]
    words = [word for term in search_terms(text) for word in _WORD.findall(term)]
    if not words:
        raise InputError("There is no word to look for: send text with letters or digits.")
    phrase = f"'{' '.join(row)}'"
    joined = f" {'OR' if mode == 'or' else 'AND'} ".join(f"'{word}'" for word in words)
    if mode == "phrase" or joined == phrase:
        expression = phrase
    else:
        expression = f"{phrase} OR ({joined})" if mode == "either" else joined
    lines = (
        "?entity ?attribute ?value .",
        f"?value bif:contains {literal(expression).n3()} option (score ?sc) .",
        *_among("type", types, "?entity a ?type ."),
        *_among("attribute", properties),
    )
    return labels_select("DESC(?sc)", lines, limit, preferred)


def regex_query(
    terms: Sequence[str],
    mode: TermMode = "and",
    types: Collection[str] = (),
    limit: int = 10,
    *,
    properties: Collection[str] = (),
    preferred: Collection[str] = (),
) -> CompiledQuery:
    """A label match by regular expressions, for engines without a text index.

    The score is the number of terms that a value holds; among equals the shorter value is first.

    Args:
        terms: what to look for, each as it stands, whatever its case.
        mode: whether a value holds all of them (`&&`) or one of them (`||`).
        types: IRIs of types, of which an entity has one; empty for any.
        limit: most rows.
        properties: IRIs of the properties that may say it; empty for any, which is slow.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: no term is given, or the limit is below 1.
    """
    wanted = [term for term in dict.fromkeys(map(_clean, terms)) if term][:MOST_WORDS]
    if not wanted:
        raise InputError("There is no term to look for: send at least one.")
    tests = [f'REGEX(STR(?value), {literal(_pattern(term)).n3()}, "i")' for term in wanted]
    joined = (" && " if mode == "and" else " || ").join(tests)
    score = " + ".join(f"IF({test}, 1, 0)" for test in tests) if mode == "or" else str(len(wanted))
    lines = (
        *_among("attribute", properties),
        *_among("type", types, "?entity a ?type ."),
        "?entity ?attribute ?value .",
        # Engines differ in the datatype that a text with a language has, so numbers are left out.
        f"FILTER(isLITERAL(?value) && !isNUMERIC(?value) && ({joined}))",
        f"BIND(({score}) AS ?sc)",
    )
    return labels_select("DESC(?sc) STRLEN(STR(?value)) STR(?entity)", lines, limit, preferred)


def labels_select(
    order: str, lines: Sequence[str], limit: int, preferred: Collection[str]
) -> CompiledQuery:
    """A SELECT of `COLUMNS` whose patterns are `lines`.

    Args:
        order: what the rows are ordered by.
        lines: patterns that bind the columns; every part of them is a constant or written by
            `Term.n3`.
        limit: most rows.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: the limit is below 1.
    """
    if not 1 <= limit <= MOST_LIMIT:
        raise InputError(f"The limit is {limit}: send a number from 1 to {MOST_LIMIT:,}.")
    names = COLUMNS
    if preferred:
        among = ", ".join(iri(one).n3() for one in preferred)
        lines = (*lines, f"OPTIONAL {{ ?entity a ?{FIT} . FILTER(?{FIT} IN ({among})) }}")
        order = f"DESC(BOUND(?{FIT})) {order}"
        names = (*COLUMNS, FIT)
    columns = " ".join(f"?{name}" for name in names)
    body = "\n  ".join(lines)
    return CompiledQuery(
        f"SELECT DISTINCT {columns}\nWHERE {{\n  {body}\n}}\nORDER BY {order}\nLIMIT {int(limit)}"
    )


def _among(name: str, iris: Collection[str], pattern: str = "") -> list[str]:
    """A variable that is one of some IRIs, with what it is used in; nothing for no IRI."""
    if not iris:
        return []
    values = f"VALUES ?{name} {{ {' '.join(iri(one).n3() for one in iris)} }}"
    return [values, pattern] if pattern else [values]


def _clean(term: str) -> str:
    """A term without blanks around it, and without halves of characters, which nothing carries."""
    return term.encode("utf-8", "ignore").decode().strip()


def _pattern(term: str) -> str:
    """A regular expression that finds a term as it stands."""
    return _PATTERN_SIGNS.sub(lambda sign: "\\" + sign.group(), term)
