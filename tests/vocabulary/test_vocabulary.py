"""A raw term to a controlled term, or to candidates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.vocabulary import KnownWords, Policy, Resolution, Term, Vocabulary

KNOWN = KnownWords(["A motorway has several lanes.", "Lanelet2 is a format of maps."])


def vocabulary(*labels: str, known: KnownWords = KNOWN) -> Vocabulary:
    return Vocabulary([Term(label, label) for label in labels], known)


ROADS = vocabulary("urban", "rural", "motorway", "motorway managed", "divided", "traffic light")
FORMATS = vocabulary("ASAM OpenDRIVE", "Lanelet2", "CC-BY-4.0", "CC-BY-SA-4.0", "MCAP", "OSI 3.7")
COUNTRIES = vocabulary("Australia", "Iceland", "Germany", "Niger")


def test_exact() -> None:
    found = ROADS.resolve("urban", Policy.WORDWISE)
    assert (found.how, found.term, found.score) == ("exact", Term("urban", "urban"), 1.0)
    assert found.confidence == "high"
    assert ROADS.resolve("  urban\n", Policy.CANDIDATES_ONLY).how == "exact"


def test_an_id_is_exact_and_an_address_never_folds() -> None:
    words = Vocabulary([Term("urn:x:Road", "Strasse"), Term("GDP_PC", "GDP per capita")], KNOWN)
    assert words.resolve("urn:x:Road", Policy.WORDWISE).how == "exact"
    assert words.resolve("urn:x:road", Policy.WORDWISE).term is None
    assert words.resolve("gdp-pc", Policy.CANDIDATES_ONLY).how == "folded"


@pytest.mark.parametrize("raw", ["Traffic-Lights", "trafficLight", "TRAFFIC_LIGHTS"])
def test_folded(raw: str) -> None:
    found = ROADS.resolve(raw, Policy.CANDIDATES_ONLY)
    assert found.how == "folded"
    assert found.term is not None
    assert found.term.id == "traffic light"
    assert found.changed == ()


def test_alias_in_any_language() -> None:
    words = Vocabulary([Term("m", "motorway", ("Autobahn", "高速公路", "freeway"))], KNOWN)
    for raw in ("autobahn", "高速 公路", "Freeways", "Autobahn"):
        found = words.resolve(raw, Policy.CANDIDATES_ONLY)
        assert (found.how, found.confidence) == ("alias", "high")


def test_exact_wins_over_fold() -> None:
    words = vocabulary("Light", "lights", "LIGHT")
    assert words.resolve("lights", Policy.WORDWISE).how == "exact"
    assert words.resolve("LIGHT", Policy.WORDWISE).how == "exact"


def test_terms_that_fold_alike_are_ambiguous() -> None:
    words = vocabulary("Light", "lights", "heavy")
    found = words.resolve("LIGHTS", Policy.WORDWISE)
    assert found.how == "ambiguous"
    assert found.term is None
    assert {candidate.term.id for candidate in found.candidates} == {"Light", "lights"}
    assert found.confidence == "low"


def test_two_terms_with_one_label_are_ambiguous_and_their_ids_are_not() -> None:
    words = Vocabulary([Term("urn:a#name", "name"), Term("urn:b#name", "name")], KNOWN)
    assert words.resolve("name", Policy.WORDWISE).how == "ambiguous"
    assert words.resolve("urn:b#name", Policy.WORDWISE).how == "exact"


def test_one_term_given_twice_is_one_term() -> None:
    words = Vocabulary([Term("1", "lorry"), Term("1", "lorry", ("truck",))], KNOWN)
    assert len(words) == 1
    assert words.resolve("Lorries", Policy.WORDWISE).how == "folded"
    assert words.resolve("truck", Policy.WORDWISE).how == "alias"


@pytest.mark.parametrize(
    ("raw", "meant", "changed"),
    [
        ("motorwy", "motorway", (("motorwy", "motorway"),)),
        ("mtoorway", "motorway", (("mtoorway", "motorway"),)),
        ("Motrway-Managed", "motorway managed", (("Motrway", "motorway"),)),
        ("trafic lihgt", "traffic light", (("trafic", "traffic"), ("lihgt", "light"))),
        ("traficlight", "traffic light", (("trafic", "traffic"),)),
        ("moterwey", "motorway", (("moterwey", "motorway"),)),
        ("rurral", "rural", (("rurral", "rural"),)),
    ],
)
def test_wordwise_corrects_misspelt_words(
    raw: str, meant: str, changed: tuple[tuple[str, str], ...]
) -> None:
    found = ROADS.resolve(raw, Policy.WORDWISE)
    assert found.how == "corrected"
    assert found.term is not None
    assert found.term.id == meant
    assert found.changed == changed
    assert found.confidence == "medium"
    assert 0.5 < found.score < 1


@pytest.mark.parametrize(
    ("words", "raw", "absent"),
    [
        (ROADS, "suburban", "urban"),
        (ROADS, "undivided", "divided"),
        (ROADS, "unmanaged motorway", "motorway managed"),
        (ROADS, "motorway", ""),
        (ROADS, "trafic", "traffic light"),
        (ROADS, "light", "traffic light"),
        (ROADS, "tural", "rural"),
        (vocabulary("car", "truck"), "van", "car"),
        (vocabulary("van", "truck"), "car", "van"),
        (COUNTRIES, "Austria", "Australia"),
        (COUNTRIES, "Ireland", "Iceland"),
        (COUNTRIES, "Nigeria", "Niger"),
        (FORMATS, "Lanelet3", "Lanelet2"),
        (FORMATS, "OSI 3.8", "OSI 3.7"),
        (FORMATS, "CC-BY-3.0", "CC-BY-4.0"),
        (FORMATS, "MCAPS2", "MCAP"),
        (FORMATS, "CC-BY-NC-4.0", "CC-BY-SA-4.0"),
        (vocabulary("高速公路"), "高速道路", "高速公路"),
    ],
)
def test_a_real_but_absent_term_is_never_replaced(words: Vocabulary, raw: str, absent: str) -> None:
    found = words.resolve(raw, Policy.WORDWISE)
    if absent:
        assert found.how in ("unknown", "ambiguous")
        assert found.term is None
    else:
        assert found.how == "exact"


@pytest.mark.parametrize(
    ("words", "raw", "meant"),
    [
        (FORMATS, "ASAM OpenDRVE", "ASAM OpenDRIVE"),
        (vocabulary("xodr", "gltf"), "xord", "xodr"),
    ],
)
def test_codes_are_asked_about(words: Vocabulary, raw: str, meant: str) -> None:
    found = words.resolve(raw, Policy.WORDWISE)
    assert found.how == "unknown"
    assert found.candidates[0].term.id == meant


def test_a_code_has_no_plural() -> None:
    words = Vocabulary([Term("MAR", "Morocco"), Term("CUB", "Cuba")], KNOWN)
    assert words.resolve("mar", Policy.CANDIDATES_ONLY).term == Term("MAR", "Morocco")
    for raw in ("Mars", "mars", "Cubs"):
        found = words.resolve(raw, Policy.CANDIDATES_ONLY)
        assert found.how == "unknown"
        assert found.candidates[0].score < 1


def test_a_correction_needs_to_be_ahead_of_the_runner_up() -> None:
    words = vocabulary("kestrelon", "kestrelin")
    found = words.resolve("kestreln", Policy.WORDWISE)
    assert found.how == "ambiguous"
    assert {candidate.term.id for candidate in found.candidates} == {"kestrelon", "kestrelin"}


def test_words_of_other_vocabularies_and_texts_are_no_misspellings() -> None:
    known = KnownWords(languages=())
    words = vocabulary("clothoid", known=known)
    assert words.resolve("clothoids2", Policy.WORDWISE).how == "unknown"
    assert words.resolve("clothoyd", Policy.WORDWISE).how == "corrected"
    vocabulary("clothoyd", known=known)
    assert words.resolve("clothoyd", Policy.WORDWISE).how == "unknown"


def test_metrics_never_apply_a_near_match() -> None:
    for raw in ("motorwy", "Germny"):
        for words in (ROADS, COUNTRIES):
            assert words.resolve(raw, Policy.CANDIDATES_ONLY).how == "unknown"
    assert COUNTRIES.resolve("Germny", Policy.CANDIDATES_ONLY).candidates[0].term.id == "Germany"


STOPS = vocabulary("Euston", "Baker Street", "Terminal 4", "Oxford Circus", "Ealing", "Earling")


@pytest.mark.parametrize(
    ("raw", "meant"), [("Baker Stret", "Baker Street"), ("Oxfrod Circus", "Oxford Circus")]
)
def test_a_place_one_edit_away_is_used_when_alone(raw: str, meant: str) -> None:
    found = STOPS.resolve(raw, Policy.SINGLE_EDIT)
    assert (found.how, found.changed) == ("corrected", ((raw, meant),))


@pytest.mark.parametrize(
    ("raw", "how"),
    [
        ("Oxfrod Cirus", "unknown"),
        ("Terminal 5", "unknown"),
        ("Earlin", "unknown"),
        ("Earlng", "unknown"),
        ("Street", "unknown"),
    ],
)
def test_other_places_are_options(raw: str, how: str) -> None:
    found = STOPS.resolve(raw, Policy.SINGLE_EDIT)
    assert (found.how, found.term) == (how, None)
    assert found.candidates


def test_two_places_one_edit_away_are_ambiguous() -> None:
    assert STOPS.resolve("Ealring", Policy.SINGLE_EDIT).how == "ambiguous"


def test_a_place_that_exists_elsewhere_is_no_misspelling() -> None:
    known = KnownWords()
    stops = vocabulary("Euston", known=known)
    assert stops.resolve("Easton", Policy.SINGLE_EDIT).how == "corrected"
    vocabulary("Easton", known=known)
    assert stops.resolve("Easton", Policy.SINGLE_EDIT).how == "unknown"


def first(found: Resolution) -> str:
    return found.candidates[0].term.id


def test_suggestions_are_tokenised_and_best_first() -> None:
    words = vocabulary("traffic light", "traffic sign", "street light", "lighthouse", "bollard")
    assert first(words.resolve("number of traffic lights", Policy.WORDWISE)) == "traffic light"
    assert [candidate.term.id for candidate in words.suggest("light")] == [
        "street light",
        "lighthouse",
        "traffic light",
    ]
    assert words.suggest("trafic sings")[0].term.id == "traffic sign"
    assert words.suggest("bol")[0].term.id == "bollard"
    assert words.suggest("bolalrdz")[0].term.id == "bollard"
    assert words.suggest("xylophone") == []


def test_suggestions_name_the_form_that_is_alike() -> None:
    words = Vocabulary([Term("1", "motorway", ("Autobahn",))], KNOWN)
    candidate = words.suggest("Autoban")[0]
    assert (candidate.term.id, candidate.label_matched) == ("1", "Autobahn")
    assert 0 < candidate.score < 1


def test_suggestions_in_chinese() -> None:
    words = vocabulary("高速公路", "城市道路", "乡村道路", "交通信号灯")
    assert words.suggest("德国高速公路")[0].term.id == "高速公路"
    assert {c.term.id for c in words.suggest("道路")} == {"城市道路", "乡村道路"}
    assert words.suggest("灯")[0].term.id == "交通信号灯"
    assert words.suggest("信号")[0].term.id == "交通信号灯"


def test_the_limit_holds() -> None:
    words = vocabulary(*(f"lane kind {letter}" for letter in "abcdefghij"))
    assert len(words.suggest("lane", 3)) == 3
    assert len(words.resolve("lane", Policy.WORDWISE, limit=4).candidates) == 4


@pytest.mark.parametrize("raw", ["", "   ", "?", "\x00", "—", "x" * 100_000, "道" * 9_000])
def test_useless_terms_are_unknown(raw: str) -> None:
    found = ROADS.resolve(raw, Policy.WORDWISE)
    assert (found.how, found.raw, found.candidates) == ("unknown", raw, ())


def test_an_empty_vocabulary_knows_nothing() -> None:
    assert Vocabulary([], KNOWN).resolve("urban", Policy.WORDWISE).how == "unknown"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40), st.sampled_from(list(Policy)))
def test_any_text_resolves(raw: str, policy: Policy) -> None:
    found = FORMATS.resolve(raw, policy)
    assert found.raw == raw
    assert (found.term is None) == (found.how in ("ambiguous", "unknown"))
    assert all(0 < candidate.score <= 1 for candidate in found.candidates)
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)


def test_a_misspelt_plural_offers_the_plural_that_is_a_name() -> None:
    found = Vocabulary([Term("T", "Textiles"), Term("L", "Lighting")])
    offered = found.resolve("Texties", Policy.CANDIDATES_ONLY).candidates
    assert [one.term.id for one in offered] == ["T"]
