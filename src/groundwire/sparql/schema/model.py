"""A graph as it was read: names and counts, each with its basis, and the file that keeps them.

A graph of files is known by its hash, so what was read of it stays true. What was read of an
endpoint has its date: after `KEPT_SECONDS` it is read anew, and shown with its date where the
endpoint does not answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from groundwire.statefile import Kept, StateFile

if TYPE_CHECKING:
    from pydantic import TypeAdapter


Basis = Literal["counted", "estimated", "not counted", "declared"]
"""How a number is known: `counted` of all statements; `estimated` by a sample or by a description
of the dataset; `not counted`, so that there is no number; `declared` by a shape, and none seen."""


@dataclass(frozen=True, slots=True)
class Name:
    """A class or predicate.

    Attributes:
        iri: the class or predicate.
        count: instances or statements; 0 where they were not counted.
        basis: how the count is known.
        labels: texts with their languages.
    """

    iri: str
    count: int = 0
    basis: Basis = "counted"
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Its English label, else one without a language, else any; "" for none."""
        by_language = {tag.partition("-")[0].lower(): text for text, tag in reversed(self.labels)}
        return by_language.get("en") or by_language.get("") or next(iter(by_language.values()), "")


@dataclass(frozen=True, slots=True)
class Use:
    """A predicate, or a path of two, as the members of one class have it.

    Attributes:
        steps: IRIs from the member on; `^` before one goes from object to subject, `*` behind one
            repeats it.
        count: statements; 0 where they were not counted.
        basis: how the count is known.
        classes: IRIs of the classes of what stands there.
        datatypes: IRIs of the datatypes of literals.
        languages: tags of texts that have them.
        iris, nodes: IRIs without a class, and blank nodes without one, stand there.
        examples: values, short ones.
    """

    steps: tuple[str, ...]
    count: int = 0
    basis: Basis = "not counted"
    classes: tuple[str, ...] = ()
    datatypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    iris: bool = False
    nodes: bool = False
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleQuery:
    """A query that the endpoint holds as an example.

    Attributes:
        iri: the example; "" of one without a name.
        title: what it asks, in words.
        text: the query.
    """

    iri: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ClassSchema:
    """One class, as far as it was looked at.

    Attributes:
        iri: the class.
        members: how many of its members were looked at; 0 for all.
        uses: its predicates, the most used first.
        not_looked_at: what the budget left out, in sentences.
        read_at: seconds since 1970.
    """

    iri: str
    members: int
    uses: tuple[Use, ...]
    not_looked_at: tuple[str, ...] = ()
    read_at: float = 0.0


@dataclass(frozen=True, slots=True)
class PredicateSchema:
    """One predicate, as far as it was looked at.

    Attributes:
        use: what stands at its end.
        of: IRIs of the classes of its subjects.
        via: where those have no class, predicates that lead to them, each with the class from which
            it does, or "".
    """

    use: Use
    of: tuple[str, ...] = ()
    via: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """One graph, as far as it was looked at.

    Attributes:
        classes, predicates: the most used first.
        all_classes, all_predicates: whether these are all.
        source: where the counts are from: "counted", "VoID", "listed" or "statistics".
        examples: queries that the endpoint holds.
        uses: of some classes their predicates by a few members, without counts.
        not_looked_at: what the budget left out, in sentences.
        read_at: seconds since 1970.
    """

    classes: tuple[Name, ...] = ()
    predicates: tuple[Name, ...] = ()
    all_classes: bool = True
    all_predicates: bool = True
    source: str = "counted"
    examples: tuple[ExampleQuery, ...] = ()
    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict[str, tuple[Use, ...]])
    not_looked_at: tuple[str, ...] = ()
    read_at: float = 0.0


KEPT_SECONDS = 86_400.0
"""How long what was read of an endpoint is taken for current."""
PARTLY_KEPT_SECONDS = 600.0
"""How long it is where the budget ended the reading."""
_APPLICATION = 0x47575343  # "GWSC"
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE schemas (
        graph TEXT NOT NULL,
        part TEXT NOT NULL,
        read_at REAL NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (graph, part)
    ) STRICT, WITHOUT ROWID""",
)
_MOST_IN_MEMORY = 200
_MOST_KEPT = 5_000


class Schemas(Kept[StateFile]):
    """Keeps the schemas that were read in the SQLite file at `path`, opened when it is needed.

    Its methods may be called from any thread, and several processes may share the file.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file and its folder are made when something is first kept."""
        self._state = StateFile(
            path,
            "file of schemas",
            application=_APPLICATION,
            version=_VERSION,
            schema=_SCHEMA,
            synchronous="NORMAL",
        )
        self._memory: dict[tuple[str, str], GraphSchema | ClassSchema] = {}

    def graph(self, key: str) -> GraphSchema | None:
        """Return what was read of a graph as a whole, or None.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        found = self._memory.get((key, "")) or self._read(key, "")
        return found if isinstance(found, GraphSchema) else None

    def one_class(self, key: str, iri: str) -> ClassSchema | None:
        """Return what was read of one class of a graph, or None.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        found = self._memory.get((key, iri)) or self._read(key, iri)
        return found if isinstance(found, ClassSchema) else None

    def keep(self, key: str, schema: GraphSchema | ClassSchema) -> None:
        """Keep what was read in place of what was known before.

        Raises:
            UnavailableError: the file cannot be written; it is known in this process all the same.
        """
        part = "" if isinstance(schema, GraphSchema) else schema.iri
        self._remember(key, part, schema)
        document = (
            _graphs().dump_json(schema)
            if isinstance(schema, GraphSchema)
            else _classes().dump_json(schema)
        ).decode("utf-8")
        with self._state.writing() as connection:
            connection.execute(
                "INSERT INTO schemas (graph, part, read_at, document) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (graph, part) DO UPDATE SET read_at = excluded.read_at, "
                "document = excluded.document",
                (key, part, schema.read_at, document),
            )
            connection.execute(
                "DELETE FROM schemas WHERE read_at < (SELECT min(read_at) FROM (SELECT read_at "
                "FROM schemas ORDER BY read_at DESC LIMIT ?))",
                (_MOST_KEPT,),
            )

    def _remember(self, key: str, part: str, schema: GraphSchema | ClassSchema) -> None:
        if len(self._memory) >= _MOST_IN_MEMORY:
            self._memory.clear()
        self._memory[key, part] = schema

    def _read(self, key: str, part: str) -> GraphSchema | ClassSchema | None:
        with self._state.reading() as connection:
            row = (
                connection
                and connection.execute(
                    "SELECT document FROM schemas WHERE graph = ? AND part = ?", (key, part)
                ).fetchone()
            )
        if not row:
            return None
        try:
            found = (_classes() if part else _graphs()).validate_json(row[0])
        except ValueError:
            # Of another version of this project: it is read anew.
            return None
        self._remember(key, part, found)
        return found


@cache
def _graphs() -> TypeAdapter[GraphSchema]:
    from pydantic import TypeAdapter

    return TypeAdapter(GraphSchema)


@cache
def _classes() -> TypeAdapter[ClassSchema]:
    from pydantic import TypeAdapter

    return TypeAdapter(ClassSchema)
