"""One call for all who ask the same thing at the same time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import anyio

T = TypeVar("T")


class SharedCalls(Generic[T]):
    """Calls that are under way, by what they ask; used within one event loop."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, _Call[T]] = {}

    async def join(self, key: Hashable, begin: Callable[[], Awaitable[T]]) -> T:
        """The outcome of the call for `key` that is under way, else of one that begins now.

        Where whoever began the call is cancelled, one of those who wait begins it again.
        """
        import anyio

        while (call := self._under_way.get(key)) is not None:
            await call.done.wait()
            if call.error is not None:
                raise call.error.with_traceback(None)
            if call.results:
                return call.results[0]
        call = self._under_way[key] = _Call[T](anyio.Event())
        try:
            result = await begin()
        except Exception as error:
            call.error = error
            raise
        else:
            call.results.append(result)
            return result
        finally:
            del self._under_way[key]
            call.done.set()


class _Call(Generic[T]):
    def __init__(self, done: anyio.Event) -> None:
        self.done = done
        self.results: list[T] = []
        self.error: Exception | None = None
