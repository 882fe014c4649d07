"""Texts that callers send as places, made fit to be read and sent on; coordinates and postcodes.

Latitude comes before longitude. London is so far from the equator that the two cannot be mixed up:
a pair that is in London only the other way round was sent so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.wording import listed

LONGEST_PLACE = 200
# What cannot stand in a path of the API, even when it is escaped.
_UNSENDABLE = re.compile(r"[<>*%&:\\?/#\"|{}^`~\[\]]+")
# Controls part words; formatting characters (directions, zero widths) stand in no name.
_PARTING = frozenset({"Cc", "Zl", "Zp"})
_UNSEEN = frozenset({"Cf", "Cs", "Co", "Cn"})

# "near Bank": what is close to a place, and not the place.
_NEAR = re.compile(r"(?:near|nearest\s+to|close\s+to|around)\s+(?P<of>\S.*)", re.IGNORECASE)


def near_what(text: str) -> str:
    """Return the place that a text asks for the surroundings of; empty where it names a place."""
    found = _NEAR.fullmatch(text.strip())
    return found["of"] if found is not None else ""


_METRES = re.compile(r"[\d,]+ m(?= (?:from|away)\b)")


def stops_told(stops: Iterable[tuple[str, str]]) -> str:
    """Return the names of stops that were found, by why each was: those of a line all, else four.

    One that was found for its distance has that behind its name.
    """
    found = [(name, _METRES.match(why), why.startswith("on ")) for name, why in stops]
    named = [f"{name} ({metres[0]})" if metres else name for name, metres, _ in found]
    return listed(named, None if all(of_line for *_, of_line in found) else 4)


def clean(raw: str) -> str:
    """A text without control, formatting and quoting characters, spaces made single.

    Raises:
        InputError: it is longer than `LONGEST_PLACE`, or nothing is left of it.
    """
    if len(raw) > LONGEST_PLACE:
        raise InputError(
            f"a place has at most {LONGEST_PLACE} characters, this one {len(raw):,}: "
            "send its name, its postcode or its id"
        )
    kept: list[str] = []
    for letter in unicodedata.normalize("NFKC", raw):
        category = unicodedata.category(letter)
        if category not in _UNSEEN:
            kept.append(" " if category in _PARTING else letter)
    text = " ".join("".join(kept).split()).strip('"“”‘ ')
    if not any(letter.isalnum() for letter in text):
        raise InputError(
            "a place is missing: send a stop, a postcode, latitude and longitude, or a name"
        )
    return text


def sendable(text: str) -> str:
    """A text of a caller as it can stand in a path of the API: no slash, no ampersand.

    >>> sendable("Elephant & Castle / bus")
    'Elephant and Castle bus'
    """
    return " ".join(_UNSENDABLE.sub(" ", text.replace("&", " and ")).split()).strip(". ")


# The counties around London that the stations of TfL's services reach: Reading to Shenfield.
_SOUTH, _NORTH, _WEST, _EAST = 51.2, 51.8, -1.1, 0.5

_NUMBER = r"[-+]?(?:\d{1,3}(?:\.\d{1,20})?|\.\d{1,20})"


def _part(number: int) -> str:
    """One of the two angles of a pair, its groups numbered."""
    return (
        rf"(?P<sign{number}>[NSEW])? ?(?P<degrees{number}>{_NUMBER}) ?°?"
        rf"(?: ?(?P<minutes{number}>\d{{1,2}}(?:\.\d{{1,10}})?) ?['′’])?"
        rf"(?: ?(?P<seconds{number}>\d{{1,2}}(?:\.\d{{1,10}})?) ?(?:\"|″|''))?"
        rf" ?(?P<side{number}>[NSEW])?"
    )


_PAIR = re.compile(
    r"(?:geo:)? ?[\[(]? ?(?:lat(?:itude)? ?[:=]? ?)?"
    + _part(1)
    + r" ?(?:[,;/]| ) ?(?:(?:lon(?:g(?:itude)?)?|lng) ?[:=]? ?)?"
    + _part(2)
    + r" ?[\])]?",
    re.IGNORECASE,
)
_EXACT = re.compile(r"[.°]")
_LONGEST_PAIR = 80
# The inward part never has C, I, K, M, O or V.
_POSTCODE = re.compile(r"([A-Z]{1,2}\d[A-Z\d]?)[\s-]*(\d[ABD-HJLNP-UW-Z]{2})", re.IGNORECASE)
_OUTWARD = re.compile(
    r"(?:(?:E|N|W|SE|SW|NW)\d{1,2}|(?:E1|N1|W1|SE1|SW1|NW1|EC[1-4]|WC[12])[A-Z]?|[A-Z]{2}\d{1,2})",
    re.IGNORECASE,
)
# Areas of Royal Mail that lie in London or reach into the counties around it.
_AREAS = frozenset(
    (
        *("E", "EC", "N", "NW", "SE", "SW", "W", "WC"),
        *("BR", "CR", "DA", "EN", "HA", "IG", "KT", "RM", "SM", "TN", "TW", "UB", "WD"),
        *("AL", "CM", "GU", "HP", "RG", "RH", "SG", "SL"),
    )
)


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A pair of numbers that was read as a position.

    Attributes:
        point: the position.
        turned: whether longitude was sent before latitude.
    """

    point: Point
    turned: bool = False


def is_near_london(point: Point) -> bool:
    """Whether a position is within the reach of TfL's services."""
    return _SOUTH <= point.lat <= _NORTH and _WEST <= point.lon <= _EAST


def read_coordinates(
    text: str, near: Callable[[Point], bool] = is_near_london
) -> Coordinates | None:
    """The position that a text gives: `51.5076,-0.0994`, also with signs of degrees or N and W.

    Args:
        text: the whole text.
        near: whether a position is one that may be meant; tells which of two numbers is first.

    Returns:
        the position, or None where the text is not a pair of coordinates.
    """
    plain = " ".join(text.split()).replace("\u2212", "-").replace("\u2013", "-")
    # Two whole numbers are rather anything else.
    if len(plain) > _LONGEST_PAIR or not _EXACT.search(plain):
        return None
    found = _PAIR.fullmatch(plain)
    if found is None:
        return None
    one, one_axis = _angle(found, 1)
    two, two_axis = _angle(found, 2)
    if one_axis and one_axis == two_axis:
        return None
    if one_axis == "lon" or two_axis == "lat":
        return Coordinates(Point(two, one)) if _is_on_earth(two, one) else None
    straight, turned = Point(one, two), Point(two, one)
    if not near(straight) and near(turned) and not one_axis and not two_axis:
        return Coordinates(turned, turned=True)
    return Coordinates(straight) if _is_on_earth(one, two) else None


def _is_on_earth(lat: float, lon: float) -> bool:
    return abs(lat) <= 90 and abs(lon) <= 180


def _angle(found: re.Match[str], number: int) -> tuple[float, str]:
    """Degrees of one part, and which axis its letter names (`lat`, `lon` or neither)."""
    letter = (found[f"sign{number}"] or found[f"side{number}"] or "").upper()
    degrees = float(found[f"degrees{number}"])
    size = abs(degrees) + float(found[f"minutes{number}"] or 0) / 60
    size += float(found[f"seconds{number}"] or 0) / 3600
    negative = found[f"degrees{number}"].startswith("-") or letter in ("S", "W")
    axis = {"N": "lat", "S": "lat", "E": "lon", "W": "lon"}.get(letter, "")
    return (-size if negative else size), axis


def read_postcode(text: str) -> str:
    """A whole British postcode in its usual form (`N1C 4TB`), or empty where it is none."""
    found = _POSTCODE.fullmatch(text.strip())
    return f"{found[1]} {found[2]}".upper() if found else ""


def is_postcode_district(text: str) -> bool:
    """Whether a text is only the first half of a postcode of London or around it: `N1C`."""
    word = text.strip()
    return _OUTWARD.fullmatch(word) is not None and postcode_area(word) in _AREAS


def postcode_area(postcode: str) -> str:
    """The letters that a postcode begins with: `N` of `N1C 4TB`."""
    found = re.match(r"[A-Za-z]+", postcode)
    return found[0].upper() if found else ""


def is_area_of_london(postcode: str) -> bool:
    """Whether a postcode lies in London or in the counties around it that TfL reaches."""
    return postcode_area(postcode) in _AREAS
