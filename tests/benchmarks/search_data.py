"""A generated catalogue for the benchmark of searches: shapes, and assets in any number.

Recordings and simulations hold their values in a blank node (`hasContent`), refer to a site, and
name keywords at two places. Sites are a tenth of the assets. The same number gives the same file.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

VOCABULARY = "https://example.org/bench/v1/"
ASSETS = "https://example.org/bench/asset/"
COUNTRIES = ("AT", "BE", "CH", "CN", "CZ", "DE", "ES", "FR", "GB", "IT", "JP", "NL", "PL", "US")
MODES = ("day", "night")
BATCHES = 1000
KEYWORDS = tuple(f"topic-{number:02d}" for number in range(50))
# Changed with what the generator writes, so that a kept file is not mistaken for another.
_EDITION = 4

SHAPES = f"""
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix v: <{VOCABULARY}> .

v:ContentShape a sh:NodeShape ;
  sh:property
    [ sh:path v:mode ; sh:in ( "day" "night" ) ; sh:maxCount 1 ] ,
    [ sh:path v:batch ; sh:datatype xsd:string ; sh:maxCount 1 ] ,
    [ sh:path v:length ; sh:datatype xsd:decimal ; sh:maxCount 1 ] ,
    [ sh:path v:keyword ; sh:datatype xsd:string ] .

v:AssetShape a sh:NodeShape ;
  sh:property
    [ sh:path v:hasContent ; sh:node v:ContentShape ; sh:maxCount 1 ] ,
    [ sh:path v:keyword ; sh:datatype xsd:string ] ,
    [ sh:path v:recordedAt ; sh:class v:Site ; sh:maxCount 1 ] .

v:RecordingShape a sh:NodeShape ; sh:targetClass v:Recording ; sh:node v:AssetShape .
v:SimulationShape a sh:NodeShape ; sh:targetClass v:Simulation ; sh:node v:AssetShape .

v:SiteShape a sh:NodeShape ;
  sh:targetClass v:Site ;
  sh:property [ sh:path v:country ; sh:in ( {" ".join(f'"{code}"' for code in COUNTRIES)} ) ] .
"""


def folder() -> Path:
    """Where files and stores of the benchmark are kept between runs, outside of any checkout."""
    return Path(tempfile.gettempdir()) / "groundwire-benchmark"


def shapes_file() -> Path:
    """The shapes, written once."""
    path = folder() / f"shapes-{_EDITION}.ttl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, [SHAPES])
    return path


def assets_file(number: int) -> Path:
    """`number` assets as Turtle, written once: about 115 bytes and 5.8 triples each."""
    path = folder() / f"assets-{number}-{_EDITION}.ttl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, _turtle(number))
    return path


def _write_whole(path: Path, parts: Iterable[str]) -> None:
    aside = path.with_suffix(".part")
    with aside.open("w", encoding="utf-8") as file:
        file.writelines(parts)
    aside.rename(path)


def _turtle(number: int) -> Iterator[str]:
    yield f"@prefix v: <{VOCABULARY}> .\n@prefix a: <{ASSETS}> .\n"
    chance = random.Random(7)
    sites = max(1, number // 10)
    for at in range(sites):
        yield f'a:s{at} a v:Site ; v:country "{COUNTRIES[at % len(COUNTRIES)]}" .\n'
    for at in range(number - sites):
        draw = chance.getrandbits(40)
        kind = "Recording" if draw % 3 else "Simulation"
        mode = MODES[draw >> 2 & 1]
        batch = (draw >> 3) % BATCHES
        length = (draw >> 13) % 100_000
        site = (draw >> 11) % sites
        word = KEYWORDS[(draw >> 17) % len(KEYWORDS)]
        # Of forty assets two have a keyword of their own, two in their content, one at both places.
        where = (draw >> 24) % 40
        inner = f' ; v:keyword "{word}"' if where in (0, 1, 2) else ""
        outer = f' ; v:keyword "{word}"' if where in (2, 3, 4) else ""
        yield (
            f'a:r{at} a v:{kind} ; v:hasContent [ v:mode "{mode}" ; v:batch "b-{batch:04d}" ; '
            f"v:length {length / 10} {inner}] ; v:recordedAt a:s{site}{outer} .\n"
        )
