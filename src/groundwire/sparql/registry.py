"""The endpoint registry: endpoints, limits, and what the administrator demands.

One TOML file, validated when it is read. Its keys are those of seed 003, "Operational Controls &
Limits" and "KG Enforcement & Operational Policy".
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AliasChoices, Field, model_validator

from groundwire.config import read_toml, validated
from groundwire.errors import ForbiddenError, InputError, NotFoundError
from groundwire.sparql.endpoint import MAX_LIMIT, Endpoint, Kind, Part, is_inside
from groundwire.transport.targets import parse_target

PromptClass = Literal["fact_lookup", "citation_request", "citation_verification", "other"]
EnforcedClass = Literal["fact_lookup", "citation_request", "citation_verification"]
Mode = Literal["off", "classes", "strict"]

DEFAULT = "default"
"""The name that always stands for the default endpoint."""

_MOST_LISTED = 12


class Limits(Part):
    """The limits of one prompt: `[limits]`.

    Attributes:
        max_queries_per_prompt: queries of one run of the workflow; two of them are kept for
            exploring and for the one query after it.
        per_query_timeout_seconds: seconds for one query.
        semantic_variant_retries: variants of a prompt that are tried.
        result_limit_default: results of a query that names no limit.
        max_parallel_endpoint_queries: queries at work at one time.
        maximum_total_kg_time_seconds: seconds for one run of the workflow.
        seconds_between_retries: seconds between sequential retries.
        max_stored_raw_payload_size_bytes: bytes of a raw response that are kept; no store keeps
            more than the 5,242,880 of the default.
    """

    max_queries_per_prompt: Annotated[int, Field(ge=3, le=100)] = 6
    per_query_timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 30
    semantic_variant_retries: Annotated[int, Field(ge=0, le=3)] = 2
    result_limit_default: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = 10
    max_parallel_endpoint_queries: Annotated[int, Field(ge=1, le=16)] = 2
    maximum_total_kg_time_seconds: Annotated[float, Field(gt=0, le=3600)] = 120
    seconds_between_retries: Annotated[float, Field(ge=0, le=60)] = 1
    max_stored_raw_payload_size_bytes: Annotated[int, Field(ge=0, le=5_242_880)] = 5_242_880


class Enforcement(Part):
    """When the workflow is mandatory: `[enforcement]`.

    Attributes:
        kg_mandatory_for_all_prompts: for every prompt; a run that fails ends with its audit.
        must_run_kg_workflow_for_prompt_classes: for prompts of these classes.
        confidence_threshold: a prompt that is classified with less confidence is asked about.
    """

    kg_mandatory_for_all_prompts: bool = False
    must_run_kg_workflow_for_prompt_classes: tuple[EnforcedClass, ...] = ()
    confidence_threshold: Annotated[float, Field(ge=0, le=1)] = 0.7

    @property
    def mode(self) -> Mode:
        """Return what is demanded of everyone."""
        if self.kg_mandatory_for_all_prompts:
            return "strict"
        return "classes" if self.must_run_kg_workflow_for_prompt_classes else "off"

    @property
    def classes(self) -> tuple[EnforcedClass, ...]:
        """The classes that the mode `classes` is about; where none are named, all."""
        return self.must_run_kg_workflow_for_prompt_classes or get_args(EnforcedClass)


class Registry(Part):
    """A whole registry.

    Attributes:
        endpoints: all endpoints, in the order of the file.
        default: name of the endpoint that is asked first (`default_endpoint`).
        fallbacks: names of those that are asked after it, in order (`fallback_endpoints`).
        limits: what one prompt may cost.
        enforcement: when the workflow is mandatory.
        allow_urls: a caller may send the URL of an endpoint that is not in the registry.
        allow_private_urls: such a URL may lead to a loopback or private address.
    """

    endpoints: tuple[Endpoint, ...] = ()
    default: str = Field("", validation_alias=AliasChoices("default_endpoint", "default"))
    fallbacks: tuple[str, ...] = Field(
        (), validation_alias=AliasChoices("fallback_endpoints", "fallbacks")
    )
    limits: Limits = Limits()
    enforcement: Enforcement = Enforcement()
    allow_urls: bool = False
    allow_private_urls: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Registry:
        problems = list(self._problems())
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        """Yield what contradicts itself, each with what to do."""
        if not self.endpoints:
            yield "endpoints is missing: add one [[endpoints]] or more"
            return
        graphs = {one.name for one in self.endpoints if one.kind == "sparql"}
        known = ", ".join(sorted(graphs)) or "none yet"
        for name, count in Counter(one.name.casefold() for one in self.endpoints).items():
            if count > 1:
                yield f"{count} endpoints are named {name!r}: rename all but one"
        if self.default not in graphs:
            said = f"{self.default!r} is no" if self.default else "is missing: name a"
            yield f"default_endpoint {said} SPARQL endpoint of this file (there: {known})"
        for name in self.fallbacks:
            if name not in graphs:
                yield (
                    f"fallback_endpoints: {name!r} is no SPARQL endpoint of this file "
                    f"(there: {known})"
                )
        if len({self.default, *self.fallbacks}) <= len(self.fallbacks):
            yield "fallback_endpoints: each is named once, and the default endpoint is none"
        if self.default.casefold() != DEFAULT and any(
            one.name.casefold() == DEFAULT for one in self.endpoints
        ):
            yield f"the name {DEFAULT!r} stands for the default endpoint: rename the other one"
        if self.allow_private_urls and not self.allow_urls:
            yield "allow_private_urls does nothing without allow_urls = true: set it, or remove it"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all endpoints, in the order of the file."""
        return tuple(one.name for one in self.endpoints)

    @property
    def attempts(self) -> tuple[Endpoint, ...]:
        """The default endpoint and its fallbacks, in the order in which they are asked."""
        return tuple(self.find(name) for name in (self.default, *self.fallbacks))

    def find(self, name: str, kind: Kind | None = None) -> Endpoint:
        """The endpoint that a caller names; "default" stands for the default endpoint.

        The URL of an endpoint of the registry, as it is written there, is a name of it too.

        Args:
            name: its name; case does not matter.
            kind: the kind that it has to be, if that matters.

        Raises:
            InputError: no name, or an endpoint of another kind.
            NotFoundError: none is called that; the message names the nearest ones.
        """
        wanted = name.strip()
        if not wanted:
            raise InputError(f"Name an endpoint: {self._listed(self.names)}.")
        found = self._found(wanted)
        if found is None:
            raise NotFoundError(self._unknown(wanted))
        if kind is not None and found.kind != kind:
            others = [one.name for one in self.endpoints if one.kind == kind]
            instead = f": use {self._listed(others)}" if others else " and there is none"
            raise InputError(
                f"Endpoint {found.name} is a {found.kind} endpoint, not {kind}{instead}."
            )
        return found

    def admit(self, url: str) -> Endpoint:
        """An endpoint for the URL that a caller sent, if the registry allows that.

        Raises:
            InputError: it cannot be read.
            ForbiddenError: URLs are not allowed, or not this one.
        """
        if not self.allow_urls:
            raise ForbiddenError(
                f"URLs of endpoints are not accepted here: send a name, {self._listed(self.names)}."
            )
        target = parse_target(url)
        if target.shown != str(target.url):
            raise ForbiddenError("The URL holds a key: send one without it.")
        if is_inside(target.host) and not self.allow_private_urls:
            raise ForbiddenError(
                f"{target.authority} is at a loopback or private address: only the registry can "
                "name such an endpoint."
            )
        return Endpoint(name="url", url=str(target.url), allow_private=self.allow_private_urls)

    def timeout(self, endpoint: Endpoint) -> float:
        """Seconds for one query at an endpoint."""
        return endpoint.timeout or self.limits.per_query_timeout_seconds

    def limit(self, endpoint: Endpoint) -> int:
        """Return how many results a query at an endpoint has where the caller names no number."""
        return endpoint.limit or self.limits.result_limit_default

    def _found(self, wanted: str) -> Endpoint | None:
        folded = wanted.casefold()
        for one in self.endpoints:
            if folded == one.name.casefold() or (one.place == "remote" and wanted == one.url):
                return one
        if folded == DEFAULT:
            return self._found(self.default)
        return None

    def _unknown(self, wanted: str) -> str:
        if "://" in wanted:
            return (
                "No endpoint of the registry has this URL: send a name, "
                f"{self._listed(self.names)}."
            )
        by_fold = {one.casefold(): one for one in self.names}
        near = difflib.get_close_matches(wanted.casefold(), by_fold, n=3, cutoff=0.6)
        shown = wanted if len(wanted) <= 60 else f"{wanted[:59]}…"
        if near:
            nearest = self._listed([by_fold[one] for one in near])
            return f"No endpoint is called {shown!r}: nearest is {nearest}."
        return f"No endpoint is called {shown!r}: there are {self._listed(self.names)}."

    @staticmethod
    def _listed(names: list[str] | tuple[str, ...]) -> str:
        more = len(names) - _MOST_LISTED
        return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def load_registry(path: Path) -> Registry:
    """Read and validate a registry. Relative paths in it are read from its folder.

    Raises:
        ConfigurationError: it cannot be read, is not TOML, or contradicts itself; the message
            names the file and the place.
    """
    tree = read_toml(
        path,
        "endpoint registry",
        "set GROUNDWIRE_ENDPOINTS to a TOML file, or unset it for the embedded registry",
    )
    return parse_registry(tree, str(path), path.absolute().parent)


def parse_registry(tree: dict[str, Any], where: str, folder: Path) -> Registry:
    """Validate a registry that was read from `where`.

    Args:
        tree: what the TOML holds.
        where: the file, for messages.
        folder: where relative paths begin.

    Raises:
        ConfigurationError: it contradicts itself; the message names the place.
    """
    registry = validated(Registry, tree, where, "endpoint registry")
    located = tuple(one.located(folder) for one in registry.endpoints)
    return registry.model_copy(update={"endpoints": located})
