"""The unit of a numeric property, where its annotations or its texts state one.

Units of QUDT: by what the files say of them, else by their codes. A unit is told by its symbol. Its
scale goes with it where `groundwire.quantities` has no unit that is the same, so that amounts in
other units of its dimension can be compared with values in it. Source:
https://qudt.org/doc/DOC_SCHEMA-QUDT.html, conversionMultiplier and conversionOffset.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.ontology.index.model import Measure
from groundwire.ontology.index.namespaces import LABELS, QUDT, QUDT_UNITS
from groundwire.quantities.units import Unit, resolve_unit

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph


_MULTIPLIER = QUDT + "conversionMultiplier"
_OFFSET = QUDT + "conversionOffset"
_VECTOR = QUDT + "hasDimensionVector"
_SYMBOLS = (QUDT + "symbol", QUDT + "ucumCode", *LABELS)
_KIND_OF_QUANTITY = (QUDT + "hasQuantityKind", QUDT + "unitForQuantityKind")
_PART = re.compile(r"([A-Za-z_]+?)([0-9]*)")
_POWERS = re.compile(r"([A-Z])(-?[0-9]+(?:dot[0-9]+|pt[0-9]+)?)")
# A torque has the dimension of an energy and is none.
_ENERGY, _TORQUE = "L2M1T-2", "torque"
_FORCES = frozenset({"N", "KiloN", "MegaN", "MilliN", "MicroN", "LB_F"})
# Two factors are one if they differ by no more than files round theirs.
_SAME = Decimal("1e-8")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# "in km", "in metres per second", "in MB (megabyte)", "as a percentage"; "[m]", "(km/h)".
_STATED = re.compile(
    r"\b(?:in|as an?) ([a-zA-Z°%µ]+(?:(?: per |/)[a-zA-Z]+)?(?: (?!in\b)[a-z]+)?)(?![\w-])"
    r"|(?:(?<![^\s])[\[(]|（)([^\[\]()（）\d]{1,20})[\])）]"
)
_CURRENCY = re.compile(r"[A-Z]{3}|[€£]")
_PERCENT = {"percentage": "%", "percentages": "%"}


def unit_of(
    graph: Graph, annotations: Iterable[str], texts: Iterable[str]
) -> tuple[str | None, Measure | None]:
    """The symbol of a unit, with its scale if `groundwire.quantities` does not know it.

    Both are None where no unit is stated, or two are.

    Args:
        graph: what the files say of units.
        annotations: IRIs or names of units that the files attach to the property.
        texts: its names and descriptions.
    """
    named = {found for text in annotations if (found := _annotated(graph, text))}
    if named:
        return named.pop() if len(named) == 1 else (None, None)
    return unit_in(texts), None


def unit_in(texts: Iterable[str]) -> str | None:
    """The symbol of the unit that texts state ("length in metres"), or None for none or several."""
    prose: set[str] = set()
    brackets: set[str] = set()
    for text in texts:
        for match in _STATED.finditer(text):
            at_end = match.end() == len(text.rstrip())
            read = _in_brackets if at_end else _named
            symbol = _spelled_out(match[1]) if match[1] else read(match[2])
            if symbol:
                (prose if match[1] else brackets).add(symbol)
    # Brackets also hold symbols of formulas ("resolution (s) in metres"): prose goes first.
    stated = prose or brackets
    return stated.pop() if len(stated) == 1 else None


def without_unit(name: str) -> str:
    """Return a name without the unit in brackets at its end ("height (cm)"), or "" for none."""
    for stated in _STATED.finditer(name):
        if stated[2] and stated.end() == len(name.rstrip()) and _in_brackets(stated[2]):
            return name[: stated.start()].rstrip()
    return ""


def unit_called(text: str) -> str | None:
    """The symbol of the unit that a text or the end of an IRI names, or None."""
    if text.startswith(QUDT_UNITS) and (code := text[len(QUDT_UNITS) :]):
        known = _data()["codes"].get(code)
        return known or ((unit := _unit_of_code(code)) and unit.symbol)
    return _named(re.split(r"[/#:]", text.rstrip("/#"))[-1] if "//" in text else text)


def _annotated(graph: Graph, text: str) -> tuple[str, Measure | None] | None:
    """The unit that an IRI stands for, or that a text names."""
    if "//" not in text:
        return (symbol, None) if (symbol := _in_brackets(text)) else None
    found = _read_unit(graph, text)
    if found is not None:
        return found
    symbol = unit_called(text)
    return (symbol, None) if symbol else None


def _spelled_out(text: str) -> str | None:
    """The unit that the words behind "in" begin with ("metres per second of ...")."""
    words = text.split()
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        # One letter after "in" is a variable as often as a unit.
        if len(name) > 1 or name == "%":
            symbol = _named(name)
            if symbol:
                return symbol
    return None


def _in_brackets(text: str) -> str | None:
    """The unit in brackets or in an annotation; a currency by its code or sign alone."""
    unit = resolve_unit(text.strip()) if _CURRENCY.fullmatch(text.strip()) else None
    return unit.symbol if unit else _named(text)


def _named(text: str) -> str | None:
    unit = resolve_unit(_PERCENT.get(text.strip().lower(), text.strip()))
    if unit is None or unit.dimension.startswith("currency"):
        return None
    return unit.symbol


def _read_unit(graph: Graph, iri: str) -> tuple[str, Measure | None] | None:
    """The symbol of a unit and its scale, which is None where `quantities` knows the symbol.

    None where neither the files nor the code of the unit say what it is.
    """
    code = iri[len(QUDT_UNITS) :] if iri.startswith(QUDT_UNITS) else ""
    whole = _data()["codes"].get(code)
    if whole is not None:
        return whole, None
    described = _described(graph, iri) or (_of_code(code) if code else None)
    if described is None:
        return None
    names, measure = described
    same = _same_unit(names, measure)
    return (same.symbol, None) if same is not None else (names[0], measure)


def _unit_of_code(code: str) -> Unit | None:
    read = _of_code(code)
    return _same_unit(*read) if read is not None else None


def _described(graph: Graph, iri: str) -> tuple[list[str], Measure] | None:
    """Return what the files say of a unit, or None where they lack its multiplier."""
    symbols = [text for each in _SYMBOLS for text in graph.values(iri, each) if text.strip()]
    multipliers = _numbers(graph.values(iri, _MULTIPLIER))
    offsets = _numbers(graph.values(iri, _OFFSET)) or {Decimal(0)}
    if not symbols or len(multipliers) != 1 or len(offsets) > 1:
        return None
    factor, offset = multipliers.pop(), offsets.pop()
    if factor <= 0:
        return None
    vectors = graph.values(iri, _VECTOR)
    dimension = _dimension(vectors[0].rpartition("/")[2]) if vectors else iri
    kinds = {v.rpartition("/")[2] for each in _KIND_OF_QUANTITY for v in graph.values(iri, each)}
    if kinds and dimension == _ENERGY and not any("Energy" in kind for kind in kinds):
        dimension = _TORQUE
    return [symbol.strip() for symbol in symbols], _measure(dimension, factor, offset)


def _of_code(code: str) -> tuple[list[str], Measure] | None:
    """The unit that a code of QUDT spells out; None where a part of it is not known."""
    above, _, below = code.partition("-PER-")
    if code.startswith("PER-"):
        above, below = "", code[4:]
    symbols: tuple[list[str], list[str]] = ([], [])
    factor, powers = Decimal(1), dict[str, int]()
    for side, text in enumerate((above, below)):
        for part in text.split("-") if text else ():
            read = _part(part)
            if read is None:
                return None
            symbol, scale, of_part, power = read
            symbols[side].append(symbol + (str(power).translate(_SUPERSCRIPTS) * (power > 1)))
            signed = -power if side else power
            factor *= scale**signed
            for dimension, exponent in of_part.items():
                powers[dimension] = powers.get(dimension, 0) + exponent * signed
    written = "·".join(symbols[0]) or "1"
    if symbols[1]:
        bottom = "·".join(symbols[1])
        written += f"/({bottom})" if len(symbols[1]) > 1 else f"/{bottom}"
    dimension = _vector(powers)
    if dimension == _ENERGY and not _FORCES.isdisjoint(above.split("-")):
        dimension = _TORQUE
    return [written], _measure(dimension, factor, Decimal(0))


def _part(part: str) -> tuple[str, Decimal, dict[str, int], int] | None:
    """Symbol, factor, powers of the dimensions and power of one part: `KiloM2`."""
    units, prefixes = _data()["units"], _data()["prefixes"]
    found = _PART.fullmatch(part)
    if found is None:
        return None
    name, power = found[1], int(found[2] or 1)
    prefix = next((each for each in prefixes if name.startswith(each)), "")
    unit = units.get(name[len(prefix) :])
    if unit is None:
        return None
    symbol, factor, vector = unit.split()
    sign, exponent = prefixes[prefix].split() if prefix else ("", "0")
    powers = {letter: int(number) for letter, number in _POWERS.findall(vector)}
    return sign + symbol, Decimal(factor).scaleb(int(exponent)), powers, power


def _dimension(vector: str) -> str:
    """A dimension vector of QUDT (`A0E0L1I0M0H0T-1D0`) as its powers other than 0."""
    powers = {letter: number for letter, number in _POWERS.findall(vector) if number != "0"}
    if any(not number.lstrip("-").isdigit() for number in powers.values()):
        return vector
    return _vector({letter: int(number) for letter, number in powers.items()})


def _vector(powers: dict[str, int]) -> str:
    return "".join(f"{one}{powers[one]}" for one in "LMTEHAI" if powers.get(one)) or "D1"


def _measure(dimension: str, factor: Decimal, offset: Decimal) -> Measure:
    """The scale in the base unit that `quantities` has for the dimension, if it has one."""
    known = _data()["dimensions"].get(dimension)
    if known is not None:
        dimension, base = known.split()
        factor /= Decimal(base)
    return Measure(dimension, str(factor.normalize()), str(offset.normalize()))


def _same_unit(names: list[str], measure: Measure) -> Unit | None:
    """The unit of `quantities` that one of the names stands for, if it has the same scale.

    A scale alone does not make a unit: volt-amperes are as large as watts, and are not watts.
    """
    factor, offset = Decimal(measure.factor), Decimal(measure.offset)
    for name in names:
        unit = resolve_unit(name) or resolve_unit(name.replace("·", ""))
        if (
            unit is not None
            and unit.dimension == measure.dimension
            and abs(unit.factor - factor) <= _SAME * factor
            and abs(unit.offset - offset) <= _SAME
        ):
            return unit
    return None


def _numbers(texts: list[str]) -> set[Decimal]:
    found: set[Decimal] = set()
    for text in texts:
        with suppress(InvalidOperation):
            number = Decimal(text)
            if number.is_finite():
                found.add(number)
    return found


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("qudt.toml").read_text("utf-8"))
