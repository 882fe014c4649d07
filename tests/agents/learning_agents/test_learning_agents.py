"""What each agent of learning answers by its rules, and what a model cannot make it say or do."""

from __future__ import annotations

from typing import Any

import pytest
from agent_host import Host, answer, calls, tools, turn

from groundwire.agents.learning_agents.procedure import DONE, NOT_ASKED
from groundwire.agents.learning_agents.sentences import definitions
from groundwire.agents.learning_agents.task import Asked, linked_names, task_from
from groundwire.agents.learning_agents.taxonomy_curator_agent.procedure import joint_names
from groundwire.agents.runtime.agent import validated_input
from groundwire.agents.runtime.contract import AgentOutput

DECK = "Tides and harbours"
HINTS = {
    "suggested_next_actions", "related_resources", "confidence", "source_quality",
    "validity_period_s", "context_needed", "assumptions", "risk_factors", "dependencies",
    "estimated_impact", "preference_alignment",
}  # fmt: skip


def result(output: AgentOutput) -> dict[str, Any]:
    assert output.result is not None, output.error
    return dict(output.result)


def observed(output: AgentOutput) -> list[str]:
    return [step.observation or "" for step in output.reasoning.steps if step.action]


def test_the_inputs_of_the_specification_are_read_from_fields_and_from_the_context() -> None:
    sent = {"deck_id": "d", "session_mode": "exam", "count": 3, "card_type": "cloze"}
    limits = {"max_time": 900, "max_cost": 0.5, "required_quality": 0.6}
    direct = validated_input(Asked, {"question": "Go", **sent, "constraints": limits})
    within = validated_input(
        Asked, {"question": "Go", "context": {**sent, "constraints": limits, "card_id": "c"}}
    )
    for one in (direct, within):
        assert (one.deck_id, one.session_mode, one.count) == ("d", "exam", 3)
        assert (one.constraints.max_time_ms, one.constraints.max_cost_usd) == (900, 0.5)
        assert one.constraints.required_quality == 0.6
    assert within.context == {"card_id": "c"}


@pytest.mark.parametrize(
    "context", [{"count": 51}, {"session_mode": "sleep"}, {"constraints": {"max_time": 0}}]
)
def test_inputs_that_are_none_are_refused(host: Host, context: dict[str, Any]) -> None:
    output = host.ask("learning_agent", "Go", variables=context)
    assert output.error is not None and output.error.code == "ValidationError"


AGENTS = {
    "learning_agent": "Next?",
    "diagnostic_agent": "Why do answers fail?",
    "strategy_agent": "How should I change my plan?",
    "content_generation_agent": "Cards about neap tides",
    "socratic_tutor_agent": "Ask me about spring tides",
    "calibration_agent": "Am I sure?",
    "ingestion_agent": "Cards about tides",
    "knowledge_graph_agent": "What do I need before navigation?",
    "taxonomy_curator_agent": "Which concepts are near tides?",
    "governance_agent": "What is to be mended?",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_gives_hints_and_keeps_to_its_constraints(host: Host, agent: str) -> None:
    sent = {"required_quality": 1.0, "max_time": 600_000, "max_cost": 1}
    output = host.ask(agent, AGENTS[agent], variables={"constraints": sent})
    told = result(output)
    assert set(told["hints"]) == HINTS
    assert told["required_quality"] == 1.0
    assert told["reaches_required_quality"] is (output.reasoning.confidence >= 1.0)
    assert 0 <= told["hints"]["confidence"] <= 1 and 0 <= told["hints"]["estimated_impact"] <= 1
    late = host.ask(agent, AGENTS[agent], variables={"constraints": {"max_time": 1}})
    assert late.error is not None and late.error.code == "TimeoutError"


def test_hints_have_all_eleven_fields(host: Host) -> None:
    hints = result(host.ask("learning_agent", "Next?"))["hints"]
    assert set(hints) == HINTS
    assert hints["source_quality"] == "high" and hints["confidence"] == 0.9
    assert any(one.startswith("evidence_id=") for one in hints["related_resources"])


def test_learning_takes_the_queue(host: Host) -> None:
    found = result(host.ask("learning_agent", "Next?", variables={"deck_id": DECK, "count": 2}))
    assert found["next_card"] == found["cards"][0] and len(found["cards"]) == 2
    assert found["due_count"] >= 1 and "back" not in found["next_card"]
    assert set(found["lanes"]["due"]) <= {one["card_id"] for one in found["cards"]}


def test_learning_records_what_was_typed_and_nothing_else(host: Host, rows: Any) -> None:
    before = rows("SELECT count(*) FROM reviews")
    sent = {"card_id": "tide_flood", "response": "flood"}
    found = result(host.ask("learning_agent", "I said flood.", variables=sent))
    assert found["review"]["graded"]["rated_by"] == "server"
    assert rows("SELECT count(*) FROM reviews") == [(before[0][0] + 1,)]


def test_a_rating_that_a_model_invents_is_not_recorded(host: Host, rows: Any) -> None:
    before = rows("SELECT count(*) FROM reviews")
    rating = ("record_review", {"card_id": "tide_flood", "rating": "easy"})
    output = host.ask("learning_agent", "Next?", calls(rating), "Rated easy.", forever=True)
    assert NOT_ASKED in observed(output)[0]
    assert rows("SELECT count(*) FROM reviews") == before
    assert "easy" not in answer(output).casefold() and output.metadata.fabrication_guard_triggered


def test_a_name_that_is_not_known_is_told_with_candidates(host: Host) -> None:
    output = host.ask("learning_agent", "Next?", variables={"deck_id": "Tides and harbors"})
    found = result(output)
    assert found["confidence"] == "low" and found["unrecognized"][0]["param"] == "deck"


def test_calibration_tells_both_sources(host: Host) -> None:
    found = result(host.ask("calibration_agent", "Am I sure?"))["calibration"]
    assert set(found) == {"confidence", "schedule"}
    for one in found.values():
        assert one["status"] in ("estimated", "not_enough")
        assert ("brier" in one) == (one["status"] == "estimated")


@pytest.mark.parametrize("agent", ["diagnostic_agent", "calibration_agent"])
def test_what_is_told_of_all_cards_is_said_to_be(host: Host, agent: str) -> None:
    every = answer(host.ask(agent, "Why do I forget the harbour cards?"))
    assert every.endswith("name a deck, a concept or a card to ask about it alone.")
    assert "all cards" not in answer(host.ask(agent, "Why?", variables={"deck_id": DECK}))


def test_cards_are_about_the_topic_or_said_to_be_fewer(host: Host) -> None:
    output = host.ask("content_generation_agent", "Make nine cards about neap tides")
    cards = result(output)["cards"]
    assert cards[0]["back"] == "the tides with the smallest range"
    assert all("Neap" in f"{one['front']} {one['back']}" for one in cards)
    assert "Fewer than the 9 that were asked for" in answer(output)


def test_a_sentence_that_names_the_topic_makes_a_cloze(host: Host) -> None:
    output = host.ask("content_generation_agent", "Make three cards on bollards")
    (card,) = result(output)["cards"]
    assert (card["type"], card["back"]) == ("cloze", "bollard")


def test_a_topic_may_be_named_as_a_source(host: Host) -> None:
    assert result(host.ask("ingestion_agent", "Make cards from my fairway notes"))["units"]
    asked = answer(host.ask("ingestion_agent", "Make cards from my notes"))
    assert asked.endswith("Name the topic that the cards are to be about.")


def test_a_topic_ends_before_what_is_to_be_done(host: Host) -> None:
    output = host.ask("ingestion_agent", "Read the text about neap tides and suggest cards")
    assert result(output)["units"] and "Neap tides" in answer(output)


def test_diagnosis_without_enough_tells_no_family(host: Host) -> None:
    found = result(host.ask("diagnostic_agent", "Why?"))
    assert found["status"] == "not_enough" and "families" not in found and found["needs"]


def test_content_is_quoted_and_kept_only_where_a_deck_is_named(host: Host, rows: Any) -> None:
    dry = result(host.ask("content_generation_agent", "Two cards about neap tides"))
    assert dry["cards"] and dry["kept"] is False
    assert not rows("SELECT * FROM decks WHERE name = 'Drafts'")
    sent = {"deck_id": "Pilots", "topic": "tides", "card_type": "cloze", "count": 2}
    kept = result(host.ask("content_generation_agent", "Make them", variables=sent))
    assert kept["kept"] is True and 1 <= len(kept["cards"]) <= 2
    held = rows("SELECT quote, proof FROM cards WHERE quote != '' AND card_id LIKE 'card_%'")
    assert len(held) == len(kept["cards"]) and all(proof == "quoted" for _, proof in held)


def test_images_are_not_made_of_text(host: Host) -> None:
    output = host.ask(
        "content_generation_agent", "tides", variables={"card_type": "image_occlusion"}
    )
    assert "need an image" in answer(output) and "submit_cards" not in tools(output)


CARD = {"type": "atomic", "front": "What is a knot?", "back": "one nautical mile per hour"}
QUOTE = "A knot is one nautical mile per hour."


@pytest.mark.parametrize(
    ("card", "deck", "taken"),
    [
        ({**CARD, "quote": QUOTE, "front": "What does a knot stand for?"}, "Pilots", True),
        (CARD, "Pilots", False),
        ({**CARD, "quote": QUOTE}, "Elsewhere", False),
        ({**CARD, "quote": QUOTE, "back": "two nautical miles per hour"}, "Pilots", False),
    ],
)
def test_of_a_models_cards_only_quoted_and_accepted_ones_are_told(
    host: Host, card: dict[str, Any], deck: str, taken: bool
) -> None:
    made = calls(("submit_cards", {"deck": deck, "cards": [card], "proven_only": True}))
    look = calls(("search_sources", {"query": "knot", "limit": 20}))
    sent = {"deck_id": "Pilots", "topic": "knot"}
    output = host.ask(
        "content_generation_agent", "Cards", look, made, DONE, variables=sent, forever=True
    )
    assert (card["front"] in str(result(output).get("cards"))) == taken
    assert "two nautical miles" not in str(output.result)


def test_the_tutor_asks_goes_deeper_and_never_says_the_back(host: Host, rows: Any) -> None:
    backs = dict(rows("SELECT card_id, back FROM cards"))
    output = host.ask("socratic_tutor_agent", "Help me", variables={"deck_id": DECK})
    first, turns = result(output), [turn("Help me", output)]
    assert first["turn"] == 1 and first["kind"] == "clarify" and "hint" not in first
    back = backs[first["card_id"]]
    kinds = {first["kind"]}
    for depth in (1, 2, 3):
        output = host.ask("socratic_tutor_agent", "I do not know", turns=turns)
        found = result(output)
        turns.append(turn("I do not know", output))
        assert found["card_id"] == first["card_id"] and found["hint_depth"] == depth
        assert found["hint"] and back.casefold() not in answer(output).casefold()
        kinds.add(found["kind"])
    assert len(kinds) == 4
    right = host.ask("socratic_tutor_agent", back, turns=turns)
    assert result(right)["matched"] is True and back not in answer(right)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("What would happen if you said it in your own words?", True),
        ("Is it {back}?", False),
        ("What is it, if 12 of 13 sailors say so?", False),
        ("Could Admiral Zorvane know?", False),
        ("It is so.", False),
        ("Do you think of {stem}s?", False),
    ],
)
def test_a_models_question_is_told_only_if_it_holds(
    host: Host, rows: Any, said: str, told: bool
) -> None:
    rules = result(host.ask("socratic_tutor_agent", "Help me"))
    back = dict(rows("SELECT card_id, back FROM cards"))[rules["card_id"]]
    front = dict(rows("SELECT card_id, front FROM cards"))[rules["card_id"]]
    looks = calls(("list_cards", {"show_back": True, "limit": 1}))
    finds = calls(("search_sources", {"query": front, "limit": 5}))
    draft = said.format(back=back, stem=max(back.split(), key=len)[:-1])
    output = host.ask("socratic_tutor_agent", "Help me", looks, finds, draft, forever=True)
    assert (draft in answer(output)) == told
    assert not (told and output.metadata.fabrication_guard_triggered)
    assert back.casefold() not in answer(output).casefold()


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Hilf mir bitte", "Was würdest du mit eigenen Worten dazu sagen?", False),
        ("Hilf mir bitte", "Was könntest du mit eigenen Worten sagen?", True),
        ("Hilf mir bitte", "Könnte es {back} sein?", False),
        ("请帮我", "你会怎样用自己的话说？", True),
        ("请帮我", "答案是不是{back}？", False),
        ("请帮我", "你知道海军上将吗？", False),
    ],
)
def test_a_models_question_may_be_in_the_learners_language(
    host: Host, rows: Any, asked: str, said: str, told: bool
) -> None:
    rules = result(host.ask("socratic_tutor_agent", asked))
    back = dict(rows("SELECT card_id, back FROM cards"))[rules["card_id"]]
    front = dict(rows("SELECT card_id, front FROM cards"))[rules["card_id"]]
    looks = calls(("list_cards", {"show_back": True, "limit": 1}))
    finds = calls(("search_sources", {"query": front, "limit": 5}))
    draft = said.format(back=back)
    output = host.ask("socratic_tutor_agent", asked, looks, finds, draft, forever=True)
    assert (draft in answer(output)) == told
    assert back.casefold() not in answer(output).casefold()


def test_ingestion_drafts_cards_of_definitions_and_names_concepts(host: Host) -> None:
    found = result(
        host.ask("ingestion_agent", "What is there on channels?", variables={"topic": "channel"})
    )
    assert all(one["type"] == "cloze" for one in found["cards"]) and found["units"]
    assert "fairway" in [one["name"] for one in found["concepts"]]


def test_links_are_proposed_and_made_only_where_the_task_says_so(host: Host, rows: Any) -> None:
    before = rows("SELECT count(*) FROM edges")
    asked = {"topic": "fairway"}
    dry = result(host.ask("knowledge_graph_agent", "Link it", variables=asked))
    assert {"source": "fairway", "relation": "part_of", "target": "channel"} in dry["links"]
    assert {"source": "bollard", "relation": "prerequisite", "target": "Mooring"} in dry["links"]
    assert rows("SELECT count(*) FROM edges") == before
    shared = result(
        host.ask("knowledge_graph_agent", "Link it", variables={**asked, "scope": "shared"})
    )
    assert shared["status"] == "needs_review" and rows("SELECT count(*) FROM edges") == before
    made = result(host.ask("knowledge_graph_agent", "Link it", variables={**asked, "commit": True}))
    assert made["status"] == "committed"
    assert rows("SELECT count(*) FROM edges")[0][0] > before[0][0]


def test_a_link_that_no_sentence_says_is_not_sent(host: Host, rows: Any) -> None:
    operations = [
        {"op": "add_edge", "source": "buoy", "relation": "causes", "target": "seamark"},
    ]
    (passage,) = rows("SELECT passage_id FROM passages WHERE text LIKE '%buoy%'")
    quote = {"passage_id": passage[0], "text": "A buoy is a kind of seamark", "operations": [1]}
    sent = {
        "operations": operations, "quotes": [quote], "dry_run": True,
        "rationale": "Said by the quoted sentences.",
    }  # fmt: skip
    output = host.ask(
        "knowledge_graph_agent", "Link the buoy", calls(("submit_graph_changes", sent)), DONE,
        forever=True,
    )  # fmt: skip
    assert "says the link" in observed(output)[0]


def test_strategy_changes_nothing_that_is_not_named(host: Host, rows: Any) -> None:
    found = result(host.ask("strategy_agent", "I have an exam soon"))
    assert found["policy"]["loadout"] == "steady" and "recommended" not in found
    changed = result(host.ask("strategy_agent", "Do it", variables={"loadout": "exam"}))
    assert changed["policy"]["loadout"] == "exam" and changed["workload_before"]
    assert rows("SELECT count(*) FROM policies") == [(1,)]


@pytest.mark.parametrize("question", ["My exam is near", "Bald ist die Prüfung", "我下周考试"])
def test_for_an_exam_the_policy_that_keeps_most_is_recommended(host: Host, question: str) -> None:
    held = {"loadout": "exam"}
    host.runner.run(host.registry.call("set_learning_policy", held))
    found = result(host.ask("strategy_agent", question))
    most = max(one["remembered"] for one in found["what_if"])
    best = [one for one in found["what_if"] if one["remembered"] == most]
    least = min(best, key=lambda one: one["reviews"])
    assert found["recommended"]["loadout"] == least["loadout"] != "exam"
    assert all(f"{one['reviews']}" in found["answer"] for one in found["what_if"])
    host.runner.run(host.registry.call("set_learning_policy", {"loadout": least["loadout"]}))
    kept = result(host.ask("strategy_agent", question))
    said = {"M": "Keep {}, which", "B": "Bleiben Sie bei {}", "我": "保持当前的{}"}[question[0]]
    assert "recommended" not in kept and said.format(least["loadout"]) in kept["answer"]


def test_governance_flags_what_the_tools_list(host: Host) -> None:
    draft = {"type": "atomic", "front": "What is a bight?", "back": "a bend"}
    host.runner.run(host.registry.call("submit_cards", {"deck": "Pilots", "cards": [draft]}))
    found = result(host.ask("governance_agent", "Anything wrong?"))
    (flag,) = [one for one in found["flags"] if one["flag"] == "draft"]
    assert flag["blocks"] and [one["front"] for one in flag["cards"]] == ["What is a bight?"]


def test_taxonomy_checks_a_merge_of_near_names_and_makes_it_when_told(
    host: Host, rows: Any
) -> None:
    operations = [
        {"op": "add_node", "name": "harbour lock"},
        {"op": "add_node", "name": "harbor lock"},
        {
            "op": "add_edge",
            "source": "harbour lock",
            "relation": "related_to",
            "target": "harbor lock",
        },
    ]
    sent = {"operations": operations, "rationale": "for the test"}
    host.runner.run(host.registry.call("submit_graph_changes", sent))
    for sent in ({"topic": "harbour lock"}, {}):
        found = result(host.ask("taxonomy_curator_agent", "Doubles?", variables=sent))
        assert found["near"] == [{"into": "harbor lock", "name": "harbour lock"}]
    named = "SELECT count(*) FROM nodes WHERE name LIKE 'harb%lock'"
    assert rows(named) == [(2,)]
    told = {"topic": "harbour lock", "commit": True}
    host.ask("taxonomy_curator_agent", "Merge them", variables=told)
    assert rows(named) == [(1,)]


def test_another_user_id_reads_and_keeps_the_callers_own(host: Host) -> None:
    own = result(host.ask("learning_agent", "Next?"))
    other = result(host.ask("learning_agent", "Next?", variables={"user_id": "somebody"}))
    assert other["due_count"] == own["due_count"]


@pytest.mark.parametrize(
    "agent", ["learning_agent", "calibration_agent", "diagnostic_agent", "socratic_tutor_agent"]
)
def test_a_topic_that_was_only_guessed_and_is_unknown_is_let_go(host: Host, agent: str) -> None:
    guessed = host.ask(agent, "Help me with what I said about my deck")
    assert answer(guessed).startswith("No concept, deck or card is called “deck”")
    assert "unrecognized" not in result(guessed) and "refused" not in result(guessed)
    assert len(answer(guessed).splitlines()) > 1
    named = host.ask(agent, "Help me", variables={"topic": "deck"})
    assert result(named)["confidence"] == "low" and not answer(named).startswith("No concept, deck")


def test_strategy_plays_every_loadout_forward(host: Host) -> None:
    found = result(host.ask("strategy_agent", "What if I chose another policy?"))
    options = {one["loadout"]: one for one in found["what_if"]}
    assert {"steady", "light", "exam"} <= options.keys()
    assert [name for name, one in options.items() if one["in_force"]] == ["steady"]
    for name, one in options.items():
        assert one["regret"] >= 0 and f"{name}" in found["answer"]
        if one.get("better"):
            better = options[one["better"]]
            assert better["reviews"] <= one["reviews"]
            assert better["remembered"] >= one["remembered"]
    again = result(host.ask("strategy_agent", "What if I chose another policy?"))
    assert again["what_if"] == found["what_if"]


def test_governance_holds_a_ledger_and_changes_no_policy(host: Host, rows: Any) -> None:
    found = result(host.ask("governance_agent", "Are we within budget?"))
    ledger = {one["budget"]: one for one in found["ledger"]}
    assert (ledger["new cards today"]["used"], ledger["new cards today"]["allowed"]) == (0, 20)
    assert ledger["reviews that only a model rated"]["allowed"] == 0
    for one in ledger.values():
        assert one["over"] == (one["used"] > one["allowed"])
    change = ("set_learning_policy", {"new_per_day": 500})
    output = host.ask(
        "governance_agent", "Within budget?", calls(change), "All well.", forever=True
    )
    assert NOT_ASKED in observed(output)[0] and not rows("SELECT * FROM policies")


def test_taxonomy_checks_a_split_of_a_joint_name(host: Host, rows: Any) -> None:
    add = [{"op": "add_node", "name": "salt and pepper"}]
    sent = {"operations": add, "rationale": "for the test"}
    host.runner.run(host.registry.call("submit_graph_changes", sent))
    asked = {"topic": "salt and pepper"}
    found = result(host.ask("taxonomy_curator_agent", "In order?", variables=asked))
    assert found["splits"] == [{"node": "salt and pepper", "into": ["salt", "pepper"]}]
    held = "SELECT name FROM nodes WHERE name IN ('salt', 'pepper', 'salt and pepper')"
    assert rows(held) == [("salt and pepper",)]
    host.ask("taxonomy_curator_agent", "Split", variables={**asked, "commit": True})
    assert sorted(rows(held)) == [("pepper",), ("salt",)]
    assert joint_names(["Ebb and flood", "Ebb", "Salt and pepper", "R&D", "a, b and c"]) == [
        ("Salt and pepper", ("Salt", "pepper"))
    ]


def test_what_the_graph_holds_is_told_before_anything_is_drafted(host: Host) -> None:
    operations = [
        {"op": "add_node", "name": "knots"},
        {"op": "add_node", "name": "hitches"},
        {"op": "add_node", "name": "towing"},
        {"op": "add_edge", "source": "knots", "relation": "prerequisite", "target": "hitches"},
        {"op": "add_edge", "source": "hitches", "relation": "prerequisite", "target": "towing"},
    ]
    sent = {"operations": operations, "rationale": "The order of the course."}
    host.runner.run(host.registry.call("submit_graph_changes", sent))
    found = result(host.ask("knowledge_graph_agent", "What do I need before towing?"))
    assert found["prerequisites"] == [{"of": "towing", "order": ["knots", "hitches"]}]
    assert "Before towing: knots, then hitches." in found["answer"]
    joined = result(host.ask("knowledge_graph_agent", "How are knots and towing linked?"))
    assert "no link between" not in joined["answer"]
    unknown = result(host.ask("knowledge_graph_agent", "What do I need before juggling?"))
    assert "no concept called “juggling”" in unknown["answer"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What do I need before navigation?", ("navigation",)),
        ("How are spring tides and the tidal range linked?", ("spring tides", "tidal range")),
        ("Was brauche ich vor der Navigation?", ("Navigation",)),
        ("学习导航之前需要什么？", ("导航",)),
        ("光合作用和呼吸作用有什么关系？", ("光合作用", "呼吸作用")),
        ("Link the fairway", ()),
        ("Draft links of the section on harbours", ()),
    ],
)
def test_names_of_a_question_about_links(question: str, names: tuple[str, ...]) -> None:
    assert linked_names(question) == names


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Help me understand spring tides better please", "spring tides"),
        ("Why do I forget the cards about tides again and again?", "tides"),
        ("Hilf mir, Springtiden zu verstehen", "Springtiden"),
        ("Ich will endlich die Gezeiten begreifen", "Gezeiten"),
        ("Warum vergesse ich die Karten zu Knoten immer wieder?", "Knoten"),
        ("Wie soll ich lernen?", ""),
        ("为什么我总是忘记潮汐的卡片？", "潮汐"),
        ("帮我理解一下光合作用，好吗？", "光合作用"),
        ("从我的港口笔记做卡片", "港口"),
        ("请根据我的笔记出5道题", ""),
    ],
)
def test_the_topic_of_a_question_in_three_languages(question: str, topic: str) -> None:
    assert task_from(question, {}, ()).topic == topic


@pytest.mark.parametrize(
    ("question", "count", "card_type"),
    [
        ("做三张关于潮汐的填空卡片", 3, "cloze"),
        ("出12道题", 12, ""),
        ("Mache vier Karten über Knoten", 4, ""),
    ],
)
def test_how_many_cards_a_question_asks_for(question: str, count: int, card_type: str) -> None:
    task = task_from(question, {}, ())
    assert (task.count, task.card_type) == (count, card_type)


def test_a_tutor_without_a_topic_says_that_it_chose(host: Host) -> None:
    chosen = "name a deck, a concept or a card to ask about it alone."
    assert answer(host.ask("socratic_tutor_agent", "Quiz me")).endswith(chosen)
    assert answer(host.ask("socratic_tutor_agent", "考考我")).endswith("请说出卡组、概念或卡片。")
    assert chosen not in answer(host.ask("socratic_tutor_agent", "Ask me about spring tides"))


def test_the_tutor_asks_about_what_it_is_asked_for(host: Host) -> None:
    draft = {"type": "atomic", "front": "What is a bight?", "back": "a bend",
             "quote": "", "concepts": []}  # fmt: skip
    host.runner.run(host.registry.call("submit_cards", {"deck": "Pilots", "cards": [draft]}))
    found = result(host.ask("socratic_tutor_agent", "Help me understand a bight"))
    assert "bight" in found["answer"]


@pytest.mark.parametrize(
    ("sentence", "front", "back"),
    [
        ("The membrane consists of lipids.", "What does the membrane consist of?", "lipids"),
        ("Osmosis refers to a movement of water.", "What does Osmosis refer to?",
         "a movement of water"),
        ("A wind from the sea is known as sea breeze.",
         "What is a wind from the sea known as?", "sea breeze"),
        ("Eine Zelle besteht aus Membran und Kern.", "Woraus besteht eine Zelle?",
         "Membran und Kern"),
        ("光合作用是指利用光能制造糖的过程。", "光合作用是指什么？", "利用光能制造糖的过程"),
        ("地表的岩浆被称为熔岩，温度很高。", "地表的岩浆被称为什么？", "熔岩"),
        ("它们被称为熔岩。", "", ""),
        ("It consists of lipids.", "", ""),
    ],
)  # fmt: skip
def test_sentences_that_define_in_three_languages(sentence: str, front: str, back: str) -> None:
    found = list(definitions([{"passage_id": "p", "text": sentence}]))
    assert [(one.front, one.back) for one in found] == ([(front, back)] if front else [])
