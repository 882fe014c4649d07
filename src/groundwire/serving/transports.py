"""Serving over stdio and Streamable HTTP until told to stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal, cast

import anyio

from groundwire.errors import ConfigurationError
from groundwire.serving.exposure import PATH, UI, http_app, in_url
from groundwire.serving.factory import GroundwireServer
from groundwire.serving.tools import Watch

if TYPE_CHECKING:
    from types import FrameType

    import uvicorn
    from starlette.applications import Starlette
    from starlette.types import Lifespan

    from groundwire.serving.limits import Listener

Transport = Literal["stdio", "http"]
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
GRACE_SECONDS = 3
# After so many of them calls are stopped, so that they can be told within the rest.
LAST_SECONDS = 2.0
BACKLOG = 1_024
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(
    server: GroundwireServer,
    transport: Transport = "stdio",
    *,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    audience: str | None = None,
) -> None:
    """Serve until the host closes stdin, or until SIGINT or SIGTERM.

    Args:
        server: what to serve.
        transport: stdio, or Streamable HTTP at `/mcp`.
        host: address to listen on (HTTP).
        port: port to listen on (HTTP); 0 takes a free one, which is named on stderr.
        audience: URL that signed tokens must have been issued for; default: the address itself.

    Raises:
        ConfigurationError: the address cannot be used, or is not of this machine alone and no
            token protects it.
    """
    try:
        if transport == "stdio":
            _leave_at_signals(server.close)
            anyio.run(_serve_stdio, server)
        else:
            _run_http(server, host, port, audience)
    finally:
        server.close()


async def _serve_stdio(server: GroundwireServer) -> None:
    await server.run_stdio_async()
    await server.aclose()


def _leave_at_signals(close: Callable[[], None]) -> None:
    """Have a signal end the process, as orderly as stdio allows.

    A thread waits in `read` on stdin, which nothing can wake, and the interpreter would wait for
    that thread; so what is held open is closed here and the process ends at once. Evidence that
    was acknowledged is on disk already. The handler needs no event loop, which may be busy.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        _end_for_certain()
        close()
        sys.stderr.flush()
        os._exit(0)

    for number in _STOP_SIGNALS:
        signal.signal(number, leave)


def _end_for_certain() -> None:
    """Have the system end this process soon, should it hang while it ends."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 2 * GRACE_SECONDS)


def _run_http(server: GroundwireServer, host: str, port: int, audience: str | None) -> None:
    import uvicorn

    from groundwire.serving.limits import Connections, protocol, room

    listener = _listener(host, port)
    listener.among = Connections(room())
    with listener:
        port = listener.getsockname()[1]
        app = http_app(server, host, port, audience)
        app.router.lifespan_context = ended_with(server, app.router.lifespan_context)
        config = uvicorn.Config(
            app,
            http=protocol(listener.among),
            backlog=BACKLOG,
            # Everything goes through our own logging, to stderr; requests are not logged.
            log_config=None,
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        print(f"{server.name}: http://{in_url(host)}:{port}{PATH}", file=sys.stderr, flush=True)  # noqa: T201 - the operator waits for this line
        if server.http.ui:
            at = f"http://{in_url(host)}:{port}{UI}"
            print(f"{server.name}: to look at: {at}", file=sys.stderr, flush=True)  # noqa: T201 - as above
        # uvicorn repeats the signal that ended it; received here, it ends nothing twice.
        for number in _STOP_SIGNALS:
            signal.signal(number, _received)
        serving = _ending_server(config, server.watch)
        logging.getLogger("uvicorn.error").addFilter(_EndingFilter(lambda: serving.should_exit))
        serving.run(sockets=[listener])


def _ending_server(config: uvicorn.Config, watch: Watch) -> uvicorn.Server:
    """A server that ends at a signal even if its event loop is busy and stays so.

    It is no longer ready then. Calls that run may finish; those that do not are told in time that
    they were stopped.
    """
    import uvicorn

    class Ending(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            watch.ending = True
            _end_for_certain()
            super().handle_exit(sig, frame)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            timer = asyncio.get_running_loop().call_later(LAST_SECONDS, watch.stop_calls)
            try:
                await super().shutdown(sockets)
            finally:
                timer.cancel()

    return Ending(config)


class _EndingFilter(logging.Filter):
    """Leaves out the tracebacks of calls that are stopped because the server ends.

    That they were stopped is said in one line before them.
    """

    def __init__(self, ending: Callable[[], bool]) -> None:
        super().__init__()
        self._ending = ending

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is worth writing."""
        return not (self._ending() and record.exc_info)


def ended_with(server: GroundwireServer, lifespan: Lifespan[Starlette]) -> Lifespan[Starlette]:
    """A lifespan at whose end the toolsets give back what belongs to its event loop.

    What the settings name is looked at once at its beginning: what does not answer is logged.
    """

    @asynccontextmanager
    async def ended(app: Starlette) -> AsyncGenerator[Mapping[str, Any] | None]:
        async with lifespan(app) as state:
            looking = asyncio.create_task(app.state.readiness.look()) if server.names_own else None
            try:
                yield state
            finally:
                if looking is not None:
                    looking.cancel()
                await server.aclose()

    return cast("Lifespan[Starlette]", ended)


def _received(number: int, frame: FrameType | None) -> None:
    """Take note of a signal that was acted upon elsewhere."""


def _listener(host: str, port: int) -> Listener:
    """A socket that listens already.

    Raises:
        ConfigurationError: the address cannot be used; the message says what of it.
    """
    from groundwire.serving.limits import Listener

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends small answers at once (TCP_NODELAY); without it each
    # answer waits up to 40 ms for the acknowledgement of the one before.
    listener = Listener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), port))
        # Whoever reads the address on stderr may connect at once.
        listener.listen(BACKLOG)
    except OSError as exc:
        listener.close()
        raise ConfigurationError(
            f"cannot listen on {in_url(host)}:{port} ({exc.strerror or exc}): {_remedy(exc)}."
        ) from exc
    return listener


def _remedy(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "name another --port, or end what uses this one"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "ports below 1024 are the system's, name another --port"
    return "--host has to be an address of this machine, such as 127.0.0.1 or 0.0.0.0"
