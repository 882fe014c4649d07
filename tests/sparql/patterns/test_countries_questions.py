"""Questions about the embedded countries that are near to a pattern, and of another meaning."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from groundwire.profiles import endpoint_registry, sparql_countries
from groundwire.sparql.opening import Supplies
from groundwire.sparql.results import WorkflowResult
from groundwire.sparql.running import WorkflowRequest, run_kg_workflow
from groundwire.sparql.runs import Runs
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def workspace(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workspace]:
    home = tmp_path_factory.mktemp("home")
    supplies = Supplies(home, (), None, countries=(sparql_countries(),))
    opened = Workspace(endpoint_registry(), supplies)
    yield opened
    opened.close_now()


async def told(workspace: Workspace, prompt: str) -> WorkflowResult:
    runs = Runs()
    try:
        asked = WorkflowRequest(prompt, endpoint="countries", limit=10)
        return (await run_kg_workflow(workspace, runs, "me", asked))[0]
    finally:
        runs.close()


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Which language is spoken in the most countries?", "English (121)"),
        ("Which currency is used by the most countries?", "Euro (36)"),
        ("Which country in Africa has the most neighbours?", "Congo - Kinshasa (9)"),
        ("countries with more than 9 neighbours", "Brazil (10), China (14), Russia (14)"),
        ("Länder mit mindestens 14 Nachbarn", "China (14), Russland (14)"),
        ("邻国超过9个的国家", "中国 (14)、俄罗斯 (14)、巴西 (10)"),
        ("countries with exactly 10 neighbours", "Brazil (10)"),
        ("How many countries have more than 9 neighbours?", "3: country"),
        ("Which languages are spoken in more than 60 countries?", "English (121), French (61)"),
        ("countries in Africa with more than 8 neighbours", "Congo - Kinshasa (9)"),
        ("How big is Chad and what is its currency?", "Area of Chad: 1,284,000. Currency of Chad"),
        ("What languages are spoken in Kenya, and how large is it?", "Area of Kenya: 582,650"),
        ("Whcih countrys border Portugal?", "Portugal borders: Spain"),
        ("captial of Norway", "“captial” is read as capital. Capital of Norway: Oslo"),
        ("Währng von Polen", "„Währng“ ist als Währung gelesen. Währung von Polen"),
        ("which countries use the West African CFA franc", "Senegal, Togo: currency West African"),
        ("population of Singapore in 2010", "Population of Singapore in 2010: 5,076,732"),
        ("Does Chile have more neighbours than Bolivia?", "Chile has 3, Bolivia has 5"),
    ],
)
async def test_numbers_of_things_bound_and_order(
    workspace: Workspace, prompt: str, said: str
) -> None:
    found = await told(workspace, prompt)
    assert found.status == "answered"
    assert said in found.answer


@pytest.mark.parametrize(
    "prompt",
    [
        "How many people speak German?",
        "Which country has the fewest neighbours?",
        "What was the capital of Brazil in 1950?",
        "What was the population of France before 1970?",
        "Wie viele Menschen sprechen Deutsch?",
        "Which countries border France but not Spain and Italy?",
        "Which countries do not have more than 5 million people?",
        "Which countries have fewer neighbours than Germany?",
        "Which countries border France or use the euro?",
        "Which countries are in Europe and Africa?",
        "What are the capital of France and the currency of Spain?",
        "What is the second largest country in Atlantis by area?",
        "Which countries in Europe are between France and Germany?",
        "Which of the two largest countries in Africa borders Niger?",
        "What was the second largest country by population in 1960?",
        "Which countries in Asia have no president?",
        "哪些国家不是共和国？",
        "What is the average area per continent?",
        "African countries with over 50 km2 people",
    ],
)
async def test_what_is_near_to_a_pattern_and_means_something_else_is_not_answered(
    workspace: Workspace, prompt: str
) -> None:
    assert (await told(workspace, prompt)).status != "answered"


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        (
            "Which countries have an area of more than 5 million square miles?",
            "Country (area > 12949940.55168): Russia (17100000)",
        ),
        ("Is German spoken in Italy?", "Yes: language of Italy is German."),
        ("What is Germany called in German?", "Germany is called Deutschland"),
        ("奥地利用德语怎么说？", "Österreich"),
        ("Which country has the most neighbours?", "China (14), Russia (14)"),
        ("邻国最多的国家是哪个？", "中国 (14)、俄罗斯 (14)"),
        ("Is France larger than Germany by area?", "Yes: area of France is 547,030"),
        ("法国的人口比德国多吗？", "否：法国的人口是68,551,653"),
        ("What is the population of the country whose capital is Rome?", "58,952,704"),
        ("What are the five most populous countries?", "India (1,450,935,791), China"),
        ("In welchem Land wird mit Yen bezahlt?", "Japan: Währung Japanischer Yen."),
        ("How many countries speak Spanish?", "25 with language Spanish."),
        (
            "Which countries border both France and Spain?",
            "(borders: France; borders: Spain): Andorra",
        ),
        (
            "capital, currency and area of Kenya",
            "Currency of Kenya: Kenyan Shilling. Area of Kenya",
        ),
        ("智利和秘鲁的首都分别是哪里？", "智利的首都：圣地亚哥。秘鲁的首都：利马。"),
        ("Which European countries have between 10 and 12 million people?", "Sweden (10569709)"),
        ("Welches Land hat die zweitgrößte Fläche?", "Platz 2: Kanada (9.984.670)"),
        ("Which neighbour of Germany has the most inhabitants?", "France (68,551,653)"),
        ("法国、意大利和西班牙哪个国家面积最大？", "法国"),
        (
            "What is the capital of the largest country in Africa by area?",
            "Capital of Algeria: Algiers",
        ),
        (
            "Which countries border Portugal or Andorra?",
            "(borders: Portugal or Andorra): France, Spain",
        ),
        ("Welche Nachbarländer haben Frankreich und Italien gemeinsam?", "Schweiz"),
        ("Which European countries have a larger area than Germany?", "Ukraine (603700)"),
        ("面积比德国大的欧洲国家", "德国的面积：357,021。"),
        (
            "African countries with over 50 million people and an area under 1 million km2",
            "population > 50000000): Kenya (56432944), Nigeria (232679478), Tanzania",
        ),
        ("average area of countries with over 1 billion people", "Area of 2 country (population >"),
        (
            "largest country by area with a population under 1 million",
            "Area, greatest first: Guyana (214,970).",
        ),
        ("avg area of countries per continent", "South America (1,476,277.92)"),
        ("Nachbarn von Österreich mit weniger als 6 Mio Einwohnern", "Slowenien (2127400)"),
        ("Portuguese speaking countries outside Africa", "Brazil, Portugal, Timor-Leste."),
        ("How many people live in Mongolia's neighbours in total?", "in total: 1,552,508,851"),
        ("蒙古的邻国一共有多少人口？", "合计：1,552,508,851"),
        ("中国一共有多少个邻国？", "14"),
        (
            "Does Germany border both France and Poland?",
            "Yes: Germany borders France. Yes: Germany",
        ),
    ],
)
async def test_questions_are_answered_as_they_are_meant(
    workspace: Workspace, prompt: str, says: str
) -> None:
    found = await told(workspace, prompt)
    assert found.status == "answered"
    assert says in found.answer
    assert all(row["triples"] for row in found.rows)


async def test_a_denial_says_that_the_graph_states_nothing_else(workspace: Workspace) -> None:
    found = await told(workspace, "Which countries in Europe do not border France?")
    assert found.status == "answered"
    assert found.confidence == "medium"
    assert "not stated: borders: France" in found.answer
    assert "Of these no borders is stated at all: Cyprus, Iceland, Malta" in found.answer
    assert "France," not in found.answer.partition("):")[2]


async def test_a_pair_of_which_one_is_not_stated_is_not_told_as_both(workspace: Workspace) -> None:
    found = await told(workspace, "Does Germany border both France and Spain?")
    assert found.status == "entity_found"
    assert found.answer.startswith("Not stated")


async def test_what_is_asked_of_one_that_lacks_it_is_told_apart(workspace: Workspace) -> None:
    found = await told(workspace, "What are the capital and the neighbours of Iceland?")
    assert found.status == "answered"
    assert "No statement of this kind is held here: borders of Iceland" in found.answer


async def test_a_superlative_of_nothing_is_asked_back(workspace: Workspace) -> None:
    found = await told(workspace, "What is the smallest country in Europe?")
    assert found.status == "needs_decision"
    assert "by what? Such entities state: population" in found.answer


async def test_what_is_not_stated_says_what_is(workspace: Workspace) -> None:
    found = await told(workspace, "Does Portugal border France?")
    assert found.status == "entity_found"
    assert "Portugal borders: Spain." in found.answer


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("is Lagos the capital of Nigeria?", "Abuja. No name that is held here: “Lagos”."),
        ("Ist Zürich die Hauptstadt der Schweiz?", "Bern. Hier kein bekannter Name: “Zürich”."),
        ("尼日利亚首都是拉各斯吗", "阿布贾。 此处没有这个名称：“拉各斯”。"),
        (
            "is Canberra the capital of Australia or is it Sydney",
            "is Canberra. No name that is held here: “Sydney”.",
        ),
        (
            "Warum grenzt Spanien nicht an Portugal?",
            "Es ist so: Spanien grenzt an Portugal. Warum, ist hier nicht ausgesagt.",
        ),
        ("为什么西班牙不与葡萄牙接壤？", "事实上西班牙与葡萄牙接壤。 此处未陈述原因。"),
        ("why is Paris the capital of France", "is Paris. Why is not stated here."),
        ("Why does Spain border Germany?", "Not stated: no statement of this kind is held here"),
    ],
)
async def test_premises_do_not_keep_the_rest_from_being_answered(
    workspace: Workspace, prompt: str, said: str
) -> None:
    assert said in ((await told(workspace, prompt)).markdown or "")


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("Which has a larger population, Kenya or Tanzania?", "the greater population of the two"),
        ("Which has the largest population, Kenya, Chad or Niger?", "greatest population of these"),
        ("Wer hat mehr Einwohner, Kenia oder Tansania?", "Tansania hat den größeren Wert"),
        ("肯尼亚和坦桑尼亚哪个国家人口更多？", "坦桑尼亚的人口较大"),
        ("Which countries have German as a language?", " and 1 more (11 in all): "),
        ("Does Niger border Egypt?", "Algeria, Benin, Burkina Faso, Chad, Libya, Mali"),
    ],
)  # fmt: skip
async def test_two_are_compared_and_lists_are_in_one_order(
    workspace: Workspace, prompt: str, says: str
) -> None:
    assert says in (await told(workspace, prompt)).answer
