"""How texts are searched: by an index of ours, by Virtuoso's, or by regular expressions."""

from __future__ import annotations

import anyio
import pytest

from groundwire.errors import InputError, UnavailableError
from groundwire.graph.terms import Term, iri, literal
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.labels import LabelMatch
from groundwire.sparql.outcome import Outcome, QueryAudit, Request
from groundwire.sparql.workflow import sources
from groundwire.sparql.workflow.model import Hit, Wanted
from groundwire.sparql.workflow.questions import best_types
from groundwire.sparql.workflow.sources import IndexedSource, QueriedSource, hits_by_terms
from groundwire.sparql.workflow.texts import read_texts

pytestmark = pytest.mark.anyio
VIRTUOSO = {"dialect": "virtuoso"}
AUDIT = QueryAudit("sparql", "Q", "a", "u", "then", "later", 200, "complete", "said")


async def test_virtuoso_is_asked_for_the_phrase_or_all_words_in_one_clause(fake) -> None:
    a = fake("a", options=VIRTUOSO)
    await a.source.search("the alpha of beta", (), 5, 1.0)
    await a.source.search("alpha", (), 5, 1.0)
    both, one = (text for _, text, _ in a.log)
    assert both.count("bif:contains") == 1
    assert "\"'the alpha of beta' OR ('alpha' AND 'beta')\"" in both
    assert "\"'alpha'\"" in one


async def test_only_where_no_value_holds_the_text_its_words_are_enough(fake) -> None:
    a = fake("a", {"label": [
        ("urn:1", "beta, alpha", "3"),
        ("urn:2", "all about alpha: beta and more of it", "2"),
        ("urn:3", "Alpha beta!", "1"),
    ]}, options=VIRTUOSO)  # fmt: skip
    hits, _ = await a.source.search("alpha beta", (), 5, 1.0)
    assert [hit.iri for hit in hits] == ["urn:3", "urn:2"]
    hits, _ = await a.source.search("beta alpha", (), 5, 1.0)
    assert [hit.iri for hit in hits] == ["urn:1"]
    hits, _ = await a.source.search("beta of alpha", (), 2, 1.0)
    assert {hit.iri for hit in hits} == {"urn:1", "urn:3"}


async def test_others_are_asked_by_regular_expressions(fake) -> None:
    a = fake("a")
    await a.source.search("the alpha of beta", ("urn:T",), 5, 1.0)
    [(_, text, _)] = a.log
    assert text.count("REGEX") == 2 and " && " in text and "<urn:T>" in text
    either = a.source.matching(Wanted(("alpha", "beta"), "or", (), (), 5))
    assert " || " in either


async def test_a_text_without_a_word_is_no_query(fake) -> None:
    a = fake("a")
    with pytest.raises(InputError):
        await a.source.search("?!", (), 5, 1.0)
    assert a.log == []


async def test_texts_that_are_asked_the_same_have_one_key(fake) -> None:
    regex, virtuoso = fake("a").source, fake("b", options=VIRTUOSO).source
    assert regex.label_key("the alpha?") == regex.label_key("Alpha")
    assert virtuoso.label_key("the alpha?") != virtuoso.label_key("Alpha")
    assert virtuoso.label_key("the alpha?") == virtuoso.label_key("The Alpha")


async def test_an_endpoint_that_never_answers_is_left(
    fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_GRACE", 0.02)
    a = fake("a")

    async def never(request: Request) -> Outcome:
        await anyio.sleep(30)
        raise AssertionError

    a.run = never
    hits, outcome = await a.source.search("alpha", (), 5, 0.02)
    assert (hits, outcome.status) == ([], "error")
    assert "no answer within" in outcome.audit.per_query_status_and_error


def outcome(*found: tuple[str, str]) -> Outcome:
    rows = tuple((iri(one), literal(value)) for one, value in found)
    return Outcome("complete", ("entity", "value"), rows, "", AUDIT)


async def test_of_some_words_more_than_half_count_and_the_best_row_of_an_entity() -> None:
    wanted = Wanted(("alpha", "beta", "gamma"), "or", (), (), 10)
    found = hits_by_terms(
        outcome(("urn:1", "alpha"), ("urn:1", "ALPHA beta"), ("urn:2", "gamma"),
                ("urn:3", "alpha beta gamma")),
        wanted,
    )  # fmt: skip
    assert [(hit.iri, hit.value) for hit in found] == [
        ("urn:3", "alpha beta gamma"), ("urn:1", "ALPHA beta")
    ]  # fmt: skip
    # An index that stems is believed.
    stemmed = outcome(("urn:4", "alphas"))
    every = hits_by_terms(stemmed, wanted._replace(mode="and"), stems=True)
    assert [hit.iri for hit in every] == ["urn:4"]
    assert hits_by_terms(stemmed, wanted._replace(mode="and")) == []


async def test_a_word_within_another_one_is_no_match(fake) -> None:
    found = [("urn:1", "Partial answers"), ("urn:2", "Arts and crafts"), ("urn:3", "Artefacts")]
    a = fake("a", {"label": found})
    hits, _ = await a.source.search("What is art?", (), 5, 1.0)
    assert [hit.iri for hit in hits] == ["urn:2"]
    wanted = Wanted(("art",), "and", (), (), 5)
    assert {hit.iri for hit in hits_by_terms(outcome(*found), wanted)} == {"urn:2", "urn:3"}
    chinese = fake("b", {"label": [("urn:4", "什么是知识图谱")]})
    hits, _ = await chinese.source.search("图谱", (), 5, 1.0)
    assert [hit.iri for hit in hits] == ["urn:4"]


class Index:
    """A label index that a test fills."""

    def __init__(self, *found: LabelMatch, error: Exception | None = None) -> None:
        self.found, self.error = list(found), error

    def match(self, text: str, *, types: object, limit: int) -> list[LabelMatch]:
        if self.error is not None:
            raise self.error
        return self.found


def label(name: str, score: float, type_: str) -> LabelMatch:
    return LabelMatch(f"urn:{name}", name, name, "urn:p", score, (f"http://schema.org/{type_}",))


def indexed(index: Index) -> IndexedSource:
    return IndexedSource(Endpoint(name="a", url="local:help"), None, index)


async def test_of_equal_labels_the_type_that_fits_is_first() -> None:
    index = Index(
        label("term", 1.0, "DefinedTerm"), label("how", 1.0, "HowTo"), label("weak", 0.3, "HowTo")
    )
    hits, found = await indexed(index).search("How do I connect a host?", (), 10, 1.0)
    assert [hit.iri for hit in hits] == ["urn:how", "urn:term"]
    assert found.audit.query_text.startswith("LABEL INDEX MATCH")
    hits, _ = await indexed(index).search("host", (), 10, 1.0)
    assert hits[0].iri == "urn:term"


async def test_the_type_that_fits_is_looked_for_by_itself_too() -> None:
    asked: list[object] = []

    class Full(Index):
        def match(self, text: str, *, types: object, limit: int) -> list[LabelMatch]:
            asked.append(types)
            fitting = label("how", 0.9, "HowTo")
            return [fitting] if types else [label(f"t{n}", 0.95, "Thing") for n in range(limit)]

    hits, _ = await indexed(Full()).search("How do I connect a host?", (), 3, 1.0)
    assert [hit.iri for hit in hits] == ["urn:how", "urn:t0", "urn:t1"]
    assert asked == [best_types("How do I connect a host?"), ()]
    # A label that is the text comes before any type; a type that the caller asks for is the type.
    exact = Index(label("how", 0.9, "HowTo"), label("term", 1.0, "DefinedTerm"))
    hits, _ = await indexed(exact).search("How do I connect a host?", (), 3, 1.0)
    assert hits[0].iri == "urn:term"
    asked.clear()
    await indexed(Full()).search("host", ("urn:T",), 3, 1.0)
    assert asked == [("urn:T",)]


@pytest.mark.parametrize("options", [VIRTUOSO, {}])
async def test_an_endpoint_is_asked_for_the_type_that_fits_first(fake, options) -> None:
    prompt = "What is the alpha beta?"
    question = "http://schema.org/Question"
    a = fake("a", {"label": [
        ("urn:1", "what is the alpha beta then", "2", ""),
        ("urn:2", "what is the alpha beta after a month", "1", question),
    ]}, options=options)  # fmt: skip
    hits, _ = await a.source.search(prompt, (), 5, 1.0)
    assert [hit.iri for hit in hits] == ["urn:2", "urn:1"]
    [(_, text, _)] = a.log
    assert f"<{question}>" in text and "ORDER BY DESC(BOUND(?fit)) DESC(?sc)" in text
    await a.source.search(prompt, ("urn:T",), 5, 1.0)
    assert "?fit" not in a.log[1][1]


async def test_an_index_that_fails_has_an_audit() -> None:
    source = indexed(Index(error=UnavailableError("it is locked")))
    hits, found = await source.search("x", (), 10, 1.0)
    assert (hits, found.status) == ([], "error")
    assert "it is locked" in found.audit.per_query_status_and_error


@pytest.mark.parametrize(("prompt", "text"), [("什么是它？", "中文"), ("What is it?", "English")])
async def test_texts_are_in_the_language_of_the_prompt(fake, prompt: str, text: str) -> None:
    a = fake("a")

    async def run(request: Request) -> Outcome:
        said = (("en", "English"), ("zh", "中文"), ("fr", "français, le plus long"))
        rows = tuple((iri("urn:e"), Term("literal", one, "", tag)) for tag, one in said)
        return Outcome("complete", ("entity", "text"), rows, "", AUDIT)

    a.run = run
    [row], _ = await read_texts(a.source, [Hit("urn:e", "L", "L", 1.0)], prompt, 1.0)
    assert (row.label, row.text) == ("L", text)


async def test_where_no_text_comes_back_the_label_stands(fake) -> None:
    a = fake("a", {"texts": ("error", "down")})
    rows, found = await read_texts(a.source, [Hit("urn:e", "L", "V", 1.0)], "x", 1.0)
    assert (found.status, rows[0].label, rows[0].text) == ("error", "L", "V")
    assert isinstance(a.source, QueriedSource)
