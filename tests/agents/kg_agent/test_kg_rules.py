"""The KG agent without a key: the workflow's Markdown, its question, or its exit message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agent_host import Host, answer, hosted, tools, turn

from groundwire.servers import sparql
from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION

NAME = "kg_agent"
HELP = "https://groundwire.example/help#"
UNKNOWN = "What is the capital of Zembla?"

ANSWERED = {
    "What is SPARQL?": ("what-is-sparql", "standard query language of RDF graphs"),
    "什么是SPARQL?": ("what-is-sparql", "标准查询语言"),
    "What is a tri-state?": ("what-is-a-tri-state", "one of three"),
    "How do I connect a host over HTTP?": ("connect-over-http", "GROUNDWIRE"),
}


@pytest.mark.parametrize("question", ANSWERED)
def test_the_graph_answers_with_links_as_they_are(host: Host, question: str) -> None:
    name, part = ANSWERED[question]
    output = host.ask(NAME, question)
    frames = (f"From the graph, for “{question}”:", f"图谱中关于“{question}”的内容：")
    assert answer(output).startswith(frames[not question.isascii()])
    assert f"]({HELP}{name})" in answer(output)
    assert part in answer(output)
    assert output.result is not None
    assert output.result["status"] == "answered"
    assert HELP + name in {one["iri"] for one in output.result["sources"]}
    assert output.result["audits"][0]["query_text"]
    assert output.evidence_ids
    assert output.reasoning.confidence == 0.9


def test_a_name_alone_is_shown_and_is_no_answer(host: Host) -> None:
    output = host.ask(NAME, "tri-state")
    assert output.result is not None
    assert output.result["status"] == "entity_found"
    assert answer(output).startswith("“tri-state” is a name in the graph, and asks nothing of it.")
    assert "exactly one of three" in answer(output)
    assert output.reasoning.confidence == 0.6
    unbound = host.ask(NAME, "Who invented SPARQL?")
    assert unbound.result is not None
    assert unbound.result["status"] == "entity_found"
    assert answer(unbound).startswith("“Who invented SPARQL?” is not answered.")
    assert unbound.reasoning.confidence == 0.3


def test_the_answer_is_the_workflow_s_own_markdown(host: Host) -> None:
    output = host.ask(NAME, "What is SPARQL?")
    action = output.reasoning.steps[0].action
    assert action is not None
    assert isinstance(action.output, dict)
    assert answer(output) == action.output["markdown"]
    assert isinstance(action.input, dict)
    assert action.input["prompt"] == "What is SPARQL?"
    assert action.input["triples"] == [
        {"subject": "SPARQL", "predicate": "definition", "object": ""}
    ]
    assert set(action.input) <= {"prompt", "variants", "triples"}


def test_no_answer_is_the_user_s_to_decide(host: Host) -> None:
    output = host.ask(NAME, UNKNOWN)
    assert output.result is not None
    assert output.result["status"] == "needs_decision"
    assert output.result["question"] == QUESTION
    assert output.result["options"] == ["synthesize", "continue", "variants"]
    assert "Executed queries:" in answer(output)
    assert "“continue” to go on probing" in answer(output)
    assert tools(output) == ["run_kg_workflow"]


def test_the_user_goes_on_probing(host: Host) -> None:
    first = host.ask(NAME, UNKNOWN)
    assert first.result is not None
    for said in ("Continue, please.", "continue", "继续"):
        output = host.ask(NAME, said, turns=[turn(UNKNOWN, first)])
        action = output.reasoning.steps[0].action
        assert action is not None
        assert action.input == {"run_id": first.result["kg_run_id"], "decision": "continue"}
        assert output.metadata.iterations == 0


def test_the_user_brings_variants(host: Host) -> None:
    first = host.ask(NAME, UNKNOWN)
    output = host.ask(NAME, "variants: What is SPARQL?; SPARQL", turns=[turn(UNKNOWN, first)])
    assert HELP + "what-is-sparql" in answer(output)


@pytest.mark.parametrize("said", ["synthesize", "Synthesize an answer", "直接回答"])
def test_the_user_chooses_an_answer_without_the_graph(host: Host, said: str) -> None:
    first = host.ask(NAME, UNKNOWN)
    output = host.ask(NAME, said, turns=[turn(UNKNOWN, first)])
    assert "The user chose an answer without KG backing." in answer(output)
    assert output.result is not None
    assert output.result["kg_backed"] is False
    assert "Zembla is" not in answer(output)


def test_a_process_that_does_not_know_the_run_goes_through_it_again(
    host: Host, tmp_path: Path
) -> None:
    first = host.ask(NAME, UNKNOWN)
    before = [turn(UNKNOWN, first)]
    with hosted(tmp_path / "home", sparql.build) as later:
        said = later.ask(NAME, "variants: What is SPARQL?", turns=before)
        assert HELP + "what-is-sparql" in answer(said)
        assert tools(said) == ["run_kg_workflow"] * 3
        further = later.ask(NAME, "continue", turns=before)
        assert further.result is not None
        assert further.result["status"] == "needs_decision"
        assert further.result["kg_prompt"] == UNKNOWN
        again = later.ask(NAME, "synthesize", turns=[turn("continue", further)])
        chosen = later.ask(NAME, "synthesize", turns=before)
        for output in (again, chosen):
            assert "The user chose an answer without KG backing." in answer(output)


def test_a_report_can_be_read_at_a_glance(host: Host) -> None:
    lines = answer(host.ask(NAME, UNKNOWN)).splitlines()
    assert all(len(line) <= 200 for line in lines)
    assert "\\{" not in "".join(lines)
    assert lines[-3:] == [
        "- “synthesize” for an answer without KG backing",
        "- “continue” to go on probing",
        "- “variants: …; …” to probe in other words",
    ]
    assert "- “继续”: 继续探查" in answer(host.ask(NAME, "泽姆布拉的首都是哪里?")).splitlines()


def test_a_new_prompt_after_the_question_is_a_new_run(host: Host) -> None:
    first = host.ask(NAME, UNKNOWN)
    output = host.ask(NAME, "What is SPARQL?", turns=[turn(UNKNOWN, first)])
    assert answer(output).startswith("From the graph, for “What is SPARQL?”:")


def strict(folder: Path, **changes: str) -> Path:
    """The embedded registry with changes of its policy."""
    from groundwire import profiles

    text = Path(profiles.__file__).with_name("endpoints.toml").read_text("utf-8")
    for key, value in (changes or {"kg_mandatory_for_all_prompts": "true"}).items():
        text, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
        assert count == 1
    made = folder / "endpoints.toml"
    made.write_text(text, "utf-8")
    return made


def test_strict_mode_ends_with_the_exit_message_and_nothing_else(tmp_path: Path) -> None:
    with hosted(tmp_path / "home", sparql.build, endpoints=strict(tmp_path)) as host:
        output = host.ask(NAME, UNKNOWN)
        assert answer(output) == EXIT_MESSAGE
        assert output.result is not None
        assert output.result["status"] == "aborted"
        assert output.result["audits"]
        # There is nothing to decide, so this is a prompt like any other.
        told = host.ask(NAME, "synthesize", turns=[turn(UNKNOWN, output)])
        assert "What follows is not from the graph" not in answer(told)
        assert "What is SPARQL?" in answer(host.ask(NAME, "What is SPARQL?"))


def test_where_nobody_is_sure_the_user_says_whether_it_is_mandatory(tmp_path: Path) -> None:
    registry = strict(
        tmp_path,
        must_run_kg_workflow_for_prompt_classes='["fact_lookup"]',
        confidence_threshold="0.99",
    )
    with hosted(tmp_path / "home", sparql.build, endpoints=registry) as host:
        first = host.ask(NAME, UNKNOWN)
        assert first.result is not None
        assert first.result["options"] == ["mandatory", "continue", "synthesize"]
        assert "Shall the KG workflow be mandatory for this prompt?" in answer(first)
        made = host.ask(NAME, "mandatory", turns=[turn(UNKNOWN, first)])
        assert answer(made) == EXIT_MESSAGE


@pytest.mark.parametrize(
    ("asked", "reply", "read", "said"),
    [
        ("What is the capital of Egypt?", "and its currency?", "What is the currency of Egypt?",
         "Egyptian Pound"),
        ("capital of peru", "and Chile?", "capital of Chile", "Santiago"),
        ("Hauptstadt von Peru?", "und seine Währung?", "Währung von Peru?", "Peruanischer Sol"),
        ("巴西的首都是哪里", "那阿根廷呢", "阿根廷的首都是哪里", "布宜诺斯艾利斯"),
        ("巴西的首都是哪里", "它的货币呢", "巴西的货币是什么？", "巴西雷亚尔"),
    ],
)  # fmt: skip
def test_a_question_carries_on_the_one_before(
    host: Host, asked: str, reply: str, read: str, said: str
) -> None:
    first = host.ask(NAME, asked)
    output = host.ask(NAME, reply, turns=[turn(asked, first)])
    assert output.result is not None
    assert output.result["kg_prompt"] == read
    assert read in answer(output).splitlines()[0]
    assert said in answer(output)


def test_a_question_of_its_own_carries_nothing_on(host: Host) -> None:
    first = host.ask(NAME, "What is the capital of Egypt?")
    output = host.ask(NAME, "What is SPARQL?", turns=[turn("What is the capital of Egypt?", first)])
    assert output.result is not None
    assert output.result["kg_prompt"] == "What is SPARQL?"
