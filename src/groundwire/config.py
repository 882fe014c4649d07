"""Settings from environment variables, and the reading of configuration files.

Settings are read once per process by whoever composes a server. Names and meanings of the
variables are public (see docs/variables.md).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from groundwire.errors import ConfigurationError
from groundwire.problems import phrase

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

Model = TypeVar("Model", bound="BaseModel")

MOST_SHOWN = 5
"""Problems of one file that its error tells."""

LOG_LEVELS = ("debug", "info", "warning", "error")

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class AiSettings:
    """The settings of agents' models that the environment gives.

    Everything is text as it was written, empty where nothing was: these names are of other software
    too, and only whoever starts agents needs them to be right. `agents.models.wishes` checks them.

    Attributes:
        provider: `AI_PROVIDER`; empty means rules.
        model: `AI_MODEL`; empty means the provider's or the agent's own.
        base_url: `AI_BASE_URL`; empty means the provider's own address.
        effort: `LLM_EFFORT`, how much a model thinks.
        temperature: `LLM_TEMPERATURE`.
        thinking_budget: `LLM_THINKING_BUDGET`, tokens.
        max_agent_steps: `LLM_MAX_AGENT_STEPS`, rounds of the ontology agent.
        anthropic_key: `ANTHROPIC_API_KEY`, or None.
        openai_key: `OPENAI_API_KEY`, the key of any chat-completions server, or None.
    """

    provider: str = ""
    model: str = ""
    base_url: str = ""
    effort: str = ""
    temperature: str = ""
    thinking_budget: str = ""
    max_agent_steps: str = ""
    anthropic_key: str | None = field(default=None, repr=False)
    openai_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """The settings of serving over HTTP that the environment gives.

    Attributes:
        audience: the URL by which clients reach the server; empty means its address.
        issuers: authorization servers whose tokens are let in.
        jwks: where their keys are, in the same order; empty means as their metadata says.
        origins: origins whose pages may call the server from a browser.
        stateless: whether no session is kept for clients of 2025-11-25 and before.
        body_bytes: longest body of a request.
        calls_per_minute: requests of one owner in a minute; 0 means no limit.
        calls_at_once: requests of one owner that are answered at once; 0 means no limit.
        link_seconds: how long a link to a file holds.
        ui: whether answers, runs of agents and maps can be looked at in a browser, at `/ui`.
    """

    audience: str = ""
    issuers: tuple[str, ...] = ()
    jwks: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    stateless: bool = False
    body_bytes: int = 4_194_304
    calls_per_minute: int = 600
    calls_at_once: int = 32
    link_seconds: int = 3_600
    ui: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that the environment gives; every field has a default that needs no set-up.

    Attributes:
        home: state folder (evidence, caches, stores); created when it is first written to.
        state: URL of the PostgreSQL database that holds state beside others' servers, or empty for
            SQLite files in `home`.
        shapes: SHACL and OWL files or folders; empty means the embedded shapes.
        assets: files, folders or one SPARQL endpoint URL; empty means the embedded catalogue.
        profile: metrics profile (TOML); None means the embedded one.
        facts: file of the fact store; None means the one that belongs to the profile, in `home`.
        facts_database: URL of the PostgreSQL database that holds the facts instead, or empty.
        models: files of semantic models (Ossie, or dbt's semantic manifest).
        warehouse: URL of the engine whose tables the models describe, or empty.
        endpoints: endpoint registry (TOML); None means the embedded one.
        tfl_key: the key of the TfL API, or None to ask without one.
        tfl_base_url: base URL of the TfL API, `offline` for the embedded network alone; empty means
            TfL's own.
        journeys: `GROUNDWIRE_JOURNEYS`: london, the name of an imported feed, or the URL of a
            journey planner; empty means london.
        toolsets: toolsets to offer; empty means the server's default.
        tools: single tools to offer; empty means all of the toolsets.
        read_only: hide tools that change state or write files.
        http_token: the bearer token, or None.
        log_json: whether log lines are JSON, and each call over HTTP has one.
        log_questions: whether log lines hold the arguments of calls, and thoughts of agents.
        http: how HTTP is served beside the token.
        log_level: the least severe lines that agents log to stderr, one of `LOG_LEVELS`; empty
            means info where a server serves, and error where a person asks.
        ai: the models of agents.
    """

    home: Path
    state: str = field(default="", repr=False)
    shapes: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()
    profile: Path | None = None
    facts: Path | None = None
    facts_database: str = field(default="", repr=False)
    models: tuple[Path, ...] = ()
    warehouse: str = field(default="", repr=False)
    endpoints: Path | None = None
    tfl_key: str | None = field(default=None, repr=False)
    tfl_base_url: str = ""
    journeys: str = ""
    toolsets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    read_only: bool = False
    http_token: str | None = field(default=None, repr=False)
    log_level: str = ""
    log_json: bool = False
    log_questions: bool = False
    http: HttpSettings = HttpSettings()
    ai: AiSettings = AiSettings()


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from `environ` (default: the process environment).

    Raises:
        ConfigurationError: a variable holds a value that cannot be read.
    """
    env = os.environ if environ is None else environ
    facts_database = ""
    if _scheme(env.get("GROUNDWIRE_FACTS", "")) in ("postgresql", "postgres"):
        facts_database = _database(env, "GROUNDWIRE_FACTS", "for the facts of the profile")
    return Settings(
        home=_home(env),
        state=_database(env, "GROUNDWIRE_STATE", "to keep state in files of GROUNDWIRE_HOME"),
        shapes=locations(env.get("GROUNDWIRE_SHAPES", "")),
        assets=locations(env.get("GROUNDWIRE_ASSETS", "")),
        profile=_path(env, "GROUNDWIRE_PROFILE"),
        facts=None if facts_database else _facts(env),
        facts_database=facts_database,
        models=tuple(
            Path(one).expanduser().absolute() for one in locations(env.get("GROUNDWIRE_MODELS", ""))
        ),
        warehouse=env.get("GROUNDWIRE_WAREHOUSE", "").strip(),
        endpoints=_path(env, "GROUNDWIRE_ENDPOINTS"),
        tfl_key=env.get("TFL_APP_KEY", "").strip() or None,
        tfl_base_url=env.get("TFL_BASE_URL", "").strip(),
        journeys=env.get("GROUNDWIRE_JOURNEYS", "").strip(),
        toolsets=names(env.get("GROUNDWIRE_TOOLSETS", "")),
        tools=names(env.get("GROUNDWIRE_TOOLS", "")),
        read_only=_flag(env, "GROUNDWIRE_READ_ONLY"),
        http_token=env.get("GROUNDWIRE_HTTP_TOKEN", "").strip() or None,
        log_level=_log_level(env),
        log_json=_log_json(env),
        log_questions=_flag(env, "GROUNDWIRE_LOG_QUESTIONS"),
        http=_http(env),
        ai=_ai(env),
    )


def _ai(env: Mapping[str, str]) -> AiSettings:
    def said(name: str) -> str:
        return env.get(name, "").strip()

    return AiSettings(
        provider=said("AI_PROVIDER"),
        model=said("AI_MODEL"),
        base_url=said("AI_BASE_URL"),
        effort=said("LLM_EFFORT"),
        temperature=said("LLM_TEMPERATURE"),
        thinking_budget=said("LLM_THINKING_BUDGET"),
        max_agent_steps=said("LLM_MAX_AGENT_STEPS"),
        anthropic_key=said("ANTHROPIC_API_KEY") or None,
        openai_key=said("OPENAI_API_KEY") or None,
    )


def _home(env: Mapping[str, str]) -> Path:
    named = env.get("GROUNDWIRE_HOME", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("groundwire", appauthor=False)


def _database(env: Mapping[str, str], name: str, without: str) -> str:
    """The URL of a database that a variable names, or an empty text.

    Raises:
        ConfigurationError: it is another URL than one of PostgreSQL, or holds a password;
            `without` says what leaving it out is for.
    """
    named = env.get(name, "").strip()
    if named:
        from groundwire.postgres_url import read_url

        try:
            read_url(named)
        except ConfigurationError as error:
            raise ConfigurationError(
                f"{name}: {error} Its password goes into {name}_PASSWORD; leave {name} out "
                f"{without}."
            ) from None
    return named


def _path(env: Mapping[str, str], name: str) -> Path | None:
    named = env.get(name, "").strip()
    return Path(named).expanduser().absolute() if named else None


def _facts(env: Mapping[str, str]) -> Path | None:
    """The file of the fact store.

    Raises:
        ConfigurationError: it is the URL of another engine than SQLite.
    """
    named = env.get("GROUNDWIRE_FACTS", "").strip()
    scheme = _scheme(named)
    if not scheme:
        return _path(env, "GROUNDWIRE_FACTS")
    if scheme != "sqlite":
        raise ConfigurationError(
            f"GROUNDWIRE_FACTS names a {scheme[:20]} database: facts are held in SQLite or "
            "PostgreSQL, so set it to the path of a file, or to postgresql://USER@HOST/DATABASE."
        )
    # sqlite:///relative and sqlite:////absolute, as database URLs are written.
    return Path(named.partition("://")[2].removeprefix("/")).expanduser().absolute()


def _scheme(named: str) -> str:
    """The scheme of a URL in lower case; empty for a path."""
    scheme, mark, _ = named.strip().partition("://")
    return scheme.lower() if mark else ""


def locations(value: str) -> tuple[str, ...]:
    """Split as PATH is split, but keep the colon of `http://` and `https://` in its URL."""
    parts: list[str] = []
    for part in value.split(os.pathsep):
        if parts and _continues_url(parts[-1], part):
            parts[-1] = f"{parts[-1]}:{part}"
        elif part.strip():
            parts.append(part.strip())
    return tuple(parts)


def _continues_url(previous: str, part: str) -> bool:
    """Whether the colon between `previous` and `part` was of one URL: its scheme or its port."""
    if previous.lower() in ("http", "https"):
        return part.startswith("//")
    scheme, _, rest = previous.partition("://")
    if scheme.lower() not in ("http", "https") or "/" in rest or not rest:
        return False
    port = part.split("/", 1)[0]
    return port.isdigit() and int(port) < 65536


def names(value: str) -> tuple[str, ...]:
    """The names of a comma-separated list."""
    return tuple(name.strip() for name in value.split(",") if name.strip())


def _log_level(env: Mapping[str, str]) -> str:
    named = env.get("GROUNDWIRE_LOG_LEVEL", "").strip().lower()
    if named in ("", *LOG_LEVELS):
        return named
    raise ConfigurationError(
        f"GROUNDWIRE_LOG_LEVEL={named[:40]!r} is no level: set it to {', '.join(LOG_LEVELS)}."
    )


def _log_json(env: Mapping[str, str]) -> bool:
    named = env.get("GROUNDWIRE_LOG_FORMAT", "").strip().lower()
    if named in ("", "text", "json"):
        return named == "json"
    raise ConfigurationError(
        f"GROUNDWIRE_LOG_FORMAT={named[:40]!r} is no format: set it to text or json."
    )


def _http(env: Mapping[str, str]) -> HttpSettings:
    default = HttpSettings()
    return HttpSettings(
        audience=env.get("GROUNDWIRE_HTTP_AUDIENCE", "").strip(),
        issuers=names(env.get("GROUNDWIRE_HTTP_ISSUERS", "")),
        jwks=names(env.get("GROUNDWIRE_HTTP_JWKS", "")),
        origins=names(env.get("GROUNDWIRE_HTTP_ORIGINS", "")),
        stateless=_flag(env, "GROUNDWIRE_HTTP_STATELESS"),
        body_bytes=_count(env, "GROUNDWIRE_HTTP_BODY_BYTES", default.body_bytes, least=1),
        calls_per_minute=_count(env, "GROUNDWIRE_HTTP_CALLS_PER_MINUTE", default.calls_per_minute),
        calls_at_once=_count(env, "GROUNDWIRE_HTTP_CALLS_AT_ONCE", default.calls_at_once),
        link_seconds=_count(env, "GROUNDWIRE_HTTP_LINK_SECONDS", default.link_seconds, least=60),
        ui=_flag(env, "GROUNDWIRE_HTTP_UI"),
    )


def _count(env: Mapping[str, str], name: str, default: int, least: int = 0) -> int:
    value = env.get(name, "").strip()
    if not value:
        return default
    if value.isascii() and value.isdigit() and len(value) < 12 and int(value) >= least:
        return int(value)
    raise ConfigurationError(
        f"{name}={value[:40]!r} is no whole number of {least} or more: set it to one, such as "
        f"{default}."
    )


def _flag(env: Mapping[str, str], name: str) -> bool:
    value = env.get(name, "").strip().lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ConfigurationError(f"{name}={value!r} is neither true nor false: set it to 1 or 0.")


def read_toml(path: Path, what: str, remedy: str) -> dict[str, Any]:
    """The tree of a TOML file, which is not to be changed: whoever reads the file again gets it.

    Args:
        path: the file.
        what: what it is called in messages: "profile".
        remedy: what to do about a missing file: "set NAME to a TOML file".

    Raises:
        ConfigurationError: it cannot be read, or not as TOML.
    """
    import tomllib

    try:
        tree = _parsed(path.read_text("utf-8"))
        learn_secrets(tree)
        return tree
    except OSError as error:
        raise ConfigurationError(
            f"The {what} {path} cannot be read ({error.strerror}): {remedy}."
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"The {what} {path} is no TOML: {error}.") from error
    except RecursionError:
        raise ConfigurationError(
            f"The {what} {path} cannot be read: it is nested too deeply, so write it flatter."
        ) from None


@lru_cache(maxsize=32)
def _parsed(text: str) -> dict[str, Any]:
    """Return the tree of a TOML text; a server reads its profile several times while it starts."""
    import tomllib

    return tomllib.loads(text)


_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD)$")
# These hold the shell's working folders.
_FOLDER_VARIABLES = frozenset({"PWD", "OLDPWD"})
# Keys of configuration files whose value names a variable that holds a secret.
_NAMING = frozenset({"token_env", "password_env"})
_named_secrets: set[str] = set()


def learn_secrets(tree: object) -> None:
    """Remember the variables that a configuration file names as holding secrets.

    Args:
        tree: the file as it was read; what is none is passed over.
    """
    waiting: list[object] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            fields = cast("dict[str, object]", one)
            _named_secrets.update(
                value for key, value in fields.items() if key in _NAMING and isinstance(value, str)
            )
            waiting += fields.values()
        elif isinstance(one, list):
            waiting += cast("list[object]", one)


def is_named_secret(variable: str) -> bool:
    """Whether a configuration file names this variable as holding a secret."""
    return variable in _named_secrets


def holds_secret(variable: str) -> bool:
    """Whether a variable holds a secret: its name ends as those of credentials do, or it is named.

    A configuration file names one by `token_env` or `password_env`.
    """
    if variable in _named_secrets:
        return True
    return bool(_SECRET_VARIABLE.search(variable)) and variable not in _FOLDER_VARIABLES


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a child process may see."""
    return {name: value for name, value in environ.items() if not holds_secret(name)}


def validated(model: type[Model], tree: object, where: str, what: str) -> Model:
    """A part of a configuration file, validated.

    Args:
        model: what the part has to be.
        tree: the part as it was read.
        where: the file.
        what: what the file is called in messages: "profile".

    Raises:
        ConfigurationError: it is not valid; the message names the places, and no value.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(tree)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        shown = "; ".join(_problem(problem, what) for problem in problems[:MOST_SHOWN])
        raise ConfigurationError(f"The {what} {where} is not valid: {shown}.") from error


def _problem(problem: ErrorDetails, what: str) -> str:
    """One problem of a file: its place, and what is wrong there."""
    place = ".".join(map(str, problem["loc"])) or what
    if problem["type"] == "extra_forbidden":
        return f"{place}: there is no such key, check its spelling"
    return f"{place}: {phrase(problem)}"
