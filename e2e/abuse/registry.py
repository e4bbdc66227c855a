"""Every attack there is, one line each: the module of `e2e.abuse.attacks` whose `ATTACK` it is.

Those that differ in a lie alone share a module: `MODULE:NAME` is one of its `ATTACKS`. An attack is imported when it is
asked for.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from cc.command_line.nearest import choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from e2e.abuse.attack import Attack

ENTRIES = (
    "honest_schemes",
    "forged_acks:acks_ahead",
    "forged_acks:acks_unsent",
    "forged_acks:acks_hide_losses",
    "forged_acks:acks_hide_losses_again",
    "forged_acks:acks_hide_losses_late",
    "forged_acks:acks_hide_some_losses",
    "forged_acks:acks_by_stamps",
    "forged_acks:acks_by_stamps_again",
    "forged_acks:acks_never",
    "forged_acks:acks_sparse",
    "forged_acks:acks_withheld",
    "forged_acks:acks_delayed",
    "forged_acks:acks_flood",
    "forged_acks:acks_ahead_flood",
    "forged_feedback:feedback_huge_window",
    "forged_feedback:feedback_tiny_window",
    "forged_feedback:feedback_random_window",
    "forged_feedback:feedback_swinging_window",
    "forged_feedback:feedback_stale_sequence",
    "forged_feedback:feedback_jumping_sequence",
    "forged_feedback:feedback_other_epoch",
    "forged_feedback:feedback_future_stamp",
    "forged_feedback:feedback_fast_link",
    "forged_feedback:feedback_wild_parameters",
    "forged_feedback:feedback_silent",
    "forged_feedback:feedback_once",
    "forged_feedback:feedback_flood",
    "forged_feedback:feedback_random_bits",
    "initials_flood",
    "initials_steady",
    "unknown_versions",
    "costly_hellos",
    "costly_frames",
    "handshakes_idle",
    "sessions_idle:sessions_idle",
    "sessions_idle:sessions_trickling",
    "sessions_ended",
    "crypto_gap",
    "small_frames",
    "large_acks",
    "forged_datagrams",
    "small_answers",
    "many_askers",
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
    "costly_readings",
    "unread_pages",
    "text_crowds",
    "cmcd_tokens",
    "telemetry_crowding",
    "rebound_host",
    "without_token",
    "linked_files",
    "film_beside",
)

NAMES = tuple(entry.rpartition(":")[2].replace("_", "-") for entry in ENTRIES)


class UnknownAttackError(ValueError):
    """No attack has this name; the message names the nearest, or all, or the module that calls its own otherwise."""


def attack(name: str) -> Attack:
    """The attack of this name. Raises UnknownAttackError."""
    if name not in NAMES:
        raise UnknownAttackError(f"attack {name!r} is unknown: {choice(name, NAMES)}")
    module, _, is_one_of_several = ENTRIES[NAMES.index(name)].partition(":")
    attacks: Sequence[Attack]
    if is_one_of_several:
        attacks = resolve_name(f"e2e.abuse.attacks.{module}:ATTACKS")
    else:
        attacks = [resolve_name(f"e2e.abuse.attacks.{module}:ATTACK")]
    found = {each.name: each for each in attacks}
    if name not in found:
        raise UnknownAttackError(
            f"attack {name!r} is unknown: it has a line in e2e/abuse/registry.py, but "
            f"e2e/abuse/attacks/{module}.py has {', '.join(found)}: give both the same name"
        )
    return found[name]
