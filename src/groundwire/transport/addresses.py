"""Which network addresses may be connected to.

Sources of the ranges: the IANA special-purpose address registries (RFC 6890), and for
addresses that carry an IPv4 address inside: RFC 4291 section 2.5.5 (mapped, compatible),
RFC 6052 and RFC 8215 (NAT64), RFC 2765 (translated), RFC 3056 (6to4), RFC 4380 (Teredo),
RFC 5214 (ISATAP).
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from typing import Literal

from groundwire.errors import ForbiddenError

Kind = Literal["public", "private", "loopback", "never"]

# From harmless to worst: what carries several addresses is as bad as the worst of them.
_BADNESS: dict[Kind, int] = {"public": 0, "private": 1, "loopback": 2, "never": 3}

_PRIVATE_V4 = tuple(
    map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"))
)
_PRIVATE_V6 = IPv6Network("fc00::/7")
# Ranges that some versions of `ipaddress` count as global.
_NEVER_V4 = tuple(
    map(IPv4Network, ("0.0.0.0/8", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"))
)
_NEVER_V6 = tuple(map(IPv6Network, ("fec0::/10", "64:ff9b:1::/48", "5f00::/16")))
# Cloud metadata services outside the link-local range; they hand out credentials.
_METADATA = frozenset(
    map(ip_address, ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"))
)

_MAPPED = IPv6Network("::ffff:0:0/96")
_TRANSLATED = IPv6Network("::ffff:0:0:0/96")
_COMPATIBLE = IPv6Network("::/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_TEREDO = IPv6Network("2001::/32")
_ISATAP_MARKS = frozenset({0x00005EFE, 0x02005EFE})


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Public addresses, and those private ones that an administrator named.

    Attributes:
        named: `host:port` of every endpoint that the configuration names; only there may the
            address be a loopback or private one. Nothing that a model sends belongs here.
    """

    named: frozenset[str] = frozenset()

    def check(self, host: str, port: int, address: str) -> None:
        """Refuse `address`, to which `host` resolved, unless it may be connected to.

        Raises:
            ForbiddenError: the address is not public and the endpoint is not a named one, or
                the address is never a server (link-local, multicast, metadata, reserved).
        """
        kind = address_kind(address)
        authority = authority_of(host, port)
        if kind == "public" or (kind != "never" and authority in self.named):
            return
        if kind == "never":
            raise ForbiddenError(
                f"{authority} is at a reserved or link-local address, which is never connected to:"
                " use the server's own address."
            )
        raise ForbiddenError(
            f"{authority} is at a {kind} address, which is not allowed:"
            " an endpoint of your own has to be named in the configuration."
        )


def authority_of(host: str, port: int) -> str:
    """`host:port` in the one spelling that policies compare."""
    host = host.lower().rstrip(".")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def address_kind(address: str) -> Kind:
    """Return the kind of place of a numeric address, judged by what it carries inside."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "never"
    return _v4_kind(parsed) if isinstance(parsed, IPv4Address) else _v6_kind(parsed)


def _v4_kind(address: IPv4Address) -> Kind:
    if address.is_loopback:
        return "loopback"
    if address in _METADATA or address.is_multicast or any(address in net for net in _NEVER_V4):
        return "never"
    if any(address in net for net in _PRIVATE_V4):
        return "private"
    return "public" if address.is_global else "never"


def _v6_kind(address: IPv6Address) -> Kind:
    if address.is_loopback:
        return "loopback"
    if address.is_unspecified or address in _METADATA or address.scope_id is not None:
        return "never"
    carried = _carried(address)
    if carried:
        return max((_v4_kind(inner) for inner in carried), key=_BADNESS.__getitem__)
    outer = _v6_outer_kind(address)
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP_MARKS:
        inner = _v4_kind(IPv4Address(int(address) & 0xFFFFFFFF))
        return max(outer, inner, key=_BADNESS.__getitem__)
    return outer


def _v6_outer_kind(address: IPv6Address) -> Kind:
    if address.is_multicast or any(address in net for net in _NEVER_V6):
        return "never"
    if address in _PRIVATE_V6:
        return "private"
    return "public" if address.is_global else "never"


def _carried(address: IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses at which packets to `address` end, where its prefix says so."""
    bits = int(address)
    low = IPv4Address(bits & 0xFFFFFFFF)
    if any(address in net for net in (_MAPPED, _TRANSLATED, _COMPATIBLE, _NAT64)):
        return [low]
    if address in _SIX_TO_FOUR:
        return [IPv4Address(bits >> 80 & 0xFFFFFFFF)]
    if address in _TEREDO:
        # The server in the clear, the client with every bit turned over.
        return [IPv4Address(bits >> 64 & 0xFFFFFFFF), IPv4Address(int(low) ^ 0xFFFFFFFF)]
    return []
