"""Step 4: Markdown in which every entity links to its IRI; and the final report of a failure.

What a prompt, a graph or an endpoint says is shown and does nothing: no markup of theirs is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.sparql.links import describe_url, markdown_link, markdown_text, shown_line
from groundwire.sparql.workflow.model import Row
from groundwire.sparql.workflow.trail import Trail
from groundwire.vocabulary.fold import CJK_RUN

_MOST_QUERY = 60
_MOST_PURPOSE = 100
_MOST_STATUS = 200
_MARKUP = re.compile(r"[`<\[\]]")
# What makes a list, a rule or a heading of a line that begins with it.
_BEGINS = re.compile(r"^(?:[-+=]|\d{1,9}(?=[.)]))")


class _Frame(NamedTuple):
    """What stands around the rows of an answer."""

    found: str
    alike: str
    source: str


_ENGLISH = _Frame(
    "From the graph, for “{}”:",
    "Nothing in the graph says all of “{}”. What says most of it:",
    "Source: {}.",
)
_CHINESE = _Frame(
    "图谱中关于“{}”的内容：",
    "图谱中没有完全符合“{}”的内容。最接近的内容：",
    "来源：{}。",
)


def answer_text(prompt: str, rows: Sequence[Row]) -> str:
    """The answer: a list of entities with links, what is said of each, and where it is from.

    What frames it is in Chinese where the prompt is, as the texts are that it chooses.
    """
    shown = markdown_text(_cut(prompt, 200))
    frame = _CHINESE if CJK_RUN.search(prompt) else _ENGLISH
    first = frame.alike if any(row.alike for row in rows) else frame.found
    lines = [first.format(shown), ""]
    for row in rows:
        link = markdown_link(row.label, row.iri, row.endpoint)
        url = describe_url(row.endpoint, row.iri)
        lines.append(f"- {link} {markdown_link(url, row.iri, row.endpoint)}")
        if row.text:
            lines.append(f"  {_paragraph(row.text)}")
    names = ", ".join(dict.fromkeys(row.endpoint.name for row in rows))
    lines += ["", frame.source.format(names)]
    return "\n".join(lines)


def final_report(prompt: str, finding: str, trail: Trail, question: str = "") -> str:
    """Seed 003, "Final Failure Report": queries, endpoints, reasons, and the question."""
    lines = [f"No answer from the graph for “{markdown_text(_cut(prompt, 200))}”."]
    lines += [
        "",
        markdown_text(finding),
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


def _queries(trail: Trail) -> list[str]:
    """One line for each query: what it was for, what became of it, and how it begins."""
    audits = trail.audits
    # Of those of a run before, what they were for is not known any more.
    purposes = [""] * (len(audits) - len(trail.purposes)) + trail.purposes
    lines: list[str] = []
    for number, (audit, purpose) in enumerate(zip(audits, purposes, strict=True), 1):
        what = markdown_text(_cut(purpose, _MOST_PURPOSE)) or audit.endpoint
        ended = markdown_text(_cut(audit.per_query_status_and_error, _MOST_STATUS))
        query = _code(_cut(audit.query_text, _MOST_QUERY)) or "nothing was sent"
        lines.append(f"{number}. {what} ({ended}): {query}")
    return lines


def _code(text: str) -> str:
    """Text as code within a line; with escapes where a careless reader could see markup in it."""
    line = shown_line(text)
    return markdown_text(text) if _MARKUP.search(line) or not line else f"`{line}`"


def _paragraph(text: str) -> str:
    """Text that stands at the beginning of a line."""
    line = markdown_text(" ".join(text.split()))
    return _BEGINS.sub(lambda found: _inert(found[0]), line)


def _inert(sign: str) -> str:
    return f"\\{sign}" if not sign.isdigit() else f"{sign}\\"


def _cut(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rstrip()}..."
