"""The figures of a report: counts, estimates with intervals, and what is said to be missing."""

from __future__ import annotations

import re

import pytest
from learning_worlds import World

from groundwire import profiles
from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.estimating import query_calibration
from groundwire.learning.importing import Places, load_sample
from groundwire.learning.report.figures import Figures, figures
from groundwire.learning.report.page import report_page, report_view
from groundwire.learning.report.sections import sections

RULES = read_rules(profiles.learning_profile())


def drawn(world: World) -> Figures:
    return figures(world.learner, RULES)


def test_an_empty_folder_has_no_number_that_reads_as_an_estimate(world: World) -> None:
    found = drawn(world)
    assert found.confidence.judged is None and found.schedule.judged is None
    assert all(one.said is None and one.interval is None for one in found.retention)
    page = report_page(found)
    assert "No card has a schedule yet" in page and "There are no concepts yet" in page
    assert "nothing can be said yet, there are 0 of 30 forecasts" in page
    said = " ".join(line for one in sections(found) for line in one.says)
    assert "%" not in said.replace("85.0 %", "")


def test_due_cards_are_counted_by_the_days_of_the_learner(world: World) -> None:
    for number in range(3):
        world.card(f"c{number}")
        world.review(f"c{number}", None, rating="easy", said="easy")
    world.card("waits")
    world.card("paused")
    world.review("paused", None, rating="easy", said="easy")
    world.state("paused", "suspended")
    found = drawn(world)
    due = {one.date.isoformat(): one.due for one in found.days if one.due}
    rows = world.rows("SELECT due_ms FROM schedule WHERE active = 1")
    assert sum(due.values()) + found.later == len(rows) == 3
    assert found.new == 1 and found.days[0].overdue == 0
    world.wait(days=60)
    later = drawn(world)
    assert (later.days[0].overdue, sum(one.due for one in later.days)) == (3, 0)
    assert "3 cards due today, 3 of them since before" in report_page(later)


def test_numbers_are_those_that_the_tools_tell(world: World) -> None:
    load_sample(world.learner, Places(*profiles.learning_sample()))
    found = drawn(world)
    for source, curve in (("confidence", found.confidence), ("schedule", found.schedule)):
        told, _ = query_calibration(world.learner, source=source)
        assert curve.judged is not None and told.bins is not None
        assert curve.pairs == told.n
        assert [round(one.came, 3) for one in curve.judged.bins] == pytest.approx(
            [one.came for one in told.bins], abs=1e-3
        )
    whole = found.retention[-1]
    assert whole.month == "all" and whole.interval is not None and whole.came is not None
    assert whole.interval[0] < whole.came < whole.interval[1]
    few = [one for one in found.retention if one.n < 30]
    assert few and all(one.came is None and one.said is None for one in few)
    nodes = {one.name: one for one in found.concepts.nodes}
    assert nodes["tides"].status == "met" and nodes["tides"].interval is not None
    assert nodes["spring tides"].value_text is None
    assert nodes["spring tides"].waits_for == ("tidal range",)
    assert nodes["tides"].layer < nodes["tidal range"].layer < nodes["spring tides"].layer


def test_what_a_host_reports_counts_as_it_does_for_the_tools(world: World) -> None:
    load_sample(world.learner, Places(*profiles.learning_sample()))
    world.wait(days=2)
    world.review("tide_flood", "flood", confidence=0.9, reported_by="host")
    told, _ = query_calibration(world.learner, source="confidence")
    assert told.reported_left_out == 1
    assert drawn(world).confidence.pairs == told.n


def test_what_only_the_model_rated_counts_for_nothing(world: World) -> None:
    for number in range(60):
        world.card(f"c{number}", concepts=["verbs"])
    for _ in range(2):
        for number in range(60):
            world.review(f"c{number}", None, rating="easy", rated_by="host", confidence=0.9)
        world.wait(days=40)
    found = drawn(world)
    assert (found.confidence.pairs, found.schedule.pairs) == (0, 0)
    assert found.rated.host == 120
    assert [one.value_text for one in found.concepts.nodes] == [None]
    assert "120 by the model alone, which count for no estimate" in report_page(found)


def test_names_that_act_are_text(world: World) -> None:
    evil = '<script>alert(1)</script>"&\u202e'
    operations = [{"op": "add_node", "name": evil}]
    submit_graph_changes(
        world.learner.file, RULES, "local", ChangeRequest(operations, "a name that acts")
    )
    world.card("c1", deck=evil)
    page = report_page(drawn(world))
    assert "<script" not in page and "\u202e" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page)


def test_a_large_graph_is_cut_and_says_so(world: World) -> None:
    operations = [{"op": "add_node", "name": f"concept {number}"} for number in range(100)]
    operations += [
        {
            "op": "add_edge", "source": f"concept {number}", "relation": "prerequisite",
            "target": f"concept {number + 1}",
        }
        for number in range(60)
    ]  # fmt: skip
    submit_graph_changes(world.learner.file, RULES, "local", ChangeRequest(operations, "many"))
    found = drawn(world)
    assert len(found.concepts.nodes) == 40 and found.concepts.left_out == 60
    assert "60 concepts that others need less are not shown" in report_page(found)


def test_the_app_gets_the_same_sections(world: World) -> None:
    load_sample(world.learner, Places(*profiles.learning_sample()))
    found = drawn(world)
    view = report_view(found)
    page = report_page(found)
    assert [one["key"] for one in view["sections"]] == [
        "due", "retention", "calibration", "concepts",
    ]  # fmt: skip
    for one in view["sections"]:
        assert all(drawing in page for drawing in one["drawings"])
