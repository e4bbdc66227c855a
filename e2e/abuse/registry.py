"""Every attack there is, one line each: the module of `e2e.abuse.attacks` whose `ATTACK` it is.

An attack is imported when it is asked for.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from cc.command_line.nearest import choice

if TYPE_CHECKING:
    from e2e.abuse.attack import Attack

ENTRIES = (
    "honest_schemes",
    "acks_ahead",
    "acks_unsent",
    "acks_hide_losses",
    "acks_hide_losses_again",
    "acks_hide_losses_late",
    "acks_hide_some_losses",
    "acks_by_stamps",
    "acks_by_stamps_again",
    "acks_never",
    "acks_sparse",
    "acks_withheld",
    "acks_delayed",
    "acks_flood",
    "acks_ahead_flood",
    "feedback_huge_window",
    "feedback_tiny_window",
    "feedback_random_window",
    "feedback_swinging_window",
    "feedback_stale_sequence",
    "feedback_jumping_sequence",
    "feedback_other_epoch",
    "feedback_future_stamp",
    "feedback_fast_link",
    "feedback_wild_parameters",
    "feedback_silent",
    "feedback_once",
    "feedback_flood",
    "feedback_random_bits",
    "initials_flood",
    "initials_steady",
    "unknown_versions",
    "handshakes_idle",
    "sessions_idle",
    "crypto_gap",
    "small_frames",
    "large_acks",
    "path_challenges",
    "handshake_elsewhere",
    "paths_alternating",
    "slow_schemes",
    "stream_gaps",
    "unread_responses",
    "requests_cancelled",
    "plain_gets_unread",
    "request_history",
    "header_tables",
    "relay_addresses",
    "relay_flood",
    "http_pipelining",
    "slow_sockets",
    "unread_pages",
    "cmcd_tokens",
    "telemetry_crowding",
    "rebound_host",
    "without_token",
    "linked_files",
    "film_beside",
)

NAMES = tuple(entry.replace("_", "-") for entry in ENTRIES)


class UnknownAttackError(ValueError):
    """No attack has this name; the message names the nearest, or all."""


def attack(name: str) -> Attack:
    """The attack of this name. Raises UnknownAttackError."""
    if name not in NAMES:
        raise UnknownAttackError(f"attack {name!r} is unknown: {choice(name, NAMES)}")
    found: Attack = resolve_name(f"e2e.abuse.attacks.{name.replace('-', '_')}:ATTACK")
    return found
