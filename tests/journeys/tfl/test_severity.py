"""Which of TfL's severities is worse, and what each says of a line."""

from __future__ import annotations

import pytest

from groundwire.journeys.tfl.severity import DESCRIPTIONS, code_of, rank, standing


def test_every_code_has_its_place_and_none_shares_it() -> None:
    assert sorted(DESCRIPTIONS) == list(range(21))
    assert len({rank(code) for code in DESCRIPTIONS}) == 21


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (2, 3),
        (1, 6),
        (20, 9),
        (16, 5),
        (3, 6),
        (5, 7),
        (6, 9),
        (9, 10),
        (0, 10),
        (13, 10),
        (19, 10),
    ],
)
def test_worse_comes_first_also_where_the_number_is_higher(worse: int, better: int) -> None:
    assert rank(worse) < rank(better)


def test_where_code_and_description_disagree_the_description_decides() -> None:
    assert rank(20, "Bus Service") == rank(8)
    assert standing(20, "Bus Service", "", None) == "disrupted"


def test_a_mode_may_have_its_own_words_for_a_code() -> None:
    assert rank(3, "No Service") < rank(3, "Part Suspended")


def test_a_code_that_nobody_listed_is_no_good_service() -> None:
    assert rank(9, "Minor Delays") > rank(77, "Something new")
    assert standing(77, "Something new", "", None) == "disrupted"


@pytest.mark.parametrize(
    ("severity", "description", "category", "now", "said"),
    [
        (10, "Good Service", "", None, "good"),
        (18, "No Issues", "", None, "good"),
        (9, "Minor Delays", "RealTime", True, "disrupted"),
        (9, "Minor Delays", "PlannedWork", False, "planned"),
        (5, "Part Closure", "PlannedWork", False, "planned"),
        (5, "Part Closure", "", False, "planned"),
        (5, "Part Closure", "RealTime", True, "disrupted"),
        (4, "Planned Closure", "", None, "planned"),
        (20, "Service Closed", "RealTime", True, "closed"),
        (19, "Information", "", None, "notice"),
        (19, "Information", "RealTime", True, "notice"),
        (9, "Crowding", "RealTime", True, "notice"),
        (77, "Something new", "Information", True, "notice"),
        (77, "Something new", "Crowding", True, "notice"),
        (77, "Something new", "RealTime", True, "disrupted"),
        (9, "Minor Delays", "Information", True, "disrupted"),
    ],
)
def test_planned_works_are_told_from_what_happened(
    severity: int, description: str, category: str, now: bool | None, said: str
) -> None:
    assert standing(severity, description, category, now) == said


def test_what_only_informs_hides_no_delay() -> None:
    assert rank(77, "Something new", "Crowding") > rank(9, "Minor Delays")


def test_descriptions_have_their_codes() -> None:
    assert code_of("minor  delays") == 9
    assert code_of("Anything else") is None
