"""The call that a prompt for preferences asks for, and what of another call goes beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.places_alike import is_same_place
from groundwire.agents.journey_requests.prompts import sentence_of, settings_arguments, values_of
from groundwire.agents.journey_requests.settings import read_settings
from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.wishes.reading import read_wishes, shown
from groundwire.vocabulary import fold

SET, GET = "set_default_journey_parameters", "get_default_journey_parameters"
NOTHING_CHANGED = "Nothing was changed: the request does not ask to keep or forget this ({})."
ASK = "Ask the user what is to be kept."
_ALL = "all"


def settings_call(prompt: str) -> tuple[str, dict[str, JsonValue]]:
    """The call that a prompt asks for, by its values or else by its words."""
    for name, value in values_of(prompt).items():
        if isinstance(value, dict):
            return name, value
    arguments = settings_arguments(read_settings(sentence_of(prompt), alone=True).settings)
    return (SET, arguments) if arguments else (GET, {})


def exceeding(sent: Mapping[str, JsonValue], asked: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Names of what is sent and was not asked for.

    Args:
        sent: arguments that would change the defaults.
        asked: the arguments that the user's words ask for.
    """
    forgotten = {fold(name) for name in _texts(asked.get("reset"))}
    beyond: list[str] = []
    for name, value in sent.items():
        if name == "reset":
            gone = {fold(one) for one in _texts(value)}
            within = _ALL in forgotten or gone <= forgotten
        elif name == "places":
            kept = asked.get("places")
            within = _places_within(value, kept if isinstance(kept, dict) else {}, forgotten)
        else:
            within = value in (None, "", []) or _option(name, value) == _option(
                name, asked.get(name)
            )
        beyond += [] if within else [name]
    return tuple(beyond)


def _places_within(sent: JsonValue, asked: Mapping[str, JsonValue], forgotten: set[str]) -> bool:
    """Whether each place is one that was asked for; one without a value is forgotten."""
    known = {fold(name): str(value) for name, value in asked.items()}
    places = sent if isinstance(sent, dict) else {}
    return all(
        is_same_place(known[fold(name)], str(value))
        if value and fold(name) in known
        else not value and (fold(name) in forgotten or _ALL in forgotten)
        for name, value in places.items()
    )


def _option(name: str, value: JsonValue) -> object:
    """The value of an option in the planner's own spelling, so that "buses" is bus."""
    if value is None:
        return None
    try:
        read = shown(read_wishes({name: value}, datetime.now(LONDON), defaults=True).given)
    except InputError:
        return value
    return {key: sorted(cast("list[str]", one)) if isinstance(one, list) else one
            for key, one in read.items()}  # fmt: skip


def _texts(value: JsonValue) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value] if value else [])]
