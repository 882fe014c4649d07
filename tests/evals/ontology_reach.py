"""Whatever is stored can be found: each leaf statement of a catalogue, by a search for its value.

    python -m tests.evals.ontology_reach                      embedded and generated catalogues
    python -m tests.evals.ontology_reach --half seen --show 3
    python -m tests.evals.ontology_reach --only "odd;embedded"
    GROUNDWIRE_TEST_DATA=FOLDER python -m tests.evals.ontology_reach    the real one too

A leaf statement is sent as kind, property and value: the kind as the asset's class is named, the
property as `get_asset` or `discover_properties` shows it, the value as it is stored. It is found
when its asset is among the results. A refusal that offers the property itself may be followed once.
Leaf statements are read by a walk over the graph, in `ontology_leaves.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import pyoxigraph as ox  # noqa: E402

from groundwire import shapes as embedded  # noqa: E402
from tests.evals.ontology_asking import (  # noqa: E402
    Asked,
    Tally,
    fields,
    halves,
    options_of,
    served,
)
from tests.evals.ontology_disagreements import PREFIXES, WAYS, World  # noqa: E402
from tests.evals.ontology_leaves import (  # noqa: E402
    NAMES,
    Leaf,
    assets_of,
    declared,
    leaves,
    load,
    local,
)

WORLDS_A_FIELD = 15
WAYS_A_WORLD = 6
OUTCOMES = ("found", "not_found", "refused", "error")


class Keys:
    """The keys that the server itself shows for a stored value, looked up once."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._assets: dict[str, list[Mapping[str, Any]]] = {}
        self._kinds: dict[str, list[Mapping[str, Any]]] = {}

    async def of(self, leaf: Leaf, kind: str) -> list[str]:
        """Return the keys that a leaf may be asked by, the one of `get_asset` first."""
        if leaf.asset not in self._assets:
            self._assets[leaf.asset] = await self._asked.pages(
                "get_asset", "values", iri=leaf.asset
            )
        if kind not in self._kinds:
            self._kinds[kind] = await self._asked.pages(
                "discover_properties", "properties", domain=kind
            )
        name = leaf.name.casefold()
        shown = [
            str(one["property"])
            for one in self._assets[leaf.asset]
            if str(one.get("value")) == leaf.value
            and local(str(one["property"])).casefold() == name
        ]
        kinds = self._kinds[kind]
        listed = [str(one["local_name"]) for one in kinds if one["iri"] == leaf.predicate]
        return list(dict.fromkeys([*shown[:1], *listed[:1], leaf.name]))


async def outcome(
    asked: Asked, kind: str, keys: Sequence[str], value: str, wanted: set[str]
) -> tuple[str, set[str], str]:
    """Return how a search ended, the assets that it found, and what it said."""
    best, found, said = "error", set[str](), ""
    tried: set[str] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop(0)
        tried.add(key)
        slots = {"domains": [kind], "filters": {key: value}}
        told = await asked.submit(slots)
        status = told.get("status")
        if status == "results":
            found |= {one["iri"] for one in told["results"]}
            if not wanted <= found and "next_cursor" in told:
                found |= await asked.found(slots)
            if wanted <= found:
                return "found", found, ""
            best = "not_found"
        elif status == "empty":
            best = "not_found"
        elif status == "rejected":
            best = "refused" if best == "error" else best
            if key in keys:
                waiting += [
                    one
                    for gap in told["gaps"]
                    for one in gap.get("suggestions", ())
                    if gap.get("term") == key and local(one) == local(key) and one not in tried
                ]
        said += f"\n  {slots} -> {told.get('answer') or told.get('error')}"
    return best, found, said


async def judge(
    asked: Asked, stated: Iterable[tuple[str, str, Leaf]], tally: Tally, half: str
) -> None:
    """Ask for leaves, those of one kind, key and value at once; each counts by itself.

    Args:
        asked: the server.
        stated: class that the leaf is counted by, kind that it is asked of, and the leaf.
        tally: of the outcomes.
        half: that the catalogue belongs to.
    """
    keys = Keys(asked)
    groups: dict[tuple[str, tuple[str, ...], str], list[tuple[str, Leaf]]] = defaultdict(list)
    for name, kind, leaf in stated:
        groups[kind, tuple(await keys.of(leaf, kind)), leaf.value].append((name, leaf))
    for (kind, sent, value), held in groups.items():
        wanted = {leaf.asset for _, leaf in held}
        how, found, said = await outcome(asked, kind, sent, value, wanted)
        for name, leaf in held:
            one = "found" if leaf.asset in found else how
            failure = "" if one == "found" else f"{leaf.asset} {' / '.join(leaf.path)}{said}"
            tally.add(name, half, one, failure)


# Generated catalogues.


async def run_generated(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Judge worlds of every field; each holds properties that disagree in ways of their own."""
    chance = random.Random(f"reach {options.seed}")
    for half in halves(options):
        for about in fields(half):
            for number in range(WORLDS_A_FIELD):
                if chance.random() < options.fraction:
                    await _generated(about, number, half, tally, folder)


async def _generated(
    about: Mapping[str, Any], number: int, half: str, tally: Tally, folder: Path
) -> None:
    rng = random.Random(f"{about['name']} {number}")
    ways = [way for way in WAYS if not way.endswith(("codes", "another kind", "units"))]
    start = number * WAYS_A_WORLD
    world = World(about, rng, [ways[(start + n) % len(ways)] for n in range(WAYS_A_WORLD)])
    made = folder / f"{about['name']} {number}"
    made.mkdir()
    (made / "shapes.ttl").write_text(world.shapes, "utf-8")
    (made / "assets.ttl").write_text(world.turtle, "utf-8")
    store, schema = load([made / "assets.ttl"]), load([made / "shapes.ttl"])
    kinds = {about["ns"] + kind[0] for kind in about["kinds"]}
    ways_of = {held.name: held.way for held in world.held}
    own = {world.sub: "subclass without shape", world.other: "multi-typed"}
    assets = assets_of(store, kinds)
    stated = [
        (own.get(kind, ways_of.get(leaf.name, "declared")), kind, leaf)
        for leaf in leaves(store, schema, assets)
        for kind in sorted(
            {local(iri) for iri in assets[leaf.asset]}
            | ({world.main} if about["ns"] + world.sub in assets[leaf.asset] else set())
        )
    ]
    async with served([made / "shapes.ttl"], [made / "assets.ttl"], made / "home") as asked:
        await judge(asked, stated, tally, half)


# Odd values and names.


async def run_odd(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Judge a catalogue of odd values and names for every field, half of it declared."""
    odd = tomllib.loads(Path(__file__).with_name("ontology_odd.toml").read_text("utf-8"))
    chance = random.Random(f"odd {options.seed}")
    for half in halves(options):
        for about in fields(half):
            rng = random.Random(f"odd {about['name']}")
            made = folder / f"odd {about['name']}"
            made.mkdir()
            shapes, assets, classes = _odd_world(about, odd, rng)
            (made / "shapes.ttl").write_text(shapes, "utf-8")
            (made / "assets.ttl").write_text(assets, "utf-8")
            store, schema = load([made / "assets.ttl"]), load([made / "shapes.ttl"])
            kind = about["kinds"][0][0]
            found = assets_of(store, {about["ns"] + kind})
            stated = [
                (classes[leaf.path[0]], kind, leaf)
                for leaf in leaves(store, schema, found)
                if leaf.path[0] in classes and chance.random() < options.fraction
            ]
            files = [made / "shapes.ttl"], [made / "assets.ttl"]
            async with served(*files, made / "home") as asked:
                await judge(asked, stated, tally, half)


def _odd_world(
    about: Mapping[str, Any], odd: Mapping[str, Any], rng: random.Random
) -> tuple[str, str, dict[str, str]]:
    """Return shapes and assets, and the class that each predicate is counted by."""
    quoted = [json.dumps(text, ensure_ascii=False) for text in odd["texts"]]
    values = {
        "odd texts": quoted,
        "odd languages": [f'"{text}"@{tag}' for text, tag in odd["languages"]],
        "odd datatypes": [f'"{text}"^^xsd:{kind}' for text, kind in odd["typed"]],
        "odd IRIs": [f"<{iri}>" for iri in odd["iris"]],
        "value with a label of another vocabulary": ['[] skos:prefLabel "{}"'],
    }
    names = iter(rng.sample(list(about["words"]), len(values)))
    titles = list(about["titles"])
    classes: dict[str, str] = {}
    shapes, lines = [PREFIXES.format(**about)], [PREFIXES.format(**about)]
    kind = f"{about['prefix']}:{about['kinds'][0][0]}"
    declared_paths: list[str] = []
    for name, held in values.items():
        predicate = f"<{about['ns']}{next(names)}>"
        classes[predicate[1:-1]] = name
        if rng.random() < 0.5:
            declared_paths.append(f"[ sh:path {predicate} ]")
        for number, value in enumerate(held if name[:5] != "value" else titles):
            asset = f"{about['prefix']}:odd{number}"
            said = value
            if name[:5] == "value":
                said = f"<{about['ns']}item{number}>"
                title = rng.choice(("skos:prefLabel", "schema:name", "dct:title"))
                lines.append(f'{said} {title} "{value}"@en .')
            lines.append(f"{asset} a {kind} ; {predicate} {said} .")
    for number, name in enumerate(odd["names"]):
        predicate = f"<{about['ns']}{name}>"
        classes[predicate[1:-1]] = "odd names"
        if rng.random() < 0.5:
            declared_paths.append(f"[ sh:path {predicate} ]")
        word = rng.choice(list(about["words"].values()))[0]
        lines.append(f'{about["prefix"]}:odd{number} {predicate} "{word} {number}" .')
    shapes.append(
        f"{kind}Shape a sh:NodeShape ; sh:targetClass {kind} ; "
        f"sh:property {' , '.join(declared_paths)} ."
    )
    return "\n".join(shapes), "\n".join(lines), classes


# Catalogues that are given.


async def run_given(
    name: str,
    shapes: Sequence[Path],
    assets: Sequence[Path],
    options: argparse.Namespace,
    tally: Tally,
    folder: Path,
) -> None:
    """Judge a catalogue; a half of its assets, drawn by their IRIs, is held out."""
    store, schema = load(assets), load(shapes)
    async with served(shapes, assets, folder / name) as asked:
        listed = {
            one["class_iri"]: one["domain"]
            for one in await asked.pages("discover_domains", "domains")
            if one.get("asset_count")
        }
        kinds = assets_of(store, listed)
        known = declared(schema)
        for half in halves(options):
            chosen = [asset for asset in kinds if _half(asset) == half]
            if options.fraction < 1:
                chance = random.Random(f"{name} {options.seed}")
                chosen = chance.sample(chosen, max(1, round(len(chosen) * options.fraction)))
            part = set(chosen)
            stated = [
                (f"{name}: {_class_of(leaf, known, schema)}", kind, leaf)
                for leaf in leaves(store, schema, kinds)
                if leaf.asset in part
                for kind in sorted({listed.get(iri, local(iri)) for iri in kinds[leaf.asset]})
            ]
            await judge(asked, stated, tally, half)


def _half(asset: str) -> str:
    return "seen" if random.Random(asset).random() < 0.5 else "held_out"


def _class_of(leaf: Leaf, known: set[str], schema: ox.Store) -> str:
    if leaf.name in NAMES:
        return "names and labels"
    if leaf.predicate not in known:
        return "undeclared"
    if leaf.language:
        return "language-tagged"
    return "IRIs" if leaf.is_iri else "declared"


async def run_all(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Run generated and embedded catalogues, and the real one where it is named."""
    only = set(filter(None, options.only.split(";"))) or {"generated", "odd", "embedded", "real"}
    if "generated" in only:
        await run_generated(options, tally, folder)
    if "odd" in only:
        await run_odd(options, tally, folder)
    files = [Path(file) for file in embedded.shape_files()]
    if "embedded" in only:
        catalogue = [Path(embedded.catalogue_file())]
        await run_given("embedded", files, catalogue, options, tally, folder)
    data = Path(options.data, "data", "ontology")
    if not options.data or not data.is_dir():
        if options.update:
            raise SystemExit("--update needs the real catalogue: set GROUNDWIRE_TEST_DATA")
        print("without the real catalogue: set GROUNDWIRE_TEST_DATA to judge it too")
        options.fraction = min(options.fraction, 0.999)
    elif "real" in only:
        assets = sorted((data / "catalogue").glob("*.jsonld"))
        await run_given("real", [data / "envited"], assets, options, tally, folder)


def main() -> int:
    """Run the eval; return its exit code."""
    options = options_of(__doc__)
    tally = Tally(options)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(run_all(options, tally, Path(temporary)))
    return tally.settle(__file__, OUTCOMES, OUTCOMES[1:], ("found",), options)


if __name__ == "__main__":
    sys.exit(main())
