"""How long a call may take where the assets are at an endpoint.

Every question to the endpoint ends within what is left of the call: `RemoteGraph` refuses to ask
where that is too little, and whoever can do without the answer goes on and says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from groundwire.errors import DeadlineError
from groundwire.ontology.catalogue import Catalogue

CALL_SECONDS = 9.0
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def limited(
    call: Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]],
) -> Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]]:
    """Decorate a call on a catalogue: at an endpoint it ends within `CALL_SECONDS`.

    Raises:
        DeadlineError: it had no answer by then.
    """

    @wraps(call)
    async def in_time(catalogue: Catalogue, *args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        if catalogue.endpoint is None:
            return await call(catalogue, *args, **kwargs)
        import anyio

        with anyio.move_on_after(CALL_SECONDS):
            return await call(catalogue, *args, **kwargs)
        raise DeadlineError(
            f"The endpoint of the assets did not answer within {CALL_SECONDS:g} s, so nothing is "
            "shown: ask for less, with a further condition or without sort and count_by."
        )

    return in_time


def spare(seconds: float, kept: float) -> float:
    """At most `seconds`, and so that `kept` seconds of the call are left after them."""
    from anyio import current_effective_deadline, current_time

    return max(min(seconds, current_effective_deadline() - current_time() - kept), 0.0)


async def together(*questions: Callable[[], Awaitable[None]]) -> None:
    """Ask an endpoint several things at once; an error of one is raised when all have ended."""
    from anyio import create_task_group

    errors: list[Exception] = []

    async def ask(question: Callable[[], Awaitable[None]]) -> None:
        try:
            await question()
        except Exception as error:
            errors.append(error)

    async with create_task_group() as tasks:
        for question in questions:
            tasks.start_soon(ask, question)
    if errors:
        raise errors[0]
