"""SEC company facts (JSON): every value with its interval, filing and place.

The identity of a value is its real interval. The labels `fy` and `fp` describe the filing that a
value stands in, not the value, and are not used. Layout of the file: the API documentation of
data.sec.gov, `api/xbrl/companyfacts`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, cast

from groundwire.errors import InputError, LimitError

MOST_BYTES = 500_000_000


class SecValue(NamedTuple):
    """One value of the file.

    Attributes:
        taxonomy: whose concept it is ("us-gaap").
        concept: its concept, without the taxonomy.
        unit: its unit as the file writes it.
        start: first day, or "" of a value at a day.
        end: last day.
        value: the value.
        form, accession, filed: the filing.
        place: JSON path with `{}` for its number.
        number: its number in the list of its concept and unit.
    """

    taxonomy: str
    concept: str
    unit: str
    start: str
    end: str
    value: object
    form: str
    accession: str
    filed: str
    place: str
    number: int


@dataclass(frozen=True, slots=True)
class SecConcept:
    """A concept that a company reports.

    Attributes:
        taxonomy, name: what identifies it.
        label: its name for people, or "".
        description: what it counts, or "".
        units: its units, with the values of each.
    """

    taxonomy: str
    name: str
    label: str
    description: str
    units: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class SecCompany:
    """A file of company facts.

    Attributes:
        name: the company as it is registered.
        cik: its number with the SEC.
        sha256: hash of the file, hexadecimal.
        concepts: what it reports.
        total: how many values there are.
    """

    name: str
    cik: str
    sha256: str
    concepts: tuple[SecConcept, ...]
    total: int

    def values(self) -> Iterator[SecValue]:
        """Every value, in the order of the file."""
        for concept in self.concepts:
            for unit, values in concept.units.items():
                place = f"facts.{concept.taxonomy}.{concept.name}.units.{unit}[{{}}]"
                for number, value in enumerate(values):
                    yield SecValue(
                        concept.taxonomy, concept.name, unit, str(value.get("start") or ""),
                        str(value.get("end") or ""), value.get("val"), str(value.get("form") or ""),
                        str(value.get("accn") or ""), str(value.get("filed") or ""), place, number,
                    )  # fmt: skip


def is_company_facts(head: bytes) -> bool:
    """Whether the first bytes of a file look like company facts."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"entityName"' in head


def read_company(path: Path) -> SecCompany:
    """Read a file of company facts; its numbers keep all their digits.

    Raises:
        InputError: it is not JSON, or is laid out in another way.
        LimitError: it is larger than any such file.
    """
    if path.stat().st_size > MOST_BYTES:
        raise LimitError(f"{path.name} is larger than {MOST_BYTES:,} bytes: it is no company facts")
    content = path.read_bytes()
    try:
        tree = json.loads(content, parse_float=Decimal, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} is no JSON: {error}") from error
    try:
        facts = cast(dict[str, dict[str, dict[str, Any]]], tree["facts"])
        concepts = tuple(
            SecConcept(
                taxonomy, name, str(one.get("label") or ""), str(one.get("description") or ""),
                {str(unit): _values(values) for unit, values in one["units"].items()},
            )
            for taxonomy, named in facts.items()
            for name, one in named.items()
        )  # fmt: skip
        name, cik = str(tree["entityName"]), str(tree.get("cik") or "")
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path.name} is no SEC company facts file: it needs entityName and "
            "facts.TAXONOMY.CONCEPT.units.UNIT[...]"
        ) from error
    total = sum(len(values) for one in concepts for values in one.units.values())
    return SecCompany(name, cik, hashlib.sha256(content).hexdigest(), concepts, total)


def _values(values: object) -> list[dict[str, Any]]:
    if not isinstance(values, list):
        raise TypeError("no list")
    listed = cast(list[object], values)
    if not all(isinstance(value, dict) for value in listed):
        raise TypeError("no objects")
    return cast(list[dict[str, Any]], listed)


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number")
