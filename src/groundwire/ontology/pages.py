"""Pages of listings that a model can afford, with what was left out and how to get it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from groundwire.answers import Paged, Part
from groundwire.ontology.results import SearchResult
from groundwire.ontology.wording import in_a_row

PAGE_CHARACTERS = 4_000
MOST_ITEMS = 50
# Longest texts of items: the first with which all that is left fits a page, else the last.
TEXT_LENGTHS = (1_500, 300, 80)
# Room for the handle of the next page, and for characters that are escaped when they are sent.
_RESERVED = 200
# What else an answer says is mostly less than 800 characters.
_CHARACTERS_OF_ASSETS = 3_200
_NAMES_CHARACTERS = 700

P = TypeVar("P", bound=Paged)


class Listing(NamedTuple):
    """All items of a listing, each made when it is shown.

    Attributes:
        names: what each item is called.
        item: makes the item at a position, with texts of at most so many characters.
        noun: what the items are, such as "properties".
        way: what to send for those that a page leaves out.
    """

    names: Sequence[str]
    item: Callable[[int, int], Part]
    noun: str
    way: str = "send cursor = next_cursor, or search"


def page_of(result: P, listing: Listing) -> P:
    """Put as many items into a result as a page of 4,000 characters holds, at least one.

    Args:
        result: the result without its items; its offset says where the page begins.
        listing: all items; the names of those on later pages are noted.
    """
    begin = result.offset
    end = min(begin + MOST_ITEMS, len(listing.names))
    kept = result
    for longest in TEXT_LENGTHS:
        items = [listing.item(place, longest) for place in range(begin, end)]
        kept = _fitted(result, items, listing, longest)
        if end == len(listing.names) and kept.item_count == len(items):
            break
    return kept


def within_page(result: SearchResult) -> SearchResult:
    """Return a search with as many of its assets as take 3,200 characters, at least one."""
    sizes = [len(_json(one)) + 1 for one in result.results]
    room = _CHARACTERS_OF_ASSETS
    keep = 0
    while keep < len(sizes) and sizes[keep] <= room:
        room -= sizes[keep]
        keep += 1
    if keep == len(sizes):
        return result
    shown = result.shortened(max(keep, 1))
    way = "send cursor = next_cursor, or a limit to see more of them at once"
    if result.total is None or not result.total_is_exact:
        return shown.model_copy(update={"left_out": f"more assets: {way}"})
    left = result.total - result.offset - len(shown.results)
    return shown.model_copy(update={"left_out": f"{left:,} more assets: {way}"})


def shortened(text: str, longest: int) -> str:
    """Return a text of at most so many characters; one that was cut ends in an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _fitted(result: P, items: Sequence[Part], listing: Listing, longest: int) -> P:
    """The result with the first items that fit."""
    sizes = [len(_json(one)) + 1 for one in items]
    keep = len(items)
    while True:
        made = _noted(result, items[:keep], listing, longest)
        size = len(_json(made.model_copy(update={result.items: []}))) + sum(sizes[:keep])
        beyond = size - PAGE_CHARACTERS + _RESERVED
        if keep <= 1 or beyond <= 0:
            return made
        keep -= max(1, min(keep - 1, beyond // max(sizes)))


def _noted(result: P, items: Sequence[Part], listing: Listing, longest: int) -> P:
    """The result with these items and a note of what it leaves out."""
    end = result.offset + len(items)
    notes = [result.left_out] if result.left_out else []
    later = listing.names[end:]
    if later:
        listed = in_a_row(later, 2 * MOST_ITEMS, _NAMES_CHARACTERS)
        notes.append(f"{len(later):,} more {listing.noun} ({listed}): {listing.way}")
    if any("…" in _json(one) for one in items):
        notes.append(f"the ends of texts of more than {longest:,} characters: search for one")
    return result.model_copy(
        update={
            result.items: list(items),
            "left_out": "; ".join(notes) or None,
            "next_offset": end if later else None,
        }
    )


def _json(part: Part) -> str:
    return part.model_dump_json(by_alias=True, exclude_none=True)
