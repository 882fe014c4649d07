"""The clauses of a request, each with its ends, also those that no word of direction leads to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from groundwire.agents.journey_requests.tokens import Kind, Token
from groundwire.agents.journey_requests.words import BEGIN_NAMES, content, trailing_name
from groundwire.journeys.times.reading import find_times

HOME = "home"
OWN_PLACES = frozenset({HOME, "work", "office", "school", "gym"})
ENDING: frozenset[Kind] = frozenset({"to", "at", "home", "back"})
"""Kinds of tokens at which a trip ends."""
BARE = frozenset({"to", "→", "->", "=>", ">", "and", "➔", "⇒", "into", "back to"})
"""Words before which a name alone is where a trip begins: "Angel to Bank"."""

_ANNOUNCING = ("then", "that", "afterwards", "finally", "later")
_AT = re.compile(r"\b(?:at|in)\s+((?:the\s+)?(?!London$)[A-Z].*)$")
# A name of several words in capitals, and nothing else.
_PROPER = re.compile(r"(?:the\s+)?[A-Z][\w'’.-]*(?:\s+(?:of|the|and|&|on|[A-Z][\w'’.-]*))+")
_MOVES = re.compile(r"\b(?:go|get|going|come|head|heading|return|take me|back)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause.

    Attributes:
        tokens: what it is made of.
        announced: whether words such as "then" lead to it.
    """

    tokens: tuple[Token, ...]
    announced: bool

    @property
    def ends(self) -> int:
        """How many trips end in it."""
        return sum(token.kind in ENDING for token in self.tokens)


def clauses_of(tokens: Sequence[Token]) -> list[Clause]:
    """The clauses of a request, in order."""
    found: list[Clause] = []
    row: list[Token] = []
    announced = False
    for token in _out_and_back([*tokens, Token("break", 0, 0)]):
        if token.kind != "break":
            row.append(token)
            continue
        leads = token.text.lower().endswith(_ANNOUNCING)
        if row:
            # "Tower Hill, then Bank": a name alone is where the first trip ends.
            alone = leads and not found and len(row) == 1 and _PROPER.fullmatch(row[0].text)
            ends = bool((announced and found) or alone)
            lives = not any(_begins_at_home(one) for one in found)
            row = _without_home(row, later=bool(found) and lives)
            found.append(Clause(tuple(_with_ends(row, ends)), announced))
            row, announced = [], False
        announced |= leads
    return found


def _out_and_back(tokens: Sequence[Token]) -> list[Token]:
    """Tokens with a break within "out 08:30 back 17:45", of which each time is of its own way."""
    found: list[Token] = []
    for index, token in enumerate(tokens):
        around = [
            one.kind for one in (*tokens[max(index - 1, 0) : index], *tokens[index + 1 :][:1])
        ]
        if token.kind == "back" and around == ["time", "time"]:
            found.append(Token("break", token.start, token.start))
        found.append(token)
    return found


def _with_ends(row: list[Token], announced: bool) -> list[Token]:
    """A clause with the ends that no word of direction leads to."""
    row = _without_events(_from_home(row))
    kinds: set[Kind] = {token.kind for token in row}
    if kinds & ENDING:
        return row
    kept: list[Token] = []
    for index, token in enumerate(row):
        timed = index + 1 < len(row) and row[index + 1].kind == "time"
        end = _end_of(token, kinds, announced, timed) if token.kind == "words" else None
        if end is None:
            kept.append(token)
        else:
            kept += [Token(end[0], token.start, token.start), Token("place", 0, 0, end[1])]
    return kept


def _end_of(
    token: Token, kinds: AbstractSet[Kind], announced: bool, timed: bool
) -> tuple[Kind, str] | None:
    """The end that some words name, and what leads to it."""
    name = token.text.partition(" ")[2]
    if token.text.lower().startswith("for ") and name and "from" in kinds:
        # "leave home at 8 for Canary Wharf"
        return "to", name
    place = _AT.search(token.text)
    if place is not None and kinds & {"from", "from_there", "time"}:
        # "drop the children at Hampstead by 9"
        return "at", place[1]
    if announced and content(token.text):
        # "then Kew Gardens"
        return "to", trailing_name(token.text)
    if timed and "from" not in kinds and _PROPER.fullmatch(token.text):
        # "British Museum at 10, Tate Modern at 1"
        return "at", token.text
    return None


def _without_events(row: list[Token]) -> list[Token]:
    """A clause without "a gig at", "be in", which lead to a time alone."""
    return [
        token
        for index, token in enumerate(row)
        if token.kind != "at" or (index + 1 < len(row) and row[index + 1].kind == "place")
    ]


def _begins_at_home(clause: Clause) -> bool:
    """Whether a trip of a clause begins at home."""
    pairs = pairwise(clause.tokens)
    return any(one.kind == "from" and end.text.lower() == HOME for one, end in pairs)


def _without_home(row: list[Token], *, later: bool) -> list[Token]:
    """A clause without a "home" whose place follows: "then home to Morden" leads to Morden.

    Args:
        row: the tokens of a clause.
        later: whether trips stand before it, none of which begins at home.
    """
    kept: list[Token] = []
    for token, after, place in zip(row, [*row[1:], None], [*row[2:], None, None], strict=False):
        named = after is not None and place is not None and after.text.lower() in BARE
        named = named and place is not None and place.kind == "place"
        named = named and place is not None and place.text.lower() not in OWN_PLACES
        led = bool(kept) and kept[-1].kind == "to"
        home = token.kind == "home" or (led and token.text.lower() == HOME)
        moves = led or (bool(kept) and _MOVES.search(kept[-1].text) is not None)
        if not (home and named and (later or moves)):
            kept.append(token)
        elif led or (kept and kept[-1].text.lower() == "back"):
            kept.pop()
    return kept


def _from_home(row: list[Token]) -> list[Token]:
    """A clause whose "home to work" begins at home; "go home to work" ends there."""
    kept: list[Token] = []
    for index, token in enumerate(row):
        following = row[index + 1] if index + 1 < len(row) else None
        bare = following is not None and following.text.lower() in BARE
        if token.kind == "home" and bare and not (kept and _MOVES.search(kept[-1].text)):
            kept += [Token("from", token.start, token.start), Token("place", 0, 0, HOME)]
        else:
            kept.append(token)
    return kept


# Long arrows; the short ones are words of direction already.
_ARROW = re.compile(r"(?<!\s)\s*(?:(?<!-)-{2,}|(?<!=)={1,}|(?<![–—])[–—]+)>\s*")
_DASH = re.compile(r"(?<!\s)\s+(?:-{1,2}|[–—]{1,2})\s+|(?<=\w)[–—](?=[A-Z])")
_BEFORE = re.compile(r"\A.*(?:[.,;:!?]\s|\bfrom\b|→)", re.IGNORECASE | re.DOTALL)
_FIRST = re.compile(r"(?:the\s+)?([\w'’&]+)", re.IGNORECASE)


def with_arrows(text: str) -> str:
    """A text in which every dash between two names is an arrow."""
    text = _ARROW.sub(" → ", text)
    found: list[str] = []
    at = 0
    for dash in _DASH.finditer(text):
        before = _BEFORE.sub("", "".join(found) + text[at : dash.start()])
        found.append(text[at : dash.start()])
        leads = _ends_with_name(before) and _begins_with_name(text[dash.end() :])
        found.append(" → " if leads else dash[0])
        at = dash.end()
    return "".join((*found, text[at:]))


def _ends_with_name(words: str) -> bool:
    if words.strip().lower() in OWN_PLACES:
        return True
    name = trailing_name(words)
    return bool(name) and (name[0].isupper() or name == words.strip())


def _begins_with_name(words: str) -> bool:
    first = _FIRST.match(words)
    if first is None or any(one.span[0] == 0 for one in find_times(words)):
        return False
    word = first[1].lower()
    return first[1][0].isupper() or bool(content(word)) or word in OWN_PLACES | BEGIN_NAMES
