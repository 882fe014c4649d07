"""One server out of toolsets, with its logs on stderr: on stdio, stdout belongs to the protocol."""

from __future__ import annotations

import functools
import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from mcp.server import CacheHint, MCPServer
from mcp.server._otel import OpenTelemetryMiddleware
from mcp.server.caching import CacheableMethod
from mcp.server.extension import Extension
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp_types import Completion, GetPromptResult, InputRequiredResult

from groundwire.config import Settings
from groundwire.serving.auth import BearerTokens, auth_settings
from groundwire.serving.collector import paused_collector
from groundwire.serving.files import BUNDLE_TYPE, BUNDLE_URI, FILE_URI, FileLinks, ServerFolders
from groundwire.serving.fitting import Wording
from groundwire.serving.handles import HandleStore
from groundwire.serving.issuers import Issuers
from groundwire.serving.refusals import one_line
from groundwire.serving.results import Delivery, Recorder, RecordKeeper
from groundwire.serving.tools import OfferedTools, Watch, current_owner, make_tool, texts_only
from groundwire.serving.toolsets import (
    APP_PAGE,
    Check,
    CompletionDeclaration,
    OfferedTool,
    PromptDeclaration,
    ResourceDeclaration,
    ToolDeclaration,
    Toolset,
    askable,
    check_prompt,
    check_resource,
    readable,
    select_tools,
)
from groundwire.serving.unreadable import Answering

if TYPE_CHECKING:
    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from pydantic import AnyUrl

MAX_SERVER_NAME = 12
MAX_INSTRUCTIONS = 2_048
# Lists follow from how the server was started, so they may be kept and shared; what a resource
# says may change whenever its file does.
_LIST = CacheHint(ttl_ms=3_600_000, scope="public")
_CACHE_HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": _LIST,
    "prompts/list": _LIST,
    "resources/list": _LIST,
    "resources/templates/list": _LIST,
    "server/discover": _LIST,
    "resources/read": CacheHint(ttl_ms=10_000, scope="private"),
}


class GroundwireServer(MCPServer[Any]):
    """An MCP server of toolsets.

    Attributes:
        tokens: who is let in over HTTP, or None for anyone on this machine.
        http: how HTTP is served.
        watch: sees every call.
        files: links to files, for callers over HTTP.
        toolsets: what it is made of.
        names_own: whether the settings name data, endpoints, a planner or an issuer, which may not
            answer.
    """

    def __init__(
        self,
        name: str,
        toolsets: Sequence[Toolset],
        tools: Sequence[Tool],
        *,
        title: str | None,
        instructions: str,
        delivery: Delivery,
        watch: Watch,
        settings: Settings,
    ) -> None:
        tokens = _tokens(settings)
        log_to_stderr(as_json=settings.log_json)
        watch.lines = settings.log_json
        watch.questions = settings.log_questions
        super().__init__(
            name,
            title=title,
            instructions=instructions or None,
            version=version("groundwire"),
            log_level="WARNING",
            subscriptions=False,
            cache_hints=_CACHE_HINTS,
            auth=auth_settings(tokens) if tokens else None,
            token_verifier=tokens,
            extensions=_apps(toolsets, delivery.wording),
        )
        self._tool_manager = OfferedTools(tools=list(tools))
        self.tokens = tokens
        self.http = settings.http
        self.watch = watch
        self.files = delivery.files
        self.toolsets = tuple(toolsets)
        self.names_own = any(
            (
                settings.shapes,
                settings.assets,
                settings.profile,
                settings.facts,
                settings.facts_database,
                settings.warehouse,
                settings.endpoints,
                settings.journeys,
                settings.http.issuers,
            )
        )
        self._delivery = delivery
        self._register_the_rest()
        self.middleware.append(texts_only)
        if find_spec("opentelemetry.sdk") is None:
            # Spans that nothing can export are 30 us of every call.
            self.middleware[:] = [
                one for one in self.middleware if not isinstance(one, OpenTelemetryMiddleware)
            ]

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """Write a prompt; what is not offered or does not fit is refused in one line."""
        check_prompt(name, arguments or {}, self._prompt_manager.list_prompts())
        return await super().get_prompt(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource; one that is not offered is refused with what is."""
        manager = self._resource_manager
        check_resource(str(uri), manager.list_resources(), manager.list_templates())
        return await super().read_resource(uri, context)

    async def run_stdio_async(self) -> None:
        """Serve over stdin and stdout; a line that cannot be read is answered too."""
        low = self._lowlevel_server
        async with stdio_server() as (messages, answers):
            await low.run(
                Answering(messages, answers), answers, low.create_initialization_options()
            )

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Names of the tools that it offers."""
        return tuple(tool.name for tool in self._tool_manager.list_tools())

    def state_check(self) -> Check:
        """The check that evidence can be written."""
        return Check("evidence", self._delivery.recorder.look)

    async def aclose(self) -> None:
        """Have every toolset give back what belongs to the running event loop."""
        for toolset in self.toolsets:
            await toolset.aclose()

    def close(self) -> None:
        """Finish what is being recorded, and close the handles and every toolset."""
        self._delivery.recorder.close()
        self._delivery.handles.close()
        for toolset in self.toolsets:
            toolset.close()

    def _register_the_rest(self) -> None:
        """Prompts, resources and completions of the toolsets."""
        sources: list[Callable[..., Any]] = []
        offered = {one.name for one in self._tool_manager.list_tools()}
        for toolset in self.toolsets:
            for name, declaration, method in toolset.declarations():
                wording = self._delivery.wording
                described = wording.told(one_line(method.__doc__ or ""))
                if isinstance(declaration, PromptDeclaration):
                    if not offered.issuperset(declaration.needs):
                        continue
                    self.prompt(
                        name=declaration.name or name,
                        title=declaration.title,
                        description=described,
                    )(askable(method, wording))
                elif isinstance(declaration, ResourceDeclaration):
                    if declaration.mime_type == APP_PAGE:
                        continue
                    self.resource(
                        declaration.uri,
                        name=name,
                        title=declaration.title,
                        description=described,
                        mime_type=declaration.mime_type,
                    )(readable(method, wording))
                elif isinstance(declaration, CompletionDeclaration):
                    sources.append(method)
        self._offer(
            FILE_URI, self.files.answer_file, "A file of an answer", "application/octet-stream"
        )
        if self.files.keeps_evidence:
            self._offer(BUNDLE_URI, self.files.evidence_bundle, "Signed evidence", BUNDLE_TYPE)
        if sources:
            self.completion()(functools.partial(_complete, sources))

    def _offer(self, uri: str, read: Callable[..., Any], title: str, mime_type: str) -> None:
        """Offer a template of resources of every server."""
        self.resource(
            uri,
            name=read.__name__,
            title=title,
            description=one_line(read.__doc__ or ""),
            mime_type=mime_type,
        )(readable(read, self._delivery.wording))


def _apps(toolsets: Sequence[Toolset], wording: Wording) -> list[Extension]:
    """The extension that offers pages of toolsets to hosts that draw them; empty without one."""
    pages = [
        (name, declaration, method)
        for toolset in toolsets
        for name, declaration, method in toolset.declarations()
        if isinstance(declaration, ResourceDeclaration) and declaration.mime_type == APP_PAGE
    ]
    if not pages:
        return []
    from mcp.server.apps import Apps

    apps = Apps()
    for name, declaration, method in pages:
        page = FunctionResource.from_function(
            readable(method, wording),
            uri=declaration.uri,
            name=name,
            title=declaration.title,
            description=wording.told(one_line(method.__doc__ or "")),
            mime_type=APP_PAGE,
        )
        apps.add_resource(page)
    return [apps]


def _tokens(settings: Settings) -> BearerTokens | None:
    """Return who is let in over HTTP, or None for anyone.

    Raises:
        ConfigurationError: an issuer cannot be used.
    """
    http = settings.http
    issuers = Issuers(http.issuers, http.jwks) if http.issuers else None
    if not settings.http_token and issuers is None:
        return None
    return BearerTokens(settings.http_token, issuers=issuers)


async def _complete(
    sources: Sequence[Callable[..., Any]], ref: Any, argument: Any, context: Any
) -> Completion | None:
    """The first completion that any toolset has for this argument."""
    for source in sources:
        found = await source(ref, argument, context)
        if found is not None:
            return found
    return None


def build_server(
    name: str,
    toolsets: Sequence[Toolset],
    *,
    settings: Settings,
    handles: HandleStore,
    ledger: RecordKeeper | None = None,
    title: str | None = None,
    instructions: str | None = None,
    default_tools: Sequence[str] = (),
    known_tools: Sequence[str] = (),
) -> GroundwireServer:
    """Build a server; whatever it is asked to offer is checked here, once.

    Args:
        name: server id, at most 12 characters.
        toolsets: everything it can offer, in the order in which it is listed.
        settings: which of it to offer, and the HTTP token.
        handles: the store of cursors.
        ledger: where answers are recorded; without one they say that they were not.
        title: name for people.
        instructions: when and how a model uses this server; default: those of the toolsets of
            which a tool is offered.
        default_tools: tools offered without being asked for; empty means all.
        known_tools: tools of other servers that texts may speak of; what is said of one that is
            not offered is said otherwise, or left out.

    Raises:
        ConfigurationError: an unknown toolset or tool is asked for.
        TypeError: a declaration breaks a rule of this house.
    """
    if not 0 < len(name) <= MAX_SERVER_NAME:
        raise TypeError(f"server name {name!r}: at most {MAX_SERVER_NAME} characters")
    selected = select_tools(
        toolsets,
        toolsets=settings.toolsets,
        names=settings.tools,
        read_only=settings.read_only,
        default=default_tools,
    )
    offered = [one for one in toolsets if one.name in {tool.toolset for tool in selected}]
    if instructions is None:
        instructions = "\n\n".join(filter(None, (one.instructions.strip() for one in offered)))
    wording = _wording(toolsets, selected, known_tools)
    instructions = wording.told(instructions)
    if len(instructions) > MAX_INSTRUCTIONS:
        raise TypeError(f"instructions of {name!r} pass {MAX_INSTRUCTIONS:,} characters")
    files = FileLinks(
        settings.home,
        handles,
        settings.http.link_seconds,
        current_owner,
        getattr(ledger, "bundle", None),
    )
    delivery = Delivery(Recorder(ledger), handles, ServerFolders(settings), wording, files)
    watch = Watch()
    with paused_collector():
        tools = [
            make_tool(one.name, one.declaration, one.method, delivery, watch) for one in selected
        ]
        return GroundwireServer(
            name,
            offered,
            tools,
            title=title,
            instructions=instructions,
            delivery=delivery,
            watch=watch,
            settings=settings,
        )


def _wording(
    toolsets: Iterable[Toolset], selected: Sequence[OfferedTool], known: Iterable[str]
) -> Wording:
    """Return what fits texts to the tools selected of these toolsets."""
    offered = {tool.name for tool in selected}
    declared = set(known)
    missing: list[str] = []
    for toolset in toolsets:
        for name, declaration, _ in toolset.declarations():
            if isinstance(declaration, ToolDeclaration):
                declared.add(name)
            elif isinstance(declaration, PromptDeclaration) and not offered.issuperset(
                declaration.needs
            ):
                missing.append(declaration.name or name)
    return Wording(offered, declared, missing)


async def definitions_size(server: MCPServer[Any]) -> int:
    """Characters of all tool definitions, as `tools/list` sends them."""
    listed = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        for tool in await server.list_tools()
    ]
    return len(json.dumps(listed, ensure_ascii=False, separators=(",", ":")))


FIELDS = "groundwire_fields"
"""The attribute of a record that holds the fields of an event."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line: time, level, logger, event, its fields, and a traceback as one text."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **cast("dict[str, Any]", getattr(record, FIELDS, {})),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=str)


def log_to_stderr(*, as_json: bool) -> None:
    """Log warnings and worse to stderr, unless whoever embeds the server has set up logging.

    Args:
        as_json: whether each line is JSON; calls are logged then, too.
    """
    logging.basicConfig(
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    if as_json:
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonLines())
        logging.getLogger("groundwire.calls").setLevel(logging.INFO)
