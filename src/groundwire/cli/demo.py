"""`groundwire demo`: drives a server over stdio as a host would, and prints the exchange.

The demo is a host: it starts the server as a process, lists its tools and calls them. What it
sends is what models send, mistakes included; what it prints is what came back.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from groundwire.cli.hosts import CARRIED, command_of
from groundwire.cli.registry import SERVERS
from groundwire.cli.terminal import Style, plain, terminal_width, traced, write_styled
from groundwire.config import load_settings
from groundwire.errors import UnavailableError

if TYPE_CHECKING:
    from mcp import Client

_WIDEST = 98
# Exchanges that are shown of a server, unless all are asked for.
_FEW = 4
_MOST_ANSWER_LINES = 4
_READ_TIMEOUT = 60.0
# Variables of a demo that the user has not set otherwise: no demo needs a network.
_OFFLINE = {"TFL_BASE_URL": "offline"}
_VARIABLES = {"journeys": _OFFLINE, "agents": _OFFLINE, "all": _OFFLINE}
# What the exchange shows need not be told on stderr too, nor what it has go wrong.
_QUIET = {"GROUNDWIRE_LOG_LEVEL": "error"}
# Demos that set what users keep do so in a folder of their own, and leave theirs alone.
_APART = {"journeys": "demo", "learning": "demo", "agents": "demo"}
Answer = Mapping[str, Any]


class Exchange(NamedTuple):
    """One call of a demo.

    Attributes:
        says: what a user asked, or what the exchange shows.
        tool: the tool that is called.
        arguments: what is sent; a function of the answers before, where it needs one of them.
        shows: fields of the answer worth printing beside `answer`; a function makes one of it.
    """

    says: str
    tool: str
    arguments: dict[str, Any] | Callable[[list[Answer]], dict[str, Any]]
    shows: tuple[str | Callable[[Answer], tuple[str, Any]], ...] = ()


class Part(NamedTuple):
    """A further part of a demo, which a server with other variables answers.

    Attributes:
        prepare: makes what it needs below the demo's state folder; returns what to print of that.
        environment: the variables.
        script: its calls.
    """

    prepare: Callable[[Path], Sequence[str]]
    environment: dict[str, str]
    script: list[Exchange]


def demo(arguments: argparse.Namespace) -> int:
    """Run the demo of one server, or of that of all toolsets; in full of each."""
    import anyio
    from mcp import MCPError

    most = sys.maxsize if arguments.full else _FEW
    for server in (
        [arguments.server] if arguments.server else SERVERS if arguments.full else ["all"]
    ):
        module = import_module(f"groundwire.cli.demos.{server}")
        parts: Sequence[Part] = getattr(module, "PARTS", ())
        if hasattr(module, "prepare"):
            module.prepare(Path(_environment(server)["GROUNDWIRE_HOME"]))
        try:
            anyio.run(_drive, server, _environment(server), module.SCRIPT[:most])
            done = len(module.SCRIPT)
            for part in parts if arguments.full else ():
                environment = _environment(server)
                _print("")
                for line in part.prepare(Path(environment["GROUNDWIRE_HOME"])):
                    _print(_cut(line, 3))
                anyio.run(_drive, server, environment | part.environment, part.script, done)
                done += len(part.script)
        except BaseExceptionGroup as group:
            # The tasks of the client wrap whatever ends the demo: the reader of a pipe has left,
            # or the server has.
            if group.split(BrokenPipeError)[1] is None:
                raise BrokenPipeError from group
            if group.split(MCPError)[1] is None:
                raise UnavailableError(
                    f"The server {server} ended before the demo did, and says why above: run "
                    "`groundwire doctor`."
                ) from group
            raise
        if not arguments.full:
            every = len(module.SCRIPT) + sum(len(part.script) for part in parts)
            _print(_more(arguments.server, every))
    return 0


def _more(server: str | None, every: int) -> str:
    """Say where the exchanges are that were not shown."""
    if server:
        return f"\n{_FEW} of {every} exchanges: `groundwire demo {server} --full` shows all."
    said = (
        "These were a few: `groundwire demo SERVER` shows some of one server, `groundwire demo "
        "--full` all of every server. Next: `groundwire config HOST` for your own host."
    )
    return f"\n{_cut(said, 3)}"


async def _drive(
    server: str, environment: dict[str, str], script: list[Exchange], done: int = 0
) -> None:
    from mcp import Client, StdioServerParameters

    command = command_of(server)
    started = time.perf_counter()
    process = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    try:
        async with Client(process, read_timeout_seconds=_READ_TIMEOUT) as client:
            listed = await client.list_tools()
            took = (time.perf_counter() - started) * 1000
            if not done:
                _print(
                    f"# {server}: {len(listed.tools)} tools over stdio, listed after {took:.0f} ms",
                    "bold",
                )
                _print(_cut(", ".join(tool.name for tool in listed.tools), 20))
            if server in _APART and not done:
                _print(f"What it keeps and writes lies in {environment['GROUNDWIRE_HOME']}")
            pictures = Path(environment.get("GROUNDWIRE_HOME") or load_settings().home) / "demo"
            answers: list[Answer] = []
            for number, exchange in enumerate(script, done + 1):
                answers.append(await _exchange(client, number, exchange, answers, pictures))
    except OSError as error:
        raise UnavailableError(
            f"{command[0]} cannot be started ({error.strerror}): run `groundwire doctor`."
        ) from error


def _environment(server: str) -> dict[str, str]:
    """The variables of the server: the embedded data, whatever is configured."""
    own = _QUIET | _VARIABLES.get(server, {})
    kept = {"GROUNDWIRE_HOME", *own}
    environment = own | {
        name: value for name, value in os.environ.items() if name not in CARRIED or name in kept
    }
    if server in _APART:
        environment["GROUNDWIRE_HOME"] = str(load_settings().home / _APART[server])
    return environment


async def _exchange(
    client: Client, number: int, exchange: Exchange, answers: list[Answer], pictures: Path
) -> Answer:
    made = exchange.arguments
    sent: dict[str, Any] = made(answers) if callable(made) else made
    _print(f"\n{_cut(f'{number}. {exchange.says}', 3)}", "bold")
    _print(_cut(f"   -> {exchange.tool} {json.dumps(sent, ensure_ascii=False)}", 3), "cyan")
    started = time.perf_counter()
    result = await client.call_tool(exchange.tool, sent)
    took = (time.perf_counter() - started) * 1000
    if result.is_error or result.structured_content is None:
        text = " ".join(getattr(part, "text", "") for part in result.content)
        _print(_cut(f"   <- refused in {took:.0f} ms: {text}", 4), "yellow")
        return {}
    answer = result.structured_content
    for line in _answer_lines(answer):
        _print(line, "green")
    for shown in exchange.shows:
        name, content = (shown, answer.get(shown)) if isinstance(shown, str) else shown(answer)
        for line in _lines(name, content):
            _print(_cut(f"      {line}", 2))
    for path in _pictures(result.content, pictures, f"{exchange.tool}-{number}"):
        _print(f"      picture: {path}")
    several = ", ".join(answer.get("evidence_ids", ()))
    proof = answer.get("evidence_id") or answer.get("evidence_error") or several or "none needed"
    _print(f"      evidence: {proof}; {took:.0f} ms", "faint")
    return answer


def _pictures(content: Sequence[object], folder: Path, name: str) -> Iterator[Path]:
    """Keep the pictures of an answer, which a host would show, as files."""
    for at, part in enumerate(content):
        if getattr(part, "type", "") == "image" and getattr(part, "mime_type", "") == "image/png":
            path = folder / f"{name}{f'-{at}' if at > 1 else ''}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(str(getattr(part, "data", ""))))
            yield path


def _answer_lines(answer: Answer) -> list[str]:
    """The sentence of an answer, or the first lines of a longer one, as they were written."""
    result = cast("Answer", answer.get("result") or {})
    said = str(answer["answer"])
    if result.get("answer_format") == "markdown":
        said = plain(said)
    lines = [line for line in said.splitlines() if line.strip()] or [""]
    shown = [_cut(f"      {line}", 4) for line in lines[:_MOST_ANSWER_LINES]]
    shown[0] = f"   <- {shown[0].lstrip()}"
    more = len(lines) - len(shown)
    return [*shown, f"      ({more} more line{'' if more == 1 else 's'})"] if more else shown


def _lines(name: str, content: Any) -> list[str]:
    if content in (None, [], {}):
        return []
    if name == "text":
        return str(content).splitlines()
    if name == "reasoning":
        return list(traced(cast("Answer", content), _width() - 6))
    if not isinstance(content, list):
        return [f"{name}: {_told(name, content)}"]
    entries = cast("list[Any]", content)
    shown = [f"{name}: {_entry(name, entry)}" for entry in entries[:3]]
    return shown + ([f"{name}: and {len(entries) - 3} more"] if len(entries) > 3 else [])


def _told(name: str, content: Any) -> str:
    """Return an agent's account of its run, in the words that matter of it."""
    if name == "metadata":
        tools = ", ".join(content.get("tools_used", ())) or "no tool"
        return (
            f"{content['iterations']} rounds in {content['execution_time_ms']:.0f} ms by "
            f"{content['model']}, with {tools}; {content['token_usage']['total_tokens']} tokens, "
            f"${content['estimated_cost_usd']:g}"
        )
    if name == "error":
        again = "may be tried again" if content["recoverable"] else "not to be tried again"
        return f"{content['code']} ({again}): {content['message']}"
    return _compact(content)


def _entry(name: str, content: Any) -> str:
    """One entry of a list, in the words that matter of it."""
    if not isinstance(content, dict):
        return _compact(content)
    entry = cast("dict[str, Any]", content)
    if name == "corrections":
        sent = entry.get("slot") or entry.get("param")
        return f"{sent}: {entry['raw']!r} read as {entry['resolved']!r} ({entry['how']})"
    if name == "gaps":
        offered = ", ".join(entry.get("suggestions", [])[:4]) or "nothing"
        about = repr(entry["term"]) if "term" in entry else f"card {entry['card']}:"
        return f"{about} {entry['reason']}: {entry['detail']}; offered: {offered}"
    if name == "results":
        values = _compact(entry.get("values", {}))
        linked = f", connected: {len(entry['references'])}" if entry.get("references") else ""
        return f"{entry.get('label')} <{entry['iri'].rsplit('/', 1)[-1]}> {values}{linked}"
    if name == "claims":
        return f"{entry['text']!r} is {entry['status']}: {entry['detail']}"
    if name == "journeys":
        plans = "; ".join(
            f"{plan['start'][11:16]}-{plan['arrival'][11:16]} {', '.join(plan['lines'])}"
            for plan in entry["plans"]
        )
        return f"{entry['from']} to {entry['to']}: {plans or entry.get('error')}"
    if name == "options":
        return f"{entry['raw']!r} may be {entry['name']}: send {entry['value']}"
    if name == "stops":
        return f"{entry['name']} <{entry['id']}>, lines {', '.join(entry['lines'])}"
    return _compact(entry)


def _compact(content: Any) -> str:
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, separators=(", ", ": "))


def _cut(text: str, lines: int) -> str:
    """Text broken into lines of the terminal's width, cut after so many."""
    import textwrap

    indent = text[: len(text) - len(text.lstrip())]
    return "\n".join(
        textwrap.wrap(
            text.strip(),
            _width(),
            max_lines=lines,
            placeholder=" ...",
            initial_indent=indent,
            subsequent_indent=f"{indent}   ",
            break_on_hyphens=False,
            break_long_words=False,
        )
    )


def _width() -> int:
    """Columns to write in."""
    return min(_WIDEST, terminal_width())


def _print(text: str, style: Style | None = None) -> None:
    write_styled(f"{text}\n", style)
    sys.stdout.flush()
