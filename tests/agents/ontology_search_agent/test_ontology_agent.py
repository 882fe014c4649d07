"""The agent from question to answer: its rules, and models that lie, skip the tool or smuggle."""

from __future__ import annotations

from typing import Any

import pytest
from agent_host import Host, answer, calls, tools, turn

from groundwire.agents.ontology_search_agent.rules import CURRENT, NOTHING, CatalogueBriefing
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.agents.runtime.model import ModelResponse
from groundwire.ontology.terms import CatalogueTerms

NAME = "ontology_search_agent"
ASKED = "scenarios that use a map of Germany"
INVENTED = "https://evil.example/asset/4711"


def submit(slots: dict[str, Any], **more: Any) -> ModelResponse:
    return calls(("submit_slots", {"slots": slots, **more}))


def test_a_question_is_answered_without_a_key(host: Host) -> None:
    output = host.ask(NAME, "Szenarien mit Regen, die eine Karte aus Deutschland verwenden")
    assert output.success
    assert output.result is not None
    assets = output.result["assets"]
    assert isinstance(assets, list)
    assert assets
    for asset in assets[:10]:
        assert isinstance(asset, dict)
        assert f"<{asset['iri']}>" in answer(output)
    assert output.evidence_ids
    assert output.evidence_ids[0] in answer(output)
    assert tools(output) == ["submit_slots"]
    assert not output.metadata.fabrication_guard_triggered


def test_corrections_and_gaps_are_told(host: Host) -> None:
    output = host.ask(NAME, "scenarios whose weather is rian with blubb")
    assert "Read as: rian as rain." in answer(output)
    assert 'Not used: "blubb" is not in the catalogue.' in answer(output)


def test_what_matches_nothing_is_explained(host: Host) -> None:
    output = host.ask(NAME, "scenarios in rain longer than 100000 seconds")
    assert "No asset matches" in answer(output)
    assert "Without duration > 100000 s there are" in answer(output)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How many HD maps do Germany and Japan each have?", "- Germany: 55\n- Japan: 7"),
        ("How many scenarios in rain and in snow, respectively?", "- rain: 13\n- snow: 8"),
        ("Wie viele Szenarien mit Regen und Schnee gibt es jeweils?", "- Regen: 13\n- Schnee: 8"),
        ("德国和日本的高精地图各有多少张", "- 德国: 55\n- 日本: 7"),
        ("德国的场景和高精地图各有多少", "场景 50; 高精地图 55"),
        ("哪些城市有结冰的路面模型？", "- Gothenburg: 1\n- Modena: 1\n- Tsukuba: 1"),
        ("各国有多少张高精地图？", "- 德国: 55\n- 中国: 9"),
        ("Wie viele HD-Karten haben Busspuren und Straßenbahnspuren?", "Es gibt 9 Einträge"),
        ("日本的场景、轨迹和高精地图有哪些", "场景或OSI 轨迹或高精地图条目有16个"),
    ],
)
def test_each_of_several_is_counted(host: Host, question: str, says: str) -> None:
    assert says in answer(host.ask(NAME, question))


@pytest.mark.parametrize(
    "question",
    [
        "How many HD maps are there in Suzhou? List them.",
        "Wie viele HD-Karten gibt es in Suzhou? Bitte auflisten.",
        "苏州的高精地图有哪些？共有多少张？",
        "请列出苏州的高精地图，一共有多少张？",
        "列出苏州的高精地图，总数是多少",
    ],
)
def test_a_list_is_told_beside_its_number(host: Host, question: str) -> None:
    told = answer(host.ask(NAME, question))
    assert "4" in told.splitlines()[0]
    assert "- Suzhou motorway ring" in told


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What's the longest and the shortest HD map?", ("67.6 km", "1.1 km")),
        ("最长和最短的高精地图分别是哪张？", ("67.6 km", "1.1 km")),
        ("List the OSI traces longer than 60 s. Who provided them?", ("59 ", "provider: ")),
        ("Which traces were recorded before 2023 and how long are they?", ("14 ", "979.1 s")),
        ("Welche Szenarien spielen in Japan, und wie lange dauern sie?", ("8 ", "Dauer: 163 s")),
        ("日本的场景有哪些，分别持续多久？", ("8", "时长: 163 s")),
    ],
)
def test_a_second_part_is_answered_too(host: Host, question: str, says: tuple[str, ...]) -> None:
    assert all(one in answer(host.ask(NAME, question)) for one in says)


def test_two_spellings_of_a_value_are_told_in_the_language_of_the_question(host: Host) -> None:
    assert "Wetter = Nebel oder foggy" in answer(host.ask(NAME, "Szenarien im Nebel"))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "Which maps of France have you got, and how many of Italy?",
            ("4 HD map assets match with country = France", "3 HD map assets match"),
        ),
        (
            "how many hd maps per country and their average length",
            ("Germany: about 18.17 km (assets: 55)", "France: 11.075 km (assets: 4)"),
        ),
        ("每个国家有多少高精地图，平均长度是多少？", ("德国：约18.17 km（55个条目）",)),
        (
            "Welche Szenarien spielen bei Nacht und wie viele davon bei Regen?",
            ("21 ", "Es gibt 2 "),
        ),
        ("how many kilometres of maps do we have in Germany", ("999.6 km, of 55 HD map assets",)),
        ("How many scenarios and how many traces are from Berlin?", ("scenario 4; OSI trace 3",)),
    ],
)
def test_each_request_is_answered(host: Host, question: str, says: tuple[str, ...]) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["confidence"] == "high"
    assert all(one in answer(output) for one in says)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("maps shorter than 0 km", "allow no value with length < 0 km, only > 0 km"),
        ("摩擦系数大于2的路面模型", "不允许摩擦系数 > 2的值，只允许> 0, < 1.5"),
    ],
)
def test_a_bound_that_the_shapes_rule_out_is_told(host: Host, question: str, says: str) -> None:
    assert says in answer(host.ask(NAME, question))


def test_every_group_of_a_count_is_told(host: Host) -> None:
    output = host.ask(NAME, "How many scenarios are there per weather?")
    assert output.result is not None
    counts = output.result["counts"]
    assert isinstance(counts, list)
    assert len(counts) > 5
    for group in counts:
        assert isinstance(group, dict)
        assert f"- {group['value']}: {group['count']}" in answer(output)


def test_a_question_of_nothing_known_is_told_what_there_is(host: Host) -> None:
    output = host.ask(NAME, "Hello there!")
    assert answer(output).startswith(NOTHING)
    assert "HD map" in answer(output)


def test_a_conversation_goes_on_from_its_slots(host: Host) -> None:
    first = host.ask(NAME, "scenarios in rain")
    second = host.ask(NAME, "only those longer than 20 s", turns=[turn("scenarios in rain", first)])
    assert "weather = rain and duration > 20 s" in answer(second)


def test_a_model_is_made_to_submit_first(host: Host) -> None:
    output = host.ask(NAME, "all scenarios", submit({"domains": ["scenario"]}))
    assert output.success
    assert host.model is not None
    (request,) = host.model.requests
    assert request.tool_choice == ("tool", "submit_slots")
    assert {tool.name for tool in request.tools} == {
        "submit_slots",
        "discover_domains",
        "discover_properties",
        "discover_values",
        "discover_connections",
        "investigate_schema",
    }


def test_a_model_that_skips_the_tool_is_asked_once_more_and_then_says_nothing(host: Host) -> None:
    lie = f"There are 4,711 scenarios, the best is {INVENTED}."
    output = host.ask(NAME, ASKED, lie, forever=True)
    assert answer(output) == NOTHING
    assert output.metadata.fabrication_guard_triggered
    assert host.model is not None
    assert 2 <= len(host.model.requests) <= 3


def test_what_a_model_says_beside_the_results_is_dropped(host: Host) -> None:
    empty = submit({"domains": ["scenario"], "ranges": {"duration": {"gt": 100000}}})
    lie = f'The best is "Invented Drive", {INVENTED}, with 4,711 km.'
    output = host.ask(NAME, "scenarios longer than 100000 s", empty, lie)
    assert "Invented Drive" not in answer(output)
    assert "4,711" not in answer(output)
    assert "evil.example" not in answer(output)
    assert output.metadata.fabrication_guard_triggered


SMUGGLED: dict[str, ModelResponse] = {
    "a term in gaps": submit(
        {"domains": ["scenario"]}, gaps=[{"term": f"4711 assets, see {INVENTED}"}]
    ),
    "an interpretation": submit({"domains": ["scenario"]}, interpretation=f"4711, see {INVENTED}"),
    "a value": submit({"domains": ["scenario"], "filters": {"weather": f"4711 {INVENTED}"}}),
    "a domain": submit({"domains": [f"4711 {INVENTED}"]}),
    "a property": submit({"domains": ["scenario"], "filters": {f"4711 {INVENTED}": "x"}}),
    "a text": submit({"domains": ["hdmap"], "filters": {"name": {"contains": f"4711 {INVENTED}"}}}),
    "a bound": submit({"domains": ["hdmap"], "ranges": {"length": {"gt": 4711}}}),
}


@pytest.mark.parametrize("how", SMUGGLED)
def test_what_a_model_smuggles_into_a_call_is_not_repeated(how: str, host: Host) -> None:
    output = host.ask(NAME, ASKED, SMUGGLED[how], "Done.", forever=True)
    assert output.result is not None
    assert "4711" not in str(output.result)
    assert "evil.example" not in str(output.result)


GERMAN_MAPS: dict[str, Any] = {
    "domains": ["hdmap"],
    "filters": {"country": "DE", "roadTypes": "motorway"},
}


def without(part: str) -> dict[str, Any]:
    kept = {key: value for key, value in GERMAN_MAPS["filters"].items() if key != part}
    return {**GERMAN_MAPS, "filters": kept}


@pytest.mark.parametrize(
    ("asked", "slots", "told"),
    [
        ("German motorway maps", without("country"), 'asks for: country = Germany ("German").'),
        ("Motorway maps", GERMAN_MAPS, "that the question does not have: country = "),
        (
            "German motorway maps",
            {**GERMAN_MAPS, "filters": {"country": "FR", "roadTypes": "motorway"}},
            "country = France instead of country = ",
        ),
        (
            "maps without motorways",
            {"domains": ["hdmap"], "filters": {"roadTypes": "motorway"}},
            "road types = motorway instead of without road types = motorway",
        ),
        (
            "maps that are not from Germany",
            {"domains": ["hdmap"]},
            'asks for: without country = Germany ("Germany").',
        ),
        (
            "Autobahnkarten aus Deutschland",
            without("country"),
            "lässt weg, wonach gefragt ist: Land = Deutschland („Deutschland“).",
        ),
        (
            "Maps of Berlin",
            {
                "domains": ["hdmap"],
                "ranges": {"length": {"gt": 4711}},
                "filters": {"city": "Berlin"},
            },
            "the question does not have: length.",
        ),
    ],
)
def test_a_search_that_is_not_what_was_asked_is_told_first(
    asked: str, slots: dict[str, Any], told: str, host: Host
) -> None:
    output = host.ask(NAME, asked, submit(slots), "Done.")
    assert told in answer(output).splitlines()[0]
    assert "4711" not in answer(output).splitlines()[0]
    assert output.reasoning.confidence <= 0.3


def test_assets_of_another_kind_are_no_answer(host: Host) -> None:
    scenarios = submit({"domains": ["scenario"], "filters": {"weather": "rain"}})
    maps = submit({"domains": ["hdmap"], "filters": {"roadTypes": "motorway"}})
    output = host.ask(NAME, "Maps of motorways", scenarios, "Done.", forever=True)
    assert "asks for hdmap" in answer(output)
    assert output.result is not None
    assert "assets" not in output.result
    assert output.reasoning.confidence <= 0.3
    better = host.ask(NAME, "Maps of motorways", scenarios, maps)
    by_rules = host.ask(NAME, "Maps of motorways")
    assert better.result is not None
    assert by_rules.result is not None
    assert better.result["assets"] == by_rules.result["assets"]
    assert better.reasoning.confidence >= 0.6


def test_of_several_searches_the_one_that_was_asked_for_counts(host: Host) -> None:
    output = host.ask(
        NAME,
        "German motorway maps",
        calls(
            ("submit_slots", {"slots": GERMAN_MAPS}),
            ("submit_slots", {"slots": without("country")}),
        ),
    )
    assert "leaves out" not in answer(output)
    assert output.result is not None
    assert output.result["slots"] == GERMAN_MAPS


@pytest.mark.parametrize(
    ("asked", "slots"),
    [
        ("maps of Berlin", {"domains": ["hdmap"], "filters": {"city": "Berlin"}}),
        ("German motorway maps", {**GERMAN_MAPS, "filters": {"country": "Germany",
                                                            "roadTypes": ["motorway"]}}),
        ("maps longer than 5 km", {"domains": ["hdmap"], "ranges": {"length": {"gt": "5000 m"}}}),
    ],
)  # fmt: skip
def test_a_search_in_other_words_is_the_one_that_was_asked_for(
    asked: str, slots: dict[str, Any], host: Host
) -> None:
    output = host.ask(NAME, asked, submit(slots), "Done.")
    assert output.result is not None
    assert output.result["status"] == "results"
    assert output.reasoning.confidence > 0.3


def test_a_prompt_holds_the_shapes_whole_where_they_fit(host: Host) -> None:
    host.ask(NAME, ASKED, submit({"domains": ["scenario"]}))
    assert host.model is not None
    system = host.model.requests[0].system
    assert "sh:in" in system
    assert "## surface-model" in system
    assert "These are the shapes of all kinds of asset" in system


class Shelf:
    """A toolbox whose resources are shapes of a certain size."""

    model_reads_prompt = True

    def __init__(self, terms: CatalogueTerms) -> None:
        self.terms = terms
        self.read_uris: list[str] = []

    def dated(self, question: str) -> str:
        return question

    async def read(self, uri: str) -> str:
        self.read_uris.append(uri)
        scheme, _, name = uri.partition("://")
        if scheme == "vocabulary":
            known = name == self.terms.digest
            terms = CatalogueTerms(digest=name) if known else self.terms
            return terms.model_dump_json()
        return f"# {name}\n" + "x" * 900


async def _shown(made: CatalogueBriefing, question: str, shelf: Shelf) -> dict[str, Any]:
    from groundwire.agents.runtime.contract import AgentContext, AgentInput

    asked = AgentInput(question=question)
    return dict((await made(asked, AgentContext(), shelf)).values)  # type: ignore[arg-type]


def test_a_budget_leaves_the_shapes_that_the_question_names(
    host: Host, terms: CatalogueTerms
) -> None:
    shelf = Shelf(terms)
    values = host.runner.run(_shown(CatalogueBriefing(budget=2_000), ASKED, shelf))
    assert set(values["shown"]) == {"scenario", "hdmap"}
    assert set(values["left_out"]) == {"ositrace", "environment-model", "surface-model"}
    assert values["domains"] == [domain.name for domain in terms.domains]
    assert len(values["shapes"]) < 2_500


def test_vocabulary_and_shapes_are_read_once(host: Host, terms: CatalogueTerms) -> None:
    shelf = Shelf(terms)
    made = CatalogueBriefing()
    host.runner.run(_shown(made, ASKED, shelf))
    before = len(shelf.read_uris)
    host.runner.run(_shown(made, ASKED, shelf))
    assert shelf.read_uris[before:] == [f"vocabulary://{terms.digest}"]
    assert isinstance(CURRENT.get(), QuestionVocabulary | None)


def test_terms_are_sent_whole_only_to_who_does_not_know_them(
    host: Host, terms: CatalogueTerms
) -> None:
    again = host.runner.run(host.registry.read(f"vocabulary://{terms.digest}"))
    assert CatalogueTerms.model_validate_json(again) == CatalogueTerms(digest=terms.digest)


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("any maps with flurb", "flurb"),
        ("the longest maps with flurb", "flurb"),
        ("maps with flurb per country", "flurb"),
        ("maps about 30 km long", "about 30 km"),
        ("Szenarien mit blubb", "blubb"),
        ("lila Karten", "lila"),
    ],
)
def test_all_assets_are_never_the_answer_to_what_was_not_understood(
    question: str, term: str, host: Host
) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["status"] == "rejected"
    assert output.result["assets"] == []
    assert term in answer(output).splitlines()[0]
    assert output.reasoning.confidence <= 0.3


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("German maps with flurb", 'Not in the catalogue, so not searched for: "flurb".'),
        (
            "deutsche Karten mit blubb",
            "Nicht im Katalog, daher nicht gesucht: „blubb“.",
        ),
    ],
)
def test_a_condition_that_is_left_out_is_told_first(question: str, first: str, host: Host) -> None:
    output = host.ask(NAME, question)
    assert answer(output).startswith(first)
    assert output.reasoning.confidence <= 0.3


@pytest.mark.parametrize(
    "question",
    ["any maps from Australia", "australische Karten", "maps of Fiji", "Karten aus Fidschi"],
)
def test_a_country_that_no_asset_is_of_is_an_honest_zero(question: str, host: Host) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert (output.result["status"], output.result["total"]) == ("empty", 0)
    assert output.result["confidence"] == "high"
    assert output.result["gaps"] == []


def test_an_order_that_was_not_understood_is_told_with_the_assets(host: Host) -> None:
    output = host.ask(NAME, "maps in descending order")
    assert output.result is not None
    assert output.result["status"] == "results"
    assert "in descending order" in answer(output).splitlines()[0]


def test_a_figure_of_all_assets_is_told_with_its_unit(host: Host) -> None:
    output = host.ask(NAME, "average length of German maps")
    assert answer(output).startswith("Mean of length: about ")
    assert output.result is not None
    summary = output.result["aggregate"]
    assert isinstance(summary, dict)
    told = (summary["function"], summary["unit"], summary["assets_with_value"])
    assert told == ("mean", "km", 55)
    german = host.ask(NAME, "durchschnittliche Länge der deutschen Karten")
    assert answer(german).startswith("Mittelwert von Länge: etwa 18,17")


def test_figures_of_groups_are_told(host: Host) -> None:
    said = answer(host.ask(NAME, "total length of all maps per country"))
    lines = [line for line in said.splitlines() if line.startswith("- ")]
    assert len(lines) > 5
    assert all(line.endswith(" km") for line in lines), said


def test_no_asset_may_refer_to_what_is_found(host: Host) -> None:
    used = host.ask(NAME, "maps used by a scenario")
    unused = host.ask(NAME, "maps that no scenario uses")
    every = host.ask(NAME, "all maps")
    totals = [one.result["total"] if one.result else None for one in (used, unused, every)]
    assert all(isinstance(total, int) and total for total in totals)
    assert totals[0] + totals[1] == totals[2]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("asked", "slots", "further"),
    [
        ("maps that no scenario uses", {"domains": ["hdmap"], "references": ["scenario"]}, {}),
        ("average length of maps", {"domains": ["hdmap"]}, {}),
        (
            "average length of maps",
            {"domains": ["hdmap"]},
            {"aggregate": {"property": "length", "function": "sum"}},
        ),
    ],
)
def test_another_reference_or_figure_is_told_first(
    asked: str, slots: dict[str, Any], further: dict[str, Any], host: Host
) -> None:
    output = host.ask(NAME, asked, submit(slots, **further))
    assert output.result is not None
    assert output.result["confidence"] == "low"
    assert "asks for" in answer(output).splitlines()[0]


def test_a_model_never_widens_a_search_to_a_whole_kind(host: Host) -> None:
    """All assets of a kind are no answer to a question that has a condition."""
    every = submit({"domains": ["hdmap"]})
    output = host.ask(NAME, "maps that no scenario uses", every, "Done.", forever=True)
    assert "110" not in answer(output)
    assert "leaves out what the question asks for" in answer(output)
