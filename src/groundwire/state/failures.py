"""Failures of PostgreSQL, in one line that says what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.errors import UnavailableError

if TYPE_CHECKING:
    import psycopg

_AGAIN = "try again, and see how busy the server is if it lasts"
_CHANGED = "its tables are not those of this version, so look who else changes them"
# By SQLSTATE, or by its first two characters.
_REMEDIES = {
    "08": "see that the server runs and that GROUNDWIRE_STATE names it",
    "22": "a name or a text holds what PostgreSQL does not keep, so use another",
    "25006": "it is read-only, as a standby is, so name the primary in GROUNDWIRE_STATE",
    "28": "see that the user in GROUNDWIRE_STATE and GROUNDWIRE_STATE_PASSWORD are right",
    "3D": "make the database, or name another in GROUNDWIRE_STATE",
    "42P01": _CHANGED,
    "42703": _CHANGED,
    "42501": "let the user of GROUNDWIRE_STATE make schemas: GRANT CREATE ON DATABASE",
    "53": _AGAIN,
    "53100": "free some space on its disk",
    "55P03": "another server is at work on it, so try again",
    "57014": _AGAIN,
    "57P": "the server is ending or starting, so try again",
}
# Where nobody answers at the address, libpq says so in its own words and there is no SQLSTATE.
_NOBODY = re.compile(
    r"refused|timed? ?out|timeout expired|translate host name|unreachable|no route|no such file"
    r"|closed|reset|terminat|lost",
    re.IGNORECASE,
)
_LONGEST = 200


class ForeignSchemaError(Exception):
    """The tables are not those of this version; `remedy` says what to do."""

    def __init__(self, said: str, remedy: str) -> None:
        super().__init__(said)
        self.remedy = remedy


def unavailable(
    what: str, error: psycopg.Error | ForeignSchemaError, secret: str
) -> UnavailableError:
    """Return the error to raise for what PostgreSQL or libpq said.

    Args:
        what: the store and the database, such as "The journeys in postgresql://db:5432/state".
        error: what was said.
        secret: the password, which is never repeated.
    """
    if isinstance(error, ForeignSchemaError):
        return UnavailableError(f"{what} cannot be used ({error}): {error.remedy}.")
    said = error.diag.message_primary or str(error)
    said = " ".join((said.replace(secret, "***") if secret else said).split()).rstrip(".")
    # libpq tells each address that it tried; the server's own words come last.
    said = said.rpartition("FATAL: ")[2].strip()[-_LONGEST:]
    # An error without a state is of the connection, or of a value that was not even sent.
    state = error.sqlstate or ("08" if _NOBODY.search(said) else "28")
    state = "22" if error.__class__.__name__ == "DataError" else state
    found = (state, state[:3], state[:2])
    remedy = next((_REMEDIES[one] for one in found if one in _REMEDIES), _AGAIN)
    return UnavailableError(f"{what} cannot be used ({said}): {remedy}.")
