"""Step 4: Markdown in which every entity links to its IRI; and the final report of a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.sparql.links import describe_url, markdown_link, markdown_text, markdown_url
from groundwire.sparql.outcome import QueryAudit
from groundwire.sparql.workflow.model import QUESTION, Row, Step

_MOST_QUERY = 300


def answer_text(prompt: str, rows: Sequence[Row]) -> str:
    """The answer: a list of entities with links, what is said of each, and where it is from."""
    lines = [f"From the graph, for “{markdown_text(_cut(prompt, 200))}”:", ""]
    for row in rows:
        link = markdown_link(row.label, row.iri, row.endpoint)
        url = describe_url(row.endpoint, row.iri)
        lines.append(f"- {link} [{markdown_text(url)}]({markdown_url(url)})")
        if row.text:
            lines.append(f"  {markdown_text(' '.join(row.text.split()))}")
    names = ", ".join(dict.fromkeys(row.endpoint.name for row in rows))
    lines += ["", f"Source: {names}."]
    return "\n".join(lines)


def final_report(
    prompt: str,
    audits: Sequence[QueryAudit],
    attempted: Mapping[str, str],
    steps: Sequence[Step],
) -> str:
    """Seed 003, "Final Failure Report": queries, endpoints, reasons, and the question."""
    lines = [f"No answer was found in the graph for “{markdown_text(_cut(prompt, 200))}”.", ""]
    lines.append("Executed queries:")
    for audit in audits:
        text = markdown_text(_cut(" ".join(audit.query_text.split()), _MOST_QUERY))
        lines.append(
            f"- {audit.endpoint}: {text} ({markdown_text(audit.per_query_status_and_error)})"
        )
    lines += ["", "Endpoints attempted:"]
    lines += [f"- {name}: {markdown_text(said)}" for name, said in attempted.items()]
    left = [step.detail for step in steps if step.status == "skipped"]
    if left:
        lines += ["", "Left out:", *(f"- {markdown_text(one)}" for one in dict.fromkeys(left))]
    lines += ["", QUESTION]
    return "\n".join(lines)


def _cut(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rstrip()}..."
