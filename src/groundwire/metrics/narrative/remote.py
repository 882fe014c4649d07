"""The channels of a search that a model helps: vectors of passages, and a listwise order.

Every request goes through the guarded client to the one address that the profile names. A model
that is down, slow or answers nonsense is an `UnavailableError`, which the search tells and goes on
without it; it is then left alone for a while.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
import time
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.metrics.about import (
    OPENAI_URL,
    EmbeddingChoice,
    ModelChoice,
    NarrativeChoices,
)
from groundwire.metrics.narrative.fusion import NarrativeRetriever
from groundwire.metrics.narrative.store import NarrativeStore, Passage, Scope
from groundwire.textindex import Database

Vector = tuple[float, ...]

_APPLICATION = 0x47574556  # "GWEV"


class EmbeddingCache:
    """Embeddings by the hash of model, address and text. A text that is sent once is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._held: dict[str, Vector] = {}

    def known(self, space: str, texts: Sequence[str]) -> dict[str, Vector]:
        """The embeddings of those texts that have one.

        Args:
            space: the model and where it is: embeddings of two models do not compare.
            texts: the texts.

        Raises:
            UnavailableError: the file cannot be read.
        """
        digests = {_digest(space, text): text for text in texts}
        found = {
            text: vector
            for digest, text in digests.items()
            if (vector := self._held.get(digest)) is not None
        }
        rest = [digest for digest, text in digests.items() if text not in found]
        if self._path is not None and rest and self._path.is_file():
            with _Vectors(self._path) as file:
                found |= {digests[digest]: vector for digest, vector in file.read(rest)}
        return found

    def keep(self, space: str, embedded: Mapping[str, Vector]) -> None:
        """Keep embeddings by their text.

        Raises:
            UnavailableError: the file cannot be written.
        """
        rows = {_digest(space, text): vector for text, vector in embedded.items()}
        if self._path is None:
            self._held |= rows
            return
        with _Vectors(self._path) as file:
            file.write(rows)


class _Vectors(Database):
    """The file of embeddings."""

    what = "store of embeddings"
    remedy = "remove the file; embeddings are made anew"

    def read(self, digests: Sequence[str]) -> list[tuple[str, Vector]]:
        """The embeddings of some hashes."""
        rows = self._select(
            "SELECT digest, vector FROM embeddings "
            "WHERE digest IN (SELECT value FROM json_each(:digests))",
            {"digests": json.dumps(list(digests))},
        )
        return [(str(digest), _unpacked(vector)) for digest, vector in rows]

    def write(self, vectors: Mapping[str, Vector]) -> None:
        """Add embeddings, all or none."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO embeddings VALUES (?, ?)",
                [(digest, array("f", vector).tobytes()) for digest, vector in vectors.items()],
            )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application == _APPLICATION:
            return
        if tables or application:
            raise self._unavailable("it is another kind of file")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS embeddings (digest TEXT PRIMARY KEY, vector BLOB NOT NULL) "
            "WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")


class VectorIndex:
    """Vectors by the number of their chunk, which no other chunk ever has."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}
        self._vectors: list[Vector] = []
        self._matrix: Any = None

    def missing(self, keys: Sequence[int]) -> list[int]:
        """The keys without a vector."""
        return [key for key in keys if key not in self._rows]

    def sizes(self) -> set[int]:
        """How many numbers the vectors have; empty without any."""
        return {len(self._vectors[0])} if self._vectors else set()

    def add(self, keys: Sequence[int], vectors: Sequence[Vector]) -> None:
        """Take in vectors of length one."""
        for key, vector in zip(keys, vectors, strict=True):
            if key not in self._rows:
                self._rows[key] = len(self._vectors)
                self._vectors.append(vector)
        self._matrix = None

    def nearest(self, vector: Vector, keys: Sequence[int], limit: int, least: float) -> list[int]:
        """Those of the keys whose vectors are most like one, best first.

        Args:
            vector: of length one.
            keys: what may be found.
            limit: how many at most.
            least: the cosine below which nothing is found.
        """
        import numpy

        places = [(key, self._rows[key]) for key in keys if key in self._rows]
        if not places:
            return []
        if self._matrix is None:
            self._matrix = numpy.array(self._vectors, dtype=numpy.float32)
        scores = self._matrix[[row for _, row in places]] @ numpy.array(vector, numpy.float32)
        best = numpy.argsort(-scores, kind="stable")[:limit]
        return [places[int(at)][0] for at in best if float(scores[at]) >= least]


KEY_VARIABLE = "GROUNDWIRE_NARRATIVE_KEY"
"""The key of a model at an address that a profile names. OPENAI_API_KEY goes to OpenAI alone."""

_BATCH = 16
_MOST_BYTES = 64 * 1024 * 1024
_LONGEST_PASSAGE = 1_200
_LEFT_ALONE = 30.0
_MOST_DIMENSIONS = 16_384


def retriever_of(
    store: NarrativeStore,
    choices: NarrativeChoices,
    withheld: frozenset[str],
    cache: Path | None,
) -> NarrativeRetriever:
    """The search of a store with the channels that a profile names; by words alone without any.

    Args:
        store: the documents.
        choices: the models.
        withheld: levels whose passages are sent to no model, whatever a scope allows.
        cache: where embeddings are kept; None keeps them in memory.
    """
    vectors = None
    if choices.embeddings is not None:
        vectors = RemoteVectors(store, choices.embeddings, withheld, EmbeddingCache(cache))
    reranker = RemoteReranker(choices.rerank, withheld) if choices.rerank is not None else None
    return NarrativeRetriever(store, vectors, reranker)


class _Model:
    """Asks one model at one address."""

    def __init__(self, choice: ModelChoice, what: str) -> None:
        self.choice = choice
        self._what = what
        self._alone_until = 0.0

    def post(self, path: str, body: dict[str, object], end: float) -> dict[str, Any]:
        """The answer to one request, as JSON.

        Raises:
            UnavailableError: it did not answer in time, or not with a JSON object.
        """
        now = time.monotonic()
        if now < self._alone_until:
            raise self.failure("it failed a moment ago and is left alone")
        try:
            return self._asked(path, body, max(end - now, 0.01))
        except GroundwireError as error:
            self._alone_until = time.monotonic() + _LEFT_ALONE
            raise self.failure(str(error)) from error

    def failure(self, reason: str) -> UnavailableError:
        """The error that names the model and what it did."""
        return UnavailableError(f"the model of {self._what} {self.choice.model!r}: {reason}")

    def nonsense(self, reason: str) -> UnavailableError:
        """The error of an answer that cannot be used."""
        self._alone_until = time.monotonic() + _LEFT_ALONE
        return self.failure(reason)

    def _asked(self, path: str, body: dict[str, object], seconds: float) -> dict[str, Any]:
        from groundwire.transport.client import GuardedClient
        from groundwire.transport.targets import RequestPolicy

        key = self._key()
        url = f"{self.choice.address}{path}"

        async def ask() -> dict[str, Any]:
            client = GuardedClient(RequestPolicy.naming(self.choice.address))
            try:
                answer = await client.request(
                    "POST", url,
                    headers={"Content-Type": "application/json", "Accept": "application/json"},
                    content=json.dumps(body).encode(), auth=key or None,
                    deadline=seconds, max_bytes=_MOST_BYTES,
                )  # fmt: skip
            finally:
                await client.aclose()
            if answer.status != 200:
                raise UnavailableError(f"it answered with status {answer.status}")
            if answer.truncated:
                raise UnavailableError("its answer was cut")
            try:
                tree: object = json.loads(answer.body)
            except ValueError:
                raise UnavailableError("its answer is no JSON") from None
            if not isinstance(tree, dict):
                raise UnavailableError("its answer is no JSON object")
            return cast("dict[str, Any]", tree)

        return _run(ask)

    def _key(self) -> str:
        if self.choice.provider != "openai":
            return ""
        own = self.choice.address == OPENAI_URL
        return os.environ.get("OPENAI_API_KEY" if own else KEY_VARIABLE, "").strip()


def _run(ask: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """Await in a thread of its own: a caller may have an event loop in this one."""
    import anyio

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, ask).result()


class RemoteVectors:
    """Finds chunks by the likeness of their embeddings to that of the query."""

    def __init__(
        self,
        store: NarrativeStore,
        choice: EmbeddingChoice,
        withheld: frozenset[str],
        cache: EmbeddingCache,
    ) -> None:
        self._store = store
        self._choice = choice
        self._withheld = withheld
        self._cache = cache
        self._model = _Model(choice, "embeddings")
        self._index = VectorIndex()
        self._space = f"{choice.provider} {choice.address} {choice.model}"

    def rank(self, query: str, scope: Scope, limit: int) -> Sequence[int]:
        """Keys of the chunks nearest in meaning, best first.

        Chunks that have no embedding yet get one, as many as the time allows; each is sent once,
        since embeddings are kept by the hash of their text.

        Raises:
            UnavailableError: the model gives no embeddings, or the time ends before all have one.
        """
        end = time.monotonic() + self._choice.timeout
        seen = Scope(scope.allowed - self._withheld, scope.entities, scope.period)
        keys = self._store.keys(seen)
        missing = self._index.missing(keys)
        for first in range(0, len(missing), _BATCH):
            batch = missing[first : first + _BATCH]
            passages = self._store.passages(batch, seen)
            vectors = self._embedded([one.text for one in passages], end)
            self._index.add([one.key for one in passages], vectors)
            if time.monotonic() > end and first + _BATCH < len(missing):
                left = len(missing) - first - _BATCH
                raise self._model.failure(
                    f"{left:,} passages have no embedding yet; the next searches go on with them"
                )
        asked = self._embedded([query], end)
        return self._index.nearest(asked[0], keys, limit, self._choice.least_similarity)

    def _embedded(self, texts: list[str], end: float) -> list[Vector]:
        known = self._cache.known(self._space, texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            found = dict(zip(new, self._asked(new, end), strict=True))
            self._cache.keep(self._space, found)
            known |= found
        return [known[text] for text in texts]

    def _asked(self, texts: list[str], end: float) -> list[Vector]:
        if self._choice.provider == "ollama":
            body: dict[str, object] = {"model": self._choice.model, "input": texts}
            answer = self._model.post("/api/embed", body, end)
            rows: object = answer.get("embeddings")
        else:
            body = {"model": self._choice.model, "input": texts, "encoding_format": "float"}
            rows = _by_index(self._model.post("/embeddings", body, end).get("data"))
        vectors = _vectors(rows)
        sizes = {len(vector) for vector in vectors} | self._index.sizes()
        if len(vectors) != len(texts) or len(sizes) != 1:
            raise self._model.nonsense("it answered with no embedding for each text")
        return vectors


def _by_index(data: object) -> list[object]:
    """The embeddings of an OpenAI answer in the order of the texts."""
    if not isinstance(data, list):
        return []
    rows: list[dict[str, object]] = [
        cast("dict[str, object]", one)
        for one in cast("list[object]", data)
        if isinstance(one, dict)
    ]
    placed = {at: one.get("embedding") for one in rows if type(at := one.get("index")) is int}
    return [placed.get(at) for at in range(len(rows))]


def _vectors(rows: object) -> list[Vector]:
    """The rows that are vectors of finite numbers, each of length one."""
    found: list[Vector] = []
    for row in cast("list[object]", rows) if isinstance(rows, list) else []:
        numbers = cast("list[object]", row) if isinstance(row, list) else []
        if not 0 < len(numbers) <= _MOST_DIMENSIONS:
            continue
        values = [float(one) for one in numbers if isinstance(one, int | float)]
        size = math.hypot(*values)
        if len(values) == len(numbers) and math.isfinite(size) and size > 0:
            found.append(tuple(one / size for one in values))
    return found


class RemoteReranker:
    """Puts passages in the order that a model gives them, seeing all at once."""

    def __init__(self, choice: ModelChoice, withheld: frozenset[str]) -> None:
        self._choice = choice
        self._withheld = withheld
        self._model = _Model(choice, "rerank")

    def rerank(self, query: str, passages: Sequence[Passage]) -> Sequence[int]:
        """Places in `passages`, counted from 0, best first.

        Raises:
            UnavailableError: the model gives no order.
        """
        shown = [at for at, one in enumerate(passages) if one.sensitivity not in self._withheld]
        if len(shown) < 2:
            return shown
        texts = [" ".join(passages[at].text.split())[:_LONGEST_PASSAGE] for at in shown]
        lines = "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, start=1))
        template = Path(__file__).with_name("rerank_prompt.txt").read_text("utf-8")
        asked = " ".join(query.split())
        head, _, _ = template.partition("{passages}")
        prompt = head.replace("{question}", asked) + lines
        body: dict[str, object] = {
            "model": self._choice.model,
            "messages": [{"role": "user", "content": prompt}],
        }
        end = time.monotonic() + self._choice.timeout
        if self._choice.provider == "ollama":
            body |= {"stream": False, "format": "json", "options": {"temperature": 0}}
            answer = self._model.post("/api/chat", body, end)
            message: object = answer.get("message")
        else:
            body |= {"temperature": 0, "response_format": {"type": "json_object"}}
            answer = self._model.post("/chat/completions", body, end)
            message = _first_message(answer.get("choices"))
        order = _order(message)
        places = [shown[number - 1] for number in order if 1 <= number <= len(shown)]
        if not places:
            raise self._model.nonsense("it answered with no order of the passages")
        return places


def _first_message(choices: object) -> object:
    listed = cast("list[object]", choices) if isinstance(choices, list) else []
    first = listed[0] if listed else None
    return cast("dict[str, object]", first).get("message") if isinstance(first, dict) else None


def _order(message: object) -> list[int]:
    """The numbers of an answer; [] where it holds none."""
    content = cast("dict[str, object]", message).get("content") if isinstance(message, dict) else ""
    try:
        tree: object = json.loads(content) if isinstance(content, str) else None
    except (ValueError, RecursionError):
        return []
    order = cast("dict[str, object]", tree).get("order") if isinstance(tree, dict) else None
    listed = cast("list[object]", order) if isinstance(order, list) else []
    return [one for one in listed if type(one) is int]


def _digest(space: str, text: str) -> str:
    return hashlib.sha256(f"{space}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _unpacked(packed: bytes) -> Vector:
    numbers: array[float] = array("f")
    numbers.frombytes(packed)
    return tuple(numbers)
