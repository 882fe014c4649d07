"""The units that are known: one line each, with its names in English, Chinese and German.

They are in `unit_table.toml`. A line is `symbol; factor; names`. The factor leads to the base unit
of the dimension and is exact; bases are chosen so that every factor is a finite decimal (speed in
km/h, temperature in degrees Rankine). Names are singular; regular plurals are understood.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_TABLES = tomllib.loads((files(__package__ or "") / "unit_table.toml").read_text("utf-8"))
LINES: dict[str, list[str]] = _TABLES["lines"]
OFFSETS: dict[str, str] = _TABLES["offsets"]
"""What is added to a value before its factor, for scales whose zero is elsewhere."""
CURRENCIES: dict[str, str] = _TABLES["currencies"]
SIGNS: dict[str, tuple[str, ...]] = {sign: tuple(codes) for sign, codes in _TABLES["signs"].items()}
"""The currencies that a sign or short name may stand for, the likeliest first."""
PENCE: str = _TABLES["parts"]["pence"]
