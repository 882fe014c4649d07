"""What a search of narrative documents costs beside the bare FTS5 query on the same table.

    python tests/benchmarks/narrative.py [--chunks 100000] [--turns 9]

The chunks are generated, half in English and half in Chinese, in documents of 50 with levels and
entities. The bare queries have the same MATCH texts and no filter: ORDER BY bm25, LIMIT, the text.
Two ways to keep a search to what it may see are measured beside each other: the one that is used (a
look at the document of each match), and a column of tags in the index.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from _table import Measured, report

from groundwire.documents.blocks import Block
from groundwire.metrics.narrative.store import NarrativeDocument, NarrativeStore, Scope
from groundwire.textindex import all_words, any_part, informative_parts

RATIO = 2.0
LIMIT = 5
PER_DOCUMENT = 50
# A turn lasts at least this many seconds.
SHORTEST = 0.005
ALLOWED = ("PUBLIC", "INTERNAL")
LEVELS = ("PUBLIC", "INTERNAL", "RESTRICTED")
ENTITIES = tuple(f"E{number}" for number in range(20))
QUERIES = {
    "a rare word": "word4321",
    "a common word": "word3",
    "two words": "word20 word61",
    "a Chinese word": "收入",
    "a Chinese phrase": "营业收入增长",
    "a question": "what drove word40 and word900 of word77 in word350, word7777 aside",
    "a Chinese question": "为什么营业成本下降而现金利润增加多少",
    "nothing": "weather tomorrow in Paris",
}
_SYLLABLES = (
    "营业收入成本利润增长下降季度年度公司集团市场需求供应航运港口合同客户"
    "资产负债现金流投资项目风险预期比率同期主要由于增加减少影响"
)
_BARE = (
    "SELECT key, text, bm25(passages) AS away FROM passages WHERE passages MATCH ? "
    "ORDER BY away LIMIT ?"
)
_TAGGED = (
    "SELECT key, text, bm25(tagged, 1, 1, 1, 1, 0) AS away FROM tagged WHERE tagged MATCH ? "
    "ORDER BY away LIMIT ?"
)


def sentence(made: random.Random, chinese: bool) -> str:
    if chinese:
        return "".join(made.choices(_SYLLABLES, k=made.randint(14, 40))) + "。"
    # Few words are common and many are rare, as in texts.
    words = [f"word{int(made.paretovariate(0.6)) % 10_000}" for _ in range(made.randint(8, 24))]
    return " ".join(words).capitalize() + "."


def paragraph(made: random.Random, chinese: bool) -> str:
    parts = [sentence(made, chinese)]
    while sum(map(len, parts)) < 360:
        parts.append(sentence(made, chinese))
    return ("" if chinese else " ").join(parts)[:480]


def fill(store: NarrativeStore, chunks: int) -> None:
    made = random.Random(11)
    for number in range(chunks // PER_DOCUMENT):
        texts = (paragraph(made, number % 2 == 1) for _ in range(PER_DOCUMENT))
        document = NarrativeDocument(
            f"document {number}.md",
            "",
            f"{number:064x}",
            ENTITIES[number // 2 % len(ENTITIES)],
            (date(2000 + number % 25, 1, 1), date(2000 + number % 25, 12, 31)),
            LEVELS[number % 5 % 3],
        )
        # A heading of its own for each, so that a paragraph is a chunk.
        store.add(
            document,
            [Block(text, f"section '{n}', paragraph 1", f"{n}") for n, text in enumerate(texts)],
        )


def fill_tagged(path: Path) -> None:
    """The same rows with a column of tags."""
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE tagged USING fts5(key UNINDEXED, text UNINDEXED, words, "
            "characters, tags, tokenize = 'unicode61 remove_diacritics 2')"
        )
        connection.execute(
            "INSERT INTO tagged SELECT p.key, p.text, p.words, p.characters, "
            "'level' || lower(d.sensitivity) || ' entity' || lower(d.entity) "
            "FROM passages AS p JOIN documents AS d ON d.id = p.rowid >> 20"
        )


def asked(store: NarrativeStore, query: str) -> list[str]:
    """The MATCH texts that a search of the query asks, one after the other."""
    first = all_words(query)
    if store._select("SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1", (first,)):
        return [first]
    second = any_part(informative_parts(query))
    return [first] if second == first else [first, second]


def answers(connection: sqlite3.Connection, statement: str, matches: list[str]) -> list[object]:
    return [connection.execute(statement, (match, LIMIT)).fetchall() for match in matches]


def tagged_match(match: str, entity: str) -> str:
    levels = " OR ".join(f'tags : "level{level.lower()}"' for level in ALLOWED)
    within = f"({match}) AND ({levels})"
    return f'{within} AND tags : "entity{entity.lower()}"' if entity else within


def in_turns(works: list[Callable[[], object]], turns: int) -> list[list[float]]:
    """Seconds that each work takes, in turns; short ones are done several times in each."""
    repeats: list[int] = []
    for work in works:
        started = time.perf_counter()
        work()
        repeats.append(1 + min(100, int(SHORTEST / (time.perf_counter() - started))))
    times: list[list[float]] = [[] for _ in works]
    for turn in range(turns):
        for place in range(len(works)) if turn % 2 else reversed(range(len(works))):
            started = time.perf_counter()
            for _ in range(repeats[place]):
                works[place]()
            times[place].append((time.perf_counter() - started) / repeats[place])
    return times


def lines(store: NarrativeStore, tagged: sqlite3.Connection, turns: int) -> list[Measured]:
    found: list[Measured] = []
    for name, query in QUERIES.items():
        matches = asked(store, query)
        for entity in ("", ENTITIES[3]):
            scope = Scope(frozenset(ALLOWED), frozenset([entity] if entity else ()))
            within = [tagged_match(match, entity) for match in matches]
            times = in_turns(
                [
                    partial(answers, store._connection, _BARE, matches),
                    partial(store.find, query, scope, LIMIT),
                    partial(answers, tagged, _TAGGED, within),
                ],
                turns,
            )
            bare, ours, tags = map(statistics.median, times)
            ratio = statistics.median(o / b for b, o in zip(times[0], times[1], strict=True))
            label = f"{name}, one entity" if entity else name
            found.append(Measured(label, bare, ours, RATIO, paired=ratio))
            found.append(Measured("  by tags instead", bare, tags))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "narrative.sqlite"
        with NarrativeStore(path) as store:
            started = time.perf_counter()
            fill(store, arguments.chunks)
            seconds = time.perf_counter() - started
            held = sum(document.chunks for document in store.documents())
            assert held == arguments.chunks, held
            print(f"{held:,} chunks imported in {seconds:.1f} s, {path.stat().st_size:,} bytes")
            with sqlite3.connect(path) as other:
                other.execute("PRAGMA wal_checkpoint")
            fill_tagged(path)
            with sqlite3.connect(path) as tagged:
                table = lines(store, tagged, arguments.turns)
            tagged.close()
    return report(table)


if __name__ == "__main__":
    sys.exit(main())
