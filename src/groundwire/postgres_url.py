"""Where a PostgreSQL server is, and with whose credentials it is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from groundwire.errors import ConfigurationError

_OPTIONS = frozenset(("sslmode", "sslrootcert", "sslcert", "sslkey", "target_session_attrs"))


@dataclass(frozen=True, slots=True)
class Place:
    """A database on a server.

    Attributes:
        host: name or address.
        port: of the server.
        database: its name.
        user: a name that the URL holds, or None.
        options: how the connection is made, by libpq's names.
    """

    host: str
    port: int
    database: str
    user: str | None = None
    options: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def shown(self) -> str:
        """The URL for audits: no user, no options."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"postgresql://{host}:{self.port}/{self.database}"


def read_url(url: str) -> Place:
    """Read `postgresql://[user@]host[:port]/database[?sslmode=...]`.

    Raises:
        ConfigurationError: it is not such a URL, or holds a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or 5432
    except ValueError as error:
        raise ConfigurationError(f"The PostgreSQL URL cannot be read ({error}): mend it.") from None
    if parts.scheme not in ("postgresql", "postgres") or not parts.hostname:
        raise ConfigurationError(
            "The PostgreSQL URL is not of the form postgresql://host:port/database: mend it."
        )
    if parts.password is not None:
        raise ConfigurationError(
            "The PostgreSQL URL holds a password: take it out, and name an environment variable."
        )
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(options.keys() - _OPTIONS)
    if unknown:
        raise ConfigurationError(
            f"The PostgreSQL URL holds {unknown[0]}, and only {', '.join(sorted(_OPTIONS))} may "
            "stand there: take it out."
        )
    user = unquote(parts.username) if parts.username else None
    database = unquote(parts.path.lstrip("/"))
    if not database:
        raise ConfigurationError("The PostgreSQL URL names no database: add /NAME.")
    return Place(parts.hostname, port, database, user, options)


def connection_arguments(
    place: Place,
    user_variable: str | None,
    password_variable: str | None,
    environ: Mapping[str, str] = os.environ,
) -> dict[str, Any]:
    """Return what psycopg connects with; the secrets are read from the environment now.

    Args:
        place: the database.
        user_variable: the variable that holds the role; None: the URL's, or the system's.
        password_variable: the variable that holds the password; None: without.
        environ: the environment.

    Raises:
        ConfigurationError: a variable is not set.
    """
    arguments: dict[str, Any] = {
        **place.options,
        "host": place.host,
        "port": place.port,
        "dbname": place.database,
        # No secrets from files that nobody named.
        "passfile": f"{os.devnull}/none",
        "application_name": "groundwire",
        "keepalives": 1,
    }
    if place.user:
        arguments["user"] = place.user
    for key, variable in (("user", user_variable), ("password", password_variable)):
        if variable is None:
            continue
        if not environ.get(variable):
            raise ConfigurationError(f"The variable {variable} is not set: set it to the {key}.")
        arguments[key] = environ[variable]
    return arguments
