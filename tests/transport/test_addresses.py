"""Which addresses count as public, in every form that hides another one."""

from __future__ import annotations

import pytest

from groundwire.errors import ForbiddenError
from groundwire.transport.addresses import AddressPolicy, address_kind

PUBLIC = [
    "93.184.216.34",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.255.255",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]
LOOPBACK = [
    "127.0.0.1",
    "127.255.255.254",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "2002:7f00:1::",
    "2002:7f00:1:1:2:3:4:5",
]
PRIVATE = [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "fd12:3456:789a::1",
    "::ffff:10.0.0.1",
    "64:ff9b::c0a8:101",
    "2002:a00:1::",
]
NEVER = [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "64:ff9b:1:7f00:0:100::",
    "2002:a9fe:a9fe::",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fe80::5efe:808:808",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "no address",
    "",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert address_kind(address) == "public"


@pytest.mark.parametrize("address", LOOPBACK)
def test_loopback(address: str) -> None:
    assert address_kind(address) == "loopback"


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address: str) -> None:
    assert address_kind(address) == "private"


@pytest.mark.parametrize("address", NEVER)
def test_never(address: str) -> None:
    assert address_kind(address) == "never"


def test_teredo_is_judged_by_server_and_client() -> None:
    # Client 127.0.0.1 stands there with every bit turned over: 80ff:fffe.
    assert address_kind("2001:0:808:808:0:0:80ff:fffe") == "loopback"
    assert address_kind("2001:0:7f00:1:0:0:f7f7:f7f7") == "loopback"
    assert address_kind("2001:0:808:808:0:0:f7f7:f7f7") == "public"


def test_isatap_is_judged_by_both_parts() -> None:
    assert address_kind("2606:4700::5efe:a9fe:a9fe") == "never"
    assert address_kind("2606:4700::200:5efe:7f00:1") == "loopback"


@pytest.mark.parametrize("address", [*LOOPBACK, *PRIVATE])
def test_named_endpoints_may_be_private(address: str) -> None:
    policy = AddressPolicy(frozenset({"kg.example:8890"}))
    policy.check("KG.example.", 8890, address)
    with pytest.raises(ForbiddenError, match="named in the configuration"):
        policy.check("kg.example", 8891, address)
    with pytest.raises(ForbiddenError):
        policy.check("other.example", 8890, address)


@pytest.mark.parametrize("address", NEVER)
def test_naming_an_endpoint_does_not_open_metadata(address: str) -> None:
    with pytest.raises(ForbiddenError, match="never connected to"):
        AddressPolicy(frozenset({"kg.example:80"})).check("kg.example", 80, address)


def test_the_refusal_does_not_tell_the_address() -> None:
    with pytest.raises(ForbiddenError) as refusal:
        AddressPolicy().check("intranet.example", 443, "10.11.12.13")
    assert "10.11.12.13" not in str(refusal.value)
