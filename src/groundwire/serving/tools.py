"""A tool as the SDK runs it, with what every Groundwire tool does around its body."""

from __future__ import annotations

import inspect
import logging
import re
import secrets
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple, Self, cast, get_args, get_origin
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
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

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.safe_text import safe_line
from groundwire.serving.arguments import Arguments, Given
from groundwire.serving.calls import check_scope, current_owner, reached_at
from groundwire.serving.handles import binding, cursor_at
from groundwire.serving.refusals import nearest, one_line, quoted
from groundwire.serving.results import Call, Delivery, Grounded, Viewed
from groundwire.serving.schemas import JsonSchema, output_schema
from groundwire.serving.toolsets import ToolDeclaration, Toolset, changes

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
    _timeout: float = PrivateAttr()
    _scope: str = PrivateAttr()

    def equipped(self, arguments: Arguments, delivery: Delivery, timeout: float) -> Self:
        """Return this tool with its arguments, its way to the host, and its limit in seconds."""
        self._arguments = arguments
        self._delivery = delivery
        self._timeout = timeout
        return self

    def guarded(self, scope: str) -> Self:
        """Return this tool with the scope that a token needs for it."""
        self._scope = scope
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
        with self._delivery.watch.call(self.name, arguments), reached_at(site):
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
        call = Call(self.name, current_owner(), given.normalized)
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
    name: str, declaration: ToolDeclaration, method: Callable[..., Any], delivery: Delivery
) -> GroundedTool:
    """Build the tool of a declared method.

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
    made.guarded("read" if reads else "write")
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
