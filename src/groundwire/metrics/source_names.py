"""Names of the source of a value in sentences: its document, the data set in it, its publisher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.evidence.records import Names
from groundwire.metrics.profile import Profile

_YEAR = re.compile(r"(?:FY)?\d{4}")
# Words before the year of a document that is issued every year: "discussion of the year 2024".
_BEFORE_YEAR = frozenset({"for", "of", "in", "the", "year"})


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
    named = ((one.code, one.label, *one.aliases) for one in profile.metrics)
    metrics = {name.casefold() for names in named for name in names}
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
        yield _without_year(one)


def _without_year(name: str) -> str:
    """Return a name without the year that it ends with: "annual report" of "annual report 2025"."""
    words = name.split()
    if not words or not _YEAR.fullmatch(words[-1].strip("(),")):
        return name
    words.pop()
    while words and words[-1].casefold() in _BEFORE_YEAR:
        words.pop()
    return " ".join(words).rstrip(" ,(")


def _other_names(profile: Profile, publisher: str) -> Names:
    """Return the other names of a publisher, which may be one of the entities."""
    for one in profile.publishers:
        if publisher.casefold() in (name.casefold() for name in (one.name, *one.aliases)):
            return (one.name, *one.aliases)
    for entity in profile.entities:
        if entity.name.casefold() == publisher.casefold():
            return entity.aliases
    return ()
