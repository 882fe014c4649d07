"""Settings of users for all their journeys: default options, and places that they have names for.

Defaults hold where a trip says nothing; what a trip says counts. Places are known by name whatever
its case, spaces or "my": home, work, grandma.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from groundwire.errors import InputError, LimitError, NotFoundError, UnavailableError
from groundwire.journeys.wishes.readers import OF_A_TRIP, OPTION_KINDS
from groundwire.journeys.wishes.reading import Value, overlaid, shown
from groundwire.state import Connection, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept
from groundwire.vocabulary import fold

MOST_PLACES = 100
"""Named places of one user."""
LONGEST_NAME = 60
LONGEST_VALUE = 300

_TABLES = (
    """CREATE TABLE preferences (
        owner TEXT PRIMARY KEY,
        options TEXT NOT NULL,
        places TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
)
_LAYOUT = Layout(
    "journey_preferences",
    "file of journey preferences",
    application=0x47574A50,  # "GWJP"
    version=1,
    tables=_TABLES,
)
_OWN = re.compile(r"(?:(?:my|our|the)\s+)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place that a user has a name for.

    Attributes:
        name: the name.
        value: what stands for it in a request: an address, a postcode, the id of a stop.
    """

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of one user.

    Attributes:
        options: default options by name, checked.
        named: named places by their folded names.
    """

    options: Mapping[str, Value] = field(default_factory=dict[str, Value])
    named: Mapping[str, NamedPlace] = field(default_factory=dict[str, NamedPlace])

    @property
    def places(self) -> dict[str, str]:
        """The text that would be sent for each place, by its name."""
        return {one.name: one.value for one in self.named.values()}

    def place(self, name: str) -> NamedPlace | None:
        """The place of a name, or None: "Home", "my home" and "home" are one."""
        return self.named.get(_key(name))

    def shown(self) -> dict[str, Any]:
        """Return what was set, as JSON: options by name, the value of each place under `places`."""
        return {**shown(self.options), **({"places": self.places} if self.named else {})}


def named_place(name: str, value: str) -> NamedPlace:
    """A place under a name, checked.

    Raises:
        InputError: the name or the value is blank or too long.
    """
    plain = [" ".join(_printable(text).split()) for text in (name, value)]
    for what, text, longest in zip(
        ("name", "value"), plain, (LONGEST_NAME, LONGEST_VALUE), strict=True
    ):
        if not text or len(text) > longest:
            raise InputError(
                f"The {what} of a place has 1 to {longest} characters: send places such as "
                "{'home': 'NW1 2DB'}."
            )
    if not re.search(r"\w", plain[0]):
        raise InputError(
            "The name of a place has letters: send places such as {'home': 'NW1 2DB'}."
        )
    return NamedPlace(plain[0], plain[1])


class PreferenceStore(Kept[Store]):
    """The settings of users at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace) -> None:
        """Take the file or the database; it is laid out when something is first set."""
        self._state = opened(place, _LAYOUT)

    def get(self, owner: str) -> Preferences:
        """Return what a user set; of one who set nothing, none.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self._state.reading() as connection:
            return Preferences() if connection is None else _read(connection, owner)

    def merge(
        self,
        owner: str,
        options: Mapping[str, Value] | None = None,
        places: Iterable[NamedPlace] = (),
    ) -> Preferences:
        """Set options and places; all others stay as they were.

        Args:
            owner: whose they are.
            options: options by name, as `read_wishes(..., defaults=True)` gives them.
            places: places; one of a known name replaces it.

        Raises:
            InputError: the options do not go together.
            LimitError: there are too many places; nothing is set.
            UnavailableError: the file cannot be written; nothing is set.
        """
        return self.change(owner, options=options, places=places)

    def change(
        self,
        owner: str,
        *,
        forgotten: Sequence[str] = (),
        everything: bool = False,
        options: Mapping[str, Value] | None = None,
        places: Iterable[NamedPlace] = (),
    ) -> Preferences:
        """Forget some or everything, and set options and places over what is left, as one step.

        Args:
            owner: whose they are.
            forgotten: names of options and places, as `reset` takes them.
            everything: whether all that was set is forgotten.
            options: as `merge` takes them.
            places: as `merge` takes them.

        Raises:
            GroundwireError: as `merge` and `reset`; nothing is changed.
        """
        with self._state.writing() as connection:
            before = Preferences() if everything else _read(connection, owner)
            before = _without(before, list(forgotten))
            merged, _ = overlaid(before.options, options or {})
            known = {**before.named, **{_key(place.name): place for place in places}}
            if len(known) > MOST_PLACES:
                raise LimitError(
                    f"At most {MOST_PLACES} places have names: reset one that is not needed."
                )
            after = Preferences(merged, known)
            _write(connection, owner, after)
        return after

    def reset(self, owner: str, names: Iterable[str] = ()) -> Preferences:
        """Forget the named options and places, or all of them where none is named.

        `places` names all places, `options` all options.

        Raises:
            NotFoundError: a name is of nothing that is set; nothing is forgotten.
            UnavailableError: the file cannot be written; nothing is forgotten.
        """
        wanted = list(names)
        with self._state.writing() as connection:
            after = _without(_read(connection, owner), wanted) if wanted else Preferences()
            _write(connection, owner, after)
        return after


def _without(before: Preferences, names: list[str]) -> Preferences:
    options, places = dict(before.options), dict(before.named)
    for name in names:
        word = fold(name)
        option = next((known for known in OPTION_KINDS if fold(known) == word), "")
        if word == fold("places"):
            places.clear()
        elif word == fold("options"):
            options.clear()
        elif _key(name) in places:
            del places[_key(name)]
        elif option:
            # Resetting what is not set is no mistake: it is as at first.
            options.pop(option, None)
        else:
            known = [*before.options, *(one.name for one in before.named.values())]
            if not known:
                raise NotFoundError(f"There is no {name[:40]!r} to reset: nothing is set.")
            raise NotFoundError(
                f"Nothing is set under {name[:40]!r}: send reset with names among "
                f"{', '.join(known)}."
            )
    return Preferences(options, places)


def _key(name: str) -> str:
    plain = " ".join(name.split())
    own = _OWN.match(plain)
    return fold(plain[own.end() :] if own and own.end() < len(plain) else plain)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _read(connection: Connection, owner: str) -> Preferences:
    row = connection.execute(
        "SELECT options, places FROM preferences WHERE owner = ?", (owner,)
    ).fetchone()
    if row is None:
        return Preferences()
    try:
        options, places = json.loads(row[0]), json.loads(row[1])
        named = [NamedPlace(one["name"], one["value"]) for one in places]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnavailableError(
            "The file of journey preferences holds what cannot be read: reset the preferences, or "
            "move it away; a new one begins by itself."
        ) from error
    return Preferences(_known(options), {_key(one.name): one for one in named})


def _known(options: Mapping[str, Any]) -> dict[str, Value]:
    """The stored options that this version knows."""
    return {
        name: tuple(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in options.items()
        if name in OPTION_KINDS and name not in OF_A_TRIP
    }


def _write(connection: Connection, owner: str, preferences: Preferences) -> None:
    places = [asdict(one) for one in preferences.named.values()]
    connection.execute(
        "INSERT INTO preferences (owner, options, places) VALUES (?, ?, ?) "
        "ON CONFLICT (owner) DO UPDATE SET options = excluded.options, places = excluded.places",
        (owner, json.dumps(shown(preferences.options)), json.dumps(places)),
    )
