"""Nicknames of stations, beside their names; and real names that no station here has.

The names are facts of common use, compiled for this list. A nickname of several stations stands
with each of them, and is asked about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

_TABLES = tomllib.loads((files(__package__ or "") / "nicknames.toml").read_text("utf-8"))
# By the public name of the station.
NICKNAMES: Mapping[str, tuple[str, ...]] = {
    name: tuple(said) for name, said in _TABLES["nicknames"].items()
}
# They are never taken for a misspelling of another name.
REAL_BUT_ABSENT: tuple[str, ...] = tuple(_TABLES["real_but_absent"])
