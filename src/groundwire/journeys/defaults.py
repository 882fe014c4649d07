"""Defaults that a user keeps for all journeys, as the tools set and show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.journeys.answering import corrections
from groundwire.journeys.preferences import Preferences, named_place
from groundwire.journeys.region import Region
from groundwire.journeys.results import CorrectionItem, DefaultParameters, PlaceItem
from groundwire.journeys.wishes.reading import read_wishes, shown
from groundwire.journeys.wording import count, listed
from groundwire.vocabulary import fold

_EVERYTHING = frozenset(map(fold, ("all", "everything", "true", "yes")))


def set_defaults(
    london: Region,
    owner: str,
    sent: Mapping[str, Any],
    places: Mapping[str, str],
    reset: Sequence[str],
) -> DefaultParameters:
    """Keep options and places over those that are kept; forget first what is reset.

    Args:
        london: where they are kept.
        owner: whose they are.
        sent: options as they were sent.
        places: places by name; one without a value is forgotten.
        reset: names of options and places to forget, `places`, `options`, or `all`.

    Raises:
        InputError: an option or place cannot be used; nothing is changed.
        NotFoundError: what is to be forgotten is not kept.
        UnavailableError: the file cannot be written.
    """
    wishes = read_wishes(sent, london.now(), defaults=True)
    kept = [named_place(name, value) for name, value in places.items() if value.strip()]
    gone = [name for name, value in places.items() if not value.strip()]
    everything = any(fold(name) in _EVERYTHING for name in reset)
    now = london.preferences.change(
        owner,
        forgotten=() if everything else [*reset, *gone],
        everything=everything,
        options=wishes.given,
        places=kept,
    )
    notes = [_read_as(london, place.name, place.value) for place in kept]
    return _told(
        now,
        list(corrections(wishes.corrections)),
        [*wishes.notes, *filter(None, notes)],
    )


def get_defaults(london: Region, owner: str) -> DefaultParameters:
    """Return what is kept for a user.

    Raises:
        UnavailableError: the file cannot be read.
    """
    return _told(london.preferences.get(owner), [], [])


def _read_as(london: Region, name: str, value: str) -> str:
    """Say what a place will be taken for, where that is known offline and is not clear."""
    reading = london.places.read(value)
    if reading.place is None and reading.options:
        names = listed([one.name for one in reading.options], last="or")
        return f"{name}: {value!r} may be {names}; journeys will ask which."
    if reading.place is None and reading.note:
        return f"{name}: {reading.note}."
    return ""


def _told(
    kept: Preferences, corrections: list[CorrectionItem], notes: list[str]
) -> DefaultParameters:
    options = shown(kept.options)
    said = [f"{name} {_value(value)}" for name, value in options.items()]
    said += [f"{place.name} is {place.value}" for place in kept.named.values()]
    told = f"{count(len(said), 'default')}: {'; '.join(said)}." if said else "No defaults are set."
    return DefaultParameters(
        answer=told,
        effective=options,
        places=[PlaceItem(name=one.name, value=one.value) for one in kept.named.values()],
        corrections=corrections or None,
        notes=notes or None,
    )


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore
