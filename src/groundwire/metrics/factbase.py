"""A fact base: a profile, the facts and documents that belong to it, and what is derived of both.

Hosts run for days, so files that change are noticed and read anew; a call that has begun ends on
the state it began with, whose stores are closed when no call holds it any more.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, cast, runtime_checkable

from groundwire.errors import ConfigurationError, GroundwireError, UnavailableError
from groundwire.metrics.about import read_about
from groundwire.private_files import private_folder
from groundwire.process_lock import alone
from groundwire.statefile import is_busy

if TYPE_CHECKING:
    from groundwire.metrics.facts.store import SqliteFacts
    from groundwire.metrics.gate.screen import SecurityGate
    from groundwire.metrics.intent.mentions import Mentions
    from groundwire.metrics.intent.parsed import IntentParser, ParsedIntent
    from groundwire.metrics.models.opening import Warehouse
    from groundwire.metrics.models.warehouse import WarehouseStore
    from groundwire.metrics.names import Names
    from groundwire.metrics.narrative.fusion import NarrativeRetriever
    from groundwire.metrics.narrative.store import NarrativeStore
    from groundwire.metrics.profile import Profile
    from groundwire.metrics.sources import Owner
    from groundwire.metrics.table.query import TableStore
    from groundwire.metrics.table.stores import Tables
    from groundwire.state import StatePlace
    from groundwire.tables.engine import Engine


_MARK_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Places:
    """Where a fact base lies.

    Attributes:
        profile: the profile's file.
        facts: the file or the database of the facts, or None for the file that belongs to the
            profile.
        home: folder for what belongs to no named file.
        models: files of the semantic models of a warehouse; empty where there is none.
        warehouse: URL of its engine, or "".
    """

    profile: Path
    facts: StatePlace | None
    home: Path
    models: tuple[Path, ...] = ()
    warehouse: str = ""

    @property
    def mark(self) -> str:
        """Short hash of where the profile lies: two profiles may have one name."""
        # Links are not followed: one that is set to a newer profile keeps what was imported.
        where = os.path.abspath(self.profile)  # noqa: PTH100
        return hashlib.sha256(os.fsencode(where)).hexdigest()[:_MARK_LENGTH]

    def facts_of(self, profile: Profile) -> StatePlace:
        """Where the facts of a profile are; by default a file named after it and where it lies.

        A profile that is moved has a new file, into which facts are taken anew.
        """
        return self.facts or self._own(profile)

    def _own(self, profile: Profile) -> Path:
        return self.home / "facts" / f"{profile.profile.name}-{self.mark}.sqlite"

    def narrative_of(self, profile: Profile) -> Path:
        """The file of the documents of a profile, beside its facts where they are in a file."""
        facts = self.facts if isinstance(self.facts, Path) else self._own(profile)
        return facts.with_name(f"{facts.stem}.narrative.sqlite")


IMPORT_SECONDS = 20.0
"""How long a call waits for another process that imports what comes with the profile."""

_LOOK_AGAIN_AFTER = 1.0
Progress = Callable[[str, int, int], None]


@runtime_checkable
class _Closable(Protocol):
    def close(self) -> None: ...


Store = TypeVar("Store", bound=_Closable)


@dataclass(frozen=True)
class State:
    """One consistent reading of a fact base.

    Attributes:
        profile: what there is to ask about.
        names: its vocabularies.
        store: the facts.
        narrative: the documents.
        problems: sources that could not be read, one line each.
        warehouse: a warehouse beside the facts, or None.
        vectors: where embeddings of passages are kept; None keeps them in memory.
    """

    profile: Profile
    names: Names
    store: SqliteFacts
    narrative: NarrativeStore
    problems: tuple[str, ...]
    warehouse: TableStore | None = None
    vectors: Path | None = None

    @cached_property
    def tables(self) -> Tables:
        """The facts and the warehouse as stores of tables."""
        from groundwire.metrics.table.stores import FactTables, Tables

        return Tables(FactTables(self), self.warehouse)

    def __post_init__(self) -> None:
        """Let the store answer for formula metrics too, where the profile has any."""
        if any(one.formula for one in self.profile.metrics):
            from groundwire.metrics.formula_facts import FormulaFacts

            if not isinstance(self.store, FormulaFacts):
                wrapped = cast("SqliteFacts", FormulaFacts(self.store, self.profile))
                object.__setattr__(self, "store", wrapped)

    @cached_property
    def gate(self) -> SecurityGate:
        """The gate, which screens every text first, on every path."""
        from groundwire.metrics.gate.screen import SecurityGate

        protected = [
            name for one in self.profile.entities for name in (one.code, one.name, *one.aliases)
        ]
        return SecurityGate(self.profile.external, self.homes, protected)

    @cached_property
    def homes(self) -> tuple[str, ...]:
        """Names of the home entities."""
        codes = [kind.home for kind in self.profile.kinds.values() if kind.home]
        return tuple(self.profile.entity_by_code[code].name for code in codes)

    @cached_property
    def mentions(self) -> Mentions:
        """The vocabularies that find controlled terms in a text."""
        from groundwire.metrics.intent.mentions import Mentions

        return Mentions(self.names)

    @cached_property
    def parser(self) -> IntentParser:
        """The parser of questions: the rules, or what the profile names instead, within bounds."""
        from groundwire.metrics.intent.parser import RuleIntentParser

        rules = RuleIntentParser(self.names, self.gate)
        if self.profile.intent.parser == "rules":
            return rules
        from groundwire.metrics.intent.replacing import ReplacedParser

        return ReplacedParser(self.profile, rules, self.gate)

    def read(self, question: str) -> tuple[ParsedIntent, str]:
        """Read a question; with a line that says who read it where that was to be another.

        Raises:
            InputError: it is too long.
            ConfigurationError: the profile names a parser that is not installed.
        """
        if self.profile.intent.parser == "rules":
            return self.parser.parse(question), ""
        from groundwire.metrics.intent.replacing import ReplacedParser

        assert isinstance(self.parser, ReplacedParser)
        return self.parser.parse_noted(question)

    @cached_property
    def retriever(self) -> NarrativeRetriever:
        """The search for passages, with the models that the profile names."""
        choices = self.profile.narrative
        if choices.embeddings is None and choices.rerank is None:
            from groundwire.metrics.narrative.fusion import NarrativeRetriever

            return NarrativeRetriever(self.narrative)
        from groundwire.metrics.narrative.remote import retriever_of

        withheld = frozenset(self.profile.sensitivity.withheld)
        return retriever_of(self.narrative, choices, withheld, self.vectors)


class FactBase:
    """Opens a fact base when it is first asked and keeps it current. Threads may share it."""

    def __init__(
        self,
        places: Places,
        progress: Progress | None = None,
        today: Callable[[], date] = date.today,
        warehouse: TableStore | None = None,
    ) -> None:
        """Name a fact base; nothing is read yet.

        Args:
            places: where it lies.
            progress: told the kind of work, how much is done and how much there is.
            today: the day that relative periods count from.
            warehouse: what answers beside the facts, in place of the warehouse of `places`.
        """
        self.places = places
        self.warehouse = warehouse
        self.today = today
        self._progress = progress
        self._lock = threading.Lock()
        self._state: State | None = None
        self._signature: object = None
        self._looked = 0.0
        self._closing: list[weakref.finalize[..., State]] = []

    def state(self) -> State:
        """The current state, read anew where a file changed since the last look.

        Raises:
            ConfigurationError: the profile cannot be read, or there are no facts where they are
                said to be.
            UnavailableError: the store is locked, or no store.
        """
        state = self._state
        if state is not None and time.monotonic() - self._looked < _LOOK_AGAIN_AFTER:
            return state
        with self._lock:
            signature = self._signature_now()
            if self._state is None or signature != self._signature:
                # Calls that began on the state before keep it, and so its stores, open.
                opened = self._state = self._open()
                stores: list[_Closable] = [opened.store, opened.narrative]
                if isinstance(opened.warehouse, _Closable):
                    stores.append(opened.warehouse)
                closing = weakref.finalize(opened, _close, *stores)
                self._closing = [*(one for one in self._closing if one.alive), closing]
                self._signature = self._signature_now()
            self._looked = time.monotonic()
            return self._state

    def examples(self) -> dict[str, str]:
        """Examples of arguments, as the profile gives them.

        Raises:
            ConfigurationError: the profile cannot be read.
        """
        about = read_about(self.places.profile)
        named = {
            "metric": about.example_metric,
            "entity": about.example_entity,
            "period": about.example_period,
        }
        return {name: example for name, example in named.items() if example}

    def close(self) -> None:
        """Close the stores. Closing twice does nothing."""
        with self._lock:
            closing, self._closing, self._state = self._closing, [], None
        for close in closing:
            close()

    def _signature_now(self) -> object:
        """Return a mark that changes with the profile and its files; stores watch their own."""
        files = [self.places.profile, *self.places.models]
        if self._state is not None:
            files += [self.places.profile.parent / name for name in _files(self._state.profile)]
        return [*map(_stamp, files)]

    def _open(self) -> State:
        from groundwire.metrics.names import Names
        from groundwire.metrics.profile import load_profile

        profile = load_profile(self.places.profile)
        with self._importing_alone(profile):
            store, problems = self._with_facts(profile)
            try:
                narrative, unread = self._with_documents(profile)
            except GroundwireError:
                store.close()
                raise
        problems = (*problems, *unread)
        documents = self.places.narrative_of(profile)
        vectors = documents.with_suffix(".vectors.sqlite") if documents.parent.is_dir() else None
        warehouse = self.warehouse or self._warehouse(profile)
        return State(profile, Names(profile), store, narrative, problems, warehouse, vectors)

    def _warehouse(self, profile: Profile) -> TableStore | None:
        """The warehouse beside the facts, which is opened by the first question to it."""
        places = self.places
        if not places.models:
            return None
        withheld = profile.sensitivity.withheld
        return warehouse_of(places.models, places.warehouse, withheld, places.home / "models")

    @contextmanager
    def _importing_alone(self, profile: Profile) -> Generator[None]:
        """Let one process after the other take in what comes with the profile.

        Who comes second finds it there.

        Raises:
            UnavailableError: another process is still at it.
        """
        path = self.places.narrative_of(profile)
        # A folder that cannot be made is reported by the store that needs it.
        with suppress(OSError):
            private_folder(path.parent)
        with alone(path.with_suffix(".lock"), IMPORT_SECONDS) as held:
            if not held:
                raise UnavailableError(
                    f"The facts of {profile.profile.name} are being imported by another process, "
                    f"which takes longer than {IMPORT_SECONDS:g} s: try again in 30 s."
                )
            yield

    def _with_facts(self, profile: Profile) -> tuple[SqliteFacts, tuple[str, ...]]:
        """The store of the facts; one that was named is taken as it is."""
        from groundwire.metrics.facts.store import SqliteFacts
        from groundwire.metrics.importing.load import take_in_facts

        place, owner = self.places.facts_of(profile), self._owner(profile)
        if not isinstance(place, Path):
            return SqliteFacts(place), ()
        if self.places.facts is None:
            return _filled(
                SqliteFacts,
                place,
                lambda store: take_in_facts(owner, store, self.today(), self._progress),
            )
        if not place.is_file():
            raise ConfigurationError(
                f"There is no fact store {place}: `groundwire metrics import FILE` makes it, or "
                "unset GROUNDWIRE_FACTS for the facts that come with the profile."
            )
        return SqliteFacts(place), ()

    def _with_documents(self, profile: Profile) -> tuple[NarrativeStore, tuple[str, ...]]:
        from groundwire.metrics.narrative.store import NarrativeStore
        from groundwire.metrics.sources import take_in_documents

        owner = self._owner(profile)
        return _filled(
            NarrativeStore,
            self.places.narrative_of(profile),
            lambda store: take_in_documents(owner, store, self.today()),
        )

    def _owner(self, profile: Profile) -> Owner:
        from groundwire.metrics.sources import Owner

        return Owner(profile, self.places.profile.parent, self.places.mark)


def _filled(
    make: Callable[[Path | None], Store], path: Path, fill: Callable[[Store], tuple[str, ...]]
) -> tuple[Store, tuple[str, ...]]:
    """A store with what comes with the profile: in memory where its file cannot be made."""
    try:
        return _opened(make, path, fill)
    except UnavailableError:
        if _holds_documents(path):
            raise
        return _opened(make, None, fill)


def _holds_documents(path: Path) -> bool:
    """Whether a file holds what came from somewhere; one that is locked or cannot be read may."""
    uri = path.absolute().as_uri()
    try:
        if not path.stat().st_size:
            return False
        for mode in ("mode=ro", "immutable=1"):
            try:
                with closing(sqlite3.connect(f"{uri}?{mode}", uri=True)) as file:
                    (tables,) = file.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                    if not tables:
                        return False
                    return file.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None
            except sqlite3.OperationalError as error:
                if is_busy(error):
                    return True
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, sqlite3.Error):
        return True
    return True


def _opened(
    make: Callable[[Path | None], Store],
    path: Path | None,
    fill: Callable[[Store], tuple[str, ...]],
) -> tuple[Store, tuple[str, ...]]:
    store = make(path)
    try:
        return store, fill(store)
    except GroundwireError:
        store.close()
        raise


def _close(*stores: _Closable) -> None:
    for store in stores:
        store.close()


def _files(profile: Profile) -> list[str]:
    """Files that a profile names."""
    named = [name for source in profile.sources for name in (source.file, source.mapping)]
    return [*named, *(document.file for document in profile.documents)]


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (str(path), 0, -1)
    return (str(path), found.st_mtime_ns, found.st_size)


def warehouse_of(
    models: Sequence[Path], url: str, withheld: Collection[str] = (), kept: Path | None = None
) -> Warehouse:
    """A warehouse that reads its models and opens its engine at the first question.

    Args:
        models: files of the models, all of one engine.
        url: of the engine, see `groundwire.tables.opening`.
        withheld: levels of which nothing is offered.
        kept: folder in which models are kept as they were read; None: nowhere.
    """
    from groundwire.metrics.models.opening import Warehouse

    def make(engine: Engine) -> WarehouseStore:
        from groundwire.metrics.models.loading import load_models
        from groundwire.metrics.models.warehouse import WarehouseStore

        return WarehouseStore(load_models(models, engine.dialect, kept), engine, withheld)

    return Warehouse(url, make)
