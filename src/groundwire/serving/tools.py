"""A tool as the SDK runs it, with what every Groundwire tool does around its body.

For each call that is: whose it is, what it may do, how long it may take, how it is counted.
Requests for prompts and resources pass here too.
"""

from __future__ import annotations

import inspect
import json
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, Self, cast, get_args, get_origin
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import (
    Resolve,
    build_resolver_plans,
    find_resolved_parameters,
    resolve_arguments,
)
from mcp.server.mcpserver.tools import Tool, ToolManager
from mcp.server.mcpserver.utilities.context_injection import find_context_parameter
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, PrivateAttr

from groundwire.errors import DeadlineError, ForbiddenError, GroundwireError
from groundwire.safe_text import safe_line
from groundwire.serving.arguments import Arguments, Given
from groundwire.serving.handles import binding, cursor_at
from groundwire.serving.refusals import nearest, one_line, quoted
from groundwire.serving.results import Call, Delivery, Grounded, Viewed
from groundwire.serving.schemas import JsonSchema, output_schema
from groundwire.serving.toolsets import NAMED_BY, ToolDeclaration, Toolset, changes, check_texts

LOCAL = "local"
_site: ContextVar[str | None] = ContextVar("site", default=None)
_acting_for: ContextVar[str | None] = ContextVar("acting_for", default=None)


def current_owner() -> str:
    """The owner of whatever this request stores: `local` on stdio, the token's subject over HTTP.

    Every stored row has an owner, and another owner's handle is "not found" (design.md, "State").
    """
    named = _acting_for.get()
    if named is not None:
        return named
    token = get_access_token()
    return LOCAL if token is None else owner_of(token)


async def texts_only(ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """Middleware: refuses a request for a prompt or a resource whose parts are no texts."""
    if ctx.method in NAMED_BY:
        check_texts(ctx.method, ctx.params or {})
    return await call_next(ctx)


def check_scope(scope: str, tool: str) -> None:
    """Refuse a call whose token lacks a scope; without tokens every call may do everything.

    Raises:
        ForbiddenError: it lacks the scope.
    """
    token = get_access_token()
    if token is not None and scope not in token.scopes:
        raise ForbiddenError(
            f"{tool} needs a token of scope {scope}: this one has "
            f"{' '.join(token.scopes) or 'none'}; ask for one with it."
        )


def owner_of(token: AccessToken) -> str:
    """Return the owner whom a token speaks for."""
    return token.subject or token.client_id


@contextmanager
def acting_for(owner: str) -> Generator[None]:
    """Make every call inside this owner's, those of servers of this process too.

    For work that goes on when the request it came with has ended.
    """
    token = _acting_for.set(owner)
    try:
        yield
    finally:
        _acting_for.reset(token)


def current_site() -> str | None:
    """The URL at which the caller reaches this server; None for a caller on this machine.

    Calls that agents make for a request came as the request did.
    """
    return _site.get()


@contextmanager
def reached_at(site: str | None) -> Generator[None]:
    """Make every call inside one that came to this URL; None leaves it as it was."""
    token = _site.set(site) if site else None
    try:
        yield
    finally:
        if token is not None:
            _site.reset(token)


ENDING = (
    "The server is ending and stopped this call, so nothing is known of its answer: call again."
)
_ARGUMENTS = 2_000
_log = logging.getLogger("groundwire.calls")


class Counter(Protocol):
    """Counts calls."""

    def began(self) -> None:
        """Count a call that begins."""
        ...

    def ended(self, tool: str, kind: str, seconds: float) -> None:
        """Count a call that has ended; `kind` is empty for an answer, else what the refusal is."""
        ...


class Watch:
    """Sees every call of a tool.

    Attributes:
        counter: what counts calls, or None.
        lines: whether a line is logged for each call.
        questions: whether these lines hold the arguments, and with them what people ask.
        ending: whether the server ends.
    """

    def __init__(self) -> None:
        self.counter: Counter | None = None
        self.lines = False
        self.questions = False
        self.ending = False
        self._running: set[anyio.CancelScope] = set()

    @property
    def running(self) -> int:
        """Calls that run now."""
        return len(self._running)

    def stop_calls(self) -> None:
        """Stop the calls that run; each of them is answered by a refusal that says so."""
        for scope in tuple(self._running):
            scope.cancel()

    @contextmanager
    def call(self, tool: str, arguments: Mapping[str, Any]) -> Generator[None]:
        """Watch one call.

        Raises:
            ToolError: the server ended meanwhile.
        """
        started = time.perf_counter()
        kind = "stopped"
        if self.counter is not None:
            self.counter.began()
        scope = anyio.CancelScope()
        self._running.add(scope)
        try:
            try:
                with scope:
                    yield
                    kind = ""
            except (ToolError, MCPError) as error:
                kind = kind_of(error)
                raise
            if scope.cancelled_caught:
                raise ToolError(ENDING)
        finally:
            self._running.discard(scope)
            seconds = time.perf_counter() - started
            if self.counter is not None:
                self.counter.ended(tool, kind, seconds)
            if self.lines:
                self._say(tool, kind, seconds, arguments)

    def _say(self, tool: str, kind: str, seconds: float, arguments: Mapping[str, Any]) -> None:
        fields: dict[str, Any] = {
            "tool": tool,
            "owner": current_owner(),
            "outcome": "refused" if kind else "answered",
            "milliseconds": round(1_000 * seconds, 1),
        }
        if kind:
            fields["refusal"] = kind
        if self.questions:
            said = json.dumps(arguments, ensure_ascii=False, default=str)
            fields["arguments"] = said[:_ARGUMENTS]
        _log.info("tool_called", extra={"groundwire_fields": fields})


def kind_of(error: BaseException) -> str:
    """Return what a refusal is: input, not_found, unavailable, deadline, ..., or internal."""
    cause = error.__cause__
    if isinstance(cause, GroundwireError):
        name = type(cause).__name__.removesuffix("Error")
        return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]
    return "internal" if cause is not None else "input"


log = logging.getLogger(__name__)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_PARAGRAPH = re.compile(r"\n\s*\n")


class OfferedTools(ToolManager):
    """The tools of a server; a name that is not offered is refused with the nearest that is."""

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,
    ) -> Any:
        """Call a tool.

        Raises:
            ToolError: it is not offered, or refuses.
        """
        if self.get_tool(name) is None:
            known = [one.name for one in self.list_tools()]
            close = nearest(name, known)
            hint = f"; did you mean `{close}`?" if close else ";"
            raise ToolError(f"no tool {quoted(name)}{hint} tools are: {', '.join(known)}")
        return await super().call_tool(name, arguments, context, convert_result)


class GroundedTool(Tool):
    """A tool whose arguments are strict, whose results are recorded, and whose time is limited."""

    _arguments: Arguments = PrivateAttr()
    _delivery: Delivery = PrivateAttr()
    _watch: Watch = PrivateAttr()
    _timeout: float = PrivateAttr()
    _scope: str = PrivateAttr()

    def equipped(self, arguments: Arguments, delivery: Delivery, timeout: float) -> Self:
        """Return this tool with its arguments, its way to the host, and its limit in seconds."""
        self._arguments = arguments
        self._delivery = delivery
        self._timeout = timeout
        return self

    def guarded(self, scope: str, watch: Watch) -> Self:
        """Return this tool with the scope that a token needs for it, and what sees its calls."""
        self._scope = scope
        self._watch = watch
        return self

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,
    ) -> Any:
        """Answer one call.

        Raises:
            ToolError: one line for the model; an unexpected failure names a reference only, and
                the log on stderr has the rest.
            MCPError: as the body or a resolver raised it.
        """
        request = _request(context)
        site = None if request is None else self._delivery.files.site(request)
        with self._watch.call(self.name, arguments), reached_at(site):
            return await self._run(arguments, context)

    async def _run(self, arguments: dict[str, Any], context: Context[Any, Any]) -> Any:
        told = self._delivery.folders if is_over_http(context) else None
        try:
            answer = await self._answer(arguments, context)
        except (ToolError, MCPError):
            raise
        except GroundwireError as exc:
            line = self._delivery.wording.fitted(safe_line(str(exc)))
            raise ToolError(told.without(line) if told else line) from exc
        except Exception as exc:
            reference = secrets.token_hex(4)
            log.exception("%s failed, reference %s", self.name, reference)
            raise ToolError(
                f"{self.name} failed inside the server, reference {reference}: the server's log "
                "holds the reason under it; other arguments may work."
            ) from exc
        return told.hidden(answer) if told and isinstance(answer, CallToolResult) else answer

    async def _answer(
        self, sent: Mapping[str, Any], context: Context[Any, Any]
    ) -> CallToolResult | InputRequiredResult:
        check_scope(self._scope, self.name)
        given = self._arguments.read(sent)
        call = Call(self.name, current_owner(), given.normalized, current_site())
        values = await self._with_position(call, given)
        outcome: object = None
        with anyio.move_on_after(self._timeout) as limit:
            outcome = await self._body(values, context)
        if limit.cancelled_caught:
            raise DeadlineError(
                f"{self.name} did not end within {self._timeout:g} s and was stopped, so nothing "
                "is known of its answer: narrow the request, or try again later."
            )
        if isinstance(outcome, InputRequiredResult):
            return outcome
        return await self._delivery.deliver(
            call, _grounded(outcome), pages=self._arguments.cursor is not None
        )

    async def _body(self, values: dict[str, Any], context: Context[Any, Any]) -> object:
        """Run the body with what resolvers and the request add to the caller's arguments."""
        if self.resolved_params:
            resolved = await resolve_arguments(
                self.resolved_params, self.resolver_plans, values, context
            )
            if isinstance(resolved, InputRequiredResult):
                return resolved
            values = values | resolved
        if self.context_kwarg is not None:
            values = {**values, self.context_kwarg: context}
        return await self.fn(**values)

    async def _with_position(self, call: Call, given: Given) -> dict[str, Any]:
        """The arguments, with the cursor's handle opened."""
        handle = given.cursor.handle if given.cursor else None
        if handle is None or self._arguments.cursor is None:
            return given.values
        bound_to = binding(call.tool, call.arguments)
        cursor = await anyio.to_thread.run_sync(
            cursor_at, self._delivery.handles, call.owner, handle, bound_to
        )
        return {**given.values, self._arguments.cursor: cursor}


def is_over_http(context: Context[Any, Any]) -> bool:
    """Whether a call came over HTTP; calls over stdio and within this process have no request."""
    return _request(context) is not None


def _request(context: Context[Any, Any]) -> Any:
    """Return the HTTP request that a call came with, or None."""
    try:
        return context.request_context.request
    except ValueError:
        return None


def make_tool(
    name: str,
    declaration: ToolDeclaration,
    method: Callable[..., Any],
    delivery: Delivery,
    watch: Watch,
) -> GroundedTool:
    """Build the tool of a declared method, whose calls `watch` sees.

    Raises:
        TypeError: the method breaks a rule of this house; the message says which.
    """
    if not _NAME.fullmatch(name):
        raise TypeError(f"tool {name!r}: names are at most 32 of a-z, 0-9 and _")
    if not inspect.iscoroutinefunction(method):
        raise TypeError(f"tool {name!r} is not async: its time limit could not stop it")
    form = _form(name, method)
    toolset: Any = getattr(method, "__self__", None)
    resolved = {name: (_bound(one, toolset), union) for name, (one, union) in form.resolved.items()}
    arguments = form.arguments
    if isinstance(toolset, Toolset):
        arguments = _with_examples(arguments, toolset.examples())
    wording = delivery.wording
    made = GroundedTool(
        fn=method,
        name=name,
        title=declaration.title,
        description=wording.told(_described(method)),
        parameters=wording.schema(arguments.schema),
        fn_metadata=FuncMetadata(
            arg_model=arguments.model,
            # Results are validated where they are made, so the schema is published alone.
            output_schema=wording.schema(form.output),
        ),
        is_async=True,
        context_kwarg=form.context,
        resolved_params=resolved,
        resolver_plans=build_resolver_plans(resolved, set(arguments.names)),
        annotations=ToolAnnotations(
            read_only_hint=declaration.read_only,
            destructive_hint=declaration.destructive,
            idempotent_hint=declaration.idempotent,
            open_world_hint=declaration.open_world,
        ),
        meta=declaration.meta,
    )
    declared = isinstance(toolset, Toolset) and toolset.makes_links
    links = declared or bool(getattr(method, "makes_links", False))
    # An agent that may change something by its tools is no reader either.
    reads = declaration.read_only and not changes(declaration)
    made.guarded("read" if reads else "write", watch)
    return made.equipped(arguments, replace(delivery, links=links), declaration.timeout)


def _grounded(outcome: object) -> Grounded[BaseModel]:
    """Return a method's outcome as a result with what is recorded and shown of it."""
    if isinstance(outcome, Grounded):
        return cast("Grounded[BaseModel]", outcome)
    if isinstance(outcome, Viewed):
        viewed = cast("Viewed[BaseModel]", outcome)
        return Grounded(viewed.result, None, view=viewed.view)
    return Grounded(cast("BaseModel", outcome), None)


class _Form(NamedTuple):
    """The form that a signature gives a tool, whichever toolset it is bound to."""

    context: str | None
    resolved: Mapping[str, tuple[Resolve, bool]]
    arguments: Arguments
    output: JsonSchema


# A process may build many servers, and to make models of signatures is most of the time it takes.
_FORMS: WeakKeyDictionary[Any, _Form] = WeakKeyDictionary()


def _form(name: str, method: Callable[..., Any]) -> _Form:
    body = getattr(method, "__func__", method)
    if (known := _FORMS.get(body)) is not None:
        return known
    context = find_context_parameter(method)
    resolved = find_resolved_parameters(method)
    arguments = Arguments(method, frozenset(filter(None, {context, *resolved})))
    output = output_schema(_result_model(name, method))
    return _FORMS.setdefault(body, _Form(context, resolved, arguments, output))


def _bound(resolver: Resolve, toolset: Any) -> Resolve:
    """Return a resolver, bound to the toolset if it is one of its methods."""
    first = next(iter(inspect.signature(resolver.fn).parameters), "")
    return Resolve(resolver.fn.__get__(toolset)) if first == "self" else resolver


def _with_examples(arguments: Arguments, examples: Mapping[str, str]) -> Arguments:
    """Return arguments with examples in the descriptions of those that have one."""
    properties: JsonSchema = dict(arguments.schema["properties"])
    for name in properties.keys() & examples.keys():
        described = f"{properties[name].get('description', '')} E.g. {examples[name]}."
        properties[name] = properties[name] | {"description": described.strip()}
    shown = copy(arguments)
    shown.schema = arguments.schema | {"properties": properties}
    return shown


def _result_model(name: str, method: Callable[..., Any]) -> type[BaseModel]:
    annotation = inspect.signature(method, eval_str=True).return_annotation
    if get_origin(annotation) is Grounded:
        annotation = get_args(annotation)[0]
        if not {"evidence_id", "evidence_error"} <= set(annotation.model_fields):
            raise TypeError(f"tool {name!r}: a grounded result has evidence_id and evidence_error")
    elif get_origin(annotation) is Viewed:
        annotation = get_args(annotation)[0]
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        raise TypeError(f"tool {name!r} returns one pydantic model, or Grounded or Viewed of one")
    if "answer" not in annotation.model_fields:
        raise TypeError(f"tool {name!r}: {annotation.__name__} has no field `answer`")
    return annotation


def _described(method: Callable[..., Any]) -> str:
    """The docstring without its line ends: a blank line still parts two paragraphs."""
    text = inspect.cleandoc(method.__doc__ or "")
    return "\n\n".join(one_line(paragraph) for paragraph in _PARAGRAPH.split(text))
