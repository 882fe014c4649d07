"""One endpoint of the registry: where it is, what it speaks, and what may be asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, model_validator

from groundwire.errors import ConfigurationError, GroundwireError
from groundwire.graph.dialects import Dialect
from groundwire.safe_text import LONGEST_NAME, inert_line, safe_line, shown_url
from groundwire.sparql.outcome import Language
from groundwire.transport.addresses import AddressPolicy, address_kind
from groundwire.transport.messages import Auth, Digest
from groundwire.transport.targets import Target, parse_target

IRI_MARK = "{iri}"
"""The placeholder in a describe template that the percent-encoded IRI replaces."""

# With a host, and without a user name, which could make a host look like another one.
_FOLLOWED = re.compile(r"https?://[^\s/?#@]+(?:[/?#]|$)", re.IGNORECASE)
_RUNNING = re.compile(r"(?:javascript|vbscript|data|blob|file):", re.IGNORECASE)
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
# A number sign makes a heading of a line that it begins, and nothing within one.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~&$]|^#|(?<=\])\(")
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")
_UNSAFE = re.compile(
    r'[\s\x00-\x20\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069<>"{}|\\^`()\[\]]'
)


def check_template(template: str, endpoint: Target, name: str) -> None:
    """Refuse a describe template that would send readers elsewhere.

    Args:
        template: the template; empty for none.
        endpoint: where the endpoint is.
        name: name of the endpoint, for the message.

    Raises:
        ValueError: `{iri}` is not in it once and after the host, or it is of another origin.
    """
    if not template:
        return
    before, mark, after = template.partition(IRI_MARK)
    if not mark or set("{}") & set(before + after):
        raise ValueError(f"describe_template of {name} needs {IRI_MARK} in it once")
    host, slash, _ = before.partition("://")[2].partition("/")
    if not slash or not host:
        raise ValueError(f"describe_template of {name} needs {IRI_MARK} after its host and a /")
    try:
        origin = parse_target(before).origin
    except GroundwireError as error:
        raise ValueError(f"describe_template of {name}: {error}") from error
    if origin != endpoint.origin:
        raise ValueError(
            f"describe_template of {name} is of another origin than its url: use one at "
            f"{endpoint.scheme}://{endpoint.authority}, or leave it out"
        )


def describe_url(endpoint: Endpoint, iri: str) -> str:
    """Where to read about an IRI.

    Args:
        endpoint: the endpoint that answered with it.
        iri: the IRI, of any scheme.

    Returns:
        the URL of that endpoint's describe service, else the IRI itself; "" for an IRI that would
        run or show what it holds, as "javascript:" does.
    """
    if not endpoint.describe_template or not _IRI.match(iri):
        return "" if _RUNNING.match(safe_line(iri)) else iri
    return endpoint.describe_template.replace(IRI_MARK, quote(iri, safe="", errors="replace"))


def markdown_link(label: str, iri: str, endpoint: Endpoint) -> str:
    """An entity as a Markdown link to where its data are read, to stand within a line.

    Nothing in label or IRI can end the link, begin another one, or break a table. Only http and
    https are linked; of another entity it is the label alone.
    """
    name = safe_line(label)
    shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
    text = markdown_text(shown) or markdown_text(iri)
    url = describe_url(endpoint, iri)
    return f"[{text}]({markdown_url(url)})" if _FOLLOWED.match(url) else text


def followed_url(endpoint: Endpoint, iri: str) -> str:
    """Where to read about an IRI, if that is a web address; else ""."""
    url = describe_url(endpoint, iri)
    return markdown_url(url) if _FOLLOWED.match(url) else ""


def shown_iri(iri: str) -> str:
    """An IRI within a text: in angle brackets if it is a web address, which makes it a link."""
    return f"<{markdown_url(iri)}>" if _FOLLOWED.match(iri) else inert_line(iri)


def markdown_text(text: str) -> str:
    """Return a graph's words as Markdown within a line that shows them and does nothing else."""
    return _SPECIAL.sub(r"\\\g<0>", safe_line(text))


def markdown_url(url: str) -> str:
    """A URL as the target of a Markdown link: what Markdown would read is encoded."""
    return _ENTITY.sub("&amp;", _UNSAFE.sub(lambda found: quote(found[0], safe=""), url))


Kind = Literal["sparql", "sql", "graphql"]
Place = Literal[
    "remote", "embedded", "files", "duckdb", "sqlite", "postgresql", "chdb", "clickhouse", "trino",
    "spark",
]  # fmt: skip
TextSearch = Literal[
    "bif_contains", "local", "regex", "index",
    "jena", "lucene_connector", "lucene_sail", "qlever", "bds", "wikibase",
]  # fmt: skip

LAKES: tuple[Place, ...] = ("chdb", "clickhouse", "trino", "spark")
"""The places whose SQL runs at an engine of `groundwire.tables`, through its gate."""

MAX_LIMIT = 1000
"""The most results that one query may be asked for."""

_PLACES: dict[str, Place] = {
    "http": "remote",
    "https": "remote",
    "local": "embedded",
    "duckdb": "duckdb",
    "sqlite": "sqlite",
    "postgresql": "postgresql",
    "postgres": "postgresql",
    "chdb": "chdb",
    "clickhouse": "clickhouse",
    "trino": "trino",
    "sc": "spark",
    "spark": "spark",
}
_KIND_PLACES: dict[Kind, tuple[Place, ...]] = {
    "sparql": ("embedded", "files", "remote"),
    "sql": ("embedded", "duckdb", "sqlite", "postgresql", *LAKES),
    "graphql": ("remote",),
}
_URL_FORMS: dict[Kind, str] = {
    "sparql": "https://host/sparql or local:NAME, or give files",
    "sql": (
        "duckdb:PATH, sqlite:///PATH, chdb:PATH, postgresql://host/database, "
        "clickhouse://host/database, trino://host/catalog/schema, sc://host or local:NAME"
    ),
    "graphql": "https://host/graphql",
}
_LANGUAGES: dict[Kind, tuple[Language, ...]] = {
    "sparql": ("sparql", "spasql", "graphql"),
    "sql": ("sql", "spasql"),
    "graphql": ("graphql",),
}
_WITH_CREDENTIALS = ("remote", "postgresql", "clickhouse", "trino", "spark")
_USERINFO_PASSWORD = re.compile(r"://[^/?#@]*:[^/?#]*@")

# How labels are searched where the registry does not say it, by the kind of server.
_TEXT_SEARCHES: dict[str, TextSearch] = {
    "fuseki": "jena",
    "rdf4j": "lucene_sail",
    "qlever": "qlever",
    "blazegraph": "bds",
    "oxigraph": "index",
}
ENGINE_SEARCHES = ("jena", "lucene_connector", "lucene_sail", "qlever", "bds", "wikibase")
"""Ways of searching labels by an index that the endpoint's own engine has."""
_REMOTE_SEARCHES = ("index", *ENGINE_SEARCHES)

Variable = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$|^$")]
Iri = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+$")]


class Part(BaseModel):
    """A part of a registry."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Endpoint(Part):
    """An endpoint: `[[endpoints]]`.

    Attributes:
        name: what callers know it by.
        kind: what it is: a graph, a database, or an HTTP service for GraphQL.
        url: http(s) URL; `local:NAME` for an embedded one; of a database `duckdb:PATH`,
            `sqlite:///PATH`, `chdb:PATH`, `postgresql://host/database`,
            `clickhouse://host/database`, `trino://host/catalog/schema` or `sc://host`; of
            `files`, `local:` and the name.
        files: RDF files and folders that make a local graph.
        dialect: the kind of SPARQL server.
        describe_template: URL of its describe service with `{iri}` for the percent-encoded IRI;
            empty where it has none.
        username_env, password_env, token_env: variables that hold its credentials.
        digest: user name and password are proved by HTTP Digest, and not sent.
        timeout: seconds for a query; None takes the registry's.
        limit: results by default; None takes the registry's.
        allow_private: its address may be a loopback or private one.
        text_search: how labels are searched: by an index of Virtuoso (`bif_contains`), of another
            engine (`groundwire.sparql.label_queries`), of this machine for a local graph (`local`)
            or beside a remote one (`index`), or by `regex`.
        text_index: the name of GraphDB's Lucene connector, or the host of a wiki.
        label_refresh_hours: hours after which an index beside the endpoint is made anew.
        inference: rule set for reasoning, or empty.
        ontologies: IRIs of ontologies whose labels, subclasses and equivalents help.
        functions: functions that queries may call beside the known harmless ones.
        graphs: graphs that queries may name by FROM.
        languages: query languages that it takes.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]
    kind: Kind = "sparql"
    url: Annotated[str, Field(max_length=2000)]
    files: tuple[Path, ...] = ()
    dialect: Dialect = "generic"
    describe_template: str = ""
    username_env: Variable = ""
    password_env: Variable = ""
    token_env: Variable = ""
    digest: bool = False
    timeout: Annotated[float, Field(gt=0, le=600)] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] | None = None
    allow_private: bool = False
    text_search: TextSearch = "regex"
    text_index: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$", max_length=100)] = ""
    label_refresh_hours: Annotated[float, Field(gt=0, le=8760)] = 24
    inference: Annotated[str, Field(pattern=r"^[^\s'\"<>{}\\]*$", max_length=200)] = ""
    ontologies: tuple[Iri, ...] = ()
    functions: tuple[Annotated[str, Field(min_length=1, max_length=400)], ...] = ()
    graphs: tuple[Iri, ...] = ()
    languages: tuple[Language, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, tree: Any) -> Any:
        """Fill in what follows from kind and place where the file does not say it."""
        if not isinstance(tree, dict):
            return tree
        given: dict[str, Any] = {**tree}
        if given.get("files"):
            if given.get("url"):
                raise ValueError("give either url or files, not both")
            given["url"] = f"local:{given.get('name', '')}"
        given.setdefault("url", "")
        if str(given["url"]).startswith("local:"):
            given.setdefault("dialect", "oxigraph")
            given.setdefault("text_search", "local")
        elif given.get("dialect") == "virtuoso":
            given.setdefault("text_search", "bif_contains")
        elif given.get("dialect") in _TEXT_SEARCHES:
            given.setdefault("text_search", _TEXT_SEARCHES[given["dialect"]])
        kind = given.get("kind", "sparql")
        if kind in get_args(Kind):
            given.setdefault("languages", _taken(kind, str(given["url"])))
        return given

    @model_validator(mode="after")
    def _consistent(self) -> Endpoint:
        scheme = self.url.partition(":")[0].lower()
        place = "files" if self.files else _PLACES.get(scheme)
        if place not in _KIND_PLACES[self.kind]:
            raise ValueError(
                f"the url of {self.name}, whose kind is {self.kind}, has to be "
                f"{_URL_FORMS[self.kind]}"
            )
        self._check_place()
        self._check_credentials()
        self._check_dialect()
        taken = _taken(self.kind, self.url)
        if not self.languages or not set(self.languages) <= set(taken):
            raise ValueError(f"languages of {self.name} can only be {', '.join(taken)}")
        return self

    def _check_place(self) -> None:
        if self.place == "remote":
            target = _target(self.url, self.name, "url")
            if shown_url(self.url) != self.url:
                raise ValueError(
                    f"the url of {self.name} holds a key: remove it and name the variable that "
                    "holds it by token_env"
                )
            if not self.allow_private and is_inside(target.host):
                raise ValueError(
                    f"{self.name} is at a loopback or private address: set its allow_private = "
                    "true if that is meant"
                )
            check_template(self.describe_template, target, self.name)
            return
        if self.describe_template:
            raise ValueError(
                f"{self.name} is no remote endpoint, so it has no describe service: remove "
                "describe_template"
            )
        if _USERINFO_PASSWORD.search(self.url) or _has_password_parameter(self.url):
            raise ValueError(
                f"the url of {self.name} holds a password: remove it and name the variables that "
                "hold the credentials by username_env and password_env"
            )
        if self.place in LAKES:
            _check_lake(self.url, self.name)
        after = self.url.partition(":")[2]
        if not after.strip("/") or (self.path and after[:2] == "//" and after[:3] != "///"):
            raise ValueError(f"the url of {self.name} has to be {_URL_FORMS[self.kind]}")

    def _check_credentials(self) -> None:
        if bool(self.username_env) != bool(self.password_env):
            raise ValueError(f"{self.name} needs both username_env and password_env, or neither")
        if self.token_env and (self.username_env or self.place == "postgresql"):
            raise ValueError(
                f"{self.name} has one kind of credentials: username_env and password_env, or, "
                "over HTTP, token_env"
            )
        if self.digest and not (self.username_env and self.place == "remote"):
            raise ValueError(
                f"digest of {self.name} is for endpoints over HTTP with username_env and "
                "password_env: set these, or remove it"
            )
        if self.token_env and self.place in ("clickhouse", "trino"):
            raise ValueError(f"{self.name} takes username_env and password_env, and no token_env")
        if self.credential_variables and self.place not in _WITH_CREDENTIALS:
            raise ValueError(f"{self.name} is local and takes no credentials: remove them")

    def _check_dialect(self) -> None:
        if self.text_search == "bif_contains" and self.dialect != "virtuoso":
            raise ValueError(f'text_search of {self.name}: bif_contains needs dialect = "virtuoso"')
        if self.text_search == "lucene_connector" and not self.text_index:
            raise ValueError(f"text_search of {self.name}: name GraphDB's connector in text_index")
        if self.text_search in _REMOTE_SEARCHES and self.place != "remote":
            raise ValueError(f"text_search of {self.name}: {self.text_search} is for remote graphs")
        if self.text_search == "local" and self.place not in ("embedded", "files"):
            raise ValueError(f"text_search of {self.name}: local is for local graphs")
        if self.inference and self.dialect != "virtuoso":
            raise ValueError(f'inference of {self.name} needs dialect = "virtuoso"')

    @property
    def place(self) -> Place:
        """Where it is, and so who runs its queries."""
        return "files" if self.files else _PLACES[self.url.partition(":")[0].lower()]

    @property
    def key(self) -> str:
        """Return what tells it from others: two URLs of callers are two endpoints of one name."""
        return f"{self.name} {self.url}"

    @property
    def path(self) -> Path | None:
        """The file of a DuckDB or SQLite database, or the folder of chDB, else None."""
        if self.place not in ("duckdb", "sqlite", "chdb"):
            return None
        # sqlite:///relative and sqlite:////absolute, as database URLs are written.
        return Path(self.url.partition(":")[2].removeprefix("///")).expanduser()

    @property
    def addresses(self) -> AddressPolicy:
        """The addresses that a client of this endpoint may connect to."""
        if self.place != "remote" or not self.allow_private:
            return AddressPolicy()
        return AddressPolicy(frozenset({parse_target(self.url).authority}))

    @property
    def shown(self) -> str:
        """The URL as audits and lists show it: no secret, and no folder of this machine."""
        if self.path is not None:
            return f"{self.url.partition(':')[0].lower()}:{self.path.name}"
        return shown_url(self.url)

    @property
    def credential_variables(self) -> tuple[str, ...]:
        """The names of the variables that hold its credentials."""
        named = (self.username_env, self.password_env, self.token_env)
        return tuple(name for name in named if name)

    def credentials(self, environ: Mapping[str, str] | None = None) -> Auth | None:
        """User name and password, or a token, read now from the environment; None for none.

        Raises:
            ConfigurationError: a variable that the registry names is not set.
        """
        env = os.environ if environ is None else environ
        missing = [name for name in self.credential_variables if not env.get(name)]
        if missing:
            raise ConfigurationError(
                f"Endpoint {self.name} needs the variable {' and '.join(missing)}: set it, or "
                "remove its name from the registry."
            )
        if self.token_env:
            return env[self.token_env]
        if not self.username_env:
            return None
        known = (env[self.username_env], env[self.password_env])
        return Digest(*known) if self.digest else known

    def located(self, folder: Path) -> Endpoint:
        """The endpoint with its relative paths read from `folder`."""
        changed: dict[str, Any] = {
            "files": tuple((folder / path.expanduser()).absolute() for path in self.files)
        }
        if self.path is not None:
            changed["url"] = f"{self.url.partition(':')[0]}:///{(folder / self.path).absolute()}"
        return self.model_copy(update=changed)


def _taken(kind: Kind, url: str) -> tuple[Language, ...]:
    """The languages that an endpoint can take: SPARQL within SQL joins its blocks in DuckDB."""
    place = _PLACES.get(url.partition(":")[0].lower())
    if kind == "sql" and place in ("sqlite", "postgresql", *LAKES):
        return ("sql",)
    return _LANGUAGES[kind]


def _target(url: str, name: str, what: str) -> Target:
    """The checked URL; what is wrong with it is an error of the registry."""
    try:
        return parse_target(url)
    except GroundwireError as error:
        raise ValueError(f"{what} of {name}: {error}") from error


def _check_lake(url: str, name: str) -> None:
    """Let the URL of an engine pass that holds no secret."""
    from groundwire.tables.credentials import refuse_password

    try:
        refuse_password(url)
    except ConfigurationError:
        raise ValueError(
            f"the url of {name} holds a secret, or cannot be read: take the secret out and name "
            "the variables that hold it by username_env and password_env, or of Spark by token_env"
        ) from None


def _has_password_parameter(url: str) -> bool:
    """Whether a parameter of a URL is named like a password."""
    parameters = re.split("[?&]", url)[1:]
    return any("password" in one.partition("=")[0].casefold() for one in parameters if "=" in one)


def is_inside(host: str) -> bool:
    """Whether a host is written as one of this machine or of a private network."""
    plain = host.rstrip(".").lower()
    if plain == "localhost" or plain.endswith(".localhost"):
        return True
    try:
        ip_address(plain)
    except ValueError:
        return False
    return address_kind(plain) in ("loopback", "private")
