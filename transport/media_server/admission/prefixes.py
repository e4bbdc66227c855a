"""Whom an address stands for."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

SUBSCRIBER_BITS_V6 = 64
HOUSEHOLD_BITS_V6 = 56
PREFIXES_A_HOUSEHOLD = 2
"""A household may have what so many prefixes may. It is one household, or some hundred telephones of a carrier."""


def prefix_of(host: str) -> str:
    """What limits count by: an address of IPv4, a /64 of IPv6 (RFC 4291 section 2.5.4).

    A NAT shows one address of IPv4, and its neighbours in a /24 are strangers. A host of IPv6 picks from all addresses
    of its /64. Raises ValueError for what is no address.
    """
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, SUBSCRIBER_BITS_V6), strict=False))


@lru_cache(maxsize=4096)
def household_of(prefix: str) -> str:
    """The /56 of a /64, all of which one household has (RFC 6177 section 2); an address of IPv4 stays itself.

    A /48 is more than a household's: one that floods would shut out its neighbours.
    """
    bits = f"/{SUBSCRIBER_BITS_V6}"
    if not prefix.endswith(bits):
        return prefix
    return str(ipaddress.IPv6Network((prefix.removesuffix(bits), HOUSEHOLD_BITS_V6), strict=False))
