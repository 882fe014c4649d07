"""The embedded profile: every name is read as itself, and one that is taken away as nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.metrics.intent.clarify import clarify
from groundwire.metrics.intent.parser import RuleIntentParser
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Profile

METRICS = {
    "country": ("population", "人口", "POPULATION"),
    "company": ("revenue", "营收", "REVENUE"),
}
ENGLISH = ["What was the {m} of {e} in 2020?", "{e} {m} 2020", "how much {m} did {e} have in 2020"]
CHINESE = ["{e}2020年{m}", "2020年{e}的{m}是多少", "请问{e}的{m}在2020年是多少?"]


def test_the_seeds_question_is_complete(embedded):
    intent = embedded.parse("中国内地FY2024的REVENUE是多少")
    assert (intent.metric, intent.entity, intent.leftovers) == ("REVENUE", "CN", ())
    assert embedded.judge(intent).mode == "none"


def test_ordinary_questions_are_answered_without_asking(embedded):
    lines = Path(__file__).with_name("ordinary.txt").read_text("utf-8").splitlines()
    questions = [line for line in lines if line and not line.startswith("#")]
    intents = [embedded.parse(question) for question in questions]
    asked = [
        one.raw_question
        for one in intents
        if one.route == "narrative" or embedded.judge(one).mode == "ask_first"
    ]
    assert len(asked) <= 0.02 * len(questions), asked


def test_every_name_is_read_as_itself(embedded):
    asked, total = [], 0
    for entity in embedded.profile.entities:
        english, chinese, code = METRICS[entity.kind]
        for name in (entity.code, entity.name, *entity.aliases):
            forms = [form.format(e=name, m=english) for form in ENGLISH]
            forms += [form.format(e=name, m=chinese) for form in CHINESE]
            for question in forms:
                total += 1
                intent = embedded.parse(question)
                if embedded.judge(intent).mode == "none":
                    assert (intent.metrics, intent.entities) == ((code,), (entity.code,)), question
                else:
                    asked.append(question)
    assert len(asked) <= 0.01 * total, asked


def test_every_name_of_a_metric_is_read_as_itself(embedded):
    for metric in embedded.profile.metrics:
        entity, name = ("France", "法国") if metric.kind == "country" else ("Hong Kong", "香港")
        for form in (metric.code, metric.label, *metric.aliases):
            for question in (f"{form} of {entity} in 2020", f"{name}2020年{form}是多少"):
                assert embedded.parse(question).metrics == (metric.code,), question
                assert embedded.clarify(question).mode == "none", question


@pytest.mark.parametrize("start", [0, 1, 2])
def test_a_name_that_is_taken_away_is_no_other(embedded, start):
    profile = embedded.profile
    countries = [one for one in profile.entities if one.kind == "country"]
    for gone in countries[start::24]:
        tree = profile.model_dump()
        tree["entities"] = [one for one in tree["entities"] if one["code"] != gone.code]
        names = Names(Profile.model_validate(tree))
        parser = RuleIntentParser(names, embedded.gate)
        for name in (gone.name, *gone.aliases):
            forms = [form.format(e=name, m="GDP") for form in (*ENGLISH, *CHINESE)]
            for question in (*forms, f"GDP of France and {name} in 2020", f"法国和{name}2020年GDP"):
                made = clarify(parser.parse(question), names, embedded.gate, embedded.today)
                assert made.mode == "ask_first", question


def test_competitors_are_refused_by_every_name(embedded):
    for external in embedded.profile.external:
        for name in (external.name, *external.aliases):
            for question in (f"What was the revenue of {name} in 2024?", f"{name}2024年营收"):
                made = embedded.clarify(question)
                assert made.mode == "out_of_scope_entity", question
                assert external.name in made.question
