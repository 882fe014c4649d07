"""Names of tables as queries write them. Standard library only: workers import it."""

from __future__ import annotations

import re

from groundwire.tables.bounds import listed

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words that SQL reserves and that people name tables by.
_RESERVED = listed(
    """
    all analyze and any as asc between both case cast check collate column constraint create cross
    current_date default desc distinct else end except exists false fetch for foreign from full
    grant group having in inner intersect into is join lateral leading left like limit natural not
    null offset on only or order outer primary references right select session_user similar some
    table then to trailing true union unique user using values view when where window with
    """
)


def written(*parts: str, quote: str = '"', folds: bool = False) -> str:
    """A qualified name, each part quoted where it would be read otherwise.

    Args:
        parts: the name's parts.
        quote: the dialect's sign.
        folds: whether the engine makes unquoted names small.
    """
    return ".".join(_part(part, quote, folds) for part in parts)


def _part(name: str, quote: str, folds: bool) -> str:
    plain = _PLAIN.fullmatch(name) and name.lower() not in _RESERVED
    if plain and not (folds and name != name.lower()):
        return name
    return quote + name.replace(quote, quote * 2) + quote
