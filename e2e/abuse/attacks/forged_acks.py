"""Clients whose acknowledgements lie."""

from __future__ import annotations

from e2e.abuse.client.acks import (
    AcksAhead,
    Delays,
    Forger,
    HidesBetrayedLosses,
    HidesLosses,
    HidesLossesLate,
    HidesSomeLosses,
    Never,
    Sparse,
    Withholds,
)
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

HONEST_PACKETS = 2500
"""Six seconds of the link: packets are withheld as seldom then as they ever are."""
HIDDEN_SHARE = 0.1
"""Enough to grow, seldom enough to be found late."""

ATTACKS = (
    # packets that have not arrived, or were never sent (RFC 9000 sections 13.1 and 21.4)
    drawing_attack(
        "acks-ahead",
        "Acknowledges 8 packets more than have arrived.",
        lambda ground: Lies(acks=AcksAhead(8)),
        schemes=SPREAD,
    ),
    drawing_attack(
        "acks-unsent",
        "Acknowledges a million packets more than have arrived.",
        lambda ground: Lies(acks=AcksAhead(10**6)),
        schemes=SPREAD,
    ),
    # what the queue dropped, skipped packet numbers included
    drawing_attack(
        "acks-hide-losses",
        "Acknowledges every packet up to the largest that arrived.",
        lambda ground: Lies(acks=HidesLosses()),
        schemes=SPREAD,
    ),
    # each connection may draw until it is found out
    drawing_attack(
        "acks-hide-losses-again",
        "Hides all losses, and reconnects whenever the server ends the connection.",
        lambda ground: Lies(acks=HidesLosses()),
        is_reconnecting=True,
    ),
    # lies once it is trusted
    drawing_attack(
        "acks-hide-losses-late",
        f"Is honest for {HONEST_PACKETS} packets, then hides all losses, and reconnects whenever it is ended.",
        lambda ground: Lies(acks=HidesLossesLate(HONEST_PACKETS)),
        is_reconnecting=True,
    ),
    drawing_attack(
        "acks-hide-some-losses",
        f"Hides {HIDDEN_SHARE:.0%} of its losses, and reconnects when the server ends the connection.",
        lambda ground: Lies(acks=HidesSomeLosses(HIDDEN_SHARE, ground.rng("acks-hide-some-losses"))),
        is_reconnecting=True,
    ),
    # those losses that stamps show to be losses, and no skipped packet number
    drawing_attack(
        "acks-by-stamps",
        "Hides the losses between stamps that count as many packets as there are numbers.",
        lambda ground: Lies(acks=HidesBetrayedLosses()),
        schemes=SPREAD,
    ),
    drawing_attack(
        "acks-by-stamps-again",
        "Hides the losses that stamps betray, and reconnects whenever the server ends the connection.",
        lambda ground: Lies(acks=HidesBetrayedLosses()),
        is_reconnecting=True,
    ),
    drawing_attack(
        "acks-never",
        "Acknowledges nothing after the first 32 packets.",
        lambda ground: Lies(acks=Never()),
        schemes=SPREAD,
    ),
    # as if the others were lost; what is sent again is taken
    drawing_attack(
        "acks-sparse",
        "Acknowledges one packet in four.",
        lambda ground: Lies(acks=Sparse(4)),
        schemes=SPREAD,
    ),
    # bursts, and a window that grows in jumps
    drawing_attack(
        "acks-withheld",
        "Withholds acknowledgements for 0.5 s, then gives all at once.",
        lambda ground: Lies(acks=Withholds(0.5)),
        schemes=SPREAD,
    ),
    # the round trip looks shorter than it is (RFC 9002 section 5.3)
    drawing_attack(
        "acks-delayed",
        "Claims to have held each acknowledgement for a second.",
        lambda ground: Lies(acks=Delays(1.0)),
        schemes=SPREAD,
    ),
    # each ACK costs the server time, and may count twice
    drawing_attack(
        "acks-flood",
        "Sends an acknowledgement each 2 ms, of whatever has arrived.",
        lambda ground: Lies(acks=Forger(), ack_interval_s=0.002),
        schemes=SPREAD,
    ),
    # each ACK claims progress
    drawing_attack(
        "acks-ahead-flood",
        "Acknowledges 2 packets ahead each 2 ms.",
        lambda ground: Lies(acks=AcksAhead(2), ack_interval_s=0.002),
        schemes=SPREAD,
    ),
)
