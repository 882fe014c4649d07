"""A catalogue whose labels and descriptions are in ten languages, written for its size.

It has more kinds, properties and values than a page holds, long texts, a value of more characters
than a filter takes, and properties that are reached by many paths.
"""

from __future__ import annotations

from pathlib import Path

_PREFIXES = """@prefix : <https://example.org/languages/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
# "item", and "a thing that is kept here, with everything that is known of it".
_WORDS = {
    "en": ("item", "a thing that is kept here, with everything that is known of it"),
    "de": ("Gegenstand", "ein Ding, das hier verwahrt wird, mit allem, was man davon weiß"),
    "fr": ("objet", "une chose conservée ici, avec tout ce que l'on en sait"),
    "es": ("objeto", "una cosa guardada aquí, con cuanto se sabe hoy de ella"),
    "zh": ("物品", "保存在这里的东西，以及所知道的一切"),
    "ja": ("品物", "ここに保管されている物と、それについて知られているすべて"),
    "ko": ("물건", "여기에 보관된 물건과 그것에 대해 알려진 모든 것"),
    "ru": ("предмет", "вещь, которая хранится здесь, со всем, что о ней известно"),
    "ar": ("غرض", "شيء محفوظ هنا مع كل ما يعرف عنه"),
    "el": ("αντικείμενο", "ένα πράγμα που φυλάσσεται εδώ, με όλα όσα είναι γνωστά"),
}
_KINDS = 60
_PROPERTIES = 45
_VALUES = 90
_PARTS = 12


def _texts(predicate: str, number: int, at: int, times: int = 1) -> str:
    texts = (
        f'"{" ".join([words[at]] * times)} {number}"@{language}'
        for language, words in _WORDS.items()
    )
    return f"{predicate} {' , '.join(texts)}"


def _shapes() -> str:
    lines = [_PREFIXES]
    for kind in range(_KINDS):
        lines.append(
            f":Kind{kind} a owl:Class ; {_texts('rdfs:label', kind, 0)} ; "
            f"{_texts('rdfs:comment', kind, 1, 8)} .\n"
            f":Shape{kind} a sh:NodeShape ; sh:targetClass :Kind{kind} ; sh:node :Common ; "
            f"sh:property [ sh:path :of{kind} ; sh:class :Kind{(kind + 1) % _KINDS} ] ."
        )
    for number in range(_PROPERTIES):
        listed = " ".join(f'"value {number} {value:03}"' for value in range(_VALUES))
        lines.append(
            f":Common sh:property [ sh:path :property{number} ; "
            f"{_texts('sh:name', number, 0)} ; {_texts('sh:description', number, 1, 8)} ; "
            + (f"sh:in ( {listed} ) ] ." if number % 9 == 0 else "sh:datatype xsd:string ] .")
        )
    for part in range(_PARTS):
        lines.append(f":Common sh:property [ sh:path :hasPart{part} ; sh:node :Part ] .")
    lines.append(":Part a sh:NodeShape ; sh:property [ sh:path :weight ; sh:datatype xsd:decimal ]")
    lines.append(" , [ sh:path :note ; sh:datatype xsd:string ] .")
    return "\n".join(lines)


def _assets() -> str:
    lines = [_PREFIXES]
    long_text = "word " * 1_200
    for kind in range(4):
        for number in range(30):
            lines.append(
                f':a{kind}x{number} a :Kind{kind} ; :property0 "value 0 {number:03}" ; '
                f':property1 "{number} {long_text}" ; :property2 "name {number}" ; '
                f':property3 "{number} {long_text[:700]}" ; '
                f":of{kind} :a{(kind + 1) % 4}x{number} ; "
                f':hasPart{number % _PARTS} [ :weight {number}.5 ; :note "note {number}" ] .'
            )
    return "\n".join(lines)


def write_catalogue(folder: Path) -> tuple[Path, Path]:
    """Write the catalogue into a folder; return the files of its shapes and of its assets."""
    shapes, assets = folder / "languages_shapes.ttl", folder / "languages_assets.ttl"
    shapes.write_text(_shapes(), "utf-8")
    assets.write_text(_assets(), "utf-8")
    return shapes, assets
