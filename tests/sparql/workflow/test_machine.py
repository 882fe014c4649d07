"""The order of the steps, and what a run may cost."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from groundwire.sparql.outcome import QueryAudit, Request
from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION, Asked, Report

pytestmark = pytest.mark.anyio

PROMPT = "What is a copper mountain range?"
QUESTIONS = "http://schema.org/Question"
ENTITY = "https://a.example/e"
HELD = {"label": [(ENTITY, PROMPT, "1")], "texts": [(ENTITY, PROMPT, "It is a range.")]}
NOT_KNOWN = Asked("Which alpha beta gamma delta is there?", variants=("one two", "three four"))


def kinds(fake) -> list[str]:
    return [what for what, _, _ in fake.log]


def details(report: Report, step: str = "", status: str = "") -> list[str]:
    return [
        one.detail
        for one in report.steps
        if (not step or one.step == step) and (not status or one.status == status)
    ]


async def test_a_label_answers_with_one_query_more_for_texts(world, fake) -> None:
    a = fake("a", {
        "label": [(ENTITY, PROMPT, "1")],
        "texts": [(ENTITY, "Copper", "It is a range of mountains.")],
    })  # fmt: skip
    report = await world.ask(Asked(PROMPT), a)
    assert (report.ending, kinds(a)) == ("answered", ["label", "texts"])
    [row] = report.rows
    assert (row.iri, row.label, row.text) == (ENTITY, "Copper", "It is a range of mountains.")
    assert [one.step for one in report.steps if one.status == "skipped"] == ["breakdown", "explore"]
    assert len(report.audits) == 2


async def test_texts_are_tried_on_the_first_endpoint_and_then_on_the_next(world, fake) -> None:
    a, b = fake("a"), fake("b", {"label": [(ENTITY, "one two", "1")]})
    asked = replace(NOT_KNOWN, variants=("one two",))
    report = await world.ask(asked, a, b)
    assert report.ending == "entity_found"
    assert kinds(a) == ["label", "label"]
    assert "Which" not in a.log[0][1] and "alpha" in a.log[0][1] and "one" in a.log[1][1]
    assert report.rows[0].endpoint.name == "b"
    # The prompt and its variant at a and at b, and the texts of what was found.
    assert [audit.endpoint for audit in report.audits] == ["a", "a", "b", "b", "b"]


async def test_six_queries_of_which_two_are_kept_for_exploring_and_asking(world, fake) -> None:
    a, b, c = fake("a"), fake("b"), fake("c")
    report = await world.ask(NOT_KNOWN, a, b, c)
    assert report.ending == "needs_decision"
    assert kinds(a) == ["label", "label", "label", "types", "meaning"]
    assert (kinds(b), kinds(c)) == (["label"], [])
    assert len(report.audits) == 6
    # What the budget left out stands in the report: two texts at b, three at c, and the fallbacks.
    skipped = details(report, status="skipped")
    assert sum("label match" in one and "at b" in one for one in skipped) == 2
    assert sum("label match" in one and "at c" in one for one in skipped) == 3
    assert any("types at b" in one for one in skipped)
    assert any("texts with all of" in one and "at c" in one for one in skipped)
    assert any("texts with most of" in one for one in skipped)
    assert all(one in report.markdown.replace("\\", "") for one in skipped)
    assert "within the limits" in report.finding


@pytest.mark.parametrize(("most", "labels"), [(3, 1), (4, 2), (8, 6)])
async def test_two_queries_are_kept_whatever_the_limit(world, fake, most: int, labels: int) -> None:
    fakes = [fake(name) for name in "abc"]
    report = await world.ask(NOT_KNOWN, *fakes, max_queries_per_prompt=most)
    assert sum(kinds(one).count("label") for one in fakes) == labels
    assert kinds(fakes[0])[-2:] == ["types", "meaning"]
    assert len(report.audits) == most


async def test_variants_beyond_the_limit_are_reported(world, fake) -> None:
    a = fake("a")
    asked = replace(NOT_KNOWN, variants=("v one", "v two", "v three"))
    report = await world.ask(asked, a, semantic_variant_retries=1)
    assert kinds(a).count("label") == 2
    assert sum("no more than 1" in one for one in details(report, "label_match")) == 2


async def test_no_query_has_more_than_its_time_and_none_begins_after_the_end(world, fake) -> None:
    a = fake("a", clock=world.clock, takes=50.0)
    report = await world.ask(NOT_KNOWN, a)
    assert [timeout for _, _, timeout in a.log] == [30.0, 30.0, pytest.approx(18.0)]
    assert any("no time was left" in one for one in details(report, status="skipped"))
    assert report.ending == "needs_decision"


async def test_the_time_to_open_endpoints_counts(world, fake) -> None:
    a = fake("a", clock=world.clock, opens_in=100.0)
    b = fake("b", HELD, clock=world.clock, opens_in=15.0)
    report = await world.ask(Asked(PROMPT), a, b)
    assert a.log[0][2] == pytest.approx(20.0)
    assert b.log[0][2] == pytest.approx(5.0, abs=2.1)
    assert report.ending == "answered"
    late = fake("late", clock=world.clock, opens_in=121.0)
    report = await world.ask(Asked(PROMPT), late)
    assert late.log == []
    assert any("no time was left" in one for one in details(report, status="skipped"))


async def test_an_endpoint_is_opened_when_it_is_first_asked(world, fake) -> None:
    a, b = fake("a", HELD), fake("b")
    assert (await world.ask(Asked(PROMPT), a, b)).ending == "answered"
    assert (a.opened, b.opened) == (True, False)
    a, b = fake("a"), fake("b")
    await world.ask(Asked(PROMPT), a, b)
    assert (a.opened, b.opened) == (True, True)


async def test_a_remote_endpoint_has_a_second_between_queries(world, fake) -> None:
    a = fake("a", clock=world.clock, takes=0.4)
    await world.ask(NOT_KNOWN, a)
    assert world.clock.slept == [pytest.approx(1.0)] * (len(a.log) - 1)


async def test_the_fallbacks_are_asked_side_by_side_and_the_first_wins(world, fake) -> None:
    import anyio

    at_work: list[str] = []
    most: list[int] = []

    def slow(name: str):
        found = fake(name)
        run = found.run

        async def running(request: Request):
            at_work.append(name)
            most.append(len(at_work))
            await anyio.sleep(0.01)
            at_work.remove(name)
            return await run(request)

        found.run = running
        return found

    first, b, c, d = (slow(name) for name in "abcd")
    b.answers["label"] = c.answers["label"] = [(ENTITY, "x", "1")]
    report = await world.ask(Asked("x"), first, b, c, d)
    assert max(most) == 2
    assert (report.rows[0].endpoint.name, kinds(d)) == ("b", [])


async def test_one_query_returns_text_iri_and_score_of_the_types_that_are_there(
    world, fake
) -> None:
    found = [(ENTITY, "alpha of beta, gamma or delta", "1", "Alpha", "", "", "")]
    a = fake("a", {"types": [(QUESTIONS, "12")], "meaning": found})
    report = await world.ask(replace(NOT_KNOWN, variants=("x",)), a)
    assert kinds(a) == ["label", "label", "types", "predicates", "meaning"]
    query = a.log[-1][1]
    assert f"<{QUESTIONS}>" in query and "<http://schema.org/Answer>" in query and " && " in query
    [row] = report.rows
    assert (row.label, row.text, row.match) == ("Alpha", "alpha of beta, gamma or delta", "text")
    assert 0 < row.score <= 0.6
    # A text that has the words is no answer.
    assert report.ending == "entity_found"


async def test_predicates_of_the_types_are_searched_too_and_known_from_then_on(world, fake) -> None:
    a = fake("a", {"types": [(QUESTIONS, "1")], "predicates": [("urn:says", "9")]})
    asked = replace(NOT_KNOWN, variants=("x",))
    await world.ask(asked, a)
    assert kinds(a) == ["label", "label", "types", "predicates", "meaning", "alike"]
    assert "<urn:says>" in a.log[-2][1]
    report = await world.ask(replace(asked, prompt="epsilon zeta"), a)
    assert kinds(a)[6:] == ["label", "label", "meaning"]
    assert "<urn:says>" in a.log[-1][1]
    assert "known from before" in details(report, "explore")[0]


async def test_what_is_known_is_of_one_endpoint_and_one_url(world, fake) -> None:
    a = fake("a", {"types": [(QUESTIONS, "1")]})
    await world.ask(NOT_KNOWN, a)
    moved = fake("a", options={"url": "https://elsewhere.example/sparql"})
    await world.ask(NOT_KNOWN, moved)
    assert "types" in kinds(moved)


async def test_reasoning_comes_before_the_next_endpoint_and_that_before_likeness(
    world, fake
) -> None:
    virtuoso = {"dialect": "virtuoso", "inference": "urn:rules"}
    a, b = fake("a", options=virtuoso), fake("b")
    report = await world.ask(NOT_KNOWN, a, b, max_queries_per_prompt=30)
    texts = [(audit.endpoint, audit.query_text) for audit in report.audits]
    asked = [(name, "input:inference" in text) for name, text in texts if "?sc ?label" in text]
    assert asked == [("a", False), ("a", True), ("b", False)]
    assert (kinds(a).count("alike"), kinds(b).count("alike")) == (1, 1)
    assert [one.step for one in report.steps if one.step in ("query", "fallback")] == [
        "query", "fallback", "fallback", "fallback", "fallback"
    ]  # fmt: skip


async def test_reasoning_or_likeness_is_within_the_limits_at_one_virtuoso(world, fake) -> None:
    plain = fake("a", options={"dialect": "virtuoso"})
    report = await world.ask(NOT_KNOWN, plain)
    assert kinds(plain) == ["label", "label", "label", "types", "meaning", "alike"]
    assert len(report.audits) == 6
    rules = fake("b", options={"dialect": "virtuoso", "inference": "urn:rules"})
    await world.ask(NOT_KNOWN, rules)
    assert kinds(rules) == ["label", "label", "label", "types", "meaning", "meaning"]
    assert "input:inference" in rules.log[-1][1]


async def test_likeness_takes_texts_with_most_of_the_words_and_says_so(world, fake) -> None:
    found = [
        ("https://a.example/one", "alpha and nothing else", "1"),
        ("https://a.example/two", "alpha and beta", "2"),
        ("https://a.example/three", "alpha beta gamma", "3"),
    ]
    a = fake("a", {"alike": found})
    report = await world.ask(NOT_KNOWN, a, max_queries_per_prompt=30)
    assert [row.iri for row in report.rows] == ["https://a.example/three"]
    assert report.rows[0].match == "similar" and report.rows[0].score < 0.6
    assert report.ending == "entity_found"
    assert "With a text that has most of the words alpha, beta, gamma, delta:" in report.markdown


async def test_two_words_of_which_one_fits_are_no_answer(world, fake) -> None:
    a = fake("a", {"alike": [(ENTITY, "the capital of France", "1")]})
    report = await world.ask(Asked("capital of Freedonia"), a, max_queries_per_prompt=30)
    assert (report.ending, report.rows) == ("needs_decision", ())


async def test_ontologies_are_asked_for_subclasses_equivalents_and_names(world, fake) -> None:
    ontology = {"ontologies": ("urn:onto",)}
    a = fake("a", {"types": [("urn:onto#Peak", "3")]}, options=ontology)
    asked = replace(NOT_KNOWN, entity_types=("urn:onto#Mountain",))
    await world.ask(asked, a, max_queries_per_prompt=9)
    [types] = [text for what, text, _ in a.log if what == "types"]
    for said in ("subClassOf>+", "equivalentClass>", "GRAPH ?ontology", "<urn:onto>", '"alpha"'):
        assert said in types
    assert "<urn:onto#Peak>" in a.log[-2][1]


async def test_an_endpoint_that_failed_is_not_asked_again_in_a_run(world, fake) -> None:
    a = fake("a", {"label": ("error", "no route to it")})
    b = fake("b")
    report = await world.ask(NOT_KNOWN, a, b)
    assert kinds(a) == ["label"]
    assert kinds(b)[-2:] == ["types", "meaning"]
    assert "does not mean that there is nothing" in report.finding
    assert "no route to it" in report.finding
    assert "no route to it" in report.markdown and "Endpoints attempted" in report.markdown


async def test_a_local_graph_is_asked_where_its_labels_cannot_be_searched(world, fake) -> None:
    local = {"url": "local:help", "text_search": "regex"}
    a = fake("a", {"label": ("error", "the index is locked")}, options=local)
    report = await world.ask(NOT_KNOWN, a)
    assert kinds(a)[-3:] == ["types", "meaning", "alike"]
    assert "the index is locked" in report.finding


@pytest.mark.parametrize("status", ["partial", "truncated"])
async def test_an_answer_in_part_is_never_called_nothing(world, fake, status: str) -> None:
    a = fake("a", {"label": (status, "its time ended")})
    report = await world.ask(NOT_KNOWN, a)
    assert not details(report, "label_match", "empty")
    assert all(status in one for one in details(report, "label_match", "failed"))
    assert "does not mean that there is nothing" in report.finding
    assert "has no answer" not in report.markdown


async def test_exploring_that_was_cut_short_is_not_remembered(world, fake) -> None:
    a = fake("a", {"types": ("partial", "its time ended", [(QUESTIONS, "1")])})
    await world.ask(NOT_KNOWN, a)
    await world.ask(replace(NOT_KNOWN, prompt="epsilon zeta"), a)
    assert kinds(a).count("types") == 2


async def test_the_final_report_has_queries_endpoints_reasons_and_the_question(world, fake) -> None:
    a, b = fake("a"), fake("b")
    report = await world.ask(NOT_KNOWN, a, b)
    assert (report.ending, report.question) == ("needs_decision", QUESTION)
    for said in ("Executed queries:", "Endpoints attempted:", "- a: ", "Left out:", QUESTION):
        assert said in report.markdown
    listed = re.findall(r"^\d+\. .+ at [ab] \(\w+\): .{1,120}$", report.markdown, re.MULTILINE)
    assert len(listed) == len(report.audits)
    assert all(one.query_text.startswith("SELECT") for one in report.audits)


async def test_strict_mode_aborts_with_the_audit(world, fake) -> None:
    a = fake("a", {"label": ("error", "down")})
    report = await world.ask(replace(NOT_KNOWN, mode="strict"), a)
    assert (report.ending, report.exit_message, report.question) == ("aborted", EXIT_MESSAGE, "")
    assert len(report.audits) == 1
    assert QUESTION not in report.markdown


async def test_going_on_sends_no_query_again_and_gets_further(world, fake) -> None:
    a, b = fake("a"), fake("b")
    first = await world.ask(NOT_KNOWN, a, b)
    again = replace(NOT_KNOWN, decision="continue", tried=first.tried)
    second = await world.ask(again, a, b)
    before = {(audit.endpoint, audit.query_text) for audit in first.audits}
    now = {(audit.endpoint, audit.query_text) for audit in second.audits}
    assert now and not now & before
    assert "alike" in (*kinds(a), *kinds(b))
    assert len(second.audits) <= 6
    third = await world.ask(replace(again, tried=second.tried), a, b)
    assert not now & {(audit.endpoint, audit.query_text) for audit in third.audits}


async def test_going_on_asks_an_endpoint_again_that_was_down(world, fake) -> None:
    a = fake("a", {"label": ("error", "down")})
    first = await world.ask(NOT_KNOWN, a)
    a.answers["label"] = [(ENTITY, "alpha beta gamma delta", "1")]
    again = replace(NOT_KNOWN, decision="continue", tried=first.tried | {"x"})
    assert (await world.ask(again, a)).ending == "entity_found"


async def test_when_all_is_asked_the_report_says_so_with_the_audits_of_before(world, fake) -> None:
    a, asked = fake("a"), Asked("alpha beta")
    first = await world.ask(asked, a, max_queries_per_prompt=30)
    again = replace(asked, decision="continue", tried=first.tried, before=first.audits)
    second = await world.ask(again, a, max_queries_per_prompt=30)
    again = replace(again, tried=second.tried, before=second.audits)
    third = await world.ask(again, a, max_queries_per_prompt=30)
    assert "nothing left to probe" in third.finding
    assert third.audits == second.audits != ()


async def test_new_variants_are_asked_and_nothing_else_again(world, fake) -> None:
    a = fake("a")
    first = await world.ask(NOT_KNOWN, a)
    asked = replace(NOT_KNOWN, decision="variants", variants=("copper ridge",), tried=first.tried)
    count = len(a.log)
    await world.ask(asked, a)
    label, *rest = a.log[count:]
    assert label[0] == "label" and "copper" in label[1]
    assert all("copper" in text for what, text, _ in rest if what == "meaning")


def audit() -> QueryAudit:
    return QueryAudit("sparql", "Q", "a", "https://a", "then", "later", 200, "empty", "0 rows")


async def test_an_answer_without_the_graph_asks_nothing_and_shows_what_was_asked(
    world, fake
) -> None:
    a = fake("a")
    asked = replace(NOT_KNOWN, decision="synthesize", before=(audit(),))
    report = await world.ask(asked, a)
    assert (report.ending, report.rows, a.log) == ("answered", (), [])
    assert report.audits == (audit(),)
    assert "not from the graph" in report.markdown


async def test_strict_mode_knows_no_answer_without_the_graph(world, fake) -> None:
    asked = replace(NOT_KNOWN, decision="synthesize", mode="strict", before=(audit(),))
    report = await world.ask(asked, fake("a"))
    assert (report.ending, report.exit_message) == ("aborted", EXIT_MESSAGE)
    assert report.audits == (audit(),)


async def test_nobody_knows_whether_it_is_mandatory_so_the_user_is_asked_first(world, fake) -> None:
    a = fake("a")
    report = await world.ask(replace(NOT_KNOWN, unsure="It is a guess"), a)
    assert (report.ending, a.log) == ("needs_decision", [])
    assert "It is a guess" in report.question and "enforce strict" in report.question
    decided = replace(NOT_KNOWN, unsure="It is a guess", decision="continue")
    report = await world.ask(decided, a)
    assert kinds(a)[0] == "label"


async def test_a_prompt_without_a_word_sends_nothing(world, fake) -> None:
    a = fake("a")
    report = await world.ask(Asked("???"), a)
    assert (report.ending, a.log) == ("needs_decision", [])
    assert details(report, "breakdown", "empty")


async def test_raw_responses_are_kept_as_far_as_the_limits_say(world, fake) -> None:
    report = await world.ask(NOT_KNOWN, fake("a"), max_stored_raw_payload_size_bytes=4)
    assert {(audit.raw, audit.raw_size) for audit in report.audits} == {(b"xxxx", 10)}


HOW = "How do I boil water?"
LABELLED = [(ENTITY, "How to boil water", "1")]
HOW_TO = "http://schema.org/HowTo"
SAID = (ENTITY, "How to boil water", "About it.", "", "", "", HOW_TO, "")


async def test_a_how_to_is_answered_by_all_its_steps(world, fake) -> None:
    steps = [
        (ENTITY, "http://schema.org/step", "urn:2"),
        (ENTITY, "http://schema.org/step", "urn:1"),
        ("urn:1", "http://schema.org/position", "1"),
        ("urn:1", "http://schema.org/text", "Fill."),
        ("urn:2", "http://schema.org/position", "2"),
        ("urn:2", "http://schema.org/text", "Heat."),
    ]
    a = fake("a", {"label": LABELLED, "texts": [SAID], "steps": steps})
    report = await world.ask(Asked(HOW), a)
    assert (report.ending, kinds(a)) == ("answered", ["label", "texts", "steps"])
    assert "  1. Fill.\n  2. Heat." in report.markdown
    a.answers["steps"] = steps[:1] + steps[4:]
    report = await world.ask(Asked(HOW), a)
    assert report.ending == "answered"
    assert "  - Step 2: Heat.\n  - Not whole: step 1 is missing." in report.markdown


async def test_a_how_to_without_its_steps_is_an_entity(world, fake) -> None:
    for steps in ((), ("error", "no route")):
        a = fake("a", {"label": LABELLED, "texts": [SAID], "steps": steps})
        report = await world.ask(Asked(HOW), a)
        assert report.ending == "entity_found"
        assert "Not whole:" in report.markdown
    few = fake("a", {"label": LABELLED, "texts": [SAID]})
    report = await world.ask(Asked(HOW), few, max_queries_per_prompt=4, semantic_variant_retries=1)
    assert report.ending == "entity_found"


async def test_an_entity_is_no_answer_and_strict_mode_says_so(world, fake) -> None:
    a = fake("a", {"label": [(ENTITY, "Water", "1")], "texts": [(ENTITY, "Water", "A liquid.")]})
    asked = Asked("Who discovered water?")
    report = await world.ask(asked, a)
    assert (report.ending, report.question, report.exit_message) == ("entity_found", "", "")
    assert report.markdown.startswith("“Who discovered water?” is not answered.")
    assert report.finding == "“Who discovered water?” is not answered. Graphs looked at: a."
    unasked = await world.ask(asked, a, fake("b"))
    assert unasked.finding.endswith("Graphs looked at: a. Graphs not looked at, or not in full: b.")
    assert (unasked.looked_at, unasked.not_looked_at) == (("a",), ("b",))
    strict = await world.ask(replace(asked, mode="strict"), a)
    assert (strict.ending, strict.rows, strict.exit_message) == ("aborted", (), EXIT_MESSAGE)
    assert "entities that may be meant: Water." in strict.markdown


async def test_a_caller_s_variant_finds_and_a_user_s_variant_is_asked(world, fake) -> None:
    water = {"label": [(ENTITY, "Water", "1")], "texts": [(ENTITY, "Water", "A liquid.")]}
    asked = Asked("Which alpha beta is there?", variants=("What is water?",))
    report = await world.ask(asked, fake("a", water))
    assert report.ending == "entity_found"
    assert "Found by other words than those of the prompt:" in report.markdown
    assert "What is water" not in report.markdown
    report = await world.ask(replace(asked, decision="variants"), fake("a", water))
    assert report.ending == "answered"
    assert "for “What is water?”, which was asked instead of “Which alpha" in report.markdown


async def test_one_name_of_two_things_is_told(world, fake) -> None:
    two = [(ENTITY, "Mercury", "1"), (f"{ENTITY}2", "Mercury", "1")]
    texts = [(ENTITY, "Mercury", "A planet."), (f"{ENTITY}2", "Mercury", "A metal.")]
    report = await world.ask(Asked("What is Mercury?"), fake("a", {"label": two, "texts": texts}))
    assert report.ending == "answered"
    assert "2 entities are called “Mercury”: each says something else." in report.markdown


async def test_nothing_is_said_only_of_what_was_looked_for(world, fake) -> None:
    a, b = fake("a"), fake("b")
    report = await world.ask(Asked("Who won the race?", limit=3), a, b, max_queries_per_prompt=30)
    assert report.finding.startswith(
        "No statement about “Who won the race?” is held at a, b, as far as was looked for. "
        "Looked for at a: labels that are “Who won the race?” or hold its words; "
    )
    assert "texts with all of" in report.finding and "at b: labels" in report.finding
    assert "graph has no answer" not in report.markdown + report.finding
    asked = Asked("Who won the race?")
    few = await world.ask(asked, fake("a"), fake("b"), max_queries_per_prompt=4)
    assert "within the limits of a run" in few.finding and "Not looked for: " in few.finding
    assert "- at a: labels that are “Who won the race?” or hold its words" in few.markdown
    typed = Asked("Who won the race?", entity_types=("http://e.example/Race",))
    assert "of type Race" in (await world.ask(typed, fake("a"))).finding
