"""What sentences call the source of a value: its document, the data set in it, its publisher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.evidence.records import Names
from groundwire.metrics.profile import Profile

# The year of a document that is issued every year: "annual report 2025", "outlook for 2026".
_YEAR = re.compile(r"(?:\s+(?:for|of|in|the|year))*[\s,(]*\b(?:FY)?\d{4}\)?$")


def source_names(profile: Profile, name: str, title: str = "", publisher: str = "") -> Names:
    """Return the name of a document, then the other names that sentences have for it.

    These are its title; the data set that its name begins with ("World Bank NY.GDP.MKTP.CD" of
    "World Bank NY.GDP.MKTP.CD: GDP"); its name without its publisher and without its year ("annual
    report"); its names in other languages; its publisher, by every name that the profile has for
    it. None is a place within the document, and none is the name of a metric.

    Args:
        profile: names of documents, of publishers and of metrics.
        name: name of the document.
        title: its title for people, or "".
        publisher: who issued it, or "".
    """
    metrics = {name.casefold() for one in profile.metrics for name in (one.label, *one.aliases)}
    aliases = [one for key in (name, title) for one in profile.document_aliases.get(key, ())]
    parts = [part for one in (name, title) if one for part in _parts(one, publisher)]
    short = [one for one in parts if one and one.casefold() not in metrics]
    others = _other_names(profile, publisher) if publisher else ()
    return tuple(dict.fromkeys(filter(None, (name, title, *short, *aliases, publisher, *others))))


def _parts(name: str, publisher: str) -> Iterator[str]:
    """Yield the parts of a name that sentences use for the whole."""
    dataset, colon, rest = name.partition(": ")
    own = dataset.removeprefix(publisher).lstrip(" ,-") if publisher else dataset
    for one in (dataset, own, rest) if colon else (own,):
        yield one
        yield _YEAR.sub("", one)


def _other_names(profile: Profile, publisher: str) -> Names:
    """Return the other names of a publisher, which may be one of the entities."""
    for one in profile.publishers:
        if publisher.casefold() in (name.casefold() for name in (one.name, *one.aliases)):
            return (one.name, *one.aliases)
    for entity in profile.entities:
        if entity.name.casefold() == publisher.casefold():
            return entity.aliases
    return ()
