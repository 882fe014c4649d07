"""How a run ends: with an answer, with a question for the user, or aborted, with its audits.

An answer is Markdown in which every entity links to its IRI (step 4); a failure has its final
report. What a prompt, a graph or an endpoint says is shown and does nothing: no markup of theirs is
read.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundwire.language.asking import asked_in
from groundwire.safe_text import safe_line
from groundwire.sparql.endpoint import describe_url, markdown_link, markdown_text
from groundwire.sparql.patterns.answers import PatternAnswer
from groundwire.sparql.patterns.phrasing import graphs_text
from groundwire.sparql.workflow.model import (
    EXIT_MESSAGE,
    MANDATE_QUESTION,
    QUESTION,
    Asked,
    Ending,
    Match,
    Report,
    Row,
    Steps,
)
from groundwire.sparql.workflow.questions import is_only_named, is_reworded
from groundwire.sparql.workflow.trail import Trail

_MOST_PROMPT = 120
_MOST_LISTED = 12
_MOST_NAMED = 3


def answered(asked: Asked, trail: Trail, rows: Sequence[Row]) -> Report:
    """The rows that answer, with links."""
    shown = tuple(rows[: asked.limit])
    trail.note("format", "done", f"{len(shown)} rows with links")
    return _report(trail, "answered", answer_text(asked.prompt, shown, _chosen(asked)), shown)


def found(
    asked: Asked,
    trail: Trail,
    rows: Sequence[Row],
    bound: Sequence[Row],
) -> Report:
    """Entities of which none answers what was asked; where the workflow is mandatory, the end.

    Args:
        asked: what was asked.
        trail: what was done.
        rows: the entities.
        bound: those that answer a part of the prompt.
    """
    finding = _unanswered(asked, rows, bound)
    if trail.unread:
        finding += f" {trail.unread}"
    graphs = graphs_text(asked.prompt, trail.looked_at, trail.not_looked_at)
    finding += f" {graphs}"
    if _strict(asked):
        names = "; ".join(dict.fromkeys(row.label for row in rows[: asked.limit]))
        finding += frame_of(asked.prompt).ending["only_entities"].format(names=names)
        return _without_answer(asked, trail, final_report(asked.prompt, finding, trail), finding)
    shown = tuple(dict.fromkeys((*bound, *rows)))[: asked.limit]
    trail.note("format", "done", f"{len(shown)} entities with links, of which none is the answer")
    markdown = found_text(asked.prompt, shown, bound)
    beside = " ".join(part for part in (trail.unread, graphs) if part)
    markdown += f"\n\n{markdown_text(beside)}"
    return _report(trail, "entity_found", markdown, shown, finding=finding)


def by_pattern(asked: Asked, trail: Trail, found: PatternAnswer) -> Report:
    """The answer of a pattern, what it asks back, or that no such statement is held."""
    if found.ending != "answered" and not found.sentence.endswith(("?", "？")):
        graphs = graphs_text(asked.prompt, trail.looked_at, trail.not_looked_at)
        found = replace(found, sentence=f"{found.sentence} {graphs}")
    if found.ending != "answered" and _strict(asked):
        said = f"{found.sentence}"
        return _without_answer(asked, trail, final_report(asked.prompt, said, trail), said)
    trail.note("format", "done", f"{len(found.rows)} rows with links")
    ending: Ending = "entity_found"
    question = ""
    if found.ending == "answered":
        ending = "answered"
    elif found.ending == "needs_decision":
        ending, question = "needs_decision", QUESTION
    report = _report(
        trail, ending, pattern_text(asked.prompt, found.sentence, found.rows), found.rows,
        question=question, finding=found.sentence,
    )  # fmt: skip
    return replace(
        report,
        said=found.sentence,
        confidence=found.confidence,
        values=found.values,
        statements=found.statements,
    )


def abandoned(asked: Asked, trail: Trail) -> Report:
    """The final report; where the workflow is mandatory, the end."""
    finding = _finding(asked, trail)
    if trail.unread:
        finding += f" {trail.unread}"
    if not trail.audits:
        # All of it was asked in the run before.
        trail.audits[:0] = asked.before
        if trail.audits:
            finding += " There is nothing left to probe in these words: send variants."
    # Those that are in doubt are told with the finding.
    left = [one for one in trail.not_looked_at if one.partition(" (")[0] not in trail.doubts]
    if left:
        finding += f" {graphs_text(asked.prompt, (), left)}"
    markdown = final_report(asked.prompt, finding, trail, "" if _strict(asked) else QUESTION)
    return _without_answer(asked, trail, markdown, f"{finding}{_looked(asked, trail)}")


def asked_first(asked: Asked, trail: Trail) -> Report:
    """Nothing is run before the user has said whether the workflow is mandatory."""
    trail.note("policy", "done", asked.unsure)
    question = (
        f"{MANDATE_QUESTION} {asked.unsure}. Yes: call again "
        "with run_id and enforce strict. Run it without that: decision continue. Answer without "
        "KG backing: decision synthesize."
    )
    return _report(
        trail, "needs_decision", question, question=question, finding="Nothing was run yet."
    )


def synthesized(asked: Asked, trail: Trail) -> Report:
    """Report the user's decision: an answer without the graph, which strict mode does not allow."""
    trail.audits[:0] = asked.before
    if _strict(asked):
        trail.note("policy", "failed", "strict mode allows no answer without the graph")
        finding = "The KG workflow is mandatory, so there is no answer without KG backing."
        return _without_answer(asked, trail, final_report(asked.prompt, finding, trail), finding)
    trail.note("policy", "done", "the user chose an answer without KG backing")
    text = (
        "The user chose an answer without KG backing. What follows is not from the graph: say so."
    )
    return _report(trail, "answered", text)


def _without_answer(asked: Asked, trail: Trail, markdown: str, finding: str) -> Report:
    strict = _strict(asked)
    trail.note("report", "done", "aborted" if strict else "the user decides")
    return _report(
        trail,
        "aborted" if strict else "needs_decision",
        markdown,
        question="" if strict else QUESTION,
        exit_message=EXIT_MESSAGE if strict else "",
        finding=finding,
    )


def _report(
    trail: Trail,
    ending: Ending,
    markdown: str,
    rows: tuple[Row, ...] = (),
    *,
    question: str = "",
    exit_message: str = "",
    finding: str = "",
) -> Report:
    return Report(
        ending,
        markdown,
        rows,
        tuple(trail.steps),
        tuple(trail.audits),
        question,
        exit_message,
        finding,
        frozenset(trail.tried),
        tuple((name, tuple(dict.fromkeys(abouts))) for name, abouts in trail.looked.items()),
        bool(trail.doubts),
        () if rows else tuple(trail.named[:_MOST_NAMED]),
        looked_at=trail.looked_at,
        not_looked_at=trail.not_looked_at,
        unread=trail.unread,
    )


def _strict(asked: Asked) -> bool:
    return asked.mode == "strict"


def _unanswered(asked: Asked, rows: Sequence[Row], bound: Sequence[Row]) -> str:
    """That a prompt is not answered by the entities that were found, or in part only."""
    is_named = not bound and is_only_named(asked.prompt, rows)
    key = "part_only" if bound else "only_named" if is_named else "not_answered"
    prompt = shortened(asked.prompt, _MOST_PROMPT)
    return frame_of(asked.prompt).ending[key].format(prompt=prompt)


def _finding(asked: Asked, trail: Trail) -> str:
    """That nothing was found by what was looked for, or why that says nothing of the graph."""
    said = frame_of(asked.prompt).ending
    if trail.doubts:
        why = "; ".join(f"{name}: {' '.join(why.split())}" for name, why in trail.doubts.items())
        return said["in_doubt"].format(why=why.rstrip("."))
    held = "; ".join(f"{hit.label} ({hit.iri})" for hit in trail.named[:_MOST_NAMED])
    key = "nothing_looked" if not trail.looked else "names_held" if held else "nothing_held"
    return said[key].format(
        limits=said["limits"] if trail.budget.left_out else "",
        prompt=shortened(asked.prompt, _MOST_PROMPT),
        names=", ".join(trail.looked),
        held=held,
    )


def _looked(asked: Asked, trail: Trail) -> str:
    """Say what was looked for at each endpoint, and what the budget left out."""
    words = frame_of(asked.prompt).ending
    said = ""
    if trail.looked:
        looked = (
            f"at {name}: {'; '.join(dict.fromkeys(abouts))}"
            for name, abouts in trail.looked.items()
        )
        said = words["looked"].format(looked="; ".join(looked))
    left = list(dict.fromkeys(trail.budget.left_out))
    if left:
        more = words["more"].format(n=len(left) - _MOST_LISTED) if len(left) > _MOST_LISTED else ""
        said += words["not_looked"].format(left=f"{'; '.join(left[:_MOST_LISTED])}{more}")
    return said


def _chosen(asked: Asked) -> tuple[str, ...]:
    """The wordings that the user chose instead of the prompt."""
    return asked.variants if asked.decision == "variants" else ()


_MOST_QUERY = 60
_MOST_PURPOSE = 100
_MOST_STATUS = 200
_MARKUP = re.compile(r"[`<\[\]]")
# A line that begins so becomes a list, a rule or a heading.
_BEGINS = re.compile(r"^(?:[-+=]|\d{1,9}(?=[.)]))")


class _Frame(NamedTuple):
    """The text that stands around the rows of an answer.

    Attributes:
        answers: before rows that answer.
        reworded: before rows that answer another wording, which the user chose.
        unanswered: before rows that do not answer.
        part: before rows of which some answer a part of the prompt.
        named: before rows whose name is the prompt, which asks nothing.
        by: how rows were found, by their `Match`.
        other: the same, where they were found by other words than those of the prompt.
        step: before a step, where their numbers are not 1, 2, 3.
        not_whole: what keeps steps from being whole.
        alike: how many entities have the same name.
        source: the endpoints.
        ending: sentences of an ending without an answer, by key.
    """

    answers: str
    reworded: str
    unanswered: str
    part: str
    named: str
    by: dict[Match, str]
    other: str
    step: str
    not_whole: str
    alike: str
    source: str
    ending: dict[str, str]


def pattern_text(prompt: str, said: str, rows: Sequence[Row]) -> str:
    """The answer of a pattern: its sentence, then each row with a link and what proves it."""
    lines = [_paragraph(said), ""]
    for row in rows:
        lines.append(f"- {markdown_link(row.label, row.iri, row.endpoint)}")
        if row.text and row.text != row.label:
            lines.append(f"  {_paragraph(row.text)}")
        lines += [f"  - {markdown_text(one.said)}" for one in row.triples]
    if rows:
        lines += ["", frame_of(prompt).source.format(_endpoints(rows))]
    return "\n".join(lines)


def answer_text(prompt: str, rows: Sequence[Row], chosen: Sequence[str] = ()) -> str:
    """Return the answer: a list of entities with links, their texts, and where these are from.

    What frames it is in Chinese where the prompt is, as the texts are that it chooses.

    Args:
        prompt: the prompt.
        rows: what answers it.
        chosen: other wordings that the user chose to have answered instead.
    """
    frame = frame_of(prompt)
    shown = _quoted(prompt)
    lines = [frame.answers.format(shown), ""]
    if chosen:
        lines[0] = frame.reworded.format(_quoted("; ".join(chosen)), shown)
    for row in rows:
        lines += _entity(row, frame)
    alike = Counter(row.label.casefold() for row in rows)
    for label in dict.fromkeys(row.label for row in rows if alike[row.label.casefold()] > 1):
        lines += ["", frame.alike.format(alike[label.casefold()], _quoted(label))]
    return "\n".join([*lines, "", frame.source.format(_endpoints(rows))])


def found_text(prompt: str, rows: Sequence[Row], bound: Sequence[Row] = ()) -> str:
    """Entities that do not answer the prompt, or a part of it only, by how they were found."""
    frame = frame_of(prompt)
    named = not bound and is_only_named(prompt, rows)
    lead = frame.part if bound else frame.named if named else frame.unanswered
    lines = [lead.format(_quoted(prompt))]
    if bound:
        lines += ["", frame.answers.format("; ".join(_quoted(row.label) for row in bound))]
        lines += [line for row in bound for line in _entity(row, frame)]
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row not in bound:
            groups.setdefault(found_by(row, prompt), []).append(row)
    for how, group in groups.items():
        lines += ["", f"{markdown_text(how)}:"]
        lines += [line for row in group for line in _entity(row, frame)]
    return "\n".join([*lines, "", frame.source.format(_endpoints(rows))])


def found_by(row: Row, prompt: str) -> str:
    """How an entity was found, as plain text; that it was by other words than the prompt's."""
    frame = frame_of(prompt)
    if is_reworded(row.looked_for, prompt):
        # The words are the caller's: they stand in the steps, and not in what is told.
        return frame.other
    return frame.by[row.match].format(shortened(row.looked_for, 100))


def steps_text(steps: Steps, prompt: str) -> str:
    """The steps of a how-to in one line, with what keeps them from being whole."""
    frame = frame_of(prompt)
    said = list(_numbered(steps, frame))
    if steps.missing:
        said.append(frame.not_whole.format("; ".join(steps.missing)))
    return " ".join(said)


def _numbered(steps: Steps, frame: _Frame) -> Iterator[str]:
    if steps.numbers == tuple(range(1, len(steps.texts) + 1)):
        yield from (f"{number}. {text}" for number, text in enumerate(steps.texts, 1))
    elif steps.numbers:
        for number, text in zip(steps.numbers, steps.texts, strict=True):
            yield frame.step.format(number, text)
    else:
        yield from (f"- {text}" for text in steps.texts)


def _entity(row: Row, frame: _Frame) -> list[str]:
    """A row as an item of a list: its link, and what is said of it."""
    link = markdown_link(row.label, row.iri, row.endpoint)
    url = describe_url(row.endpoint, row.iri)
    lines = [f"- {link} {markdown_link(url, row.iri, row.endpoint)}"]
    if row.text:
        lines.append(f"  {_paragraph(row.text)}")
    if row.steps is not None:
        lines += _steps(row.steps, frame)
    return lines


def _steps(steps: Steps, frame: _Frame) -> list[str]:
    whole = steps.numbers == tuple(range(1, len(steps.texts) + 1))
    texts = map(_paragraph, steps.texts)
    if whole:
        lines = [f"  {number}. {text}" for number, text in enumerate(texts, 1)]
    elif steps.numbers:
        pairs = zip(steps.numbers, texts, strict=True)
        lines = [f"  - {frame.step.format(number, text)}" for number, text in pairs]
    else:
        lines = [f"  - {text}" for text in texts]
    if steps.missing:
        lines.append(f"  - {markdown_text(frame.not_whole.format('; '.join(steps.missing)))}")
    return lines


def _endpoints(rows: Sequence[Row]) -> str:
    return ", ".join(dict.fromkeys(row.endpoint.name for row in rows))


def frame_of(prompt: str) -> _Frame:
    """Return the texts in the language of a prompt."""
    return _frames()[asked_in(prompt)]


@cache
def _frames() -> dict[str, _Frame]:
    tree = tomllib.loads((files(__package__ or "") / "frames.toml").read_text("utf-8"))
    return {language: _Frame(**said) for language, said in tree.items()}


def _quoted(text: str) -> str:
    return markdown_text(shortened(text, 200))


def final_report(prompt: str, finding: str, trail: Trail, question: str = "") -> str:
    """Seed 003, "Final Failure Report": queries, endpoints, reasons, and the question."""
    lines = [f"No answer was found for “{_quoted(prompt)}”."]
    lines += [
        "",
        markdown_text(finding),
        *_looked_for(trail),
        "",
        "Executed queries:",
    ]
    lines += (
        [*_queries(trail), "", "The audits have each query whole."] if trail.audits else ["- none"]
    )
    lines += ["", "Endpoints attempted:"]
    for name, counts in trail.said.items():
        said = "; ".join(
            f"{count} times {what}" if count > 1 else what for what, count in counts.items()
        )
        lines.append(f"- {name}: {markdown_text(said)}")
    if not trail.said:
        lines.append("- none")
    left = [step.detail for step in trail.steps if step.status == "skipped"]
    if left:
        lines += ["", "Left out:", *(f"- {_paragraph(one)}" for one in dict.fromkeys(left))]
    if question:
        lines += ["", question]
    return "\n".join(lines)


def _looked_for(trail: Trail) -> list[str]:
    lines = [
        f"- at {markdown_text(name)}: {markdown_text(shortened(about, _MOST_STATUS - 60))}"
        for name, abouts in trail.looked.items()
        for about in dict.fromkeys(abouts)
    ]
    return ["", "Looked for:", *lines] if lines else []


def _queries(trail: Trail) -> list[str]:
    """One line for each query: what it was for, what became of it, and how it begins."""
    audits = trail.audits
    # Of those of a run before, what they were for is not known any more.
    purposes = [""] * (len(audits) - len(trail.purposes)) + trail.purposes
    lines: list[str] = []
    for number, (audit, purpose) in enumerate(zip(audits, purposes, strict=True), 1):
        what = markdown_text(shortened(purpose, _MOST_PURPOSE)) or audit.endpoint
        ended = markdown_text(shortened(audit.per_query_status_and_error, _MOST_STATUS))
        query = _code(shortened(audit.query_text, _MOST_QUERY)) or "nothing was sent"
        lines.append(f"{number}. {what} ({ended}): {query}")
    return lines


def _code(text: str) -> str:
    """Text as code within a line; with escapes where a careless reader could see markup in it."""
    line = safe_line(text)
    return markdown_text(text) if _MARKUP.search(line) or not line else f"`{line}`"


def _paragraph(text: str) -> str:
    """Text that stands at the beginning of a line."""
    line = markdown_text(" ".join(text.split()))
    return _BEGINS.sub(lambda found: _inert(found[0]), line)


def _inert(sign: str) -> str:
    return f"\\{sign}" if not sign.isdigit() else f"{sign}\\"


def shortened(text: str, most: int) -> str:
    """A text in one line, with a mark where it was cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rstrip()}..."
