"""Credentials of engines: by environment variable, never in a URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from groundwire.errors import ConfigurationError

USER = "GROUNDWIRE_WAREHOUSE_USER"
PASSWORD = "GROUNDWIRE_WAREHOUSE_PASSWORD"

# Names of parameters that hold a secret, in URLs of any client.
_SECRET = ("password", "passwd", "pwd", "token", "secret", "access_key", "api_key", "apikey")


@dataclass(frozen=True, slots=True)
class Server:
    """A server and how it is asked.

    Attributes:
        scheme: of the URL, in small letters.
        host: name or address.
        port: as the URL says, or None.
        path: the parts of the path.
        options: the parameters of the URL.
        user: by the environment, else the URL's; or "".
        password: by the environment; or "".
    """

    scheme: str
    host: str
    port: int | None
    path: tuple[str, ...]
    options: Mapping[str, str]
    user: str
    password: str = field(repr=False)

    @property
    def shown(self) -> str:
        """The URL without user and parameters."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port is None else f":{self.port}"
        return "/".join((f"{self.scheme}://{host}{port}", *self.path))

    def without_secret(self, text: str) -> str:
        """`text` in one line, without the password wherever a client wrote it."""
        line = " ".join(text.split())
        return line.replace(self.password, "***") if self.password else line


def refuse_password(url: str) -> None:
    """Let a URL without a secret pass.

    Raises:
        ConfigurationError: it holds a password or token, or cannot be read.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ConfigurationError("The URL of the warehouse cannot be read: mend it.") from None
    # Parameters stand behind ";" in URLs of Spark Connect.
    text = f"{parts.query}&{parts.path.partition(';')[2].replace(';', '&')}"
    names = {name.lower() for name, _ in parse_qsl(text, keep_blank_values=True)}
    if parts.password is not None or any(name.endswith(_SECRET) for name in names):
        raise ConfigurationError(
            "The URL of the warehouse holds a secret: take it out, and set "
            f"{PASSWORD} (and {USER})."
        )


def read_server(url: str, environ: Mapping[str, str], options: frozenset[str]) -> Server:
    """Read `scheme://[user@]host[:port][/path][?options]`.

    Args:
        url: the URL.
        environ: the environment, with the credentials.
        options: the parameters that there are.

    Raises:
        ConfigurationError: it is not such a URL, or holds a secret or an unknown parameter.
    """
    refuse_password(url)
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise ConfigurationError(f"The URL of the warehouse is wrong ({error}): mend it.") from None
    if not parts.hostname:
        raise ConfigurationError(
            f"The URL of the warehouse names no server: write {parts.scheme}://HOST:PORT/..."
        )
    path, _, more = parts.path.partition(";")
    given = dict(parse_qsl(f"{parts.query}&{more.replace(';', '&')}", keep_blank_values=True))
    unknown = sorted(given.keys() - options)
    if unknown:
        raise ConfigurationError(
            f"The URL of the warehouse has the parameter {unknown[0]!r}, which is not read: there "
            f"are {', '.join(sorted(options)) or 'none'}."
        )
    user = environ.get(USER, "") or unquote(parts.username or "")
    names = tuple(unquote(part) for part in path.split("/") if part)
    return Server(
        parts.scheme.lower(),
        parts.hostname,
        port,
        names,
        given,
        user,
        environ.get(PASSWORD, ""),
    )
