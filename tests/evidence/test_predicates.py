"""The names of a record are told in full once, and by label and code after that."""

from __future__ import annotations

import pytest

from groundwire.evidence.answers import RecordNames, predicate_names

PACKAGES = ("groundwire.metrics", "groundwire.journeys")
CHINA = ("China", "CHN", "中国", "PRC")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_predicate_has_names_and_each_once(package: str) -> None:
    for key, names in predicate_names(package).items():
        assert names and all(names), key
        assert len(set(names)) == len(names), key


def test_a_thing_is_named_in_full_once() -> None:
    names = RecordNames("groundwire.metrics")
    assert names.thing("entity", CHINA) == CHINA
    assert names.thing("entity", CHINA) == CHINA[:2]
    assert names.thing("metric", CHINA) == CHINA
    assert RecordNames("groundwire.metrics").thing("entity", CHINA) == CHINA


def test_another_thing_of_the_same_label_keeps_its_other_names() -> None:
    names = RecordNames("groundwire.journeys")
    station, street = ("Bank", "Bank Underground Station"), ("Bank", "Bank Street")
    assert names.thing("place", station, 1) == station
    assert names.thing("place", street, 1) == street
    assert names.thing("place", station, 1) == ("Bank",)


def test_a_predicate_is_named_in_full_once() -> None:
    names = RecordNames("groundwire.journeys")
    assert len(names.predicate("change")) > 1
    assert names.predicate("change") == ("change",)
