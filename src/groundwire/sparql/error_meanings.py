"""Meanings of errors of endpoints and drivers, and what to do about each.

Statuses are those of RFC 9110 and RFC 6585; SQLSTATE classes those of PostgreSQL's appendix A;
S1TAT and SR... are Virtuoso's. The first sign that an error shows decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class _Meaning(NamedTuple):
    sign: re.Pattern[str]
    means: str


def _sign(pattern: str, means: str) -> _Meaning:
    return _Meaning(re.compile(pattern, re.IGNORECASE), means)


_MEANINGS = (
    _sign(
        r"\bS1TAT\b|anytime|\bpartial\b",
        "the endpoint's time ran out and it sent what it had: narrow the query, or raise timeout "
        "in the registry; never tell it as all there is.",
    ),
    _sign(
        r"\b429\b|too many requests|rate limit",
        "the endpoint takes no more requests now: wait as long as its Retry-After says, and ask "
        "less often.",
    ),
    _sign(
        r"\b401\b|unauthori[sz]ed|\b28P01\b|password authentication|authentication failed",
        "the credentials are missing or wrong: set the variables that username_env and "
        "password_env, or token_env, of the endpoint name, and start the server again.",
    ),
    _sign(
        r"\b403\b|forbidden|permission denied|\b42501\b|\bSR186\b",
        "the account may not do this: the endpoint's administrator grants it, or another endpoint "
        "is asked.",
    ),
    _sign(
        r"\b404\b|not found|\b405\b",
        "the URL is not that of a SPARQL service: it often ends in /sparql or /query; correct url "
        "in the registry.",
    ),
    _sign(
        r"no module named|psycopg|install 'groundwire\[",
        "the driver is not installed: PostgreSQL needs pip install 'groundwire[postgres]'.",
    ),
    _sign(
        r"certificate|\bSSL\b|\bTLS\b|handshake",
        "the endpoint's certificate is not trusted here: have its chain installed, or set "
        "SSL_CERT_FILE to a file that holds its issuer.",
    ),
    _sign(
        r"name or service not known|getaddrinfo|name resolution|nodename nor servname|\bDNS\b",
        "the host name is not known here: check its spelling in the registry, and the network.",
    ),
    _sign(
        r"refused to connect|connection refused|ECONNREFUSED|\b08001\b|\b08006\b",
        "nothing listens at that host and port: start the server there, or correct url.",
    ),
    _sign(
        r"timed? ?out|deadline|time limit|\b408\b|\b504\b|\b57014\b",
        "there was no answer in time: narrow the query, or raise timeout in the registry.",
    ),
    _sign(
        r"\b50[023]\b|bad gateway|unavailable|internal server error",
        "the endpoint itself fails: try again later, or ask a fallback endpoint.",
    ),
    _sign(
        r"loopback|private|not public|URLs of endpoints are not accepted",
        "the guard keeps the server away from addresses that no registry names: add the endpoint "
        "to the file of GROUNDWIRE_ENDPOINTS.",
    ),
    _sign(
        r"is refused|not on the list|is an update|only SELECT",
        "the gate does not let this query through: read the reason, and write it without that "
        "part.",
    ),
    _sign(
        r"\b400\b|syntax|well-formed|parse error|\b37000\b|\b42601\b|\b42P01\b|\bSP030\b",
        "the query cannot be read, or names something that is not there: mend it as the message "
        "says; explore_types and describe_entity show what there is.",
    ),
)


def meaning(error: str) -> str:
    """Say what an error means and what to do; return "" for one of an unknown sort."""
    found = next((one.means for one in _MEANINGS if one.sign.search(error)), "")
    return f"It most likely means that {found}" if found else ""
