"""Well-known places that are no stations, for use without a connection."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from groundwire.errors import ConfigurationError
from groundwire.journeys.itinerary import Place, Point
from groundwire.vocabulary import Term

_PREFIX = "place:"


@dataclass(frozen=True, slots=True)
class Landmark:
    """A well-known place.

    Attributes:
        name: what it is called.
        kind: what it is (`museum`, `park`).
        point: where one enters it, or its middle.
        station: name of the station that one goes to.
        aliases: other names of it.
    """

    name: str
    kind: str
    point: Point
    station: str
    aliases: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """An id that no station has."""
        return _PREFIX + self.name

    @property
    def place(self) -> Place:
        """The landmark as a place of a journey."""
        return Place(self.name, self.point, "point_of_interest")

    @property
    def term(self) -> Term:
        """The landmark as a term of a vocabulary."""
        return Term(self.id, self.name, self.aliases)


def read_landmarks(path: Path) -> Mapping[str, Landmark]:
    """The landmarks of a CSV file, by id.

    The columns are `name`, `kind`, `lat`, `lon`, `station` and `aliases`, which are parted by `|`.

    Raises:
        ConfigurationError: the file is missing, or is not a file of places.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return MappingProxyType({one.id: one for one in _rows(file)})
    except OSError as error:
        raise ConfigurationError(
            f"the file of places {path} cannot be read ({error.strerror}): install groundwire again"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"{path} is no file of places ({error}): its columns are name, kind, lat, lon, "
            "station and aliases"
        ) from error


def _rows(lines: Iterator[str]) -> Iterator[Landmark]:
    for row in csv.DictReader(lines):
        yield Landmark(
            row["name"],
            row["kind"],
            Point(float(row["lat"]), float(row["lon"])),
            row["station"],
            tuple(filter(None, row["aliases"].split("|"))),
        )
