"""References both ways, denied and nested, parts and aggregates, against queries written by hand.

    python -m tests.evals.ontology_references
    python -m tests.evals.ontology_references --half seen --show 2

Worlds are drawn from `ontology_fields.toml`: three kinds that are connected, a recursive relation,
recursive parts and parts with two dates. What is asked of them and of the embedded catalogue, and
the query that each means, stands in `ontology_references.toml`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from string import Template
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import pyoxigraph as ox  # noqa: E402

from groundwire import shapes as embedded  # noqa: E402
from tests.evals.ontology_asking import (  # noqa: E402
    Asked,
    Field,
    Tally,
    drawn_worlds,
    halves,
    options_of,
    served,
    served_text,
)
from tests.evals.ontology_disagreements import PREFIXES, UNITS  # noqa: E402
from tests.evals.ontology_leaves import load  # noqa: E402

WORLDS_A_FIELD = 9
ROUNDS_A_WORLD = 3
OUTCOMES = ("right", "wrong_high", "wrong_lower", "unit_left_out", "refused", "error")
FUNCTIONS = {"min": "MIN", "max": "MAX", "mean": "AVG", "sum": "SUM"}
OF_EMBEDDED = "".join(
    f"PREFIX {name}: <https://example.org/groundwire/{name}/v1/>\n"
    for name in ("core", "hdmap", "scenario", "ositrace", "surface-model")
)
CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class Connected:
    """Three kinds that are connected, as Turtle, with the words that cases are filled with."""

    def __init__(self, about: Field, rng: random.Random) -> None:
        self._rng = rng
        kinds = [kind[0] for kind in about["kinds"]]
        words = rng.sample(list(about["words"]), 4)
        numbers = rng.sample(list(about["numbers"]), 4)
        self.words = {
            "A": kinds[0], "B": kinds[1], "C": kinds[2],
            **{name: about[name] for name in ("owned", "back", "link", "recursive")},
            **{name: about[name] for name in ("part", "inner")},
            **dict(zip(("period", "from", "until"), about["period"], strict=True)),
            **dict(zip(("aword", "bword", "cword", "pword"), words, strict=True)),
            **dict(zip(("anumber", "bnumber", "cnumber", "pnumber"), numbers, strict=True)),
        }  # fmt: skip
        self.values = {name: about["words"][self.words[name]] for name in
                       ("aword", "bword", "cword", "pword")}  # fmt: skip
        self.about = about
        # Some catalogues write the relation from both sides, each pair from one of them.
        self._both_sides = rng.random() < 0.5
        self._by_enumeration = rng.random() < 0.5
        # In some, the third kind names the main one over a part.
        self._over_part = rng.random() < 0.4
        self.assets = self._assets()

    @property
    def shapes(self) -> str:
        """The shapes, as Turtle."""
        word = self.words
        kinds = " ".join(
            f't:{name} a owl:Class ; rdfs:label "{en}"@en , "{de}"@de , "{zh}"@zh .'
            for name, en, de, zh in self.about["kinds"][:3]
        )
        back = (
            f"[ sh:path t:{word['back']} ; sh:class t:{word['A']} ] ," if self._both_sides else ""
        )
        return self._prefixes() + Template(f"""{kinds}
t:${{A}}Shape a sh:NodeShape ; sh:targetClass t:$A ; sh:property {self._word("aword")} ,
  {self._number("anumber")} , [ sh:path t:$owned ; sh:class t:$B ] ,
  [ sh:path t:$recursive ; sh:class t:$A ] , [ sh:path t:$part ; sh:node t:PartShape ] ,
  [ sh:path t:$period ; sh:node t:PeriodShape ] .
t:${{B}}Shape a sh:NodeShape ; sh:targetClass t:$B ; sh:property {self._word("bword")} , {back}
  {self._number("bnumber")} .
t:${{C}}Shape a sh:NodeShape ; sh:targetClass t:$C ; sh:property {self._word("cword")} ,
  {self._number("cnumber")} , {self._link()} .
t:PartShape a sh:NodeShape ; sh:property {self._word("pword")} ,
  {self._number("pnumber")} , [ sh:path t:$inner ; sh:node t:PartShape ] .
t:PeriodShape a sh:NodeShape ; sh:property [ sh:path t:$from ; sh:datatype xsd:date ] ,
  [ sh:path t:$until ; sh:datatype xsd:date ] .
""").substitute(word)

    def _link(self) -> str:
        link = f"[ sh:path t:{self.words['link']} ; sh:class t:{self.words['A']} ]"
        if self._over_part:
            return f"[ sh:path t:entry ; sh:node [ a sh:NodeShape ; sh:property {link} ] ]"
        return link

    def _prefixes(self) -> str:
        return PREFIXES.format(**self.about) + f"@prefix t: <{self.about['ns']}> .\n"

    def _word(self, name: str) -> str:
        listed = " ".join(f'"{value}"' for value in self.values[name])
        said = f"sh:in ( {listed} )" if self._by_enumeration else "sh:datatype xsd:string"
        return f"[ sh:path t:{self.words[name]} ; {said} ]"

    def _number(self, name: str) -> str:
        unit = self.about["numbers"][self.words[name]]
        said = f' ; sh:description "Measured in {UNITS[unit]}."@en' if unit else ""
        return f"[ sh:path t:{self.words[name]} ; sh:datatype xsd:integer{said} ]"

    def _assets(self) -> str:
        rng, word, stem = self._rng, self.words, self.about["stem"]
        mains, others = [f"t:{stem}{n}" for n in range(12)], [f"t:{stem}b{n}" for n in range(6)]
        titles = itertools.cycle(self.about["titles"])
        lines = [self._prefixes()]
        for number, asset in enumerate(mains):
            lines.append(f'{asset} a t:{word["A"]} ; rdfs:label "{next(titles)}" .')
            lines += self._plain(asset, number, "aword", "anumber")
            if number and rng.random() < 0.6:
                lines.append(f"{asset} t:{word['recursive']} {mains[rng.randrange(number)]} .")
            for other in rng.sample(others, rng.choice((0, 1, 1, 2))):
                if self._both_sides and rng.random() < 0.5:
                    lines.append(f"{other} t:{word['back']} {asset} .")
                else:
                    lines.append(f"{asset} t:{word['owned']} {other} .")
            if number < 3 or rng.random() < 0.8:
                depth = rng.randrange(3)
                lines.append(
                    f"{asset} t:{word['part']} [ t:{word['pnumber']} {rng.randrange(100)} ; "
                    + f"t:{word['inner']} [ " * depth
                    + f't:{word["pword"]} "{self._value("pword", number)}"'
                    + " ]" * depth + " ] ."
                )  # fmt: skip
                if rng.random() < 0.3:
                    # A second part, now and then with the same number.
                    figure = rng.choice((5, 5, 50))
                    lines.append(f"{asset} t:{word['part']} [ t:{word['pnumber']} {figure} ] .")
                    lines.append(f"{asset} t:{word['part']} [ t:{word['pnumber']} 5 ] .")
            for _ in range(rng.choice((0, 1, 2, 2))):
                first, last = sorted(rng.sample(range(2000, 2030), 2))
                lines.append(
                    f'{asset} t:{word["period"]} [ t:{word["from"]} "{first}-03-01"^^xsd:date ; '
                    f't:{word["until"]} "{last}-10-31"^^xsd:date ] .'
                )
        for number, other in enumerate(others):
            lines.append(f"{other} a t:{word['B']} .")
            lines += self._plain(other, number, "bword", "bnumber")
        for number in range(10):
            third = f"t:{stem}c{number}"
            lines.append(f"{third} a t:{word['C']} .")
            lines += self._plain(third, number, "cword", "cnumber")
            for asset in rng.sample(mains[:9], rng.choice((1, 1, 2))):
                said = f"t:{word['link']} {asset}"
                lines.append(
                    f"{third} t:entry [ {said} ] ." if self._over_part else f"{third} {said} ."
                )
        return "\n".join(lines) + "\n"

    def _value(self, name: str, number: int) -> str:
        """A value for an asset; the first three have one each, so that all are stored."""
        values = self.values[name]
        return values[number] if number < len(values) else self._rng.choice(values)

    def _plain(self, asset: str, at: int, name: str, number: str) -> list[str]:
        """A word and a number of an asset, either of which may be missing."""
        both = [
            f'{asset} t:{self.words[name]} "{self._value(name, at)}" .',
            f"{asset} t:{self.words[number]} {self._rng.randrange(100)} .",
        ]
        # Some have two words, two numbers or none.
        both += [
            f'{asset} t:{self.words[name]} "{self._rng.choice(self.values[name])}" .',
            f"{asset} t:{self.words[number]} {self._rng.randrange(100)} .",
        ]
        return [
            one
            for place, one in enumerate(both)
            if self._rng.random() < (0.15 if place > 1 else 1 if at < 3 else 0.9)
        ]

    def draw(self, rng: random.Random) -> dict[str, str]:
        """Return the words that fill a case, with values drawn."""
        drawn = dict(self.words)
        if self._over_part:
            drawn["link"] = f"entry/t:{drawn['link']}"
        for name in ("a", "b", "c", "p"):
            drawn[f"{name}value"], drawn[f"{name}other"] = rng.sample(self.values[f"{name}word"], 2)
        first, last = sorted(rng.sample(range(2001, 2030), 2))
        function = rng.choice(list(FUNCTIONS))
        return {
            **drawn, "n": str(rng.randrange(5, 95)), "day": f"{first}-05-05",
            "later": f"{last}-05-05", "function": function, "FUNCTION": FUNCTIONS[function],
        }  # fmt: skip


async def judge(
    asked: Asked,
    store: ox.Store,
    case: Mapping[str, Any],
    words: Mapping[str, str],
    prefixes: str,
    units: Mapping[str, str],
) -> tuple[str, str]:
    """Return the outcome of a case, and what went wrong; `units` are those of properties."""

    def filled(name: str) -> str:
        return Template(case[name]).substitute(words)

    sent: dict[str, Any] = {"slots": json.loads(filled("slots"))}
    if "aggregate" in case:
        sent["aggregate"] = json.loads(filled("aggregate"))
    if "count_by" in case:
        sent["count_by"] = filled("count_by")
    told = await asked.submit(**sent)
    status = told.get("status", "error")
    rows = [
        list(store.query(prefixes + filled(name))) for name in ("query", "or_query") if name in case
    ]
    if status in ("error", "rejected"):
        outcome = "error" if status == "error" else "refused"
        return outcome, f"{sent}\n  {told.get('answer') or told.get('error')}"
    if "aggregate" in case:
        right = [_figures_of(one, "count_by" in case) for one in rows]
        found: Any = _figures(told, "count_by" in case)
    else:
        right = [{row["x"].value for row in one} for one in rows]
        found = {one["iri"] for one in told["results"]}
        if "next_cursor" in told:
            found = await asked.found(sent["slots"])
    if any(_same(found, one) for one in right):
        unit = units.get(sent.get("aggregate", {}).get("property", ""), "")
        if unit and found and (told.get("aggregate") or {}).get("unit") != unit:
            return "unit_left_out", f"{sent}\n  {told['answer']}\n  {told.get('aggregate')}"
        return "right", ""
    outcome = "wrong_high" if told.get("confidence") == "high" else "wrong_lower"
    return outcome, f"{sent}\n  {told['answer']}\n  right {right}\n  found {found}"


def _figures_of(rows: Sequence[Any], grouped: bool) -> dict[str, Decimal]:
    """Figures of a query by group; those without groups have an empty name."""
    return {
        (row["group"].value if grouped else ""): Decimal(row["value"].value)
        for row in rows
        if row["value"] is not None
    }


def _figures(told: Mapping[str, Any], grouped: bool) -> dict[str, Decimal]:
    """Figures of an answer by group."""
    if grouped:
        pairs = [(str(one.get("value")), one.get("aggregate")) for one in told.get("counts", ())]
    else:
        pairs = [("", (told.get("aggregate") or {}).get("value"))]
    found: dict[str, Decimal] = {}
    for name, value in pairs:
        try:
            found[name] = Decimal(str(value))
        except InvalidOperation:
            continue
    return found


def _same(found: Any, right: Any) -> bool:
    """Whether sets are equal, or figures to nine digits."""
    if isinstance(found, set):
        return found == right
    return found.keys() == right.keys() and all(
        abs(found[name] - right[name]) <= abs(right[name]) * Decimal("1e-9") for name in right
    )


async def run_all(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Judge drawn worlds and the embedded catalogue."""
    chance = random.Random(f"references {options.seed}")
    only = set(filter(None, options.only.split(";")))
    for half, about, number in drawn_worlds(options, chance, WORLDS_A_FIELD):
        await _world(about, number, half, tally, folder, only)
    shapes, assets = [Path(f) for f in embedded.shape_files()], [Path(embedded.catalogue_file())]
    store = load(assets)
    async with served(shapes, assets, folder / "embedded") as asked:
        for case in CASES["embedded"]:
            lists = case["values"]
            for drawn in itertools.product(*lists.values()):
                words = dict(zip(lists, drawn, strict=True))
                half = random.Random(str(drawn)).choice(("seen", "held_out"))
                if half not in halves(options) or chance.random() >= options.fraction:
                    continue
                words["FUNCTION"] = FUNCTIONS.get(words.get("function", ""), "")
                outcome = await judge(asked, store, case, words, OF_EMBEDDED, case.get("units", {}))
                tally.add(case["class"], half, *outcome)


async def _world(
    about: Field, number: int, half: str, tally: Tally, folder: Path, only: set[str]
) -> None:
    rng = random.Random(f"references {about['name']} {number}")
    world = Connected(about, rng)
    store = ox.Store()
    store.load(world.assets.encode(), format=ox.RdfFormat.TURTLE)
    prefixes = f"PREFIX t: <{about['ns']}>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    made = folder / f"{about['name']} {number}"
    async with served_text(made, world.shapes, world.assets) as asked:
        for _ in range(ROUNDS_A_WORLD):
            for case in CASES["case"]:
                words = world.draw(rng)
                if not only or case["class"] in only:
                    outcome = await judge(asked, store, case, words, prefixes, about["numbers"])
                    tally.add(case["class"], half, *outcome)


def main() -> int:
    """Run the eval; return its exit code."""
    options = options_of(__doc__)
    tally = Tally(options)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(run_all(options, tally, Path(temporary)))
    return tally.settle(__file__, OUTCOMES, OUTCOMES[1:], ("right",), options)


if __name__ == "__main__":
    sys.exit(main())
