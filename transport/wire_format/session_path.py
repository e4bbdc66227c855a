"""What a session's path asks for, and why it may be refused (wire_format/PROTOCOL.md, section Session)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import IntEnum
from urllib.parse import parse_qsl, urlsplit

from cc.core.nuwa_parameters import K_RANGE
from cc.core.scheme import Scheme
from cc.receiver.presets import UnknownPresetError, preset
from cc.registry import UnknownSchemeError, scheme

PROTOCOL_VERSION = 1
MAX_PATH_CHARACTERS = 1024
TOKEN = re.compile(r"(?<=\btoken=)[^&]+")
MOST_QUOTED = 50  # characters: a reason has 1024 bytes, which the list of known schemes needs


class CloseCode(IntEnum):
    """Codes with which the server closes a session."""

    OVER = 0
    VERSION_NOT_SPOKEN = 1
    UNKNOWN_SCHEME = 2
    MALFORMED_PARAMETER = 3
    MALFORMED_DATAGRAMS = 4
    TOO_MANY_DATAGRAMS = 5
    BUSY = 6
    TOKEN_REFUSED = 7
    IDLE = 8


class PathNotFoundError(LookupError):
    """A path that is not a session's."""


class SessionRefusedError(ValueError):
    """A session that is accepted only to be told why it is closed."""

    def __init__(self, code: CloseCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True, slots=True)
class SessionPath:
    """A session's path, understood."""

    scheme: Scheme
    parameters: dict[str, str]
    """Those of the receiver, for the log."""
    token: str | None = None
    """As given; for no log."""


def parse_session_path(path: str) -> SessionPath:
    """The session that a path asks for; raises PathNotFoundError or SessionRefusedError."""
    try:
        parts = urlsplit(path[: MAX_PATH_CHARACTERS + 1])
    except ValueError as error:
        raise PathNotFoundError(path) from error
    segments = parts.path.split("/")
    if len(path) > MAX_PATH_CHARACTERS or len(segments) != 3 or segments[0] or not segments[1].startswith("v"):
        raise PathNotFoundError(path)
    version = segments[1][1:]
    if not (version.isascii() and version.isdecimal()):
        raise PathNotFoundError(path)
    if int(version) != PROTOCOL_VERSION:
        reason = f"version {version[:20]} is not spoken here; this server speaks {PROTOCOL_VERSION}"
        raise SessionRefusedError(CloseCode.VERSION_NOT_SPOKEN, reason)
    try:
        chosen = scheme(segments[2][:MOST_QUOTED])
    except UnknownSchemeError as error:
        raise SessionRefusedError(CloseCode.UNKNOWN_SCHEME, str(error)) from error
    parameters = _parameters(parts.query)
    token = parameters.pop("token", None)
    return SessionPath(chosen, parameters, token)


def _parameters(query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=16)
    except ValueError as error:
        told = TOKEN.sub("(hidden)", query)[:100]  # it is logged
        raise SessionRefusedError(CloseCode.MALFORMED_PARAMETER, f"the query {told!r} is malformed") from error
    parameters: dict[str, str] = {}
    for name, value in pairs:
        if name in parameters:
            raise SessionRefusedError(CloseCode.MALFORMED_PARAMETER, f"parameter {name[:MOST_QUOTED]!r} is given twice")
        _check_parameter(name, value)
        parameters[name] = value
    return parameters


def _check_parameter(name: str, value: str) -> None:
    code = CloseCode.MALFORMED_PARAMETER
    if name == "token":
        return  # whoever has the key judges it
    if name == "preset":
        try:
            preset(value[:MOST_QUOTED])
        except UnknownPresetError as error:
            raise SessionRefusedError(code, str(error)) from error
        return
    ranges = {"k": K_RANGE, "target_delay_ms": (1.0, 10_000.0), "rho_ms": (1.0, 10_000.0)}
    if name not in ranges:
        raise SessionRefusedError(
            code, f"parameter {name[:MOST_QUOTED]!r} is unknown; known: preset, token, {', '.join(ranges)}"
        )
    low, high = ranges[name]
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise SessionRefusedError(
            code, f"{name} must be a number from {low:g} to {high:g}, not {value[:MOST_QUOTED]!r}"
        )
