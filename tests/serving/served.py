"""A server in a process of its own: `served.py stdio`, or `served.py http HOST PORT [AUDIENCE]`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import anyio
from pydantic import BaseModel

from groundwire.config import Settings
from groundwire.errors import GroundwireError, InputError
from groundwire.evidence import Draft, Ledger, Value
from groundwire.serving import (
    START,
    Cursor,
    EvidenceTools,
    Grounded,
    Toolset,
    build_server,
    current_owner,
    prompt,
    resource,
    run,
    tool,
)
from groundwire.serving.handles import Handles


class Said(BaseModel):
    answer: str
    owner: str
    next_offset: int | None = None
    next_cursor: str | None = None
    evidence_id: str | None = None
    evidence_error: str | None = None


class Process(Toolset):
    name = "process"
    instructions = "For tests."

    @tool("Who asks", read_only=True, idempotent=True, open_world=False)
    async def whoami(self, cursor: Cursor = START) -> Grounded[Said]:
        """Say whose request this is."""
        said = Said(answer=f"Page {cursor.offset}.", owner=current_owner(), next_offset=7)
        return Grounded(said, Draft(values=(Value("page", "7"),)))

    @tool("Be noisy", read_only=True, idempotent=True, open_world=False)
    async def noise(self) -> Said:
        """Write to stdout, from here and from a child."""
        print("noise on stdout", flush=True)
        subprocess.run([sys.executable, "-c", "print('noise of a child')"], check=True)
        return Said(answer="Noise was made.", owner="")

    @tool("Wait", read_only=True, idempotent=True, open_world=False)
    async def wait(self) -> Said:
        """Wait for long."""
        print("waiting", file=sys.stderr, flush=True)
        await anyio.sleep(600)
        return Said(answer="Waited.", owner="")

    @tool("Spin", read_only=True, idempotent=True, open_world=False)
    async def spin(self) -> Said:
        """Keep the event loop busy for ever."""
        print("spinning", file=sys.stderr, flush=True)
        while True:
            pass

    @tool("Crash", read_only=True, idempotent=True, open_world=False)
    async def crash(self) -> Said:
        """Fail unexpectedly."""
        raise RuntimeError("secret=hunter2")

    @prompt("Greet", name="greet")
    async def greet(self, person: str) -> str:
        """Greet a person."""
        return f"Greet {person}."

    @resource("shelf://{number}", title="A shelf", mime_type="text/plain")
    async def shelf(self, number: str) -> str:
        """What stands on a shelf."""
        if not number.isdecimal():
            raise InputError(f"{number} is no shelf: send its number.")
        return f"Shelf {number}."

    async def aclose(self) -> None:
        print("given back", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("closed", file=sys.stderr, flush=True)


def main() -> int:
    home = Path(os.environ["GROUNDWIRE_HOME"])
    ledger = Ledger(home / "evidence.sqlite")
    handles = Handles(home / "handles.sqlite")
    server = build_server(
        "process",
        [Process(), EvidenceTools(ledger, handles)],
        settings=Settings(home=home, http_token=os.environ.get("GROUNDWIRE_HTTP_TOKEN")),
        handles=handles,
        ledger=ledger,
    )
    transport, *address = sys.argv[1:]
    try:
        if transport == "stdio":
            run(server)
        else:
            host, port, *audience = address
            run(
                server,
                "http",
                host=host,
                port=int(port),
                audience=audience[0] if audience else None,
            )
    except GroundwireError as exc:
        print(exc, file=sys.stderr)
        return exc.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
