"""Questions for a share: the whole that they name is found, or asked for."""

from __future__ import annotations

import pytest

from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import State
from groundwire.metrics.questions import missing
from groundwire.metrics.terms import THOSE_LISTED as LISTED
from tests.metrics.conftest import TODAY
from tests.metrics.intent.conftest import Desk


@pytest.mark.parametrize(
    ("question", "entities", "whole"),
    [
        ("Germany's share of EU GDP in 2020", "DEU EUU", "EUU"),
        ("What is the share of Germany in the GDP of the EU in 2020?", "DEU EUU", "EUU"),
        ("What percentage of EU GDP is Germany's in 2020?", "EUU DEU", "EUU"),
        ("How much of world GDP does the US account for in 2020?", "WLD USA", "WLD"),
        ("What share of the EU population lives in Germany in 2020?", "EUU DEU", "EUU"),
        ("Share of Germany, France and Italy in EU GDP 2020", "DEU FRA ITA EUU", "EUU"),
        ("Germany's share of EU GDP from 2018 to 2020", "DEU EUU", "EUU"),
        ("Germany GDP as a percentage of EU GDP 2020", "DEU EUU", "EUU"),
        ("What share of our revenue comes from Hong Kong in FY2024?", "HK TVN", "TVN"),
        ("What share of group revenue did Hong Kong have in FY2024?", "TVN HK", "TVN"),
        ("德国占欧盟GDP的比重2020", "DEU EUU", "EUU"),
        ("德国2020年GDP在欧盟的占比", "DEU EUU", "EUU"),
        ("欧盟2020年GDP中德国占多少", "EUU DEU", "EUU"),
        ("德国GDP在欧盟中占多大比例 2020", "DEU EUU", "EUU"),
        ("2024年香港收入占集团的百分之几", "HK TVN", "TVN"),
        ("Germany and EU GDP share 2020", "DEU EUU", None),
        ("Share of Germany in the GDP of Germany and France together 2020", "DEU FRA", LISTED),
        ("Germany's share of the sum of Germany and France GDP 2020", "DEU FRA", LISTED),
        ("Germany GDP as a percentage of Germany plus France GDP 2020", "DEU FRA", LISTED),
        (
            "Of the total GDP of Germany and France, what share is Germany's, 2020?",
            "DEU FRA",
            LISTED,
        ),
        ("respective shares of Germany and France in their combined GDP 2020", "DEU FRA", LISTED),
        ("德国GDP占德国与法国合计的比重2020", "DEU FRA", LISTED),
        ("2020年德国和法国GDP各占两国总和的比重", "DEU FRA", LISTED),
    ],
)
def test_the_whole_is_the_one_that_is_named(
    embedded: Desk, question: str, entities: str, whole: str | None
) -> None:
    intent = embedded.parse(question)
    assert intent.derive == ("share",)
    assert " ".join(intent.entities) == entities
    assert intent.share_of == whole
    assert embedded.clarify(question).mode == "none"


@pytest.mark.parametrize(
    ("question", "said", "offered"),
    [
        ("Germany's share of GDP in 2020", "A share is of a whole", "EUU"),
        ("德国2020年GDP的占比", "占比须有整体", "EUU"),
        ("Hong Kong's share of revenue in FY2024", "A share is of a whole", "TVN"),
        ("Share of Germany and France in GDP 2020", "A share is of a whole", "EUU"),
        ("Germany and France: share of GDP together, 2020", "A share is of a whole", "EUU"),
        ("What share of revenue do Hong Kong and China have in FY2024?", "of a whole", "TVN"),
        ("Share of GDP in Germany and in France 2020", "A share is of a whole", "EUU"),
        ("德国和法国2020年GDP的占比", "占比须有整体", "EUU"),
    ],
)
def test_a_question_that_names_no_whole_is_asked_which(
    embedded: Desk, question: str, said: str, offered: str
) -> None:
    made = embedded.clarify(question)
    assert made.mode == "ask_first"
    assert said in made.question
    assert offered in [one.value for one in made.narrowing_options]


@pytest.mark.parametrize(
    "question",
    [
        "Share of Italy in the total GDP of Germany and France 2020",
        "Germany's share of GDP 2020, and the total of Germany and France",
        "Share of the combined GDP of Germany and France 2020",
    ],
)
def test_a_total_is_the_whole_of_none_but_its_parts(embedded: Desk, question: str) -> None:
    assert embedded.parse(question).share_of != LISTED


def test_what_is_chosen_completes_a_question_without_a_whole(state: State) -> None:
    question = "Share of Germany and France in GDP 2020"
    asked = missing(state, question, "", TODAY)
    assert asked is not None
    chosen = next(one.value for one in asked.options if one.value == "EUU")
    told = ask(state, f"{question} {chosen}", TODAY).text
    assert "share of Germany in European Union is" in told
    assert "share of France in European Union is" in told


def test_channels_are_shares_of_the_total(embedded: Desk) -> None:
    intent = embedded.parse("online and retail share of revenue in HK FY2024")
    assert intent.channels == ("ONLINE", "RETAIL", "TOTAL")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Germany's share of EU GDP in 2020", "share of Germany in European Union is"),
        ("The EU's share of Germany's GDP in 2020", "not the other way round"),
        ("Share of Japan in EU GDP 2020", "Japan is no part of European Union"),
        ("德国和欧盟2020年GDP之和", "欧盟已包含德国"),
        ("JP share of group revenue FY2024", "FY2024 is of different days"),
        (
            "share of HK in the revenue of HK and CN together in FY2024",
            "share of Tolvarne Hong Kong in Tolvarne Hong Kong + Tolvarne China",
        ),
        (
            "share of HK in the revenue of HK and JP together in FY2024",
            "FY2024 is of different days",
        ),
    ],
)
def test_the_answer_says_of_what_or_why_not(state: State, question: str, said: str) -> None:
    assert said in ask(state, question, TODAY).text


@pytest.mark.parametrize(
    "question",
    [
        "Japan's share in the euro area's share of EU GDP in 2020",
        "Difference between Germany's share of EU GDP and France's share of EU GDP in 2020",
        "Ratio of Germany's share of EU GDP to France's share of EU GDP in 2020",
        "By how many percent did Germany's share of EU GDP grow from 2010 to 2020?",
        "How much did Germany's share of EU GDP grow from 2010 to 2020?",
        "How did the change in Germany's share of EU GDP rise from 2010 to 2020?",
        "How did the EU's share of Germany's GDP change from 2010 to 2020?",
        "How did Germany's share of EU GDP change in 2020?",
        "Um wie viel Prozent stieg der Anteil Deutschlands am BIP der EU von 2010 bis 2020?",
        "2021年欧盟占世界GDP的份额里德国占多少？",
        "2020年德国GDP占比与法国GDP占比之比是多少？",
    ],
)
def test_what_would_be_computed_of_a_share_is_asked_back(state: State, question: str) -> None:
    answer = ask(state, question, TODAY)
    assert answer.ending == "asked", answer.text
    assert not answer.derived
    assert not answer.cells


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "change in Germany's share of EU GDP from 2010 to 2020",
            "the share of Germany in European Union rose by 1.919891 percentage points from 2010",
        ),
        (
            "Um wie viele Prozentpunkte stieg Deutschlands Anteil am BIP der EU von 2010 bis 2020?",
            "stieg von 2010 bis 2020 um 1,919891 Prozentpunkte",
        ),
        ("2010年到2020年德国占欧盟GDP的比重上升了多少个百分点？", "上升1.919891 个百分点"),
        (
            "By how many points did HK's share of group revenue rise from FY2022 to FY2024?",
            "the share of Tolvarne Hong Kong in Tolvarne Group fell by 0.530986 percentage points",
        ),
        (
            "How much larger was Italy's share of EU GDP than France's in 2019?",
            "share of Italy in European Union is 4.57223 percentage points below that of France",
        ),
        ("What is Germany's share of the EU's share of world GDP in 2021?", "24.709631%"),
        (
            "Germany's share in the euro area's share of EU GDP in 2020",
            "share of Germany in Euro area is",
        ),
        (
            "How did the ratio of Germany's GDP to France's GDP change from 2000 to 2020?",
            "the ratio of Germany to France rose by 0.042073 from 2000 to 2020",
        ),
    ],
)
def test_a_change_of_shares_is_in_points_and_said_so(
    state: State, question: str, said: str
) -> None:
    assert said in ask(state, question, TODAY).text


@pytest.mark.parametrize(
    "question",
    [
        "Germany's share of EU GDP and France's share of EU GDP in 2020",
        "2020年德国占欧盟GDP的比重和法国占欧盟GDP的比重",
    ],
)
def test_shares_that_are_listed_are_each_computed(state: State, question: str) -> None:
    made = {one.operands[0].entity: one.value for one in ask(state, question, TODAY).derived}
    assert made == {"DEU": "25.275479", "FRA": "17.211798"}
