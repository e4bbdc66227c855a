"""The variable with the key of stateless resets; not an option, since every user of the machine sees those."""

from __future__ import annotations

import hashlib
import hmac
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


def environment_of_worker(environment: Mapping[str, str], number: int) -> Mapping[str, str]:
    """With a key of the worker's own, which whoever takes its place has, too.

    With the same one for all, each would answer packets of the others' sessions with the tokens that end those
    (RFC 9000 section 21.11). Raises ValueError for what is no key.
    """
    key = reset_key(environment)
    if key is None:
        return environment
    own = hmac.digest(key, b"worker %d" % number, hashlib.sha256)
    return {**environment, RESET_KEY_VARIABLE: own.hex()}
