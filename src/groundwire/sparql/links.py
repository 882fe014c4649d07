"""Links to entities: through the describe service of the endpoint that answered, else plain IRIs.

Source: seed 003, "How the Describe Link is Formed". A link to another origin than the data's would
show what somebody else says of the IRI.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from groundwire.errors import GroundwireError
from groundwire.safe_text import LONGEST_NAME, inert_line, safe_line
from groundwire.transport.targets import Target, parse_target

if TYPE_CHECKING:
    from groundwire.sparql.endpoint import Endpoint

IRI_MARK = "{iri}"
"""What stands for the percent-encoded IRI in a describe template."""

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
