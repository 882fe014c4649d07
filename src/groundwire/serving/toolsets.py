"""How a server declares what it offers: toolsets of decorated methods, prompts and resources.

A toolset is a class; its decorated methods become tools, prompts, resources and completions in
the order in which they are written.

The SDK answers an unknown prompt, and arguments that do not fit one, as if the server had failed.
Here they are invalid parameters, and the line names what there is.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

import anyio
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import Resource, ResourceTemplate
from mcp.server.mcpserver.resources.templates import ResourceSecurityError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    GroundwireError,
    InputError,
    NotFoundError,
)
from groundwire.serving.fitting import Wording
from groundwire.serving.refusals import nearest, one_line, quoted
from groundwire.serving.sections import Section

# Hosts that know MCP Apps draw such a resource in a frame (SEP-1865).
APP_PAGE = "text/html;profile=mcp-app"
Method = TypeVar("Method", bound=Callable[..., Any])
_MARK = "groundwire_declaration"
DEFAULT_TIMEOUT = 25.0


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """The words that tell a host of a tool, beside its arguments and result.

    Attributes:
        title: name for people.
        read_only: it changes nothing that its caller can see.
        idempotent: the same call again has no further effect.
        open_world: it reaches things outside this machine.
        destructive: it may delete or overwrite.
        writes_files: it writes files; hidden by `--read-only`.
        changes_state: it changes what is kept between calls; hidden by `--read-only`.
        timeout: seconds until the call is stopped; hosts give up after 30 to 60.
        meta: what goes into the definition's `_meta`, or None.
    """

    title: str
    read_only: bool
    idempotent: bool
    open_world: bool
    destructive: bool
    writes_files: bool
    changes_state: bool
    timeout: float
    meta: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class PromptDeclaration:
    """A prompt template.

    Attributes:
        name: what it is called; None for the name of its method.
        title: name for people.
        needs: tools that its text asks for; without one of them it is not offered.
    """

    name: str | None
    title: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResourceDeclaration:
    """A resource, or a template where the URI has parameters (RFC 6570)."""

    uri: str
    title: str
    mime_type: str


@dataclass(frozen=True, slots=True)
class CompletionDeclaration:
    """A method that completes arguments of prompts and resource templates."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A figure that operators measure.

    Attributes:
        name: such as `agent_runs`.
        help: what it is, in a sentence.
        labels: what it is of.
        value: the figure.
        gauge: whether it may fall; else it only grows.
    """

    name: str
    help: str
    labels: Mapping[str, str]
    value: float
    gauge: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """Something that has to answer before a server is ready.

    Attributes:
        name: such as `facts`.
        look: fails where it does not answer.
        needed: whether the server is not ready without it.
    """

    name: str
    look: Callable[[], Awaitable[object]]
    needed: bool = True


Declaration = ToolDeclaration | PromptDeclaration | ResourceDeclaration | CompletionDeclaration


def tool(
    title: str,
    *,
    read_only: bool,
    idempotent: bool,
    open_world: bool,
    destructive: bool = False,
    writes_files: bool = False,
    changes_state: bool = False,
    timeout: float = DEFAULT_TIMEOUT,
    meta: dict[str, Any] | None = None,
) -> Callable[[Method], Method]:
    """Declare an async method as a tool; its name and docstring are what the host sees.

    The method returns a pydantic model whose field `answer` is one quotable sentence, or
    `Grounded(model, draft)` for an answer from facts.
    """
    return _declared(
        ToolDeclaration(
            title=title,
            read_only=read_only,
            idempotent=idempotent,
            open_world=open_world,
            destructive=destructive,
            writes_files=writes_files,
            changes_state=changes_state,
            timeout=timeout,
            meta=meta,
        )
    )


def prompt(
    title: str, *, name: str | None = None, needs: tuple[str, ...] = ()
) -> Callable[[Method], Method]:
    """Declare a method that returns a prompt's text.

    Args:
        title: name for people.
        name: what it is called; default: the name of the method.
        needs: tools that its text asks for; without one of them it is not offered.
    """
    return _declared(PromptDeclaration(name, title, needs))


def resource(
    uri: str, *, title: str, mime_type: str = "application/json"
) -> Callable[[Method], Method]:
    """Declare a method that returns a resource's text; parameters of the URI are its arguments."""
    return _declared(ResourceDeclaration(uri, title, mime_type))


def completion(method: Method) -> Method:
    """Declare `async (ref, argument, context) -> Completion | None` as a source of completions."""
    return _declared(CompletionDeclaration())(method)


def _declared(declaration: Declaration) -> Callable[[Method], Method]:
    def mark(method: Method) -> Method:
        cast("FunctionType", method).__dict__[_MARK] = declaration
        return method

    return mark


class Toolset:
    """Base of every toolset.

    Attributes:
        name: what `--toolsets` calls it.
        title: name for people.
        instructions: when and how a model uses it; the first 500 characters decide.
        makes_links: whether its answers hold Markdown links that it made itself; in the answers of
            every other one, what looks like a link comes from data and is made inert.
    """

    name: ClassVar[str]
    title: ClassVar[str] = ""
    instructions: ClassVar[str] = ""
    makes_links: ClassVar[bool] = False

    def declarations(self) -> Iterator[tuple[str, Declaration, Callable[..., Any]]]:
        """Name, declaration and bound method of everything declared, in the order written."""
        found: dict[str, Declaration] = {}
        for base in reversed(type(self).__mro__):
            for name, value in vars(base).items():
                declaration = getattr(value, "__dict__", {}).get(_MARK)
                if declaration is not None:
                    found[name] = declaration
        for name, declaration in found.items():
            yield name, declaration, getattr(self, name)

    def examples(self) -> Mapping[str, str]:
        """Examples of arguments, by name; their descriptions show them."""
        return {}

    async def with_marked_names(self, text: str) -> str:
        """Return a text in which names that these tools know stand in marks: 「Bus Station」."""
        return text

    def checks(self) -> Iterable[Check]:
        """Stores and endpoints that have to answer before a server is ready."""
        return ()

    def samples(self) -> Iterable[Sample]:
        """Figures of its own that operators measure."""
        return ()

    def sections(self) -> Iterable[Section]:
        """Lists of what it keeps, for people to look at."""
        return ()

    async def aclose(self) -> None:
        """Give back what belongs to the running event loop, such as connections, before it ends.

        The toolset can be used again, in this loop or another.
        """

    def close(self) -> None:
        """Give back what the toolset holds open; called once, when its server ends."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that may be offered: its name, its toolset, its declaration and its body."""

    name: str
    toolset: str
    declaration: ToolDeclaration
    method: Callable[..., Any]


def select_tools(
    offered: Sequence[Toolset],
    *,
    toolsets: Sequence[str] = (),
    names: Sequence[str] = (),
    read_only: bool = False,
    default: Sequence[str] = (),
) -> list[OfferedTool]:
    """The tools that a server offers, in the order of their declaration.

    Args:
        offered: every toolset that the server has.
        toolsets: toolsets to offer whole; empty means `default`.
        names: of these, only the tools named here; empty means all of them.
        read_only: leave out what changes state or writes files.
        default: tools offered without being asked for, to which `toolsets` adds; empty means
            every tool of every toolset, from which `toolsets` chooses.

    Raises:
        ConfigurationError: a name is unknown (the line has the nearest), or nothing remains.
        TypeError: two toolsets declare one name.
    """
    every = _every(offered)
    _check("toolset", "toolsets", toolsets, [toolset.name for toolset in offered])
    _check("tool", "tools", names, [one.name for one in every])
    chosen = set(names)
    if not chosen:
        chosen = {one.name for one in every if one.toolset in toolsets} | set(default)
    elif toolsets:
        outside = [one for one in every if one.name in chosen and one.toolset not in toolsets]
        if outside:
            raise ConfigurationError(
                f"tool {outside[0].name!r} is of toolset {outside[0].toolset!r}: add it to "
                "toolsets, or leave toolsets empty."
            )
    kept = [one for one in every if not chosen or one.name in chosen]
    if read_only:
        kept = [one for one in kept if not changes(one.declaration)]
    if not kept:
        raise ConfigurationError(
            "no tool is left to offer: read-only hides those that change state or write files; "
            f"name some of {', '.join(one.name for one in every)}."
        )
    return kept


def _every(offered: Iterable[Toolset]) -> list[OfferedTool]:
    every: list[OfferedTool] = []
    for toolset in offered:
        for name, declaration, method in toolset.declarations():
            if isinstance(declaration, ToolDeclaration):
                if any(other.name == name for other in every):
                    raise TypeError(f"two tools are named {name!r}")
                every.append(OfferedTool(name, toolset.name, declaration, method))
    return every


def changes(declaration: ToolDeclaration) -> bool:
    """Whether a tool changes what is kept, or writes files."""
    return declaration.changes_state or declaration.writes_files or declaration.destructive


def _check(kind: str, option: str, named: Iterable[str], known: Sequence[str]) -> None:
    for name in named:
        if name not in known:
            close = nearest(name, known)
            hint = f"; did you mean {close!r}?" if close else ";"
            raise ConfigurationError(
                f"{option}: there is no {kind} {name!r}{hint} {kind}s are: {', '.join(known)}."
            )


NAMED_BY = {"prompts/get": "name", "resources/read": "uri"}


def askable(method: Callable[..., Any], wording: Wording) -> Callable[..., Any]:
    """A prompt that names offered tools, and whose expected failures reach the client."""

    @functools.wraps(method)
    async def write(*args: Any, **kwargs: Any) -> Any:
        try:
            text = await method(*args, **kwargs)
        except GroundwireError as exc:
            raise _invalid(wording.fitted(one_line(str(exc)))) from exc
        return wording.told(text, (*args, *kwargs.values()))

    return write


def readable(method: Callable[..., Any], wording: Wording) -> Callable[..., Any]:
    """A resource with a time limit, whose expected failures reach the client with their text."""

    @functools.wraps(method)
    async def read(*args: Any, **kwargs: Any) -> Any:
        try:
            with anyio.move_on_after(DEFAULT_TIMEOUT):
                said = await method(*args, **kwargs)
                return wording.fitted(said) if isinstance(said, str) else said
            raise DeadlineError(f"it was not read within {DEFAULT_TIMEOUT:g} s: try again later.")
        except (InputError, NotFoundError) as exc:
            raise ResourceNotFoundError(wording.fitted(one_line(str(exc)))) from exc
        except GroundwireError as exc:
            raise ResourceError(wording.fitted(one_line(str(exc)))) from exc

    return read


def check_texts(method: str, sent: Mapping[str, Any]) -> None:
    """Refuse a request for a prompt or a resource whose parts are no texts.

    Args:
        method: of the protocol, a key of `NAMED_BY`.
        sent: the parameters of the request.

    Raises:
        MCPError: the parameter at fault, and what it has to be.
    """
    part = NAMED_BY[method]
    if sent.get(part) is None:
        raise _invalid(f"`{part}` is missing: send it (a text).")
    _check_text(part, sent[part])
    arguments: Any = sent.get("arguments")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise _invalid(f"`arguments` must be an object; got {quoted(arguments)}")
    for name, value in cast("Mapping[str, Any]", arguments or {}).items():
        _check_text(f"arguments.{name}", value)


def check_prompt(name: str, arguments: Mapping[str, str], prompts: Sequence[Prompt]) -> None:
    """Refuse a prompt that is not offered, and arguments that it does not take or lacks.

    A blank where an argument is required is none: hosts send the fields that were left empty.

    Raises:
        MCPError: one line that says what there is, or what is missing.
    """
    found = next((prompt for prompt in prompts if prompt.name == name), None)
    if found is None:
        known = [prompt.name for prompt in prompts]
        raise _invalid(f"no prompt {quoted(name)}{_hint(name, known)} prompts are: {_list(known)}")
    taken = found.arguments or []
    known = [argument.name for argument in taken]
    for sent in arguments:
        if sent not in known:
            raise _invalid(
                f"no argument {quoted(sent)} in the prompt `{name}`{_hint(sent, known)} "
                f"arguments are: {_list(known)}"
            )
    missing = [
        f"`{one.name}`" for one in taken if one.required and not arguments.get(one.name, "").strip()
    ]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise _invalid(
            f"{' and '.join(missing)} {verb} missing: the prompt `{name}` takes {_list(known)}."
        )


def check_resource(
    uri: str, resources: Sequence[Resource], templates: Sequence[ResourceTemplate]
) -> None:
    """Refuse a resource that is not offered.

    Raises:
        ResourceNotFoundError: one line that says which resources and templates there are.
    """
    known = [str(resource.uri) for resource in resources]
    patterns = [template.uri_template for template in templates]
    if uri in known:
        return
    for template in templates:
        try:
            if template.matches(uri) is not None:
                return
        except ResourceSecurityError as exc:
            raise ResourceNotFoundError(
                f"`{exc.param}` of {exc.template} must be a name, no path; got {quoted(uri)}"
            ) from exc
    listed = _list([*known, *patterns])
    raise ResourceNotFoundError(
        f"no resource {quoted(uri)}{_hint(uri, known)} resources are: {listed}"
    )


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise _invalid(f"`{name}` must be a text; got {quoted(value)}")


def _hint(word: str, known: Sequence[str]) -> str:
    close = nearest(word, known)
    return f"; did you mean `{close}`?" if close else ";"


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _invalid(line: str) -> MCPError:
    return MCPError(INVALID_PARAMS, line)
