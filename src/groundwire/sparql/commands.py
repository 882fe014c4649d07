"""The texts of the eight commands (seed 003, "User-Facing Commands").

Meanings of errors of endpoints and drivers, and what to do about each. Statuses are those of RFC
9110 and RFC 6585; SQLSTATE classes those of PostgreSQL's appendix A; S1TAT and SR... are
Virtuoso's. The first sign that an error shows decides.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from groundwire.sparql.endpoint import MAX_LIMIT
from groundwire.sparql.workspace import Workspace


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


_SAMPLE = (
    "SELECT g.label, p.value FROM (SPARQL SELECT ?label ?code WHERE { ... }) AS g "
    "JOIN population p ON p.country_code = g.code"
)


async def help_text(workspace: Workspace) -> str:
    """`/help`."""
    return (
        "Help the user with Groundwire's queries and knowledge graphs. Call run_kg_workflow with "
        'the question (its graph holds this server\'s own help; try "What is SPARQL?"), and show '
        f"the links it returns. {await _endpoints(workspace)} Commands: /help, /query, /config, "
        "/troubleshoot, /limit, /kg-on, /kg-off, /kg-verify."
    )


async def query_text(workspace: Workspace, question: str) -> str:
    """`/query`."""
    asked = f" The question is: {question}" if question.strip() else ""
    return (
        "Help the user to write SPARQL within SQL (SPASQL) and run it with execute_query, "
        f"query_language spasql. The form is: {_SAMPLE}. Each block is one SPARQL SELECT whose "
        "variables become columns; the outer query is one SQL SELECT. Explore first with "
        f"explore_types and describe_entity; never invent an IRI. {await _endpoints(workspace)}"
        f"{asked}"
    )


async def config_text(workspace: Workspace) -> str:
    """`/config`."""
    return (
        "Guide the user through connecting an endpoint. Endpoints stand in a TOML file that "
        "GROUNDWIRE_ENDPOINTS names: name, url, dialect (virtuoso, oxigraph, qlever, blazegraph, "
        "graphdb, fuseki, rdf4j, generic), describe_template, and the names of variables that hold "
        "credentials (username_env and password_env, or token_env), never the credentials. SQL "
        'needs kind = "sql" and duckdb:PATH, sqlite:///PATH, chdb:PATH, '
        "postgresql://host/database, clickhouse://host/database, trino://host/catalog/schema or "
        "sc://host (Spark Connect); servers need pip install 'groundwire[postgres]', [clickhouse], "
        "[chdb], [trino] or [spark], [lake] for all but Spark. `groundwire doctor` checks all of "
        f"it, and list_endpoints says which endpoints answer. {await _endpoints(workspace)}"
    )


async def troubleshoot_text(workspace: Workspace, error: str) -> str:
    """`/troubleshoot`."""
    said = f" The error is: {error} {meaning(error)}".rstrip() if error.strip() else ""
    return (
        "Find out why a connection or query fails. Call list_endpoints: it says which endpoints "
        "answer and why others do not. A refused query says what the gate does not allow; a "
        "partial or truncated one is told as such. Look at the audit block for status code and "
        "timestamps, and search the help with run_kg_workflow. "
        f"{await _endpoints(workspace)}{said}"
    )


def limit_text(number: str) -> str:
    """`/limit`."""
    figures = [word for word in number.replace(",", "").split() if re.search(r"\d", word)]
    said = figures[0] if len(figures) == 1 else "" if number.strip() else "10"
    if not (said.isascii() and said.isdigit() and 1 <= int(said[:9]) <= MAX_LIMIT):
        return (
            f"The user wants the result limit to be {number!r}, which is no whole number from 1 to "
            f"{MAX_LIMIT:,}. Change nothing, and ask which limit is meant."
        )
    return f"Call set_kg_policy with limit {int(said)}, and tell the user what its answer says."


def kg_text(kg: Literal["on", "off"]) -> str:
    """`/kg-on` and `/kg-off`."""
    return (
        f"Call set_kg_policy with kg {kg}, and tell the user what its answer says. It holds for "
        "this and later prompts."
        + (" From now on call run_kg_workflow for every prompt." if kg == "on" else "")
    )


def verify_text(prompt: str) -> str:
    """`/kg-verify`."""
    return (
        f"{prompt}\n\nCall run_kg_workflow with this prompt and enforce strict. Then summarize "
        "what it returned and nothing else, name the IRI and describe link of every entity, and "
        "check the summary with verify_answer before showing it. Only status answered backs it: an "
        "entity that was found and not asked for is no answer. If it was aborted, show its "
        "exit_message."
    )


async def _endpoints(workspace: Workspace) -> str:
    desk = await workspace.desk()
    named = ", ".join(
        f"{one.name} ({', '.join(one.languages)})" for one in desk.registry.endpoints[:12]
    )
    return f"Endpoints: {named}."
