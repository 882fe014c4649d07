"""Shape indexes from files, or from the cache when no file has changed."""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import json
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any, TypeVar

from groundwire.graph.terms import Term
from groundwire.ontology.index.files import digest_of, shape_files
from groundwire.ontology.index.model import (
    Connection,
    Domain,
    EnumValue,
    Measure,
    Path,
    Problem,
    Property,
    ShapeIndex,
    Source,
    Step,
    Text,
)
from groundwire.private_files import private_folder


def load_index(
    sources: Sequence[FilePath],
    cache: FilePath | None = None,
    progress: Callable[[str], None] | None = None,
) -> ShapeIndex:
    """The index of all shape and ontology files in `sources`.

    Args:
        sources: folders (read whole) and files of SHACL and OWL, as Turtle, JSON-LD, RDF/XML or
            N-Triples.
        cache: a folder for finished indexes, by the hash of the files' contents.
        progress: told the name of each file and domain while an index is built.

    Raises:
        InputError: a source does not exist, or no source holds a shape file.
    """
    files = shape_files(sources)
    digest = digest_of(files)
    known = read_stored(cache, digest) if cache else None
    if known is not None:
        return known
    from groundwire.ontology.index.build import build_index
    from groundwire.ontology.index.triples import read_graph

    with _no_collection():
        index = build_index(read_graph(files, progress), digest, progress)
        if cache:
            write_stored(cache, index)
    return index


# Objects that a build leaves.
_MUCH = 100_000


@contextmanager
def _no_collection() -> Generator[None]:
    """No garbage collection meanwhile: of what a build makes, next to nothing is garbage.

    What is left of it lives long, so it is counted among the old objects, not the young ones;
    where that is little, a collection of it costs less than to count what is frozen.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_count()[0] > _MUCH and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


_KEPT = 8
_Made = TypeVar("_Made")
_PATHS, _ENUM, _INDIVIDUALS, _MINIMUM, _MAXIMUM, _LABELS, _DESCRIPTIONS = (
    Property._fields.index(name)
    for name in ("paths", "enum", "individuals", "minimum", "maximum", "labels", "descriptions")
)


def stored_file(cache: FilePath, digest: str) -> FilePath:
    """Where the index of the files with this hash is kept."""
    return cache / f"shapes-{digest[:40]}-{_code()}.index"


def write_stored(cache: FilePath, index: ShapeIndex) -> None:
    """Keep an index; a disk that is full or read-only costs the next start time, no more."""
    target = stored_file(cache, index.digest)
    temporary = target.with_suffix(f".{os.getpid()}.part")
    body = b"\n".join(
        json.dumps(part, ensure_ascii=False, check_circular=False, separators=(",", ":")).encode()
        for part in _sections(index)
    )
    try:
        private_folder(cache)
        temporary.write_bytes(_seal(body) + b"\n" + body)
        temporary.replace(target)
        kept = sorted(cache.glob("shapes-*.index"), key=lambda file: -file.stat().st_mtime_ns)
        for old in kept[_KEPT:]:
            old.unlink()
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()


def read_stored(cache: FilePath, digest: str) -> ShapeIndex | None:
    """Return the kept index of the files with this hash, or None where it is missing or broken."""
    try:
        data = stored_file(cache, digest).read_bytes()
    except OSError:
        return None
    seal, _, body = data.partition(b"\n")
    if seal != _seal(body):
        return None
    return _Stored(body.split(b"\n")).index()


@functools.cache
def _code() -> str:
    """Stands for the code that makes indexes: another version of it makes another file."""
    stats = [(file.name, file.stat()) for file in sorted(FilePath(__file__).parent.glob("*.py"))]
    stamp = repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats])
    return hashlib.sha256(stamp.encode()).hexdigest()[:12]


def _seal(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


class _Table:
    """Distinct values, numbered in the order of their coming."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def values(self) -> list[Any]:
        return list(self.numbers)


class _Shared:
    """The properties of domains and the sets of them, each object once.

    Attributes:
        properties: core and paths of each property, by their numbers.
        sets: the properties of domains, by their numbers.
    """

    def __init__(self) -> None:
        self.properties: list[tuple[int, ...]] = []
        self.sets: list[list[int]] = []
        self._numbers: dict[int, int] = {}

    def add(
        self,
        held: dict[str, Property],
        core_number: Callable[[Property], int],
        path_number: Callable[[Path], int],
    ) -> None:
        """Number a set, and those of its properties that are new."""
        if id(held) in self._numbers:
            return
        numbers: list[int] = []
        for prop in held.values():
            number = self._numbers.get(id(prop))
            if number is None:
                number = self._numbers[id(prop)] = len(self.properties)
                self.properties.append((core_number(prop), *map(path_number, prop.paths)))
            numbers.append(number)
        self._numbers[id(held)] = len(self.sets)
        self.sets.append(numbers)

    def number(self, held: dict[str, Property]) -> int:
        """The number of a set that was added."""
        return self._numbers[id(held)]


def _sections(index: ShapeIndex) -> list[Any]:
    steps, paths, lists, cores = _Table(), _Table(), _Table(), _Table()
    numbers: dict[int, int] = {}
    alike: dict[tuple[int, ...], int] = {}

    def path_number(path: Path) -> int:
        known = numbers.get(id(path))
        if known is None:
            known = numbers[id(path)] = paths.number(tuple(map(steps.number, path.steps)))
        return known

    def list_number(values: tuple[EnumValue, ...]) -> int:
        known = numbers.get(id(values))
        if known is None:
            known = numbers[id(values)] = lists.number(values)
        return known

    def core_number(prop: Property) -> int:
        # Domains that have a property in common share its fields: then none is looked into.
        fields = tuple(map(id, prop[:_PATHS] + prop[_PATHS + 1 :]))
        known = alike.get(fields)
        if known is None:
            known = alike[fields] = cores.number(
                prop._replace(
                    paths=(),
                    enum=list_number(prop.enum),  # pyright: ignore
                    individuals=list_number(prop.individuals),  # pyright: ignore
                )
            )
        return known

    classes, kept = _Table(), _Shared()
    for domain in index.domains.values():
        kept.add(domain.properties, core_number, path_number)
    connections = [
        (c.source, c.target, path_number(c.path), c.via, c.nested) for c in index.connections
    ]
    domains = [
        (
            d.name,
            d.class_iri,
            d.curie,
            [*map(classes.number, d.subclasses)],
            [*map(classes.number, d.superclasses)],
            d.part,
            d.labels,
            d.descriptions,
            d.sources,
            kept.number(d.properties),
        )
        for d in index.domains.values()
    ]
    header = (index.digest, index.prefixes, index.problems, domains, classes.values())
    return [
        header,
        steps.values(),
        paths.values(),
        lists.values(),
        cores.values(),
        kept.properties,
        kept.sets,
        connections,
    ]


class _Stored:
    """The sections of one file, each decoded once."""

    def __init__(self, sections: list[bytes]) -> None:
        self._sections = sections
        self._made: dict[int, Any] = {}
        self._sets: dict[int, dict[str, Property]] = {}
        self._properties: dict[int, Property] = {}

    def index(self) -> ShapeIndex:
        digest, prefixes, problems, domains, classes = json.loads(self._sections[0])
        return ShapeIndex(
            {each[0]: self._domain(each, classes) for each in domains},
            self._connections,
            prefixes,
            tuple(Problem(*problem) for problem in problems),
            digest,
        )

    def _domain(self, fields: list[Any], classes: list[str]) -> Domain:
        name, class_iri, curie, *related, part, labels, descriptions, sources, held = fields
        below, above = (tuple(map(classes.__getitem__, numbers)) for numbers in related)
        return Domain(
            name,
            class_iri,
            curie,
            properties=lambda: self._held(held),
            subclasses=below,
            superclasses=above,
            part=part,
            labels=_texts(labels),
            descriptions=_texts(descriptions),
            sources=tuple(Source(*source) for source in sources),
        )

    def _section(self, number: int, make: Callable[[Any], _Made]) -> _Made:
        if number not in self._made:
            self._made[number] = make(json.loads(self._sections[number]))
        return self._made[number]

    def _paths(self) -> list[Path]:
        steps: list[Step] = self._section(1, lambda raw: [Step(*each) for each in raw])

        def make(raw: list[list[int]]) -> list[Path]:
            return [Path(tuple([steps[number] for number in each])) for each in raw]

        return self._section(2, make)

    def _cores(self) -> list[list[Any]]:
        def make_lists(raw: list[list[list[Any]]]) -> list[tuple[EnumValue, ...]]:
            return [tuple([_value(value) for value in each]) for each in raw]

        lists = self._section(3, make_lists)

        def make_cores(raw: list[list[Any]]) -> list[list[Any]]:
            return [_core(each, lists) for each in raw]

        return self._section(4, make_cores)

    def _held(self, number: int) -> dict[str, Property]:
        """The properties with one number; domains of one number share the dictionary."""
        held = self._sets.get(number)
        if held is None:
            sets: list[list[int]] = self._section(6, lambda raw: raw)
            found = [self._property(each) for each in sets[number]]
            held = self._sets[number] = {prop.key: prop for prop in found}
        return held

    def _property(self, number: int) -> Property:
        known = self._properties.get(number)
        if known is None:
            raw: list[list[int]] = self._section(5, lambda raw: raw)
            core, *places = raw[number]
            paths = self._paths()
            fields = list(self._cores()[core])
            fields[_PATHS] = tuple([paths[place] for place in places])
            known = self._properties[number] = Property._make(fields)
        return known

    def _connections(self) -> tuple[Connection, ...]:
        paths = self._paths()
        raw = self._section(7, list)
        return tuple(
            [Connection(s, t, paths[path], via, nested) for s, t, path, via, nested in raw]
        )


def _texts(raw: list[list[str]]) -> tuple[Text, ...]:
    return tuple([Text._make(each) for each in raw])


def _term(raw: list[Any] | None) -> Term | None:
    return None if raw is None else Term._make(raw)


def _value(raw: list[Any]) -> EnumValue:
    return EnumValue(Term._make(raw[0]), _texts(raw[1]), raw[2])


def _core(raw: list[Any], lists: list[tuple[EnumValue, ...]]) -> list[Any]:
    """The fields of a property, its paths still missing."""
    prop = Property._make(raw)
    return list(
        prop._replace(
            datatypes=tuple(prop.datatypes),
            classes=tuple(prop.classes),
            enum=lists[raw[_ENUM]],
            has_values=tuple(Term(*each) for each in prop.has_values),
            individuals=lists[raw[_INDIVIDUALS]],
            patterns=tuple(prop.patterns),
            languages=tuple(prop.languages),
            minimum=_term(raw[_MINIMUM]),
            maximum=_term(raw[_MAXIMUM]),
            labels=_texts(raw[_LABELS]),
            descriptions=_texts(raw[_DESCRIPTIONS]),
            sources=tuple(Source(*each) for each in prop.sources),
            undeclared=(),
            measure=Measure(*prop.measure) if prop.measure else None,
        )
    )
