"""The journeys that an owner keeps, and the map of each plan as a page among others."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.artefacts.map_html import MapPage, map_page
from groundwire.journeys.artefacts.map_svg import MapRequest
from groundwire.journeys.artefacts.map_words import markup
from groundwire.journeys.computed_journeys import Which, kept, kept_plan
from groundwire.journeys.itinerary import Journey
from groundwire.journeys.region import Region
from groundwire.journeys.telling import name_of
from groundwire.journeys.wording import count, plan_name

_LONGEST_KEY = 80


@dataclass(frozen=True, slots=True)
class KeptJourney:
    """A journey of an owner.

    Attributes:
        journey_id: its id.
        key: what its map is asked for with.
        title: where it goes.
        plans: how many plans it has, in words, and when the first leaves.
        moment: when something was last added to its id; seconds since 1970.
    """

    journey_id: str
    key: str
    title: str
    plans: str
    moment: float


def kept_journeys(london: Region, owner: str, limit: int, before: str) -> list[KeptJourney]:
    """Return the journeys of ids of an owner, the newest id first.

    Args:
        london: where journeys are kept.
        owner: whose.
        limit: so many ids at most; one id may have several journeys.
        before: only ids that something was added to before this one; empty: all.

    Raises:
        NotFoundError: the owner has no id `before`.
        UnavailableError: the file of journeys cannot be read.
    """
    return [
        KeptJourney(journey_id, f"{journey_id}.{index}", _title(one), _plans(one), moment)
        for journey_id, moment, journeys in london.journeys.listed(owner, limit, before)
        for index, one in enumerate(journeys)
    ]


def kept_map(london: Region, owner: str, key: str) -> MapPage:
    """Return the page of a plan, with links to the other plans of its journey.

    Args:
        london: where journeys are kept.
        owner: whose.
        key: of a `KeptJourney`, or that with the index of a plan: `ID.JOURNEY.PLAN`.

    Raises:
        NotFoundError: the owner has no such journey or plan, or it has no plan.
        UnavailableError: the file of journeys cannot be read.
    """
    which = _which(key)
    try:
        journey = kept(london, owner, which)
        if not journey.plans:
            raise NotFoundError(f"{_title(journey)} has no plan: {journey.error}")
        journey, _ = kept_plan(london, owner, which)
    except InputError as error:
        raise NotFoundError(str(error)) from error
    page = map_page(MapRequest(journey, which.plan_index, network=london.backdrop))
    return page._replace(body=f"{_links(which, journey)}{page.body}")


def _which(key: str) -> Which:
    journey_id, *places = key.split(".")
    digits = all(one.isascii() and one.isdigit() for one in places)
    if len(key) > _LONGEST_KEY or not 1 <= len(places) <= 2 or not digits:
        raise NotFoundError("There is no such journey.")
    index, plan = (*map(int, places), 0)[:2]
    return Which(journey_id, index, plan)


def _links(which: Which, journey: Journey) -> str:
    """The links to all plans of a journey, as HTML."""
    links: list[str] = []
    for index in range(len(journey.plans)):
        here = ' aria-current="page"' if index == which.plan_index else ""
        target = f"{which.journey_id}.{which.journey_index}.{index}"
        links.append(f'<a href="{target}"{here}>{markup(plan_name(index).capitalize())}</a>')
    return f'<p class="plans">{" ".join(links)}</p>'


def _title(journey: Journey) -> str:
    return f"{name_of(journey.origin)} to {name_of(journey.destination)}"


def _plans(journey: Journey) -> str:
    if not journey.plans:
        return "no plan"
    start = journey.plans[0].start
    return f"{count(len(journey.plans), 'plan')}, the first on {start:%Y-%m-%d} at {start:%H:%M}"
