from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.anyio


async def test_a_long_list_is_shortened_and_goes_on(bench: Any, era: str) -> None:
    seen: list[str] = []
    arguments: dict[str, Any] = {"filters": {}, "limit": 400}
    async with bench.client(era) as client:
        cursor = None
        while True:
            sent = arguments if cursor is None else {**arguments, "cursor": cursor}
            page = (await client.call_tool("find", sent)).structured_content
            seen += [item["name"] for item in page["items"]]
            cursor = page.get("next_cursor")
            if cursor is None:
                break
            assert len(page["items"]) > 140, "most of the budget is used"
            if "left_out" in page:
                assert "cursor = next_cursor" in page["left_out"]
    assert seen == [f"thing {number} " + "x" * 100 for number in range(1_000)]


async def test_a_long_text_is_cut_and_says_so(bench: Any) -> None:
    said = await bench.call("long", size=90_000)
    assert said["text"].startswith("z" * 18_800)
    assert said["text"].endswith(" characters left out)")
    assert said["left_out"].startswith("the ends of text (a result holds 20,000 characters)")


async def test_a_long_list_that_cannot_be_shortened_is_cut(bench: Any) -> None:
    said = await bench.call("long", size=90_000, many=True)
    assert 300 < len(said["parts"]) < 400
    assert "the ends of parts" in said["left_out"]


async def test_a_cursor_is_bound_to_its_arguments(bench: Any) -> None:
    page = await bench.call("find", filters={"country": "DE"}, limit=2)
    cursor = page["next_cursor"]
    line = await bench.refused("find", filters={"country": "FR"}, limit=2, cursor=cursor)
    assert "given for other arguments" in line
    following = await bench.call("find", filters='{"country":"DE"}', limit="2", cursor=cursor)
    assert [item["name"][:7] for item in following["items"]] == ["thing 2", "thing 3"]


async def test_a_cursor_that_is_unknown_says_how_to_start_over(bench: Any) -> None:
    line = await bench.refused("find", filters={}, cursor="made-up")
    assert line == (
        "this cursor is unknown or has expired: call again without cursor to start over."
    )
    assert (await bench.call("find", filters={}, cursor=""))["items"]
