"""Which lines are meant by what people and models call them."""

from __future__ import annotations

import pytest

from groundwire.errors import InputError
from groundwire.journeys.lines.choice import choose_lines
from groundwire.journeys.lines.names import LINE_BY_ID, LINES, line_vocabulary
from groundwire.vocabulary import Policy

OVERGROUND = ["liberty", "lioness", "mildmay", "suffragette", "weaver", "windrush"]


def chosen(*words: str) -> list[str]:
    return [line.id for line in choose_lines(words).lines]


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("victoria", "victoria"),
        ("Victoria Line", "victoria"),
        ("the Vic", "victoria"),
        ("H&C", "hammersmith-city"),
        ("Hammersmith and City line", "hammersmith-city"),
        ("waterloo-city", "waterloo-city"),
        ("the Drain", "waterloo-city"),
        ("Met line", "metropolitan"),
        ("Crossrail", "elizabeth"),
        ("the Elizabeth line", "elizabeth"),
        ("Docklands Light Railway", "dlr"),
        ("Gospel Oak to Barking", "suffragette"),
        ("East London line", "windrush"),
        ("North London Line", "mildmay"),
        ("Watford DC line", "lioness"),
        ("Tramlink", "tram"),
        ("Emirates Air Line", "london-cable-car"),
        ("73", "73"),
        ("bus N8", "n8"),
        ("Route SL1", "sl1"),
    ],
)
def test_names_that_people_use(word: str, line: str) -> None:
    assert chosen(word) == [line]


@pytest.mark.parametrize("word", ["Overground", "London Overground", "overground"])
def test_the_overground_is_six_lines(word: str) -> None:
    assert chosen(word) == OVERGROUND


def test_a_mode_among_the_lines_stands_for_all_of_them() -> None:
    assert len(chosen("tube")) == 11
    assert len(chosen("Underground", "Victoria")) == 11


def test_a_mode_whose_lines_are_not_listed_is_asked_for_as_a_mode() -> None:
    choice = choose_lines(["bus"], ["National Rail"])
    assert choice.lines == ()
    assert choice.modes == ("bus", "national-rail")


@pytest.mark.parametrize(
    ("typo", "line"),
    [("Jubille", "jubilee"), ("Bakerlo line", "bakerloo"), ("Metropolitain", "metropolitan")],
)
def test_a_misspelt_line_is_corrected_and_told(typo: str, line: str) -> None:
    choice = choose_lines([typo])
    assert [one.id for one in choice.lines] == [line]
    assert [(word.raw, word.used) for word in choice.corrections] == [
        (typo, LINE_BY_ID[line].full_name)
    ]


def test_a_misspelt_mode_is_corrected_and_told() -> None:
    choice = choose_lines(modes=["overgound"])
    assert choice.modes == ("overground",)
    assert choice.corrections[0].how == "corrected"


def test_what_may_be_two_lines_is_asked_about() -> None:
    with pytest.raises(InputError) as refused:
        choose_lines(["City"])
    assert str(refused.value) == "'City' may be Hammersmith & City or Waterloo & City: say which"


def test_an_unknown_line_is_refused_with_the_lines_there_are() -> None:
    with pytest.raises(InputError) as refused:
        choose_lines(["Fleet"])
    said = str(refused.value)
    assert said.startswith("There is no line 'Fleet'.")
    assert all(line.name in said for line in LINES)
    assert "\n" not in said


def test_an_unknown_mode_is_refused_with_the_modes_there_are() -> None:
    with pytest.raises(InputError, match=r"There is no mode 'hovercraft'.*tube.*river-bus"):
        choose_lines(modes=["hovercraft"])


def test_long_and_multi_line_words_are_cut_in_the_refusal() -> None:
    with pytest.raises(InputError) as refused:
        choose_lines(["x\n" * 500])
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_each_line_left_out_is_never_replaced_by_another() -> None:
    """Real but absent: a line that the vocabulary lacks must not become another line."""
    from groundwire.vocabulary import Term, Vocabulary

    for absent in line_vocabulary():
        others = Vocabulary(
            Term(term.id, term.label, term.aliases)
            for term in line_vocabulary()
            if term.id != absent.id
        )
        assert others.resolve(absent.label, Policy.WORDWISE).how != "corrected", absent.label


def test_blank_words_ask_for_nothing() -> None:
    choice = choose_lines(["", "  "], [" "])
    assert choice.words == ()
    assert choice.includes("victoria", "tube")


def test_a_choice_knows_what_it_includes() -> None:
    choice = choose_lines(["Victoria"], ["dlr"])
    assert choice.includes("victoria", "tube")
    assert choice.includes("dlr", "dlr")
    assert not choice.includes("northern", "tube")
