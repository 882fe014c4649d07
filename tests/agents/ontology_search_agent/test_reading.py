"""Questions of people in English and German, as slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms, DomainTerm, Name, PropertyTerm

Read = Callable[..., Reading]

QUESTIONS: dict[str, dict[str, Any]] = {
    # Values, by names in both languages
    "scenarios in rain": {"domains": ["scenario"], "filters": {"weather": "rain"}},
    "Szenarien bei Regen": {"domains": ["scenario"], "filters": {"weather": "rain"}},
    "maps under the MIT licence": {"domains": ["hdmap"], "filters": {"license": "MIT"}},
    "scenarios from Alderfield Mapping": {
        "domains": ["scenario"],
        "filters": {"providedBy": "provider:alderfield"},
    },
    # Lists
    "maps with motorway or rural road": {
        "domains": ["hdmap"],
        "filters": {"roadTypes": ["motorway", "rural"]},
    },
    "Szenarien mit Fußgängern und Radfahrern": {
        "domains": ["scenario"],
        "filters": {"entityTypes": {"all_of": ["pedestrian", "bicycle"]}},
    },
    # Negation
    "maps without roundabout": {
        "domains": ["hdmap"],
        "filters": {"roadTypes": {"none_of": ["roundabout"]}},
    },
    "maps with motorway but without roundabout": {
        "domains": ["hdmap"],
        "filters": {"roadTypes": {"any_of": ["motorway"], "none_of": ["roundabout"]}},
    },
    "Karten, die nicht in Deutschland liegen": {
        "domains": ["hdmap"],
        "filters": {"country": {"none_of": ["DE"]}},
    },
    # What is there, and what is not
    "maps that have a license": {"domains": ["hdmap"], "filters": {"license": {"exists": True}}},
    "Karten ohne Lizenz": {"domains": ["hdmap"], "filters": {"license": {"exists": False}}},
    "scenarios with background traffic": {
        "domains": ["scenario"],
        "filters": {"hasTrafficSimulation": True},
    },
    "how long are the maps of Delft": {
        "domains": ["hdmap"],
        "filters": {"city": "Delft", "length": {"exists": True}},
    },
    # Figures with units and comparisons
    "HD maps longer than 5 km": {"domains": ["hdmap"], "ranges": {"length": {"gt": "5 km"}}},
    "Karten mit einer Länge von höchstens 2,5 km": {
        "domains": ["hdmap"],
        "ranges": {"length": {"max": "2.5 km"}},
    },
    "maps with at least 3 intersections": {
        "domains": ["hdmap"],
        "ranges": {"numberIntersections": {"min": 3}},
    },
    "maps with three or more traffic lights": {
        "domains": ["hdmap"],
        "ranges": {"numberTrafficLights": {"min": 3}},
    },
    "maps with no more than 10 traffic lights": {
        "domains": ["hdmap"],
        "ranges": {"numberTrafficLights": {"max": 10}},
    },
    "Szenarien, die nicht länger als 20 Sekunden sind": {
        "domains": ["scenario"],
        "ranges": {"duration": {"max": "20 s"}},
    },
    "maps with more than 3 and less than 10 intersections": {
        "domains": ["hdmap"],
        "ranges": {"numberIntersections": {"gt": 3, "lt": 10}},
    },
    # Dates
    "traces recorded between 2020 and 2022": {
        "domains": ["ositrace"],
        "ranges": {"recorded": {"min": "2020-01-01", "max": "2022-12-31"}},
    },
    "traces recorded after 2022": {
        "domains": ["ositrace"],
        "ranges": {"recorded": {"gt": "2022-12-31"}},
    },
    "Aufzeichnungen, aufgezeichnet seit dem 3. März 2021": {
        "domains": ["ositrace"],
        "ranges": {"recorded": {"min": "2021-03-03"}},
    },
    "scenarios where the duration is under 30 s": {
        "domains": ["scenario"],
        "ranges": {"duration": {"lt": "30 s"}},
    },
    "Karten über 50 km": {"domains": ["hdmap"], "ranges": {"length": {"gt": "50 km"}}},
    "maps with a precision of 2 cm or better": {
        "domains": ["hdmap"],
        "ranges": {"precision": {"max": "2 cm"}},
    },
    "maps with a precision better than 2 cm": {
        "domains": ["hdmap"],
        "ranges": {"precision": {"lt": "2 cm"}},
    },
    "maps with a maximum length of 5 km": {
        "domains": ["hdmap"],
        "ranges": {"length": {"max": "5 km"}},
    },
    "Karten, deren Länge 20 km nicht überschreitet": {
        "domains": ["hdmap"],
        "ranges": {"length": {"max": "20 km"}},
    },
    "maps with 20 km of length or more": {
        "domains": ["hdmap"],
        "ranges": {"length": {"min": "20 km"}},
    },
    "maps with a length that exceeds 20 km": {
        "domains": ["hdmap"],
        "ranges": {"length": {"gt": "20 km"}},
    },
    "maps with one traffic light": {
        "domains": ["hdmap"],
        "ranges": {"numberTrafficLights": {"min": 1, "max": 1}},
    },
    # What is missing may be said behind its property
    "Karten, denen die Lizenz fehlt": {
        "domains": ["hdmap"],
        "filters": {"license": {"exists": False}},
    },
    "maps whose licence is not given": {
        "domains": ["hdmap"],
        "filters": {"license": {"exists": False}},
    },
    # Countries by their adjectives, and compounds
    "German maps": {"domains": ["hdmap"], "filters": {"country": "DE"}},
    "deutsche oder französische Karten": {
        "domains": ["hdmap"],
        "filters": {"country": ["DE", "FR"]},
    },
    "Autobahnkarten": {"domains": ["hdmap"], "filters": {"roadTypes": "motorway"}},
    "Regenszenarien": {"domains": ["scenario"], "filters": {"weather": "rain"}},
    # What stands before a noun is said of it
    "scenarios on French maps": {
        "domains": ["scenario"],
        "references": [{"domain": "hdmap", "filters": {"country": "FR"}}],
    },
    "Nebelszenarien auf deutschen Autobahnkarten": {
        "domains": ["scenario"],
        "filters": {"weather": "fog"},
        "references": [{"domain": "hdmap", "filters": {"country": "DE", "roadTypes": "motorway"}}],
    },
    # Other assets
    "scenarios together with a map of Germany": {
        "domains": ["scenario"],
        "references": [{"domain": "hdmap", "filters": {"country": "DE"}}],
    },
    "maps of Germany: which scenarios use them?": {
        "domains": ["scenario"],
        "references": [{"domain": "hdmap", "filters": {"country": "DE"}}],
    },
    "scenarios that use a map of Germany": {
        "domains": ["scenario"],
        "references": [{"domain": "hdmap", "filters": {"country": "DE"}}],
    },
    "Szenarien mit Regen, die eine Karte aus Deutschland verwenden": {
        "domains": ["scenario"],
        "filters": {"weather": "rain"},
        "references": [{"domain": "hdmap", "filters": {"country": "DE"}}],
    },
    "maps used by scenarios with fog": {
        "domains": ["hdmap"],
        "references": [{"domain": "scenario", "filters": {"weather": "fog"}}],
    },
    "scenarios with a bus lane": {
        "domains": ["scenario"],
        "references": [{"domain": "hdmap", "filters": {"laneTypes": "bus"}}],
    },
    "maps and scenarios in Germany": {
        "domains": ["hdmap", "scenario"],
        "filters": {"country": "DE"},
    },
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_read_exactly(question: str, read: Read) -> None:
    reading = read(question)
    assert reading.slots == QUESTIONS[question]
    assert reading.gaps == ()


ARRANGED = {
    "German maps, longest first": ("-length", "", None),
    "Karten aus Deutschland, die kürzeste zuerst": ("length", "", None),
    "How many scenarios are there per weather?": ("", "weather", None),
    "Wie viele Karten gibt es je Land?": ("", "country", None),
    "longest scenarios": ("-duration", "", None),
    "maps sorted by length": ("length", "", None),
    "Karten nach Länge sortiert, absteigend": ("-length", "", None),
    "top 5 maps by length": ("-length", "", 5),
    "show 7 maps": ("", "", 7),
    "the three longest scenarios": ("-duration", "", 3),
    "maps with the most intersections": ("-numberIntersections", "", None),
    "first three traces by date": ("recorded", "", 3),
}


@pytest.mark.parametrize("question", ARRANGED)
def test_counting_sorting_and_how_many_are_read(question: str, read: Read) -> None:
    reading = read(question)
    assert (reading.sort, reading.count_by, reading.limit) == ARRANGED[question]
    assert reading.gaps == ()


# Nothing of these may be searched as if it had been understood.
NOT_PLACED = {
    "scenarios with blubb": ("blubb", "unmapped"),
    "maps with more than 3 gizmos": ("gizmos", "unmapped"),
    "scenarios in rain or longer than 20 s": ("longer than 20 s", "unsupported"),
    "maps over 5 m": ("over 5 m", "ambiguous"),
    "newest maps": ("newest", "ambiguous"),
    "maps with only motorways": ("only", "unsupported"),
    "big maps": ("big", "unmapped"),
    "models in Germany": ("models", "ambiguous"),
    "maps of about 5 km length": ("of about 5 km", "unsupported"),
    "median length of maps": ("median length", "unsupported"),
    "typische Dauer der Szenarien": ("typische", "unmapped"),
    "average maps": ("average", "unsupported"),
    "maps with an average length above 5 km": ("average length above 5 km", "unsupported"),
    "average weather of scenarios": ("average weather", "unsupported"),
    "average length and mean precision of maps": ("mean precision", "limitation"),
    "maps used by a scenario or a trace": ("trace", "unsupported"),
    "maps not used by scenarios and traces": ("traces", "ambiguous"),
    "maps not named Berlin": ("named Berlin", "unsupported"),
    "busy scenarios": ("busy", "unmapped"),
    "maps called": ("called", "ambiguous"),
    "mean length of maps and which are German?": ("which are German", "limitation"),
    "Karten mit einer Länge von rund 5 km": ("Länge von rund 5 km", "unsupported"),
    "maps with the highest length of 5 km": ("highest length of 5 km", "ambiguous"),
}


@pytest.mark.parametrize("question", NOT_PLACED)
def test_what_is_not_placed_is_a_gap(question: str, read: Read) -> None:
    reading = read(question)
    assert NOT_PLACED[question] in {(gap.term, gap.reason) for gap in reading.gaps}


# References in either direction, and those that must not be there.
RAINY = {"domain": "scenario", "filters": {"weather": "rain"}}
REFERRED = {
    "maps used by a rainy scenario": [RAINY],
    "maps that rainy scenarios use": [RAINY],
    "Karten, die ein Szenario mit Regen verwendet": [RAINY],
    "maps that no scenario uses": [{"domain": "scenario", "none": True}],
    "maps not used by any scenario": [{"domain": "scenario", "none": True}],
    "Karten ohne Szenario": [{"domain": "scenario", "none": True}],
    "maps not used by a rainy scenario": [RAINY | {"none": True}],
    "Karten, die kein Szenario mit Regen verwendet": [RAINY | {"none": True}],
    "maps used by neither a scenario nor a trace": [
        {"domain": "scenario", "none": True},
        {"domain": "ositrace", "none": True},
    ],
    "Karten ohne Szenarien und Aufzeichnungen": [
        {"domain": "scenario", "none": True},
        {"domain": "ositrace", "none": True},
    ],
}


@pytest.mark.parametrize("question", REFERRED)
def test_references_hold_both_ways_and_may_be_denied(question: str, read: Read) -> None:
    reading = read(question)
    assert reading.slots == {"domains": ["hdmap"], "references": REFERRED[question]}
    assert reading.gaps == ()


# One figure of all assets, by property and function.
SUMMARISED = {
    "average length of German maps": ("length", "mean"),
    "What is the mean duration of scenarios?": ("duration", "mean"),
    "On average, how long are maps?": ("length", "mean"),
    "How long are all maps together?": ("length", "sum"),
    "total number of traffic lights of all maps": ("numberTrafficLights", "sum"),
    "What is the highest number of lanes of a map?": None,
    "lowest friction coefficient of a surface model": ("frictionCoefficient", "min"),
    "Durchschnittliche Dauer der Szenarien": ("duration", "mean"),
    "Wie lang sind die Karten im Schnitt?": ("length", "mean"),
    "Summe der Ampeln aller Karten": ("numberTrafficLights", "sum"),
    "höchste Zahl der Kreuzungen auf einer Karte": ("numberIntersections", "max"),
    "How many traffic lights do all maps in Germany have?": ("numberTrafficLights", "sum"),
    "Wie viele Ampeln haben die Karten zusammen?": ("numberTrafficLights", "sum"),
    "Durchschnittslänge der Karten": ("length", "mean"),
    "Wie lange dauern Szenarien im Mittel?": ("duration", "mean"),
    "How high is the average speed limit of maps?": ("speedLimitMax", "mean"),
    "How many traffic lights are there in Germany?": ("numberTrafficLights", "sum"),
    "number of intersections in total": ("numberIntersections", "sum"),
    "How many maps have traffic lights?": None,
    "maps of the highest length": None,
    "How many maps are there in total?": None,
    "maps with a total length above 30 km": None,
    "Karten mit einer Gesamtlänge von mehr als 30 km": None,
}


def test_how_much_without_a_figure_is_told(read: Read) -> None:
    (gap,) = read("How much is it in Germany?").gaps
    assert gap.term == "How much"


@pytest.mark.parametrize("question", SUMMARISED)
def test_one_figure_of_all_assets(question: str, read: Read) -> None:
    reading = read(question)
    assert reading.aggregate == SUMMARISED[question]
    if reading.aggregate:
        assert not (reading.sort or reading.count_by or reading.gaps)


@pytest.mark.parametrize(
    "question",
    [
        "average length of maps per country",
        "per country the average length of maps",
        "mittlere Länge der Karten pro Land",
    ],
)
def test_one_figure_for_each_group(question: str, read: Read) -> None:
    reading = read(question)
    assert (reading.aggregate, reading.count_by) == (("length", "mean"), "country")
    assert reading.gaps == ()


def test_a_figure_of_part_of_the_assets_keeps_their_conditions(read: Read) -> None:
    reading = read("average length of German maps with motorways")
    assert reading.slots["filters"] == {"country": "DE", "roadTypes": "motorway"}


# What assets are called.
NAMED = {
    "maps named Karlsruhe": "Karlsruhe",
    'maps called "Lyon city centre"': "Lyon city centre",
    "maps with Karlsruhe in their name": "Karlsruhe",
    "maps whose name contains Karlsruhe": "Karlsruhe",
    "Karten namens Erfurt": "Erfurt",
    "Karten mit dem Titel Erfurt": "Erfurt",
    "Karten mit Erfurt im Namen": "Erfurt",
    "Karten, deren Name Erfurt enthält": "Erfurt",
}


@pytest.mark.parametrize("question", NAMED)
def test_a_name_is_no_place(question: str, read: Read) -> None:
    reading = read(question)
    assert reading.slots["filters"] == {"name": {"contains": [NAMED[question]]}}
    assert reading.gaps == ()


@pytest.mark.parametrize(
    "question", ["maps with a license called MIT", "maps of licence named MIT"]
)
def test_what_is_called_so_may_be_a_property(question: str, read: Read) -> None:
    assert read(question).slots["filters"] == {"license": "MIT"}


def test_a_name_ends_before_a_condition(read: Read) -> None:
    assert read("maps named Karlsruhe with motorways").slots["filters"] == {
        "name": {"contains": ["Karlsruhe"]},
        "roadTypes": "motorway",
    }


def test_a_condition_that_cannot_be_joined_is_not_searched(read: Read) -> None:
    assert "ranges" not in read("scenarios in rain or longer than 20 s").slots


def test_small_words_are_no_codes(read: Read) -> None:
    # "in" is no India, "mit" no MIT licence, "lower" no part of a comparison.
    assert "filters" not in read("Karten mit Lizenz in der Liste").slots or read(
        "Karten mit Lizenz in der Liste"
    ).slots["filters"] == {"license": {"exists": True}}
    assert read("maps in the list").slots == {"domains": ["hdmap"]}


def test_a_misspelt_value_of_a_property_goes_to_the_server(read: Read) -> None:
    assert read("scenarios whose weather is rian").slots["filters"] == {"weather": "rian"}


def test_a_question_without_a_kind_of_asset_narrows_the_last_one(read: Read) -> None:
    known = {"domains": ["scenario"], "filters": {"weather": "rain"}}
    assert read("only those longer than 20 s", known).slots == {
        "domains": ["scenario"],
        "filters": {"weather": "rain"},
        "ranges": {"duration": {"gt": "20 s"}},
    }


def test_a_question_of_nothing_known_has_no_slots(read: Read) -> None:
    assert read("Hello, how are you today?").slots == {}


@pytest.mark.parametrize("question", ["", "???", "or or or", "not", "between 5 and", "of " * 2000])
def test_any_text_can_be_read(question: str, read: Read) -> None:
    assert read(question).slots == {}


def test_what_is_counted_is_there_from_one_on(read: Read) -> None:
    assert read("Which maps have no traffic lights?").slots["ranges"] == {
        "numberTrafficLights": {"max": 0}
    }


def test_a_preposition_may_be_repeated_in_a_list(read: Read) -> None:
    assert read("traces neither from Germany nor from France").slots["filters"] == {
        "country": {"none_of": ["DE", "FR"]}
    }


def test_a_verb_is_no_demand_for_its_property(read: Read) -> None:
    assert read("traces recorded with lidar").slots["filters"] == {"sourceTypes": "lidar"}


def test_a_value_is_called_by_the_last_word_of_its_name(read: Read) -> None:
    reading = read("maps with format OpenDRIVE")
    assert reading.slots["filters"] == {"formatType": "ASAM OpenDRIVE"}
    assert not reading.gaps


@pytest.mark.parametrize(
    "question",
    ["maps with bus lanes", "maps with bus lane", "Karten mit Busspuren", "Karten mit Busspur"],
)
def test_every_number_of_a_noun_names_the_same_value(question: str, read: Read) -> None:
    assert read(question).slots["filters"] == {"laneTypes": "bus"}


def test_a_written_word_is_read_whole_or_not_at_all(read: Read) -> None:
    assert [gap.term for gap in read("maps with RainMaker").gaps] == ["RainMaker"]


def test_a_word_that_is_split_is_made_of_known_words(read: Read) -> None:
    assert [gap.term for gap in read("Blubbkarten").gaps] == ["Blubbkarten"]
    assert [gap.term for gap in read("Autobahnblubb mit Regen").gaps] == ["Autobahnblubb"]


def test_a_word_that_may_be_a_verb_demands_no_value(read: Read) -> None:
    # "cover" and "use" are verbs here, whatever a catalogue calls its properties.
    assert read("maps that cover Germany").slots == {
        "domains": ["hdmap"],
        "filters": {"country": "DE"},
    }


def test_what_has_a_value_is_not_asked_to_have_one(read: Read) -> None:
    assert read("maps whose license is one of MIT, CC-BY-4.0").slots["filters"] == {
        "license": ["MIT", "CC-BY-4.0"]
    }


LOOKED_UP = {
    "which licenses are there?": ("discover_values", {"property": "license"}),
    "Welche Lizenzen gibt es?": ("discover_values", {"property": "license"}),
    "Which properties can I filter maps by?": ("discover_properties", {"domain": "hdmap"}),
    "Welche Eigenschaften haben Szenarien?": ("discover_properties", {"domain": "scenario"}),
    "models with trees": ("discover_domains", {"search": "models"}),
}


@pytest.mark.parametrize("question", LOOKED_UP)
def test_what_is_asked_of_the_catalogue_is_looked_up(question: str, read: Read) -> None:
    look = read(question).look
    assert look is not None
    assert (look.tool, look.arguments) == LOOKED_UP[question]


def test_values_of_one_kind_are_counted(read: Read) -> None:
    reading = read("file formats of maps")
    assert (reading.slots, reading.count_by) == ({"domains": ["hdmap"]}, "fileFormat")
    assert read("anything with a license").slots == {"filters": {"license": {"exists": True}}}


def test_a_large_figure_may_have_its_scale_in_words(read: Read) -> None:
    for question in (
        "environment models with more than 1.5 million triangles",
        "Umgebungsmodelle mit mehr als 1,5 Millionen Dreiecken",
    ):
        assert read(question).slots["ranges"] == {"triangleCount": {"gt": 1500000}}


def test_a_second_bound_is_of_the_same_figure(read: Read) -> None:
    assert read("maps with more than 5 traffic lights but fewer than 10").slots["ranges"] == {
        "numberTrafficLights": {"gt": 5, "lt": 10}
    }


def test_a_verb_says_which_date_is_meant(read: Read) -> None:
    assert read("traces recorded with lidar in 2023").slots["ranges"] == {
        "recorded": {"min": "2023-01-01", "max": "2023-12-31"}
    }


def test_the_longest_is_one_and_the_longest_ones_are_many(read: Read) -> None:
    assert read("What is the longest map?").limit == 1
    assert read("die längste Karte").limit == 1
    assert read("longest maps").limit is None


def test_a_code_is_no_small_word(read: Read) -> None:
    # Written as a code it is no German "aus", whether or not the catalogue knows it.
    assert read("maps with format type AUS").slots["filters"] == {"formatType": "AUS"}


def test_a_kind_without_assets_is_looked_up(terms: CatalogueTerms) -> None:
    kinds = tuple(one for one in terms.domains if one.name != "hdmap")
    poorer = terms.model_copy(update={"domains": kinds, "others": ("hdmap",)})
    look = read_question("German hdmaps longer than 5 km", QuestionVocabulary(poorer)).look
    assert look is not None
    assert (look.tool, look.arguments) == ("discover_domains", {"search": "hdmap"})


def test_a_figure_that_is_a_year_is_compared_as_a_date() -> None:
    ship = DomainTerm(
        name="Ship",
        names=(Name(text="ship", language="en"),),
        connected=(),
        properties=(
            PropertyTerm(key="builtIn", names=(Name(text="built in"),), kind="number"),
            PropertyTerm(key="arrivedOn", names=(Name(text="arrived on"),), kind="date"),
        ),
    )
    vocabulary = QuestionVocabulary(CatalogueTerms(digest="ships", domains=(ship,)))
    assert read_question("ships built after 2010", vocabulary).slots["ranges"] == {
        "builtIn": {"gt": 2010}
    }
    assert read_question("ships that arrived after 2010", vocabulary).slots["ranges"] == {
        "arrivedOn": {"gt": "2010-12-31"}
    }
    torn = read_question("ships after 2010", vocabulary)
    assert "ranges" not in torn.slots
    assert [gap.reason for gap in torn.gaps] == ["ambiguous"]
