"""Prompts and resources: what clients ask for by name, and the one line where they cannot have it.

The SDK answers an unknown prompt, and arguments that do not fit one, as if the server had failed.
Here they are invalid parameters, and the line names what there is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import anyio
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import Resource, ResourceTemplate
from mcp.server.mcpserver.resources.templates import ResourceSecurityError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from groundwire.errors import DeadlineError, GroundwireError, InputError, NotFoundError
from groundwire.serving.refusals import nearest, one_line, quoted
from groundwire.serving.toolsets import DEFAULT_TIMEOUT
from groundwire.serving.wording import Wording

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
