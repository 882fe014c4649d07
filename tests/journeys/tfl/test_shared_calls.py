"""One call for all who ask the same thing at the same time."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.journeys.tfl.exchange import SharedCalls


def test_all_get_the_one_outcome() -> None:
    async def run() -> None:
        calls, begun, go = SharedCalls[int](), [], asyncio.Event()

        async def work() -> int:
            begun.append(1)
            await go.wait()
            return 7

        tasks = [asyncio.create_task(calls.join("key", work)) for _ in range(4)]
        await asyncio.sleep(0)
        go.set()
        assert await asyncio.gather(*tasks) == [7] * 4
        assert len(begun) == 1
        await calls.join("key", work)
        assert len(begun) == 2

    asyncio.run(run())


def test_all_get_the_one_error() -> None:
    async def run() -> None:
        calls, go = SharedCalls[int](), asyncio.Event()

        async def work() -> int:
            await go.wait()
            raise ValueError("once")

        tasks = [asyncio.create_task(calls.join("key", work)) for _ in range(3)]
        await asyncio.sleep(0)
        go.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [str(one) for one in found] == ["once"] * 3

    asyncio.run(run())


def test_who_is_cancelled_takes_nobody_along() -> None:
    async def run() -> None:
        calls, begun, go = SharedCalls[int](), [], asyncio.Event()

        async def work() -> int:
            begun.append(1)
            await go.wait()
            return 7

        first, *others = [asyncio.create_task(calls.join("key", work)) for _ in range(3)]
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        go.set()
        assert await asyncio.gather(*others) == [7, 7]
        assert len(begun) == 2

    asyncio.run(run())


def test_different_questions_are_asked_apart() -> None:
    async def run() -> None:
        calls = SharedCalls[str]()

        async def work(value: str) -> str:
            await asyncio.sleep(0)
            return value

        found = await asyncio.gather(
            calls.join("a", lambda: work("a")), calls.join("b", lambda: work("b"))
        )
        assert found == ["a", "b"]

    asyncio.run(run())
