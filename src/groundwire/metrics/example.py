"""A question that the facts of a store answer, for whoever has just made one."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.metrics.facts.model import FactStore
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Profile
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import subject
from groundwire.quantities import interval_period


def example_question(profile: Profile, store: FactStore) -> str | None:
    """A question that is answered: the profile's own example as far as it has facts.

    Args:
        profile: what can be asked about.
        store: the facts.

    Returns:
        the question, "Sales (Shoes) of Berlin in 2024", or None where no fact is held.
    """
    about = profile.profile
    names = Names(profile)
    metric = names.metric(about.example_metric).term
    for code in _first(metric and metric.id, [one.code for one in profile.metrics]):
        covered = store.coverage(code)
        if covered is None:
            continue
        kind = profile.metric_by_code[code].kind
        entity = names.entity(about.example_entity, kind).term
        # A fact may be of an entity or a channel that the profile has no more.
        entities = [one for one in covered.entities if one in profile.entity_by_code]
        for who in _first(entity and entity.id, entities):
            channels = [one for one in store.channels(code, who) if one in profile.channel_by_code]
            for channel in _first(TOTAL, channels):
                for interval in store.intervals(code, who, channel)[:1]:
                    period = interval_period(*interval, profile.calendar(who))
                    return subject(profile, code, who, channel, period.label)
    return None


def _first(wanted: str | None, held: Sequence[str]) -> list[str]:
    """Return the held codes, the wanted one first."""
    return sorted(held, key=lambda one: one != wanted)
