"""Profiles: what is refused, with its place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigurationError
from groundwire.metrics.about import read_about
from groundwire.metrics.profile import Profile, load_profile, parse_profile
from groundwire.profiles import metrics_profile

TREE = """
[profile]
name = "p"

[kinds.shop]
label = "shop"
home = "A"
fiscal_year_start = "04-01"

[kinds.land]
label = "land"

[[entities]]
code = "A"
kind = "shop"
name = "Alpha"

[[entities]]
code = "B"
kind = "shop"
name = "Beta"
parent = "A"
fiscal_year_start = "02-01"
fiscal_year_named_by = "start"

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
"""
SALES = {"code": "sales", "kind": "shop", "label": "More sales"}


def tree(place: str = "", value: object = None) -> dict[str, Any]:
    """The profile with a value put at a place such as `entities.0.kind`; `+` adds to a list."""
    made: dict[str, Any] = tomllib.loads(TREE)
    *path, last = place.split(".")
    inner: Any = made
    for step in path:
        inner = inner[int(step)] if step.isdigit() else inner[step]
    if last == "+":
        inner.append(value)
    elif last:
        inner[last] = value
    return made


def refused(made: dict[str, Any]) -> str:
    with pytest.raises(ConfigurationError) as error:
        parse_profile(made, "p.toml")
    message = str(error.value)
    assert message.startswith("The profile p.toml is not valid: ")
    assert "\n" not in message
    assert "pydantic" not in message and "Value error" not in message
    return message


def test_a_profile_that_is_well() -> None:
    profile = parse_profile(tree(), "p.toml")
    assert list(profile.entity_by_code) == ["A", "B"]
    assert list(profile.channel_by_code) == ["TOTAL"]
    assert profile.metric_by_code["SALES"].grains == ("year",)
    assert profile.sensitivity.withheld == ("RESTRICTED",)


def test_fiscal_calendars_are_of_the_entity_else_of_its_kind() -> None:
    profile = parse_profile(tree(), "p.toml")
    assert profile.calendar_of["A"].first_day(2024).isoformat() == "2023-04-01"
    assert profile.calendar_of["B"].first_day(2024).isoformat() == "2024-02-01"


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        ("entities.0.kind", "ship", "entity 'A' has the unknown kind 'ship'"),
        ("metrics.0.kind", "ship", "metric 'SALES' has the unknown kind 'ship'"),
        ("entities.0.parent", "Z", "entity 'A' has the unknown parent 'Z'"),
        ("entities.1.code", "a", "two entries of one entity code, 'A' and 'a'"),
        ("metrics.+", SALES, "two entries of one metric code"),
        ("channels", [{"code": "W", "label": "Web", "kinds": ["ship"]}], "channel 'W' has the"),
        ("kinds.shop.home", "Z", "the home of kind 'shop' is no entity of it: 'Z'"),
        ("kinds.land.home", "A", "the home of kind 'land' is no entity of it: 'A'"),
        ("metrics.0.grains", [], "metric 'SALES' has no grain"),
        ("metrics.0.grains", ["week"], "metrics.0.grains.0: "),
        ("metrics.0.measure", "ratio", "metrics.0.measure: "),
        ("metrics.0.derivations", ["median"], "metrics.0.derivations.0: "),
        ("metrics.0.lable", "x", "metrics.0.lable: "),
        ("metrics.0.code", "TWO WORDS", "metrics.0.code: a code is up to 80 of A-Z"),
        ("entities.0.name", "", "entities.0.name: "),
        ("entities.0.fiscal_year_start", "02-29", 'a fiscal year starts on "MM-DD"'),
        ("kinds.shop.fiscal_year_start", "1-1", 'such as "02-01"'),
        ("profile.name", "Two Words", "profile.name: "),
        ("profile", {}, "profile.name: "),
        ("sensitivity", {"withheld": ["SECRET"]}, "'SECRET' is none of the levels PUBLIC"),
        ("documents", [{"file": "a.md", "sensitivity": "X"}], "'a.md': no such level 'X'"),
        ("documents", [{"file": "a.md", "entity": "X"}], "'a.md' has the unknown entity 'X'"),
        ("surprise", 1, "surprise: "),
    ],
)
def test_what_contradicts_itself_is_named_with_its_place(
    place: str, value: object, says: str
) -> None:
    assert says in refused(tree(place, value))


def test_the_first_problems_are_shown_and_the_others_counted() -> None:
    many = [{"code": f"E{number}", "kind": "x", "name": "n"} for number in range(9)]
    message = refused(tree() | {"entities": [*tree()["entities"], *many]})
    assert message.count("has the unknown kind 'x'") == 5
    assert message.endswith("; and 4 more.")


def test_a_file_that_is_no_profile_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    with pytest.raises(ConfigurationError, match=r"cannot be read .*unset it for the embedded"):
        load_profile(path)
    for content in (b"[profile", b"\xff\xfe", b"= 1"):
        path.write_bytes(content)
        with pytest.raises(ConfigurationError, match=r"p\.toml is no TOML"):
            load_profile(path)
    path.write_text("[kinds]\n", "utf-8")
    with pytest.raises(ConfigurationError, match="is not valid"):
        read_about(path)


def test_what_a_profile_says_of_itself_is_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text('[profile]\nname = "p"\nexample_metric = "X"\n[kinds]\nbroken = 1\n', "utf-8")
    assert read_about(path).example_metric == "X"


def test_the_embedded_profile_is_well() -> None:
    profile = load_profile(metrics_profile())
    assert isinstance(profile, Profile)
    assert profile.external
    assert any(one.home for one in profile.kinds.values())
