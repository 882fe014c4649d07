"""Every word of a draft is accounted for: what is not proven keeps it from being supported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import catalogue, record, statistics


def population() -> Record:
    labels = ("population", "Bevölkerung", "Einwohner", "人口", "德国", "Deutschland")
    values = [
        Value("population", number, "number", "people", "Germany", None, labels, year)
        for year, number in (("2010", "80000000"), ("2020", "83200000"))
    ]
    source = Statement("source", ("World Bank", "Weltbank", "世界银行"))
    return record(values, statements=[source])


@pytest.mark.parametrize(
    ("true", "word", "said"),
    [
        ("In 2020 {}Germany had 83.2 million people.", "East ", "'East'"),
        ("In 2020 Germany had 83.2 million {}people.", "urban ", "'urban'"),
        ("In 2020 Germany had 83.2 million people{}.", " in the first quarter", "'first quarter'"),
        ("In 2020 Germany had 83.2 million people{}.", ", according to Eurostat", "'Eurostat'"),
        ("In 2020 Germany had 83.2 million people{}.", " because of migration", "'migration'"),
        ("Deutschland hatte 2020 83,2 Millionen {}Einwohner.", "ländliche ", "'ländliche'"),
        ("Deutschland hatte 2020 83,2 Millionen Einwohner{}.", " laut Eurostat", "'Eurostat'"),
        ("2020年{}德国人口为8320万。", "农村", "'农村'"),
    ],
)
def test_a_word_that_nothing_explains_is_left_over(true: str, word: str, said: str) -> None:
    assert check(true.format(""), [population()]).verdict == "supported"
    result = check(true.format(word), [population()])
    assert result.verdict not in ("supported", "supported_in_part")
    assert said in " ".join(result.not_judged)
    assert {one.status for one in result.claims} == {"not_judged"}


@pytest.mark.parametrize(
    "thing", ["supply", "use", "work", "offer", "range", "return", "measure", "sample", "output"]
)
def test_a_thing_named_as_a_verb_that_adds_nothing_is_left_over(thing: str) -> None:
    for draft in ("Germany's {} in 2020 was 83.2 million.", "The {} of Germany was 83.2 million."):
        result = check(draft.format(thing), [population()])
        assert result.verdict == "unsupported"
        assert thing in " ".join(result.not_judged)


@pytest.mark.parametrize(
    ("draft", "verb"),
    [
        ("In 2020 Germany employed 83.2 million people.", "employed"),
        ("In 2020 Germany brought in 83.2 million people.", "brought in"),
        ("Deutschland hat 2020 83,2 Millionen erwirtschaftet.", "erwirtschaftet"),
        ("德国2020年使用了8320万人口。", "使用"),
    ],
)
def test_what_somebody_does_is_left_over_where_no_field_tells_of_it(draft: str, verb: str) -> None:
    result = check(draft, [population()])
    assert result.verdict == "unsupported"
    assert verb in " ".join(result.not_judged)


def test_what_somebody_does_is_explained_by_the_field_that_tells_of_it() -> None:
    value = Value("revenue", "83200000", "number", "EUR", "Nordwind", None, ("Umsatz",), "2020")
    told = record([value])
    for draft in (
        "Nordwind earned 83.2 million EUR in 2020.",
        "Nordwind brought in 83.2 million EUR in 2020.",
        "Nordwind hat 2020 83,2 Millionen EUR erwirtschaftet.",
    ):
        assert check(draft, [told]).verdict == "supported"


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        ("Since 2020 Germany has had 83.2 million people.", "Since 2020"),
        ("Seit 2020 hat Deutschland 83,2 Millionen Einwohner.", "Seit 2020"),
        ("自2020年以来德国人口为8320万。", "自2020年以来"),
        ("In 2020 Germany had 83.2 million night people.", "night"),
        ("In 2020 Germany had 83.2 million registered people.", "registered"),
        ("In 2020 lebten in Deutschland 83,2 Millionen registrierte Einwohner.", "registrierte"),
        ("Germany had 83.2 million people in both years.", "both"),
    ],
)
def test_what_narrows_or_widens_a_figure_must_be_recorded(draft: str, word: str) -> None:
    result = check(draft, [population()])
    assert result.verdict == "unsupported"
    assert word in " ".join(result.not_judged)
    assert check("In 2020 Germany had 83.2 million people.", [population()]).verdict == "supported"


def test_a_branch_is_not_called_by_the_name_of_the_whole() -> None:
    value = Value("revenue", "5000000", "number", "EUR", "Nordwind Hong Kong", None, (), "2020")
    source = Statement("source", ("Nordwind annual report", "Nordwind"))
    told = record([value], statements=[source])
    for draft, held in (
        ("Nordwind Hong Kong had a revenue of 5 million EUR in 2020.", True),
        ("In Hong Kong the revenue was 5 million EUR in 2020.", True),
        ("Nordwind's revenue in 2020 was 5 million EUR.", False),
        ("Nordwind had a revenue of 5 million EUR in 2020.", False),
    ):
        assert (check(draft, [told]).verdict == "supported") == held, draft


def test_a_name_beside_a_proven_relation_must_stand_in_one_itself() -> None:
    told = [
        record(
            [Value("capital", city, "name", entity=country)],
            evidence_id=f"ev_{number:013d}",
            statements=[Statement("relation", (country,), ("capital",), ((city,),))],
        )
        for number, (country, city) in enumerate((("Chad", "N'Djamena"), ("Niger", "Niamey")))
    ]
    for draft, held in (
        ("The capital of Chad is N'Djamena.", True),
        ("The capital of Chad is N'Djamena, and that of Niger is Niamey.", True),
        ("The capital of Chad is N'Djamena and Niamey.", False),
        ("The capital of Chad is Niamey and N'Djamena.", False),
        ("Chad has two capitals, N'Djamena and Niamey.", False),
    ):
        assert (check(draft, told).verdict == "supported") == held, draft


def test_what_each_of_some_things_has_is_looked_up_for_each() -> None:
    told = record(
        [
            Value("margin", number, "number", "%", name, None, (), "2020")
            for name, number in (("Nordwind", "41.7"), ("Südwind", "37.3"))
        ],
        statements=[
            Statement(
                "scope", ("unit",), (), (("Nordwind",), ("Südwind",)),
                (Condition(("asked about",), "exists"),), complete="all_listed",
            )
        ],
    )  # fmt: skip
    for draft, held in (
        ("In 2020 every unit had a margin above 30 %.", True),
        ("In 2020 every unit had a margin above 40 %.", False),
        ("In 2020 every unit had a margin of 41.7 %.", False),
    ):
        assert (check(draft, [told]).verdict == "supported") == held, draft


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The population of Germany rose to 83.2 million in 2020, from 80 million in 2010.", True),
        ("The population of Germany fell to 83.2 million in 2020, from 80 million in 2010.", False),
        ("It did not fall: 80 million people in 2010, 83.2 million in 2020 in Germany.", True),
        ("It did not rise: 80 million people in 2010, 83.2 million in 2020 in Germany.", False),
        ("In 2020 Germany had 83.2 million people, fewer than in 2010.", False),
        ("In 2020 Germany had 83.2 million people, according to the World Bank.", True),
        ("In 2020 Germany had 83.2 million people, the largest in Europe.", False),
    ],
)
def test_words_with_a_meaning_of_their_own_must_hold(draft: str, verdict: bool) -> None:
    assert (check(draft, [population()]).verdict == "supported") == verdict


def test_a_wrong_value_with_a_word_left_over_is_not_judged_and_one_without_contradicted() -> None:
    wrong = check("In 2020 Germany had 90 million people.", [population()])
    assert wrong.verdict == "contradicted"
    narrowed = check("In 2020 East Germany had 90 million people.", [population()])
    assert narrowed.verdict == "unsupported"
    assert "contradicted" not in {one.status for one in narrowed.claims}


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("12 HD maps in Germany are at least 5 km long.", True),
        ("12 HD maps were found.", True),
        ("There are 12 HD maps in Germany.", False),
        ("There are 12 HD maps.", False),
        ("12 HD maps in France are at least 5 km long.", False),
        ("12 HD maps in Germany are at least 6 km long.", False),
        ("12 HD maps in Germany are at most 5 km long.", False),
        ("12 foggy HD maps in Germany are at least 5 km long.", False),
    ],
)
def test_a_count_holds_only_under_the_conditions_of_its_set(draft: str, held: bool) -> None:
    assert (check(draft, catalogue()).verdict == "supported") == held


def test_a_condition_is_no_value_of_a_member() -> None:
    for draft in ("Munich Ring is 5 km long.", "Munich Ring has 5 lanes."):
        assert check(draft, catalogue()).verdict == "contradicted", draft


def status() -> Record:
    jubilee, line = ("Jubilee line", "Jubilee"), (("line", "lines"),)
    return record(
        [Value("status", "Good Service", "name", entity="Jubilee line")],
        statements=[
            Statement("absence", jubilee, ("disruption", "disruptions", "Störung", "中断")),
            Statement("relation", jubilee, ("type",), line),
        ],
    )


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("There is no disruption on the Jubilee line.", True),
        ("There is a disruption on the Jubilee line.", False),
        ("There is no disruption on the Victoria line.", False),
        ("There are no works on the Jubilee line.", False),
    ],
)
def test_there_is_none_only_where_it_was_looked_for(draft: str, held: bool) -> None:
    assert (check(draft, [status()]).verdict == "supported") == held


def thesaurus() -> Record:
    sea, water = ("Sea water", "urn:sea"), ("Water", "urn:water")
    return record(
        [
            Value("label", "Sea water", "name", entity="Sea water", entity_iri="urn:sea"),
            Value("label", "Water", "name", entity="Water", entity_iri="urn:water"),
        ],
        statements=[Statement("relation", sea, ("broader", "broader term"), (water,))],
    )


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Sea water has the broader term Water.", "supported"),
        ("The broader term of Sea water is Water.", "supported"),
        ("Water is broader than Sea water.", "supported"),
        ("Sea water is a narrower term of Water.", "supported"),
        ("Sea water is broader than Water.", "contradicted"),
        ("The narrower term of Sea water is Water.", "contradicted"),
    ],
)
def test_a_relation_is_read_in_the_direction_that_the_words_say(draft: str, verdict: str) -> None:
    assert check(draft, [thesaurus()]).verdict == verdict


def plan() -> Record:
    whole = ("plan 1", "Brixton to Bank")

    def leg(position: int, line: str, start: str, end: str) -> Statement:
        parts = (("line", line), ("from", start), ("to", end))
        return Statement(
            "part",
            whole,
            conditions=tuple(Condition((key,), "is", ((name,),)) for key, name in parts),
            position=position,
        )

    names = ("Brixton", "Stockwell", "Bank")
    values = [Value("stop of the plan", name, "name") for name in names]
    values += [
        Value("line of the plan", f"{name} line", "name") for name in ("Victoria", "Northern")
    ]
    return record(
        values,
        statements=[
            leg(1, "Victoria line", "Brixton", "Stockwell"),
            leg(2, "Northern line", "Stockwell", "Bank"),
            Statement(
                "order", whole, ("change", "changes"), (("Stockwell",),), complete="all_listed"
            ),
        ],
    )


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Take the Victoria line from Brixton to Stockwell.", "supported"),
        ("Take the Northern line from Stockwell to Bank.", "supported"),
        ("Take the Northern line from Brixton to Stockwell.", "contradicted"),
        ("Take the Victoria line from Stockwell to Brixton.", "contradicted"),
        ("Change at Stockwell.", "supported"),
        ("Change at Bank.", "contradicted"),
    ],
)
def test_legs_and_changes_are_those_of_the_plan(draft: str, verdict: str) -> None:
    assert check(draft, [plan()]).verdict == verdict


STEPS = (
    "Open the file of the project",
    "Choose a name for the graph",
    "Press the button to load it",
)


def how_to() -> Record:
    steps = Statement(
        "order", ("Load a graph",), ("step", "steps", "Schritt", "步"),
        tuple((one,) for one in STEPS), complete="all_listed",
    )  # fmt: skip
    return record(
        [Value("step", one, "text", entity="Load a graph") for one in STEPS], statements=[steps]
    )


@pytest.mark.parametrize(
    ("order", "held"), [((0, 1, 2), True), ((1, 0, 2), False), ((2, 1, 0), False)]
)
def test_items_stand_in_the_recorded_order(order: tuple[int, ...], held: bool) -> None:
    draft = "\n".join(f"{at}. {STEPS[place]}." for at, place in enumerate(order, 1))
    assert (check(draft, [how_to()]).verdict == "supported") == held


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        (f"Step 2 of 3: {STEPS[1]}.", "supported"),
        (f"第2步（共3步）：{STEPS[1]}.", "supported"),
        (f"3. {STEPS[2]}.", "supported"),
        (f"Step 1 of 3: {STEPS[1]}.", "contradicted"),
        (f"Schritt 2 von 3: {STEPS[2]}.", "contradicted"),
        (f"Step 2 of 4: {STEPS[1]}.", "unsupported"),
    ],
)
def test_a_step_bears_its_own_number_and_that_of_all_steps(draft: str, verdict: str) -> None:
    assert check(draft, [how_to()]).verdict == verdict


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("From Brixton to Stockwell take the Victoria line.", "supported"),
        ("Brixton to Stockwell by the Northern line.", "contradicted"),
        ("Go from Brixton to Stockwell and take the Northern line there.", "supported"),
        ("Go from Brixton to Stockwell and take the Victoria line there.", "contradicted"),
    ],
)
def test_a_ride_is_between_the_places_that_it_is_said_of(draft: str, verdict: str) -> None:
    assert check(draft, [plan()]).verdict == verdict


@pytest.mark.parametrize("marker", ["{}. ", "- ", "{}) "])
@pytest.mark.parametrize(
    ("order", "held"), [((0, 1), True), ((1, 0), False), ((0, 1, 2), True), ((0, 2, 1), False)]
)
def test_items_that_name_a_member_each_stand_in_the_recorded_order(
    marker: str, order: tuple[int, ...], held: bool
) -> None:
    lines = ("Victoria line", "Northern line", "Central line")
    ride = Statement(
        "order", ("plan 1",), ("line",), tuple((one,) for one in lines), complete="all_listed"
    )
    values = [Value("line", one, "name", entity="plan 1") for one in lines]
    listed = [f"{marker.format(at)}{lines[place]}" for at, place in enumerate(order, 1)]
    found = check("\n".join(listed), [record(values, statements=[ride])])
    assert (found.verdict == "supported") == held


def test_a_sentence_of_the_answer_is_supported_word_for_word_and_no_other_way() -> None:
    base = population()
    answer = "Germany: 83.2 million people in 2020. Nothing else is held of the Länder."
    held = replace(base, draft=replace(base.draft, answer=answer))
    assert check(answer, [held]).verdict == "supported"
    second, first = (f"{one.rstrip('.')}." for one in reversed(answer.split(". ")))
    for draft in (f"{second} {first}", f"- {first}\n- {second}"):
        assert check(draft, [held]).verdict == "supported", draft
    assert check(answer.replace("Länder", "cities"), [held]).verdict != "supported"
    assert check(answer.replace("83.2", "93.2"), [held]).verdict != "supported"


def test_two_capitals_are_a_code_and_no_pronoun() -> None:
    assert check("It has 83.2 million people in 2020.", [population()]).verdict == "supported"
    coded = check("IT had 83.2 million people in 2020.", [population()])
    assert coded.verdict != "supported"
    assert "'IT'" in " ".join(coded.not_judged)


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Munich Ring is a scenic loop around the old town.", True),
        ("Munich Ring is a scenic loop around the new town.", False),
        ("Berlin Map is a scenic loop around the old town.", False),
    ],
)
def test_words_of_a_recorded_text_are_those_of_its_thing(draft: str, held: bool) -> None:
    text = "A scenic loop around the old town, with 3 tunnels."
    values = [
        Value("description", text, "text", entity="Munich Ring"),
        Value("length", "8", unit="km", entity="Berlin Map"),
    ]
    assert (check(draft, [record(values)]).verdict == "supported") == held


def test_names_with_an_apostrophe_are_names() -> None:
    values = [
        Value("height", "20", unit="m", entity="King's Cross"),
        Value("height", "30", unit="m", entity="Bank"),
    ]
    assert check("The height of King's Cross is 20 m.", [record(values)]).verdict == "supported"
    assert check("Bank's height is 30 m.", [record(values)]).verdict == "supported"
    assert check("The height of King's Cross is 30 m.", [record(values)]).verdict == "contradicted"


def test_the_argument_of_a_call_proves_nothing() -> None:
    asked = {"limit": 20, "question": "Which maps are in France?"}
    records = [record([Value("total", "12")], arguments=asked)]
    assert check("There are 12 assets.", records).verdict == "supported"
    for draft in (
        "There are 20 assets.",
        "There are more than 20 assets.",
        "France has 12 assets.",
    ):
        assert check(draft, records).verdict != "supported", draft


def test_a_table_is_explained_by_what_stands_under_its_heads() -> None:
    table = "GDP (USD):\n\n| Country | 2023 |\n|--|--|\n| {}Germany | 4,525,703,903,627.5 |"
    assert check(table.format(""), statistics()).verdict == "supported"
    assert check(table.format("East "), statistics()).verdict != "supported"


@pytest.mark.parametrize(
    "closing",
    [
        "Let me know if you need more details.",
        "Feel free to ask if you would like more.",
        "I hope this helps!",
        "Lassen Sie mich wissen, wenn Sie mehr brauchen.",
        "Sag mir Bescheid, wenn du mehr Details möchtest.",
        "如需更多信息，请告诉我。",
        "希望对您有帮助。",
    ],
)
def test_a_sentence_to_the_reader_claims_nothing(closing: str) -> None:
    draft = f"In 2020 Germany had 83.2 million people. {closing}"
    assert check(draft, [population()]).verdict == "supported"


@pytest.mark.parametrize(
    "closing",
    [
        "Let me know if the economy shrank.",
        "Feel free to ask about migration.",
        "I hope the population grows.",
    ],
)
def test_an_offer_that_says_more_is_not_judged(closing: str) -> None:
    draft = f"In 2020 Germany had 83.2 million people. {closing}"
    assert check(draft, [population()]).verdict == "supported_in_part"


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("From 2010 to 2020 {} rose from 80 to 83.2 million, an increase of 4 %.", "supported"),
        ("Between 2010 and 2020 {} rose by 4 % from 80 to 83.2 million.", "supported"),
        ("From 2010 to 2020 {} rose from 83.2 to 80 million, an increase of 4 %.", "contradicted"),
    ],
)
def test_a_rate_takes_no_moment_from_the_figures_beside_it(told: str, verdict: str) -> None:
    draft = told.format("the population of Germany")
    assert check(draft, [population()]).verdict == verdict
