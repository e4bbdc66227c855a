"""The variable with the key of stateless resets; not an option, since every user of the machine sees those."""

from __future__ import annotations

from collections.abc import Mapping

from transport.media_server.admission.resets import KEY_BYTES

RESET_KEY_VARIABLE = "NUWA_RESET_KEY"


def reset_key(environment: Mapping[str, str]) -> bytes | None:
    """None where it is not set; raises ValueError for what is no key."""
    text = environment.get(RESET_KEY_VARIABLE)
    if text is None:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError(f"{RESET_KEY_VARIABLE} has to be {2 * KEY_BYTES} hexadecimal digits")
    return key
