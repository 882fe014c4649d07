"""Whether lists of changes to a concept graph keep it sound, and come back exactly.

Random lists of operations run on a graph of the size of Metacademy (its own, or one of AL-CPL,
where the folder of real data has them) and, at the same time, on a plain model of it: sets of names
and edges, judged by networkx. Then names and sentences of a small graph are read, and requests of a
third hand run.

- cycles: committed graphs in which an acyclic relation has a cycle.
- other_verdict: lists that were committed or refused where the model says otherwise.
- longer_cycle: refusals whose cycle is not as short as the shortest that networkx finds.
- other_state: committed lists after which nodes, edges or cards are not those of the model.
- undo_exact_percent: undone lists after which the hash, and every row, is the one before.
- unnamed: undos of older changes that were refused without a later change, or cards, as the reason.
- older_exact_percent: older changes that were undone and had again, with the hash and every row as
  they were.
- other_outcome, bad_committed: requests that came to something else, and bad ones that were stored.
- stale_hash: graphs whose kept hash, or order numbers, are not those computed anew.

Run: python tests/evals/learning_concepts.py [--fraction 0.1] [--seed 7] [--show 5]
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))

from _report import Ratchet, arguments, table  # noqa: E402

from groundwire.errors import GroundwireError  # noqa: E402
from groundwire.evidence.claims.check import check  # noqa: E402
from groundwire.learning.concepts.changing import (  # noqa: E402
    ChangeRequest,
    submit_graph_changes,
)
from groundwire.learning.concepts.graph import StoredGraph  # noqa: E402
from groundwire.learning.concepts.names import resolve_concept  # noqa: E402
from groundwire.learning.concepts.query import ConceptRequest, query_concepts  # noqa: E402
from groundwire.learning.concepts.rules import read_rules  # noqa: E402
from groundwire.learning.learner import learning_file  # noqa: E402
from groundwire.profiles import FOLDER  # noqa: E402
from tests.evals.learning_concepts_model import (  # noqa: E402
    Model,
    big_graph,
    random_list,
    turned,
)
from tests.evidence.drafts import record  # noqa: E402

CASES = Path(__file__).with_name("learning_concepts_cases")
RULES = read_rules(FOLDER / "learning.toml")
# Of all lists, and where a part of the eval is asked for: then of these a part is made.
LISTS, SAMPLED = 100_000, 30_000
RENEWED_AFTER = 2_000
OWNER = "local"
COUNTED = ("cycles", "other_verdict", "longer_cycle", "other_state", "stale_hash", "unnamed")

SMALL = [
    ("Function", "Funktion"),
    ("Limit", "Grenzwert"),
    ("Derivative", "Ableitung", "导数", "مشتق"),
    ("Integral",),
    ("Water", "Wasser"),
    ("Sea water", "Meerwasser"),
    ("Bicycle", "Fahrrad"),
    ("Wheel", "Rad"),
]
SMALL_EDGES = [
    ("Function", "prerequisite", "Limit"),
    ("Function", "prerequisite", "Derivative"),
    ("Limit", "prerequisite", "Derivative"),
    ("Derivative", "prerequisite", "Integral"),
    ("Sea water", "is_a", "Water"),
    ("Wheel", "part_of", "Bicycle"),
]


def opened(folder: Path, name: str) -> Any:
    """A new file of learning whose commits do not wait for the disk, which no figure needs."""
    state = learning_file(folder / name)
    state._synchronous = "OFF"
    return state


def submitted(state: Any, operations: list[dict[str, Any]], **more: Any) -> Any:
    request = ChangeRequest(tuple(operations), rationale="a list of the eval", **more)
    return submit_graph_changes(state, RULES, OWNER, request)[0]


def filled(state: Any, model: Model) -> None:
    """Store the graph of a model, with a card for every third concept."""
    names = sorted(model.nodes)
    for first in range(0, len(names), 400):
        some = [{"op": "add_node", "name": name} for name in names[first : first + 400]]
        assert submitted(state, some).status == "committed"
    edges = sorted(model.edges)
    for first in range(0, len(edges), 400):
        some = [
            {"op": "add_edge", "source": a, "relation": r, "target": b}
            for a, r, b in edges[first : first + 400]
        ]
        assert submitted(state, some).status == "committed"
    with state.writing() as connection:
        ids = dict(connection.execute("SELECT name, node_id FROM nodes"))
        for card, name in model.cards:
            connection.execute(
                "INSERT INTO card_concepts VALUES (?, ?, ?)", (OWNER, card, ids[name])
            )


def rows(connection: sqlite3.Connection) -> tuple[Any, ...]:
    """Everything that an undo must bring back: all but the versions of nodes."""
    return tuple(
        tuple(connection.execute(text))
        for text in (
            "SELECT owner, node_id, type, name, folded, data FROM nodes ORDER BY 1, 2",
            "SELECT * FROM edges ORDER BY 1, 2, 3, 4",
            "SELECT * FROM node_aliases ORDER BY 1, 2, 3",
            "SELECT * FROM card_concepts ORDER BY 1, 2, 3",
        )
    )


def as_model(connection: sqlite3.Connection) -> tuple[Any, ...]:
    """The stored graph by names, as `Model.state` has it."""
    names = dict(connection.execute("SELECT node_id, name FROM nodes"))
    edges = connection.execute("SELECT source_id, relation, target_id FROM edges")
    cards = connection.execute("SELECT card_id, node_id FROM card_concepts")
    return (
        set(names.values()),
        {turned((names[a], relation, names[b])) for a, relation, b in edges},
        {(card, names[node]) for card, node in cards},
    )


def is_stale(connection: sqlite3.Connection) -> bool:
    """Whether the kept hash or an order number is not what the rows say."""
    graph = StoredGraph(connection, OWNER)
    places: dict[tuple[str, str], int] = {
        (relation, node): place
        for relation, node, place in connection.execute(
            "SELECT relation, node_id, place FROM places WHERE owner = ?", (OWNER,)
        )
    }
    edges = connection.execute("SELECT source_id, relation, target_id FROM edges")
    ordered = all(
        places[relation, a] < places[relation, b]
        for a, relation, b in edges
        if RULES.relations[relation].acyclic
    )
    return graph.hash() != graph.computed_hash() or not ordered


def run_lists(count: int, choose: random.Random, show: int) -> Counter[str]:
    """Run random lists; returns the counts of what happened."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for batch, first in enumerate(range(0, count, RENEWED_AFTER)):
            state = opened(Path(folder) / str(batch), "")
            model = big_graph(choose)
            filled(state, model)
            kept: list[str] = []
            for _ in range(min(RENEWED_AFTER, count - first)):
                one_list(state, model, choose, seen, show, kept)
                if kept and choose.random() < 0.05:
                    older(state, choose.choice(kept[-200:]), seen, show)
            state.close()
    return seen


def one_list(
    state: Any,
    model: Model,
    choose: random.Random,
    seen: Counter[str],
    show: int,
    kept: list[str],
) -> None:
    """Run one list on the graph and on the model; half of those that are committed are undone."""
    operations = random_list(model, choose)
    expected = model.after(operations, RULES)
    closely = choose.random() < 0.1
    before: tuple[Any, ...] = ()
    if closely:
        with state.reading() as connection:
            before = rows(connection)
    result = submitted(state, operations)
    seen["lists"] += 1
    seen[result.status] += 1
    wrong = (result.status == "committed") != (expected.refused == "")
    if wrong:
        seen["other_verdict"] += 1
        if seen["other_verdict"] <= show:
            print("other verdict:", operations, result.stages, expected.refused)
        if result.status == "committed":
            submitted(state, [], undo=result.change_id)
        return
    if result.status != "committed":
        if expected.refused == "cycle":
            seen["cycles_refused"] += 1
            found = min(
                len(one.cycle) for s in result.stages for one in s.violations or () if one.cycle
            )
            seen["longer_cycle"] += found - 1 != expected.shortest
        return
    undone = choose.random() < 0.5
    if undone:
        back = submitted(state, [], undo=result.change_id)
        seen["undone"] += 1
        exact = back.status == "committed" and back.hash_after == result.hash_before
        if closely:
            with state.reading() as connection:
                exact &= rows(connection) == before
        seen["exact"] += exact
        if not exact and seen["undone"] - seen["exact"] <= show:
            print("not exact:", operations, back)
    else:
        model.take(expected)
        kept.append(result.change_id)
    if closely:
        with state.reading() as connection:
            seen["compared"] += 1
            seen["other_state"] += as_model(connection) != model.state()
            seen["cycles"] += model.has_cycle(RULES)
            if choose.random() < 0.2:
                seen["stale_hash"] += is_stale(connection)


def older(state: Any, change_id: str, seen: Counter[str], show: int) -> None:
    """Undo an older change and have it again, where nothing later depends on it."""
    with state.reading() as connection:
        before = rows(connection)
    back = submitted(state, [], undo=change_id)
    if back.status != "committed":
        seen["older_refused"] += 1
        reasons = back.stages[-1].violations
        named = all(one.depends or "cards that are about it" in one.message for one in reasons)
        seen["unnamed"] += not named
        if not named and seen["unnamed"] <= show:
            print("unnamed:", back)
        return
    seen["older_undone"] += 1
    with state.reading() as connection:
        seen["stale_hash"] += is_stale(connection) if seen["older_undone"] % 10 == 0 else 0
    again = submitted(state, [], undo=back.change_id)
    with state.reading() as connection:
        exact = again.status == "committed" and rows(connection) == before
    seen["older_exact"] += exact
    if not exact and seen["older_undone"] - seen["older_exact"] <= show:
        print("older not exact:", back, again)


def small(folder: Path) -> Any:
    """The small graph of the cases."""
    state = opened(folder, "small")
    nodes = [
        {"op": "add_node", "name": name, **({"aliases": other} if other else {})}
        for name, *other in SMALL
    ]
    edges = [{"op": "add_edge", "source": a, "relation": r, "target": b} for a, r, b in SMALL_EDGES]
    assert submitted(state, nodes + edges).status == "committed"
    return state


def sentences(state: Any, side: str, show: int) -> Iterator[tuple[str, str, bool]]:
    """Side, kind and outcome of each sentence: true ones are supported, false ones are not."""
    for case in tomllib.loads((CASES / f"sentences.{side}.toml").read_text("utf-8"))["case"]:
        result, draft = query_concepts(state, RULES, OWNER, ConceptRequest(case["concept"]))
        assert result.status == "found", case
        made = record(
            draft.values, draft.vocabulary, statements=draft.statements, tool="query_concepts"
        )
        for holds in (True, False):
            for text in case["true" if holds else "false"]:
                verdict = check(text, [made]).verdict
                right = (verdict == "supported") == holds
                if not right and show:
                    print(f"{side}: {verdict}: {text}")
                yield side, "true" if holds else "false", right


def requests(folder: Path, show: int) -> Iterator[tuple[str, bool, bool]]:
    """Kind, whether it came to what it must, and whether a bad one was committed, of each request.

    Each runs on a fresh copy of the small graph, and a refused one must leave every row as it was.
    """
    cases = tomllib.loads((CASES / "requests.third_hand.toml").read_text("utf-8"))["case"]
    for number, case in enumerate(cases):
        state = small(folder / f"request {number}")
        with state.reading() as connection:
            before = rows(connection)
        more = {"scope": case.get("scope", "mine"), "quotes": tuple(case.get("quotes", ()))}
        try:
            result = submitted(state, case["operations"], **more)
            status, stages = result.status, result.stages
        except GroundwireError as error:
            status, stages = "rejected", [error]
        with state.reading() as connection:
            changed = rows(connection) != before
        right = status == case["expect"] and changed == (status == "committed")
        if not right and show:
            print(f"third hand: {case['name']}: {status}: {stages}")
        yield case["kind"], right, case["expect"] == "rejected" and changed
        state.close()


def names(state: Any, show: int) -> Iterator[tuple[str, str, bool]]:
    """Side, kind and outcome of each written name."""
    for group in tomllib.loads((CASES / "names.toml").read_text("utf-8"))["group"]:
        for case in group["cases"]:
            with state.reading() as connection:
                found = resolve_concept(StoredGraph(connection, OWNER), case["raw"])
            taken = found.node.name if found.node else ""
            if taken != case["meant"] and show:
                print(f"{group['side']}: {case['raw']!r} read as {taken!r}")
            kind = "wrongly" if taken and taken != case["meant"] else "missed"
            yield group["side"], kind, taken == case["meant"]


def main() -> int:
    options = arguments(__doc__, show=(0, "how many failures to print"))
    began = time.perf_counter()
    choose = random.Random(options.seed)
    count = round((LISTS if options.fraction == 1 else SAMPLED) * options.fraction)
    seen = run_lists(count, choose, options.show)
    print(table(("lists", "count"), sorted(seen.items())))
    print(f"{time.perf_counter() - began:.0f} s")
    figures: dict[str, dict[str, float]] = {
        "lists": {name: seen[name] for name in COUNTED}
        | {
            "undo_exact_percent": 100 * seen["exact"] / max(1, seen["undone"]),
            "older_exact_percent": 100 * seen["older_exact"] / max(1, seen["older_undone"]),
        }
    }
    with tempfile.TemporaryDirectory() as folder:
        state = small(Path(folder))
        counts: Counter[tuple[str, str, bool]] = Counter(sentences(state, "seen", options.show))
        counts.update(sentences(state, "held_out", options.show))
        for side in ("seen", "held_out"):
            good, bad = counts[side, "true", True], counts[side, "true", False]
            figures[f"sentences {side}"] = {
                "true_supported_percent": 100 * good / (good + bad),
                "false_supported": counts[side, "false", False],
            }
        read = Counter(names(state, options.show))
        for side in ("seen", "held_out"):
            figures[f"names {side}"] = {
                "taken_wrongly": read[side, "wrongly", False],
                "missed": read[side, "missed", False],
            }
        state.close()
        asked = list(requests(Path(folder), options.show))
    counted = Counter(kind for kind, right, _ in asked if right)
    told = Counter(kind for kind, _, _ in asked)
    print(table(("requests", "number", "right"), [(k, told[k], counted[k]) for k in told]))
    figures["requests third hand"] = {
        "other_outcome": sum(not right for _, right, _ in asked),
        "bad_committed": sum(bad for _, _, bad in asked),
    }
    for kind, values in figures.items():
        print(kind, values)
    lower = {*COUNTED, "false_supported", "taken_wrongly", "missed"}
    lower |= {"other_outcome", "bad_committed"}
    return Ratchet(__file__, lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
