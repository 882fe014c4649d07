"""Files and folders of the server, for callers on another machine: links instead of paths.

A path of this machine is of no use to them. A link is a random handle that expires: as a URL,
whoever has it may fetch the file until then, as from a browser, which has no token; as the resource
`groundwire://files/...`, its owner alone may read it. What a link leads to was named by the tool
that made it: nothing that a caller sends is part of a path.
"""

from __future__ import annotations

import json
import mimetypes
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote

import anyio.to_thread
from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import BaseModel

from groundwire.config import Settings
from groundwire.errors import InputError, NotFoundError
from groundwire.serving.handles import MAX_HANDLE, HandleStore

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


KIND = "file"
FILES = "/files"
FILE_URI = "groundwire://files/{link}/{name}"
BUNDLE = "groundwire://evidence/"
BUNDLE_URI = BUNDLE + "{+evidence_ids}"
BUNDLE_TYPE = "application/x-ndjson"
MOST_READ = 8_388_608
"""Bytes that a resource is read with; larger files are fetched by their URL."""
MOST_LOOKED_UP = 50
"""Links of one text that are looked up."""
# A link has no owner who must be known to open it: that one is in its payload.
_ANYONE = ""
_EXPIRED = "This link is unknown or has expired: ask for the file again."
_TYPES = {
    ".ics": "text/calendar",
    ".jsonl": BUNDLE_TYPE,
    ".nt": "application/n-triples",
    ".parquet": "application/vnd.apache.parquet",
}
# What browsers show; all else they keep.
_SHOWN = frozenset(("text/html", "image/svg+xml", "image/png"))
_HEADERS = {
    "cache-control": "private, no-store",
    # A file runs its own scripts at most, fetches nothing, and belongs to no origin.
    "content-security-policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:; font-src data:"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Bundled(Protocol):
    """Signs records into a bundle."""

    def __call__(self, evidence_ids: Sequence[str], owner: str) -> bytes:
        """Return the bundle of some records of an owner."""
        ...


@dataclass(frozen=True, slots=True)
class Linked:
    """The content behind a link.

    Attributes:
        name: what a file of it is called.
        owner: whose it is.
        content: where it is, or its bytes.
    """

    name: str
    owner: str
    content: Path | bytes


class FileLinks:
    """The links of one server.

    Args:
        home: the state folder, in which every linked file is.
        handles: where links are kept.
        seconds: until a link expires.
        owner: tells whose the request is that is answered now.
        bundled: signs bundles, where the server keeps a ledger.

    Attributes:
        public: URL before `/files` by which clients reach the server; "" for the one they asked.
    """

    def __init__(
        self,
        home: Path,
        handles: HandleStore,
        seconds: float,
        owner: Callable[[], str],
        bundled: Bundled | None = None,
    ) -> None:
        self._home = home
        self._handles = handles
        self._seconds = seconds
        self._owner = owner
        self._bundled = bundled
        self.public = ""

    @property
    def keeps_evidence(self) -> bool:
        """Whether bundles can be read."""
        return self._bundled is not None

    def site(self, request: Request) -> str:
        """Return the URL before `/files` at which the sender of a request reaches this server."""
        return self.public or f"{request.url.scheme}://{request.url.netloc}"

    def linked(
        self, result: BaseModel, owner: str, site: str
    ) -> tuple[BaseModel, list[ResourceLink]]:
        """Return a result with links in place of its paths, in its sentences too, and the links.

        Args:
            result: its model may say in `files` which field is the path or bundle of which link.
            owner: whose result it is.
            site: URL before `/files` at which the caller reaches this server.
        """
        fields: Mapping[str, str] = getattr(result, "files", {})
        update: dict[str, str | None] = {}
        places: dict[str, str] = {}
        links: list[ResourceLink] = []
        for field, link_field in fields.items():
            place: str = getattr(result, field) or ""
            made = self._linked(place, owner) if place else None
            if made is None:
                continue
            handle, name = made
            url = update[link_field] = f"{site}{FILES}/{handle}/{quote(name)}"
            uri = FILE_URI.format(link=handle, name=quote(name))
            links.append(ResourceLink(name=name, uri=uri, mime_type=type_of(name)))
            if not place.startswith(BUNDLE):
                update[field] = None
                places[place] = url
        if not links:
            return result, []
        for field, text in result:
            if isinstance(text, str) and field not in update:
                for place, url in places.items():
                    text = text.replace(place, url)
                update[field] = text
        return result.model_copy(update=update), links

    def open(self, handle: str, name: str) -> Linked:
        """Return what a link leads to.

        Raises:
            NotFoundError: it is unknown or has expired, or the file is gone.
        """
        payload = _opened(self._handles, handle, name)
        owner: str = payload["owner"]
        if "bundle" in payload and self._bundled is not None:
            return Linked(name, owner, self._bundled(payload["bundle"], owner))
        path = self._home / payload["path"]
        if path.is_symlink() or not path.is_file():
            raise NotFoundError("This file is gone: ask for it again.")
        return Linked(name, owner, path)

    async def answer_file(self, link: str, name: str) -> bytes:
        """A file or bundle that an answer links to; for its owner, until the link expires."""
        return await anyio.to_thread.run_sync(self._read, link, name)

    async def evidence_bundle(self, evidence_ids: str) -> bytes:
        """Records with their responses and hashes, signed; ids of answers, comma-separated."""
        assert self._bundled is not None
        ids = [one.strip() for one in evidence_ids.split(",") if one.strip()]
        return _bounded(await anyio.to_thread.run_sync(self._bundled, ids, self._owner()))

    def _read(self, link: str, name: str) -> bytes:
        found = self.open(link, name)
        if found.owner != self._owner():
            raise NotFoundError(_EXPIRED)
        if isinstance(found.content, bytes):
            return _bounded(found.content)
        with found.content.open("rb") as file:
            return _bounded(file.read(MOST_READ + 1))

    def _linked(self, place: str, owner: str) -> tuple[str, str] | None:
        """Mint the link of a path or bundle: its handle, and the name of its file."""
        payload: dict[str, Any] = {"owner": owner}
        if place.startswith(BUNDLE):
            ids = place.removeprefix(BUNDLE)
            name, payload["bundle"] = f"{ids}.jsonl", [ids]
        else:
            path = Path(place)
            if not path.is_relative_to(self._home):
                return None
            name, payload["path"] = path.name, str(path.relative_to(self._home))
        payload["name"] = name
        return self._handles.mint(_ANYONE, KIND, payload, self._seconds), name


def given_links(text: str, handles: HandleStore, owner: str, site: str | None) -> Collection[str]:
    """Return the URLs of a text that lead to files of this owner, at the address `site`."""
    if site is None or f"{site}{FILES}/" not in text:
        return ()
    link = re.compile(re.escape(f"{site}{FILES}/") + r"([a-z0-9_]{1,20})/([\w.%~-]{1,200})")

    own: set[str] = set()
    for found in islice(link.finditer(text), MOST_LOOKED_UP):
        handle, name = found[1], found[2].rstrip(".")
        with suppress(NotFoundError):
            if _opened(handles, handle, unquote(name))["owner"] == owner:
                own.add(found.group().rstrip("."))
    return own


def type_of(name: str) -> str:
    """Return the media type of a file by its name."""
    suffix = Path(name).suffix.lower()
    return _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")


def file_page(links: FileLinks) -> Callable[[Request], Any]:
    """Return the page that answers `GET /files/LINK/NAME`."""
    from starlette.responses import FileResponse, PlainTextResponse
    from starlette.responses import Response as Whole

    async def page(request: Request) -> Response:
        link, name = request.path_params["link"], request.path_params["name"]
        try:
            found = await anyio.to_thread.run_sync(links.open, link, name)
        except NotFoundError as error:
            return PlainTextResponse(str(error), 404, _HEADERS)
        media = type_of(name)
        disposition = "inline" if media in _SHOWN else "attachment"
        if isinstance(found.content, bytes):
            named = {"content-disposition": f"attachment; filename*=utf-8''{quote(name)}"}
            return Whole(found.content, headers=_HEADERS | named, media_type=media)
        return FileResponse(
            found.content,
            headers=_HEADERS,
            media_type=media,
            filename=name,
            content_disposition_type=disposition,
        )

    return page


def _opened(handles: HandleStore, handle: str, name: str) -> Mapping[str, Any]:
    """Return what is kept of a link.

    Raises:
        NotFoundError: it is unknown or has expired, or is of a file with another name.
    """
    try:
        payload = handles.open(handle[:MAX_HANDLE], _ANYONE, KIND)
    except NotFoundError as error:
        raise NotFoundError(_EXPIRED) from error
    if payload["name"] != name:
        raise NotFoundError(_EXPIRED)
    return payload


def _bounded(data: bytes) -> bytes:
    if len(data) > MOST_READ:
        raise InputError(
            f"It has more than {MOST_READ:,} bytes, the most that a resource is read with: fetch "
            "it by its URL, or ask for less."
        )
    return data


class ServerFolders:
    """Shortens paths below the folders that a server works with to what stands below them."""

    def __init__(self, settings: Settings) -> None:
        folders = sorted({str(one) for one in _folders(settings)}, key=len, reverse=True)
        names = "|".join(re.escape(one) for one in folders if len(one) > 1)
        self._pattern = re.compile(rf"(?<![\w./:-])(?:{names})(?:/|(?![\w.-]))")

    def without(self, text: str) -> str:
        """Return a text in which a path begins below the folder of the server that it is in."""
        return self._pattern.sub("", text)

    def hidden(self, result: CallToolResult) -> CallToolResult:
        """Return a result without those folders, in its text, its structure and its view alike."""
        update: dict[str, Any] = {}
        first = result.content[0] if result.content else None
        if isinstance(first, TextContent) and self._pattern.search(first.text):
            text = self.without(first.text)
            update["content"] = [TextContent(type="text", text=text), *result.content[1:]]
            update["structured_content"] = json.loads(text)
        view = json.dumps(result.meta, ensure_ascii=False) if result.meta else ""
        if self._pattern.search(view):
            update["meta"] = json.loads(self.without(view))
        return result.model_copy(update=update) if update else result


def _folders(settings: Settings) -> Iterator[Path]:
    named = [*settings.shapes, *settings.assets]
    files = [settings.profile, settings.facts, settings.endpoints]
    places = [settings.home, Path.cwd(), Path.home(), Path(tempfile.gettempdir())]
    places += [Path(one) for one in (sys.prefix, sys.base_prefix)]
    places += [Path(__file__).parents[2], Path(__file__).parents[3]]
    places += [Path(one).parent for one in named if "://" not in one]
    places += [one.parent for one in files if one is not None]
    for place in places:
        yield place.absolute()
        yield place.resolve()
