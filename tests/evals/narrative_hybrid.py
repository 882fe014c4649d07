"""Quality of the narrative channel: by words alone, with vectors, and with a listwise rerank.

The models are servers on loopback that answer the way Ollama does, deterministically: a model of
embeddings that knows words of one meaning, and a reranker that counts meanings in common. So the
figures compare the channels, and say nothing of any real model.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.documents.blocks import Block  # noqa: E402
from groundwire.metrics.about import EmbeddingChoice, ModelChoice, NarrativeChoices  # noqa: E402
from groundwire.metrics.narrative.fusion import NarrativeRetriever  # noqa: E402
from groundwire.metrics.narrative.remote import retriever_of  # noqa: E402
from groundwire.metrics.narrative.store import (  # noqa: E402
    NarrativeDocument,
    NarrativeStore,
    Scope,
)
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.narrative_queries import (  # noqa: E402
    HELD_OUT,
    MEANINGS,
    PASSAGES,
    SEEN,
    UNANSWERABLE,
)
from tests.model_servers import ModelServer  # noqa: E402

_WORDS = re.compile(r"[^\W\d_]+")
_MEANING = {
    word: number
    for number, line in enumerate(filter(None, MEANINGS.split("\n")))
    for word in line.split()
}
_SIZE = 256
_LIMIT = 5
_OPEN = Scope(frozenset(("PUBLIC",)))


def meanings(text: str) -> Counter[int]:
    """The meanings of a text: those of the table, and others by the hash of the word."""
    found: Counter[int] = Counter()
    for word in _WORDS.findall(text.casefold()):
        known = _MEANING.get(word)
        if known is not None:
            found[known] += 3
        elif len(word) > 3:
            digest = hashlib.sha256(word.encode()).digest()
            found[len(_MEANING) + digest[0] % 97] += 1
        for part, number in _MEANING.items():
            if not part.isascii() and len(part) > 1 and known is None and part in word:
                found[number] += 3
    return found


def embedding(text: str) -> list[float]:
    """A vector of the meanings."""
    vector = [0.0] * _SIZE
    for number, count in meanings(text).items():
        vector[number % _SIZE] += count
    size = math.hypot(*vector) or 1.0
    return [one / size for one in vector]


def order(query: str, passages: Sequence[str]) -> list[int]:
    """Passages by how many meanings they share with the query, as a listwise model would."""
    asked = meanings(query)
    shared = [sum((meanings(text) & asked).values()) for text in passages]
    return sorted(range(len(passages)), key=lambda at: -shared[at])


def filled(path: Path) -> NarrativeStore:
    """A store with a document a passage."""
    store = NarrativeStore(path)
    for number, text in enumerate(PASSAGES):
        document = NarrativeDocument(
            f"d{number}", "", hashlib.sha256(text.encode()).hexdigest(), "", None, "PUBLIC"
        )
        store.add(document, [Block(text, "paragraph 1", "")])
    return store


def quality(
    retriever: NarrativeRetriever, queries: Sequence[tuple[str, int]]
) -> tuple[float, float]:
    """Percent of queries whose passage is among the first five, and the mean reciprocal rank."""
    found = ranks = 0.0
    for query, number in queries:
        docs = [one.doc for one in retriever.search(query, _OPEN, _LIMIT)[0]]
        if f"d{number}" in docs:
            found += 1
            ranks += 1 / (docs.index(f"d{number}") + 1)
    return 100 * found / len(queries), 100 * ranks / len(queries)


def evaluate(argv: list[str] | None = None) -> int:
    """Run the eval; its exit code."""
    options = arguments(__doc__, argv, show=(0, "unused"))
    rng = random.Random(options.seed)
    figures: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        ModelServer(embed=embedding, rerank=order) as server,
        filled(Path(folder) / "n.sqlite") as store,
    ):
        vectors = EmbeddingChoice(provider="ollama", model="m", base_url=server.url)
        judge = ModelChoice(provider="ollama", model="m", base_url=server.url)
        kinds = {
            "words": NarrativeChoices(),
            "words and vectors": NarrativeChoices(embeddings=vectors),
            "reranked": NarrativeChoices(embeddings=vectors, rerank=judge),
        }
        for kind, choices in kinds.items():
            retriever = retriever_of(store, choices, frozenset(), Path(folder) / "v.sqlite")
            wrong = sum(bool(retriever.search(one, _OPEN)[0]) for one in UNANSWERABLE)
            figures[f"unanswerable: {kind}"] = {
                "found percent": 0.0, "reciprocal rank percent": 0.0, "found wrongly": wrong
            }  # fmt: skip
        for part, queries in (("seen", SEEN), ("held out", HELD_OUT)):
            chosen = list(queries)
            if options.fraction < 1:
                chosen = rng.sample(chosen, max(2, round(len(chosen) * options.fraction)))
            for kind, choices in kinds.items():
                retriever = retriever_of(store, choices, frozenset(), Path(folder) / "v.sqlite")
                recall, rank = quality(retriever, chosen)
                figures[f"{part}: {kind}"] = {
                    "found percent": round(recall, 2),
                    "reciprocal rank percent": round(rank, 2),
                }
    rows = [(kind, *[*values.values(), ""][:3]) for kind, values in figures.items()]
    print(table(("channel", "found in 5 %", "reciprocal rank %", "found wrongly"), rows))
    print(json.dumps({"passages": len(PASSAGES), "queries": len(SEEN) + len(HELD_OUT)}))
    if options.fraction < 1:
        return 0  # a few queries are no measure of a share
    return Ratchet(__file__, lower={"found wrongly"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(evaluate())
