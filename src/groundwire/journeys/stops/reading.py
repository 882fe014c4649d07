"""Which station a name means: the right one, or the caller is asked.

Written forms, folded spellings, nicknames and ids are applied. A misspelling is applied when it
is one letter away from one name and from no other. The first place of one name alone is applied
too ("Totteridge" of Totteridge & Whetstone), and so are words cut short ("Tott Hale"). What several
stations are called, or what else is only part of their names, is asked about.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.journeys.stops.names import (
    CHINESE_NAMES,
    FAR_TOWNS,
    NICKNAMES,
    REAL_BUT_ABSENT,
    NameParts,
    Station,
    Stations,
    expanded,
    public_name,
    split_name,
)
from groundwire.journeys.wording import listed
from groundwire.vocabulary import How, KnownWords, Policy, Resolution, Term, Vocabulary, fold

MOST_OPTIONS = 6
# A name that is less alike than this is no suggestion.
_LEAST_ALIKE = 0.6
# Names that are told beside the options.
_MOST_BESIDE = 3
# Fewer letters begin too many words.
_LEAST_BEGUN = 3


@dataclass(frozen=True, slots=True)
class StationReading:
    """The meaning of a name.

    Attributes:
        raw: what was sent.
        how: the step that decided, by the names of the vocabulary.
        station: the station, or None.
        other: the id of a term other than a station that was meant instead, else empty.
        options: ids of stations and other terms that may have been meant, best first; only where
            nothing was applied.
        stop_ids: the stops of the station that were asked for ("Bank DLR"); empty for all.
        note: what has to be told, else empty.
    """

    raw: str
    how: How
    station: Station | None = None
    other: str = ""
    options: tuple[str, ...] = ()
    stop_ids: tuple[str, ...] = ()
    note: str = ""


class StationReader:
    """Reads names of stations, and of whatever else shares the names of a city with them."""

    def __init__(
        self,
        stations: Stations,
        others: Iterable[Term] = (),
        known_names: Iterable[str] = REAL_BUT_ABSENT,
    ) -> None:
        """Take the stations.

        Args:
            stations: the stations.
            others: terms that are no stations (landmarks), with ids that are no station's.
            known_names: real names that are none of these, and so no misspelling of them.
        """
        self.stations = stations
        self.known_names = tuple(known_names)
        own = list(_station_terms(stations))
        names = frozenset(fold(expanded(term.label)) for term in own)
        terms = [*own, *(_expanded_term(_beside(term, names)) for term in others)]
        self._terms = {term.id: term for term in terms}
        self._language = KnownWords(languages=("en",))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """All names by which stations and other terms are known."""
        return Vocabulary(self._terms.values(), KnownWords(self.known_names, languages=()))

    @cached_property
    def folded_forms(self) -> frozenset[str]:
        """Every written form, folded: what is in here needs no likeness."""
        return frozenset(fold(form) for term in self._terms.values() for form in _forms(term))

    @cached_property
    def _absent(self) -> frozenset[str]:
        return frozenset(fold(expanded(name)) for name in self.known_names)

    @cached_property
    def _sorted_words(self) -> Mapping[tuple[str, ...], frozenset[str]]:
        """Ids of terms by the words of their names in no order."""
        found: dict[tuple[str, ...], set[str]] = {}
        for term in self._terms.values():
            for form in _forms(term):
                words = tuple(sorted(expanded(form).split()))
                if len(words) > 1:
                    found.setdefault(words, set()).add(term.id)
        return {words: frozenset(ids) for words, ids in found.items()}

    @cached_property
    def name_words(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The words of each term's name, by its id."""
        return [(term.id, expanded(term.label).split()) for term in self._terms.values()]

    def read(self, raw: str) -> StationReading:
        """Find the station that a name means.

        Args:
            raw: a name, an id or a code, already without control characters.

        Returns:
            the reading; without a station and without another term, its options are to be
            offered.
        """
        coded = self.stations.by_code(raw)
        if coded is not None:
            return self._coded(raw, coded)
        parts = split_name(raw)
        full = expanded(raw)
        for form in dict.fromkeys((raw.strip(), full, full.removeprefix("london "))):
            if fold(form) in self.folded_forms:
                return self._settled(raw, self.vocabulary.resolve(form, Policy.CANDIDATES_ONLY))
        if parts.core and fold(parts.core) in self.folded_forms:
            return self._narrowed(
                raw, self.vocabulary.resolve(parts.core, Policy.CANDIDATES_ONLY), parts
            )
        turned = self._sorted_words.get(tuple(sorted(parts.core.split())), frozenset())
        if len(turned) == 1:
            found = Resolution(raw, "alias", self._terms[next(iter(turned))], 1.0)
            return self._narrowed(raw, found, parts)
        return self._near(raw, parts)

    def alike(self, text: str, limit: int = MOST_OPTIONS) -> list[str]:
        """Ids of terms whose names hold the words of a text, then of those that are alike."""
        found = self.holding(text)
        if len(found) < limit:
            for form in dict.fromkeys((split_name(text).core, expanded(text))):
                found += [
                    candidate.term.id
                    for candidate in self.vocabulary.suggest(form, limit)
                    if candidate.score >= _LEAST_ALIKE
                ]
        return list(dict.fromkeys(found))[:limit]

    def holding(self, text: str) -> list[str]:
        """Ids of terms whose names hold all words of a text: those that begin with them first."""
        words = split_name(text).core.split() or expanded(text).split()
        held = [
            (_standing(words, name), self._weight(term_id), term_id)
            for term_id, name in self.name_words
            if words and set(words) <= set(name)
        ]
        held.sort(key=lambda entry: (entry[0], entry[1], entry[2]))
        return [term_id for _, _, term_id in held]

    def _weight(self, term_id: str) -> tuple[int, bool]:
        """Less for what is rather meant among others of a name: many lines, and the tube."""
        station = self.stations.by_code(term_id)
        return (-len(station.lines), "tube" not in station.modes) if station else (0, True)

    def _is_word(self, core: str) -> bool:
        """Whether a name is one existing word: Sheffield does not misspell Shenfield."""
        return " " not in core and self._language.of_language(core)

    def _begins(self, term_id: str, words: Sequence[str]) -> bool:
        """Whether words are, whole or cut short, those of a term's name, or one its first place.

        "Totteridge" is the first of "Totteridge and Whetstone", and "Tott Hale" is Tottenham Hale.
        A name that goes on otherwise is of another station, as Morden Road is not Morden, and one
        existing word is not cut short, as the Ham of West Ham is not that of West Hampstead.
        """
        first, *more = expanded(self._terms[term_id].label).split(" and ")
        own = first.split()
        if len(own) != len(words) or (more and len(words) > 1):
            return False
        cut = [word for one, word in zip(own, words, strict=True) if one != word]
        return all(map(str.startswith, own, words)) and not any(map(self._is_word, cut))

    def _cut_short(self, words: Sequence[str]) -> list[str]:
        """The stations whose names have as many words as these, that begin with these."""
        own = ((one, expanded(self._terms[one].label).split()) for one, _ in self.name_words)
        short = len(words) < 2 or min(map(len, words)) < _LEAST_BEGUN
        return [
            one
            for one, name in own
            if not short and len(name) == len(words) and all(map(str.startswith, name, words))
        ]

    def _coded(self, raw: str, station: Station) -> StationReading:
        code = raw.strip().upper()
        stop_ids = tuple(stop.id for stop in station.stops if stop.id.upper() == code)
        alone = len(station.stops) == 1
        return StationReading(raw, "exact", station, stop_ids=() if alone else stop_ids)

    def _settled(self, raw: str, found: Resolution) -> StationReading:
        how, term = found.how, found.term
        if term is None:
            options = [candidate.term.id for candidate in found.candidates]
            options.sort(key=self._weight)
            named = [term_id for term_id in options if self.stations.by_code(term_id)]
            # One station comes before whatever else has its name.
            if len(named) != 1:
                return StationReading(raw, "ambiguous", options=tuple(options))
            how, term = "alias", self._terms[named[0]]
        station = self.stations.by_code(term.id)
        if station is None:
            return StationReading(raw, how, other=term.id)
        asked = fold(expanded(raw))
        named = {stop.id: fold(expanded(public_name(stop.name))) for stop in station.stops}
        part = asked != fold(expanded(station.name)) and asked in named.values()
        stop_ids = tuple(stop for stop, name in named.items() if part and name == asked)
        ids = () if len(stop_ids) == len(station.stops) else stop_ids
        return StationReading(raw, how, station, "", (), ids, self._namesakes(station))

    def _namesakes(self, station: Station) -> str:
        """Other stations whose names begin or end with the whole name of this one."""
        words = expanded(station.name).split()
        others = [
            self.stations[term_id].name
            for term_id, name in self.name_words
            if term_id != station.id
            and len(name) > len(words)
            and _standing(words, name) < 2
            and self.stations.by_code(term_id) is not None
        ]
        if not others:
            return ""
        told = listed(sorted(set(others)), last="or")
        return f"{station.name} is the station of just that name, not {told}"

    def _narrowed(self, raw: str, found: Resolution, parts: NameParts) -> StationReading:
        """A reading of a name that came with a mode or a line."""
        if not parts.modes and not parts.lines:
            return self._settled(raw, found)
        terms = [found.term] if found.term else [one.term for one in found.candidates]
        stations = [station for term in terms if (station := self.stations.by_code(term.id))]
        fitting = [
            (station, stops)
            for station in stations
            if (stops := station.serving(parts.modes, parts.lines))
        ]
        if len(fitting) == 1:
            station, stops = fitting[0]
            all_of_them = len(stops) == len(station.stops)
            ids = () if all_of_them else tuple(stop.id for stop in stops)
            how = found.how if found.term else "alias"
            return StationReading(raw, how, station, stop_ids=ids)
        # Trains of National Rail call at many stations whose other lines only are known here.
        if not fitting and len(stations) == 1 and "national-rail" in parts.modes:
            return self._settled(raw, found)
        options = tuple(station.id for station, _ in fitting) or tuple(term.id for term in terms)
        asked = [*sorted(parts.modes), *map(self.stations.line_name, sorted(parts.lines))]
        note = "" if fitting else f"no station of that name is known to have {' or '.join(asked)}"
        return StationReading(raw, "ambiguous", options=options, note=note)

    def _near(self, raw: str, parts: NameParts) -> StationReading:
        """A part of names, a misspelling, or nothing that is known."""
        full = expanded(raw)
        absent = {fold(parts.core), fold(full)} & self._absent
        note = f"{raw.strip()} is a real place, but no station here has just that name"
        note = note if absent else ""
        held = self.holding(raw)
        if absent & _FAR:
            return StationReading(raw, "unknown", options=tuple(held[:MOST_OPTIONS]), note=note)
        if len(held) > MOST_OPTIONS and not note:
            names = [self._terms[one].label for one in held[MOST_OPTIONS:]]
            have = "has" if len(names) == 1 else "have"
            note = f"{listed(names, _MOST_BESIDE)} {have} {raw.strip()} in the name as well"
        if len(held) > 1:
            return StationReading(raw, "ambiguous", options=tuple(held[:MOST_OPTIONS]), note=note)
        cut: list[str] = []
        begun = "" if absent or len(held) != 1 or self._is_word(parts.core) else held[0]
        if not absent and not held:
            found = [
                resolution
                for form in dict.fromkeys((parts.core, full))
                if (resolution := self.vocabulary.resolve(form, Policy.SINGLE_EDIT)).term
                and _begins_alike(resolution)
                and not self._is_word(parts.core)
            ]
            if len({one.term.id for one in found if one.term}) == 1:
                return self._narrowed(raw, found[0], parts)
            cut = self._cut_short(parts.core.split())
            begun = cut[0] if len(cut) == 1 else ""
        if begun and self.stations.by_code(begun) and self._begins(begun, parts.core.split()):
            return self._narrowed(raw, Resolution(raw, "alias", self._terms[begun], 1.0), parts)
        options = dict.fromkeys((*cut[:MOST_OPTIONS], *self.alike(raw)))
        return StationReading(raw, "unknown", options=tuple(options)[:MOST_OPTIONS], note=note)


_FAR = frozenset(map(fold, FAR_TOWNS))


def _begins_alike(resolution: Resolution) -> bool:
    """Whether a correction keeps the first letter: people rarely miss that one."""
    return all(fold(sent)[:1] == fold(used)[:1] for sent, used in resolution.changed)


def _standing(words: Sequence[str], name: Sequence[str]) -> int:
    """0 where a name begins with the words, 1 where it ends with them, 2 where it holds them."""
    if name[: len(words)] == words:
        return 0
    return 1 if name[-len(words) :] == words else 2


def _forms(term: Term) -> Iterator[str]:
    yield term.label
    yield from term.aliases


def _beside(term: Term, names: Container[str]) -> Term:
    """Return a term without the forms that are names of stations, which come before it."""
    kept = tuple(form for form in term.aliases if fold(expanded(form)) not in names)
    return Term(term.id, term.label, kept)


def _expanded_term(term: Term) -> Term:
    """A term that is also known by the expanded spelling of each of its forms."""
    more = [expanded(form) for form in _forms(term)]
    aliases = dict.fromkeys(form for form in (*term.aliases, *more) if form != term.label)
    return Term(term.id, term.label, tuple(aliases))


def _station_terms(stations: Stations) -> Iterator[Term]:
    for station in stations:
        names = [station.hub_name, *(stop.name for stop in station.stops)]
        nicknames = (*NICKNAMES.get(station.name, ()), *CHINESE_NAMES.get(station.name, ()))
        aliases = dict.fromkeys(name for name in (*names, *nicknames) if name)
        yield _expanded_term(Term(station.id, station.name, tuple(aliases)))
