"""Links lead to the endpoint that answered, and nothing that a graph says is Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import quote

import pytest

from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.workflow.endings import answer_text, found_text
from groundwire.sparql.workflow.model import Asked, Row

HOSTILE = (
    "](https://evil.example) [click",
    "![x](https://evil.example/p.png)",
    "<script>alert(1)</script>",
    "`code` **bold** _it_",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "=====",
    "---",
    "line\n\n# two\n\n[a]: https://evil.example",
    "\u202egnp.exe",
    "&lt;b&gt;",
)
DESCRIBED = Endpoint(
    name="b",
    url="https://b.example/sparql",
    describe_template="https://b.example/describe/?uri={iri}",
)
PLAIN = Endpoint(name="a", url="https://a.example/sparql")


def targets(markdown: str) -> list[str]:
    return re.findall(r"(?<!\\)\]\(([^)]*)\)", markdown)


@pytest.mark.parametrize("said", HOSTILE)
def test_nothing_that_is_said_does_anything(said: str) -> None:
    row = Row("https://data.example/e", said, said, 1.0, PLAIN)
    text = answer_text(said, [row])
    assert set(targets(text)) == {"https://data.example/e"}
    lines = text.split("\n")
    assert len(lines) == 6
    for line in lines[2:4]:
        body = line.removeprefix("- ").removeprefix("  ")
        assert not re.match(r"(?:[-+*=>#|`~]|\d+[.)])", body), line
        assert not re.search(r"(?<!\\)[<`*_|]", body), line
    assert "\u202e" not in text


def test_every_row_links_to_the_endpoint_that_answered() -> None:
    iris = ["https://data.example/a#b?c=d&e", "urn:x:ä (1)", "https://data.example/[x]"]
    text = answer_text("q", [Row(iri, "L", "", 1.0, DESCRIBED) for iri in iris])
    expected = {f"https://b.example/describe/?uri={quote(iri, safe='')}" for iri in iris}
    assert set(targets(text)) == expected
    assert text.endswith("Source: b.")


def test_what_frames_an_answer_is_in_the_language_of_the_prompt() -> None:
    rows = [Row("https://data.example/e", "L", "", 1.0, DESCRIBED)]
    text = answer_text("什么是 SPARQL？", rows)
    assert text.startswith("图谱中关于“什么是 SPARQL？”的内容：")
    assert text.endswith("来源：b。")
    alike = [replace(rows[0], match="similar", looked_for="SPARQL")]
    text = found_text("什么是 SPARQL？", alike)
    assert text.startswith("“什么是 SPARQL？”没有得到回答。")
    assert "文本包含其中多数词：SPARQL:" in text
    assert found_text("What is {0}?", alike).startswith("“What is \\{0\\}?” is not answered.")


def test_without_a_describe_service_the_iri_is_the_link() -> None:
    assert set(targets(answer_text("q", [Row("https://d.example/x", "L", "", 1.0, PLAIN)]))) == {
        "https://d.example/x"
    }


@pytest.mark.parametrize("iri", ["javascript:alert(1)", "urn:x", "data:text/html,x", "file:///etc"])
def test_only_web_addresses_are_links(iri: str) -> None:
    assert targets(answer_text("q", [Row(iri, "L", "", 1.0, PLAIN)])) == []


@pytest.mark.anyio
@pytest.mark.parametrize("said", HOSTILE)
async def test_a_final_report_is_inert_too(world, fake, said: str) -> None:
    a = fake("a", {"label": ("error", said)})
    report = await world.ask(Asked(f"x {said}", variants=(said,)), a)
    assert targets(report.markdown) == []
    assert "<script" not in report.markdown.replace("\\<", "")
    assert not re.search(r"^\s*(?:#|>|=)", report.markdown, re.MULTILINE)
