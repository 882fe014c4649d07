"""Models that a command-line tool on this machine stands for: `claude` and `vibe`.

The tool is run once for every answer, with the conversation on its standard input, none of its own
tools, and an empty folder to work in. It signs in by itself: its credentials are neither read nor
handed on here, and it is not given the keys that are Groundwire's.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.agents.models.keys import shown_line
from groundwire.agents.models.options import EFFORTS, Capabilities, Options
from groundwire.agents.models.turns import Json, as_count, as_object, wanted_tool
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    Part,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolSpec,
    Usage,
)
from groundwire.config import is_named_secret

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process


_MOST_OUTPUT = 4_194_304
_MOST_COMPLAINTS = 65_536


class TooMuchOutputError(Exception):
    """The program wrote more than any answer has."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The outcome of a program that has ended.

    Attributes:
        code: its exit code.
        output: what it wrote on standard output.
        complaints: what it wrote on standard error, at most the first 64 KiB.
    """

    code: int
    output: bytes
    complaints: bytes


# Keys that are not the tool's; and the mark by which it knows that it runs within itself.
_NOT_HANDED_ON = frozenset(
    {
        "GROUNDWIRE_HTTP_TOKEN",
        "TFL_APP_KEY",
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "CLAUDECODE",
    }
)
_PASSING = frozenset({408, 409, 429, 529})


@dataclass(frozen=True, slots=True)
class CommandLineTool:
    """A tool that answers.

    Attributes:
        name: as in AI_PROVIDER.
        program: its executable.
        install: how it is installed and signed in.
        arguments: those of one answer, by model (may be empty), options, and the file of the
            system prompt.
        environ: variables of one answer, by model and options.
        system_on_input: whether the system prompt goes with the conversation.
        read: the answer in what it wrote.
        capabilities: what of the options it takes.
    """

    name: str
    program: str
    install: str
    arguments: Callable[[str, Options, Path], list[str]]
    environ: Callable[[str, Options], dict[str, str]]
    system_on_input: bool
    read: Callable[[str, bytes], ModelResponse]
    capabilities: Capabilities


class CommandLineModel:
    """A command-line tool as a model; it writes Thought, Action and Final Answer as text."""

    native_tools = False
    free = False

    def __init__(
        self,
        tool: CommandLineTool,
        model: str = "",
        *,
        options: Options | None = None,
        deadline: float = 120.0,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Prepare a model; nothing is run before the first answer.

        Args:
            tool: the tool.
            model: a name that the tool knows; empty for its own choice.
            options: how the model is sampled.
            deadline: seconds for an answer.
            environ: the environment that the tool is found and run in; default: this process's.
        """
        self.name = f"{tool.name}/{model}" if model else tool.name
        self._tool = tool
        self._model = model
        self._options = (options or Options()).suited(tool.capabilities)
        self._deadline = deadline
        self._environ = environ

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """Answer in the text form; the system prompt tells the tools.

        Raises:
            LLMFailure: the tool is not installed, failed, or took too long.
        """
        import anyio

        environ = dict(os.environ if self._environ is None else self._environ)
        program = shutil.which(self._tool.program, path=environ.get("PATH"))
        if program is None:
            raise self._failure(
                f"The program {self._tool.program} is not installed: {self._tool.install}."
            )
        said = transcript(messages, tool_choice)
        if self._tool.system_on_input and system.strip():
            said = f"{system}\n\n{said}"
        try:
            with (
                tempfile.TemporaryDirectory(
                    prefix="groundwire-", ignore_cleanup_errors=True
                ) as made,
                anyio.fail_after(self._deadline),
            ):
                ended = await self._run(program, environ, Path(made), system, said)
        except TimeoutError:
            raise self._failure(
                f"{self._tool.program} did not answer within {self._deadline:g} s and was stopped.",
                recoverable=True,
            ) from None
        except TooMuchOutputError:
            raise self._failure(f"{self._tool.program} wrote more than any answer has.") from None
        except OSError as error:
            raise self._failure(
                f"{self._tool.program} cannot be run ({error.strerror}): install it anew."
            ) from None
        return self._answer(ended)

    async def _run(
        self, program: str, environ: dict[str, str], folder: Path, system: str, said: str
    ) -> Ended:
        work = folder / "work"
        work.mkdir()
        # In a file, since arguments are short and show in lists of processes.
        prompt = folder / "system.md"
        prompt.write_text(system, "utf-8", "replace")
        kept = {
            name: value
            for name, value in environ.items()
            if name not in _NOT_HANDED_ON and not is_named_secret(name)
        }
        return await _run_bounded(
            [program, *self._tool.arguments(self._model, self._options, prompt)],
            said.encode("utf-8", "replace"),
            environ={**kept, **self._tool.environ(self._model, self._options)},
            folder=work,
        )

    def _answer(self, ended: Ended) -> ModelResponse:
        try:
            response = self._tool.read(self._tool.program, ended.output)
        except LLMFailure:
            raise
        except (ValueError, RecursionError):
            response = ModelResponse()
        if ended.code != 0 or not response.text.strip():
            complaints = ended.complaints.decode("utf-8", "replace").strip()
            complaints = shown_line(complaints or ended.output.decode("utf-8", "replace"))
            raise self._failure(
                f"{self._tool.program} gave no answer (exit code {ended.code})."
                f" It says: {complaints or 'nothing'}"
            )
        return replace(response, text=response.text.strip())

    def _failure(self, message: str, *, recoverable: bool = False) -> LLMFailure:
        return LLMFailure(message, recoverable=recoverable, details={"model": self.name})


def _claude_arguments(model: str, options: Options, system: Path) -> list[str]:
    """No tools, no servers, no settings, memory or commands of the user; nothing is kept."""
    return [
        "--print",
        "--output-format",
        "json",
        "--tools",
        "",
        "--strict-mcp-config",
        "--setting-sources",
        "",
        "--disable-slash-commands",
        "--no-session-persistence",
        "--system-prompt-file",
        str(system),
        *(["--model", model] if model else []),
        *(["--effort", options.effort] if options.effort else []),
    ]


def _claude_environ(model: str, options: Options) -> dict[str, str]:
    budget = options.thinking_budget
    return {"MAX_THINKING_TOKENS": str(budget)} if budget else {}


def _read_claude(program: str, output: bytes) -> ModelResponse:
    """The one JSON object of `--output-format json`.

    Raises:
        LLMFailure: the tool tells of an error.
        ValueError: it is not JSON.
    """
    tree = as_object(json.loads(output))
    text = tree.get("result")
    text = text if isinstance(text, str) else ""
    if tree.get("is_error"):
        status = as_count(tree.get("api_error_status"))
        raise LLMFailure(
            f"{program} failed. It says: {shown_line(text) or 'nothing'}",
            recoverable=status in _PASSING or status >= 500,
            details={"status": status} if status else None,
        )
    usage: Json = as_object(tree.get("usage"))
    cost: Any = tree.get("total_cost_usd")
    return ModelResponse(
        text=text,
        stop_reason="refusal" if tree.get("stop_reason") == "refusal" else "end_turn",
        usage=Usage(
            prompt=as_count(usage.get("input_tokens")),
            completion=as_count(usage.get("output_tokens")),
            cache_read=as_count(usage.get("cache_read_input_tokens")),
            cache_write=as_count(usage.get("cache_creation_input_tokens")),
        ),
        # The tool knows which models it used; none of its figures is a price that is 0.
        cost_usd=float(cost) if isinstance(cost, int | float) and cost > 0 else None,
    )


def _vibe_arguments(model: str, options: Options, system: Path) -> list[str]:
    """One turn in programmatic mode; the pattern that matches no tool leaves none."""
    return ["--prompt", "--output", "text", "--max-turns", "1", "--enabled-tools", "re:^$"]


def _vibe_environ(model: str, options: Options) -> dict[str, str]:
    return {"VIBE_ACTIVE_MODEL": model} if model else {}


def _read_text(program: str, output: bytes) -> ModelResponse:
    return ModelResponse(text=output.decode("utf-8", "replace"))


COMMAND_LINE_TOOLS = {
    tool.name: tool
    for tool in (
        CommandLineTool(
            name="claude-cli",
            program="claude",
            install="npm install -g @anthropic-ai/claude-code, then run claude and sign in",
            arguments=_claude_arguments,
            environ=_claude_environ,
            system_on_input=False,
            read=_read_claude,
            capabilities=Capabilities(thinking="budget", efforts=EFFORTS),
        ),
        CommandLineTool(
            name="vibe-cli",
            program="vibe",
            install="uv tool install mistral-vibe, then run vibe --setup",
            arguments=_vibe_arguments,
            environ=_vibe_environ,
            system_on_input=True,
            read=_read_text,
            capabilities=Capabilities(),
        ),
    )
}


async def _run_bounded(
    command: Sequence[str], given: bytes, *, environ: Mapping[str, str], folder: Path
) -> Ended:
    """Run a program to its end; whoever cancels this stops it and its children.

    Args:
        command: the program's path and its arguments; no shell reads them.
        given: its standard input.
        environ: its environment.
        folder: where it runs.

    Raises:
        OSError: it cannot be started.
        TooMuchOutputError: it wrote more than 4 MiB.
    """
    import anyio

    process = await anyio.open_process(
        list(command), env=dict(environ), cwd=folder, start_new_session=True
    )
    output, complaints = bytearray(), bytearray()

    async def give() -> None:
        assert process.stdin is not None
        # A program that has read enough may close its input.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.send(given)
        with suppress(anyio.BrokenResourceError, BrokenPipeError):
            await process.stdin.aclose()

    async def complain() -> None:
        assert process.stderr is not None
        async for piece in process.stderr:
            complaints.extend(piece[: _MOST_COMPLAINTS - len(complaints)])

    too_much = False
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(give)
            tasks.start_soon(complain)
            assert process.stdout is not None
            too_much = not await _collect(process.stdout, output)
            if too_much:
                tasks.cancel_scope.cancel()
        if too_much:
            raise TooMuchOutputError
        return Ended(await process.wait(), bytes(output), bytes(complaints))
    finally:
        with anyio.CancelScope(shield=True):
            _stop(process)
            await process.aclose()


async def _collect(stream: ByteReceiveStream, output: bytearray) -> bool:
    """Read a stream; False where it holds more than it may."""
    async for piece in stream:
        output.extend(piece)
        if len(output) > _MOST_OUTPUT:
            return False
    return True


def _stop(process: Process) -> None:
    """End the program with whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            # It leads a group of its own, which may outlive it.
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()


def transcript(messages: Sequence[Message], tool_choice: ToolChoice) -> str:
    """A conversation in turns, and what is to be written now.

    The marks between turns come from the content itself, so that nothing that a tool answered can
    pose as a turn of its own.
    """
    turns = [(message.role, _spoken(message.parts)) for message in messages]
    wanted = wanted_tool(tool_choice)
    end = f"\n\nYour next action has to be {wanted}." if wanted else ""
    if len(turns) == 1:
        return turns[0][1] + end
    mark = hashlib.sha256(json.dumps(turns).encode("utf-8")).hexdigest()[:12]
    told = "\n\n".join(f"--- {mark} {role}\n{text}" for role, text in turns)
    return (
        f"The conversation so far; lines that begin with --- {mark} say whose turn follows.\n\n"
        f"{told}\n\n--- {mark}\n"
        f"Write the next turn of the assistant, without such a line.{end}"
    )


def _spoken(parts: Sequence[Part]) -> str:
    return "\n".join(_text(part) for part in parts)


def _text(part: Part) -> str:
    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, ToolCallPart):
        arguments = json.dumps(as_object(part.arguments), ensure_ascii=False)
        return f"Action: {part.name}\nAction Input: {arguments}"
    return f"Observation: {part.text}"
