"""A column is found by ordinary words for what it holds, in three languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.metrics.about import About, heading_names
from groundwire.metrics.importing.draft import draft

TABLE = (
    "Product name,区名,Month,Sales (CNY),Stock (boxes),Price (CNY)\n"
    "绿茶,东区,2026-01,1200,30,40\n绿茶,西区,2026-01,900,25,40\n"
    "红茶,东区,2026-01,700,40,35\n红茶,西区,2026-01,650,22,35\n"
)


@pytest.mark.parametrize(
    ("heading", "among", "not_among"),
    [
        ("Product name", {"Product", "产品", "Artikel"}, {"Region"}),
        ("区名", {"区", "district", "Bezirk"}, {"地区"}),
        ("各区", {"区", "districts"}, {"产品"}),
        ("产品", {"product", "商品"}, {"品牌"}),
        ("username", {"username"}, {"user"}),
        ("Age group", {"Age group"}, {"group"}),
    ],
)
def test_headings_have_their_ordinary_names(
    heading: str, among: set[str], not_among: set[str]
) -> None:
    names = heading_names(heading)
    assert names[0] == heading
    assert among <= set(names)
    assert not not_among & set(names)


def test_channels_are_called_as_their_column() -> None:
    assert "district" in About(name="x", channel_label="区名").channel_names
    assert About(name="x").channel_names == ()


def test_a_draft_says_what_it_guessed_of_names_and_of_time(tmp_path: Path) -> None:
    path = tmp_path / "shops.csv"
    path.write_text(TABLE, "utf-8")
    made = draft(path)
    assert '"产品"' in made.profile_toml
    (note,) = [one for one in made.notes if "see measure" in one]
    assert "'Sales' to add up over time (flow)" in note
    assert "'Stock (boxes)' to be a level at the end of a period (stock)" in note
    assert "'Price' to be a rate" in note
    assert note in made.profile_toml
