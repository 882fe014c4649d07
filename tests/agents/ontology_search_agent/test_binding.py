"""A search that is not what the question asks for is told apart from one that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from ontology_questions import JOINTS, KINDS, PARTS, said

from groundwire.agents.ontology_search_agent.binding import Difference, untold
from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms

Call = dict[str, Any]
OTHERS = {"country": ("FR", "JP"), "weather": ("snow", "fog"), "license": ("MIT", "Apache-2.0")}


@pytest.fixture(scope="module")
def vocabulary(terms: CatalogueTerms) -> QuestionVocabulary:
    return QuestionVocabulary(terms)


def _questions() -> Iterator[str]:
    """Each kind of asset with two parts, in either language."""
    for language, kinds in KINDS.items():
        parts = PARTS[language]
        for at, part in enumerate(parts):
            other = parts[(at * 7 + 3) % len(parts)]
            joint = JOINTS[language][at % 3]
            yield said(kinds[at % len(kinds)], [(" ", part), (joint, other)])


def _call(question: str, vocabulary: QuestionVocabulary) -> Call:
    return deepcopy(dict(read_question(question, vocabulary).arguments()))


def _dropped(call: Call, _: QuestionVocabulary) -> Iterator[Call]:
    """The call without one condition, for each of its conditions."""
    for part in ("filters", "ranges"):
        for key in call["slots"].get(part, {}):
            less = deepcopy(call)
            del less["slots"][part][key]
            yield less
    for at, reference in enumerate(call["slots"].get("references", [])):
        less = deepcopy(call)
        del less["slots"]["references"][at]
        yield less
        for part in ("filters", "ranges"):
            for key in reference.get(part, {}):
                less = deepcopy(call)
                del less["slots"]["references"][at][part][key]
                yield less
    for name in ("count_by", "gaps", "sort"):
        if name in call:
            yield {key: value for key, value in call.items() if key != name}


def _swapped(call: Call, vocabulary: QuestionVocabulary) -> Iterator[Call]:
    """The call with another value, bound or kind in the place of each."""
    for key, sent in call["slots"].get("filters", {}).items():
        for other in OTHERS.get(key, ()):
            if sent != other:
                changed = deepcopy(call)
                changed["slots"]["filters"][key] = other
                yield changed
        if sent != {"exists": False}:
            changed = deepcopy(call)
            changed["slots"]["filters"][key] = {"exists": False}
            yield changed
    for key, bounds in call["slots"].get("ranges", {}).items():
        for side, bound in bounds.items():
            changed = deepcopy(call)
            number = "".join(char for char in str(bound) if char.isdigit())
            changed["slots"]["ranges"][key][side] = str(bound).replace(number, "7", 1)
            opposite = {"min": "max", "max": "min", "gt": "lt", "lt": "gt"}[side]
            if str(bound) != changed["slots"]["ranges"][key][side]:
                yield changed
            if opposite not in bounds:
                turned = deepcopy(call)
                turned["slots"]["ranges"][key] = {opposite: bound}
                yield turned
    for other in vocabulary.domains:
        if call["slots"].get("domains") not in (None, [other]):
            changed = deepcopy(call)
            changed["slots"]["domains"] = [other]
            yield changed


def _added(call: Call, vocabulary: QuestionVocabulary) -> Iterator[Call]:
    """The call with a condition that the question does not have."""
    (kind, *_) = call["slots"].get("domains", ["hdmap"])
    for meant, term in vocabulary.properties.items():
        filters = call["slots"].get("filters", {})
        ranges = call["slots"].get("ranges", {})
        if meant.domain != kind or meant.key in (*filters, *ranges):
            continue
        if term.kind == "number":
            more = deepcopy(call)
            more["slots"].setdefault("ranges", {})[meant.key] = {"min": 3}
            yield more
        elif term.values is not None:
            more = deepcopy(call)
            label = vocabulary.terms.values[term.values][0].label
            more["slots"].setdefault("filters", {})[meant.key] = label
            yield more


CHANGES: dict[str, Callable[[Call, QuestionVocabulary], Iterator[Call]]] = {
    "dropped": _dropped,
    "swapped": _swapped,
    "added": _added,
}


def test_what_the_rules_send_is_what_the_question_asks_for(vocabulary: QuestionVocabulary) -> None:
    for question in _questions():
        call = _call(question, vocabulary)
        if read_question(question, vocabulary).look is None:
            assert untold(question, vocabulary, call) == [], (question, call)


@pytest.mark.parametrize("how", CHANGES)
def test_every_change_of_a_search_is_a_difference(how: str, vocabulary: QuestionVocabulary) -> None:
    seen = 0
    for question in _questions():
        call = _call(question, vocabulary)
        for changed in CHANGES[how](call, vocabulary):
            seen += 1
            assert untold(question, vocabulary, changed), (question, call, changed)
    assert seen >= 100


@pytest.mark.parametrize(
    ("question", "slots", "more"),
    [
        (
            "German maps longer than 5 km",
            {
                "domains": ["HD map"],
                "filters": {"country": "Germany"},
                "ranges": {"length": {"gt": "5000 m"}},
            },
            {},
        ),
        (
            "German maps longer than 5 km",
            {"domains": "hdmap", "filters": {"country": ["DE"], "length": "> 5 km"}},
            {},
        ),
        (
            "maps with traffic lights",
            {"domains": ["hdmap"], "filters": {"numberTrafficLights": {"exists": True}}},
            {},
        ),
        (
            "scenarios whose weather is rian",
            {"domains": ["scenario"], "filters": {"weather": "rain"}},
            {},
        ),
        (
            "scenarios in rain or fog",
            {"domains": ["scenario"], "filters": {"weather": {"any_of": ["fog", "rain"]}}},
            {},
        ),
        ("how many maps per country", {"domains": ["hdmap"]}, {"count_by": "country"}),
        (
            "traces compressed by zstd",
            {"domains": ["ositrace"], "filters": {"compression": "zstd"}},
            {},
        ),
        ("maps with flurb", {"domains": ["hdmap"]}, {"gaps": [{"term": "flurb"}]}),
        ("maps with flurb", {"domains": ["hdmap"]}, {"gaps": "flurb"}),
    ],
)
def test_another_way_to_say_the_same_is_no_difference(
    question: str, slots: Call, more: Call, vocabulary: QuestionVocabulary
) -> None:
    assert untold(question, vocabulary, {"slots": slots, **more}) == []


@pytest.mark.parametrize(
    ("question", "slots", "differences"),
    [
        (
            "traces compressed by zstd",
            {"domains": ["ositrace"]},
            [("dropped", "compression = zstd", ""), ("dropped", "compressed", "")],
        ),
        ("German maps", {"domains": ["hdmap"]}, [("dropped", "country = DE", "")]),
        (
            "maps",
            {"domains": ["scenario"]},
            [("swapped", "kind of asset hdmap", "kind of asset scenario")],
        ),
        (
            "scenarios with a truck and a tram",
            {"domains": ["scenario"], "filters": {"entityTypes": ["tram", "truck"]}},
            [
                ("swapped", "entityTypes = truck", "entityTypes = tram or truck"),
                ("dropped", "entityTypes = tram", ""),
            ],
        ),
        (
            "maps at least 5 km long",
            {"domains": ["hdmap"], "ranges": {"length": {"gt": 5}}},
            [("swapped", "length >= 5", "length > 5")],
        ),
        (
            "scenarios that use a map of Germany",
            {"domains": ["scenario"], "references": "hdmap"},
            [("dropped", "hdmap.country = DE", "")],
        ),
        (
            "maps with flurb",
            {"domains": ["hdmap"], "filters": {"roadTypes": "motorway"}},
            [("read", "flurb", "roadTypes = motorway")],
        ),
        ("maps with flurb", {"domains": ["hdmap"]}, [("dropped", "flurb", "")]),
        (
            "maps",
            {"domains": ["hdmap"], "filters": {"country": "DE"}},
            [("added", "", "country = DE")],
        ),
        (
            "how many maps per country",
            {"domains": ["hdmap"]},
            [("dropped", "counted by country", "")],
        ),
    ],
)
def test_what_differs_is_said(
    question: str,
    slots: Call,
    differences: list[tuple[str, str, str]],
    vocabulary: QuestionVocabulary,
) -> None:
    found = untold(question, vocabulary, {"slots": slots})
    assert found == [Difference(*one) for one in differences]  # pyright: ignore[reportArgumentType]


def test_a_kind_that_the_server_completed_is_compared(vocabulary: QuestionVocabulary) -> None:
    call = {"slots": {"filters": {"license": "MIT"}}}
    answer = {"applied": {"domains": ["hdmap", "scenario"]}}
    (difference,) = untold("maps under the MIT licence", vocabulary, call, answer)
    assert difference.how == "swapped"
    assert untold("MIT licence", vocabulary, call, answer) == []


def test_a_conversation_is_compared_with_its_slots(vocabulary: QuestionVocabulary) -> None:
    known = {"domains": ["scenario"], "filters": {"weather": "rain"}}
    more = {"ranges": {"duration": {"gt": "20 s"}}}
    question = "only those longer than 20 s"
    assert untold(question, vocabulary, {"slots": {**known, **more}}, known=known) == []
    (difference,) = untold(
        question, vocabulary, {"slots": {"domains": ["scenario"], **more}}, known=known
    )
    assert difference == Difference("dropped", "weather = rain", "")
