"""The names and sentences that the answer to one prompt is worded with, and its rows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from groundwire.graph.terms import Term
from groundwire.language.asking import asked_in
from groundwire.safe_text import inert_line, safe_name
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import (
    PatternAnswer,
    Proof,
    cut_text,
    key_of,
)
from groundwire.sparql.patterns.asking import Asking
from groundwire.sparql.patterns.compiling import Step
from groundwire.sparql.patterns.reading import Option, Reading
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.schema.names import local
from groundwire.sparql.statements import (
    noun_of,
)
from groundwire.sparql.workflow.model import Row, StatedTriple
from groundwire.vocabulary import fold

_MOST_SAID = 40
# A year has four digits, and no separator.
_LARGE = re.compile(r"-?\d{5,18}(?:\.\d+)?")
MOST_LISTED = 200
# A list of so many names is told whole, though fewer rows may be asked for.
MOST_NAMED = 30
_MOST_GRAPHS = 4


@cache
def sentences() -> Mapping[str, Mapping[str, str]]:
    """Return the sentences of pattern answers by language and key."""
    return tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))


def graphs_text(prompt: str, looked_at: Sequence[str], not_looked_at: Sequence[str]) -> str:
    """Return which graphs were looked at and which were not, in the language of a prompt.

    Args:
        prompt: the prompt.
        looked_at: names of graphs.
        not_looked_at: names of those that were not looked at, or not in full.
    """
    said = sentences()[asked_in(prompt)]
    named = {"looked_at": looked_at, "not_looked_at": not_looked_at}
    return " ".join(
        said[key].format(v=_some(names, said["others"])) for key, names in named.items() if names
    )


def _some(names: Sequence[str], others: str) -> str:
    """Return names in a row, and how many more there are than fit into a sentence."""
    shown = ", ".join(map(inert_line, names[:_MOST_GRAPHS]))
    more = len(names) - _MOST_GRAPHS
    return shown + (others.format(n=more) if more > 0 else "")


class Phrasing:
    """Names what a prompt is about, and fills sentences of its language with these names."""

    def __init__(self, endpoint: Endpoint, schema: Schema, reading: Reading, limit: int) -> None:
        """Take what is known of the prompt; see `PatternAnswer` for what is told."""
        self._endpoint = endpoint
        self._schema = schema
        self.reading = reading
        self._limit = limit
        self._known = {one.iri: one.label for span in reading.entities for one in span.options}
        self._labels: dict[str, Sequence[tuple[str, str]]] = {}

    def name(self, p: str) -> str:
        """Return what a property is called in the language of the prompt."""
        held = self._schema.properties.get(p)
        if held and held.labels:
            return safe_name(held.called(self.reading.language))
        return safe_name(noun_of(p, self.reading.language) or local(p))

    def step_name(self, step: Step) -> str:
        """Return what a step is called: its first property, read as the prompt does."""
        return self.name(step[0].property)

    def called(self, cell: Cell) -> str:
        """Return what an entity is called, or a literal's text."""
        if not isinstance(cell, Term) or cell.kind == "literal":
            return inert_line(cut_text(self.figure(cell)))
        known = self._known.get(cell.value)
        labels = self._labels.get(cell.value, ())
        for language in (self.reading.language, "en", ""):
            for text, tag in labels:
                if tag.partition("-")[0] == language:
                    return safe_name(text)
        return safe_name(known or (labels[0][0] if labels else local(cell.value)))

    def figure(self, cell: Cell) -> str:
        """Return the text of a cell; a large number with the separators of the language."""
        text = key_of(cell)
        if not _LARGE.fullmatch(text):
            return text
        whole, point, rest = text.partition(".")
        grouped = f"{int(whole):,}"
        if self.reading.language == "de":
            return grouped.replace(",", ".") + (f",{rest}" if point else "")
        return grouped + (f".{rest}" if point else "")

    async def _look_up(self, asking: Asking, cells: Iterable[Cell]) -> None:
        names = [c.value for c in cells if isinstance(c, Term) and c.kind == "iri"]
        self._labels |= dict(await asking.labels([n for n in names if n not in self._labels]))

    async def learn(self, asking: Asking, entities: Sequence[Option], step: Step) -> None:
        """Look up what entities and a property are called in every language."""
        named = [*(one.iri for one in entities if not one.property), step[0].property]
        await self._look_up(asking, [Term("iri", one) for one in named])

    def _say(self, key: str, **parts: Any) -> str:
        texts = {name: str(part) for name, part in parts.items()}
        template = sentences()[self.reading.language][key]
        said = template.format(**texts)
        # A sentence that begins with a property or class begins with a capital letter.
        return said[:1].upper() + said[1:] if template.startswith(("{p}", "{c}")) else said

    @property
    def _space(self) -> str:
        """Return the separator between two sentences."""
        return "" if self.reading.language == "zh" else " "

    def beside(self, told: PatternAnswer, key: str, **parts: str) -> PatternAnswer:
        """Return an answer with one more sentence."""
        return replace(told, sentence=f"{told.sentence}{self._space}{self._say(key, **parts)}")

    def without(self, told: PatternAnswer, number: int, c: str, p: str) -> PatternAnswer:
        """Return an answer with how many of a class state nothing by a property."""
        if not number:
            return told
        more = self.beside(told, "ranked_without", n=str(number), c=c, p=self.name(p))
        return replace(more, confidence="medium")

    def joined_texts(self, texts: Sequence[str]) -> str:
        """Return some texts as a list."""
        return self._listed(texts)

    def _listed(self, cells: Sequence[str], most: int = _MOST_SAID, number: int = 0) -> str:
        """Join the first of some names; `number` says how many there are, if not just these."""
        joint, number = "、" if self.reading.language == "zh" else ", ", max(number, len(cells))
        left = number - len(cells[:most])
        more = self._say("more", n=left, all=number) if left else ""
        return joint.join(cells[:most]) + more

    def _by_name(self, found: Iterable[tuple[Cell, list[Proof]]]) -> list[tuple[Cell, list[Proof]]]:
        """Return what has no order of its own, things by their names; values keep their place."""

        def name(one: tuple[Cell, list[Proof]]) -> str:
            cell = one[0]
            return fold(self.called(cell)) if isinstance(cell, Term) and cell.kind == "iri" else ""

        return sorted(found, key=name)

    def _row(self, cell: Cell, proofs: Sequence[Proof], text: str = "") -> Row:
        about = cell if isinstance(cell, Term) and cell.kind == "iri" else proofs[-1].subject
        label = self.called(about)
        shown = text or self.called(cell)
        return Row(
            key_of(about), label, shown, 1.0, self._endpoint, match="pattern",
            triples=self._triples(proofs), looked_for=self.reading.prompt,
        )  # fmt: skip

    def _triples(self, proofs: Sequence[Proof]) -> tuple[StatedTriple, ...]:
        return tuple(
            StatedTriple(
                key_of(s), key_of(p), key_of(o),
                f"{self.called(s)} — {self.name(key_of(p))} — {self.called(o)}",
            )
            for s, p, o in proofs
        )  # fmt: skip

    def _entity_row(self, option: Option) -> Row:
        return Row(
            option.iri,
            safe_name(option.label),
            "",
            1.0,
            self._endpoint,
            match="name",
            looked_for=safe_name(option.label),
        )

    def _names(self, proofs: Sequence[Proof]) -> dict[str, Sequence[tuple[str, str]]]:
        """Return the labels of all that some statements name."""
        known = dict(self._labels)
        for name, label in self._known.items():
            known.setdefault(name, ((label, self.reading.language),))
        for proof in proofs:
            p = key_of(proof.predicate)
            if p in self._schema.properties:
                known[p] = self._schema.properties[p].labels
        return known

    # What is answered
