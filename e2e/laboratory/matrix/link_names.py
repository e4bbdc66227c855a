"""What links are called where several are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.options import LINK_SETTINGS, link_settings
from e2e.laboratory.matrix.values import OptionError, split_settings


def links_by_name(links: Sequence[LoadedLink]) -> dict[str, LoadedLink]:
    """In their order: the trace's name, with those settings in which links of this trace differ.

    Raises OptionError where two of them cannot be told apart.
    """
    found: dict[str, LoadedLink] = {}
    for link in links:
        alike = [other for other in links if other.name == link.name]
        for other in alike:
            if other.downlink_sha256 != link.downlink_sha256 or other.uplink_sha256 != link.uplink_sha256:
                files = f"{link.choice.trace} and {other.choice.trace}"
                raise OptionError(f"--links: {files} would both be called {link.name}; rename one of the files")
        name = ":".join([link.name, *_told_apart(link, alike)])
        if name in found:
            raise OptionError(f"--links: {name} is there twice")
        found[name] = link
    return found


def trace_of(name: str) -> str:
    """Of a link that `links_by_name` names: links of one trace have one."""
    return split_settings("links", name, LINK_SETTINGS)[0]


def _told_apart(link: LoadedLink, alike: Sequence[LoadedLink]) -> list[str]:
    """As `--links` takes them: `queue=100`."""
    own: Mapping[str, str] = link_settings(link.choice)
    others = [link_settings(other.choice) for other in alike]
    return [f"{key}={value}" for key, value in own.items() if any(other[key] != value for other in others)]
