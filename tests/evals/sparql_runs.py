"""Ask `run_kg_workflow` the questions of an eval, judge its answers and hold the figures.

The evals of patterns, facts, shapes and endpoints differ in their questions, graphs and judges;
they are run, counted and printed here.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from mcp import Client

from groundwire.config import Settings
from groundwire.servers import sparql
from tests.evals._report import Ratchet, arguments, table

OUTCOMES = ("right", "wrong", "false no", "asked", "refused")
Answer = dict[str, Any]
Asking = Callable[[Sequence["Put"], Path], Iterable[tuple[Answer, float]]]


@dataclass(frozen=True)
class Put:
    """One question as it is put and judged.

    Attributes:
        call: the arguments that are sent.
        groups: the names under which its outcome is counted.
        held_out: whether it stands in the half that is not looked at before the end.
        expected: its truth, to be printed beside an answer that misses it.
        judge: returns the outcome of an answer, one of OUTCOMES.
        marks: returns further names that an answer is counted under.
    """

    call: Mapping[str, Any]
    groups: tuple[str, ...]
    held_out: bool
    expected: str
    judge: Callable[[Answer], str]
    marks: Callable[[Answer], Iterable[str]] = lambda answer: ()

    @property
    def half(self) -> str:
        """The half that it belongs to."""
        return "held out" if self.held_out else "seen"


def whole_rows(answer: Answer) -> Answer:
    """Return an answer with its sentence as a row, where not all rows of a list had room."""
    whole = {"text": answer["answer"]} if answer.get("left_out") else {}
    return answer | {"rows": [*answer.get("rows", ()), whole]}


def asks(registry: Callable[[Path], str] | None = None) -> Asking:
    """Return a function that puts questions to the tool of a fresh server.

    Args:
        registry: writes the graphs into a folder and returns the registry of endpoints; default:
            the embedded one.
    """

    def ask(puts: Sequence[Put], folder: Path) -> Iterable[tuple[Answer, float]]:
        settings = Settings(home=folder / "home", log_level="error")
        if registry:
            file = folder / "endpoints.toml"
            file.write_text(registry(folder), "utf-8")
            settings = Settings(home=folder / "home", endpoints=file, log_level="error")
        return asyncio.run(_answers(puts, settings))

    return ask


async def _answers(puts: Sequence[Put], settings: Settings) -> list[tuple[Answer, float]]:
    server = sparql.build(settings)
    told: list[tuple[Answer, float]] = []
    try:
        async with Client(server) as client:
            for put in puts:
                begun = perf_counter()
                answer = await client.call_tool("run_kg_workflow", dict(put.call))
                assert answer.structured_content is not None, answer.content
                told.append((answer.structured_content, perf_counter() - begun))
    finally:
        server.close()
    return told


def settle(
    script: str,
    description: str | None,
    questions: Callable[[], Sequence[Put]],
    ask: Asking,
    *,
    shares: bool,
    marks: Sequence[str] = (),
    argv: Sequence[str] | None = None,
) -> int:
    """Run an eval of questions and return its exit code.

    Args:
        script: the file of the eval; its figures stand beside it.
        description: the docstring of the eval.
        questions: makes the questions.
        ask: puts them and returns each answer with the seconds that it took.
        shares: hold the share of right answers; else the count of those that are not right, for
            groups that are so small that a sample's share says little.
        marks: the further names that answers are counted under, lower is better.
        argv: arguments of the command line; default: those of the process.
    """
    options = arguments(
        description,
        argv,
        half=("", "seen or held_out"),
        show=("", "outcome, group or mark to print, or all; never of the held-out half"),
    )
    puts = list(questions())
    if options.half:
        puts = [put for put in puts if put.held_out == (options.half == "held_out")]
    if options.fraction < 1:
        rng = random.Random(options.seed)
        puts = [put for put in puts if rng.random() < options.fraction]
    with tempfile.TemporaryDirectory() as name:
        told = list(ask(puts, Path(name)))
    counts: dict[str, Counter[str]] = {}
    for put, (answer, _) in zip(puts, told, strict=True):
        named = (put.judge(answer), *put.marks(answer))
        for group in dict.fromkeys((*put.groups, f"half {put.half}", "all")):
            count = counts.setdefault(group, Counter())
            count["cases"] += 1
            count.update(named)
        missed = named != ("right",)
        if missed and not put.held_out and {*put.groups, *named, "all"} & {options.show}:
            print(f"{', '.join(named)}: {' '.join(put.groups)}: {put.call}\n    {answer['status']}:"
                  f" {answer['answer'][:400]}\n    expected {put.expected}")  # fmt: skip
    names = (*OUTCOMES, *marks)
    rows = [
        (group, n["cases"], *(n[o] for o in names), 100 * n["right"] / n["cases"])
        for group, n in sorted(counts.items())
    ]
    print(table(("", "cases", *names, "right %"), rows))
    seconds = sorted(took for _, took in told)
    print(f"p50 {seconds[len(seconds) // 2] * 1000:,.0f} ms, "
          f"p95 {seconds[int(len(seconds) * 0.95)] * 1000:,.0f} ms")  # fmt: skip
    figures = {group: _figures(count, shares, marks) for group, count in counts.items()}
    if options.half:
        options.fraction = min(options.fraction, 0.999)
    lower = {"wrong", "false_no", "not_right", *(mark.replace(" ", "_") for mark in marks)}
    return Ratchet(script, lower=lower).settle(figures, options)


def _figures(count: Counter[str], shares: bool, marks: Sequence[str]) -> dict[str, float]:
    figures: dict[str, float] = {"wrong": count["wrong"], "false_no": count["false no"]}
    figures |= {mark.replace(" ", "_"): count[mark] for mark in marks}
    if shares:
        return figures | {"right_percent": round(100 * count["right"] / count["cases"], 1)}
    return figures | {"not_right": count["cases"] - count["right"]}
