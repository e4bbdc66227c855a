"""How a media server is started."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cc.core.scheme import Scheme
from models.policies.folder import POLICIES
from transport.aioquic_adapter.size_search import MOST_BYTES
from transport.media_server.admission.limits import DEFAULT_LIMITS, AdmissionLimits
from transport.media_server.certificate_files import CertificatePaths
from transport.media_server.in_flight_limit import ALL_IN_FLIGHT_LIMIT_BYTES
from transport.media_server.lifetime import LIFETIME
from transport.media_server.rate_limits import NO_LIMITS, RateLimits
from transport.media_server.session_key import SessionKey


@dataclass(frozen=True)
class ServerOptions:
    """How the server is started."""

    directory: Path
    """The packaged film to serve."""
    host: str
    port: int
    """0 takes a free one."""
    origins: frozenset[str]
    """Pages that may open sessions, exactly as browsers write them in `Origin`."""
    mounts: Sequence[tuple[str, Path]] = ()
    """Further films' folders, each with the name below which it is served."""
    qlog_directory: Path | None = None
    policy_directory: Path = POLICIES
    """The folder of the learned schemes' policies."""
    certificate_lifetime: datetime.timedelta = LIFETIME
    certificate_files: CertificatePaths | None = None
    """One that browsers trust by its issuer; None makes short-lived ones that pages know by their hashes."""
    network_reports: str | None = None
    """The URL at which an agent tells what the network's switches count (`transport.relay.agent`); None asks nobody."""
    rate_limits: RateLimits = NO_LIMITS
    all_in_flight_bytes: int = ALL_IN_FLIGHT_LIMIT_BYTES
    """What all connections together may have sent that nobody has acknowledged, bytes of UDP payload."""
    seed: int | None = None
    """The seed of the random numbers that schemes draw, for experiments; None draws others each time."""
    limits: AdmissionLimits = DEFAULT_LIMITS
    most_datagram_bytes: int = MOST_BYTES
    """The largest datagrams that paths are asked to carry, bytes of UDP payload."""
    session_key: SessionKey | None = None
    """The key whose tokens open sessions; None lets everybody open them."""
    schemes: tuple[str, ...] | None = None
    """Names of those that clients may ask for; None offers all."""
    plain_scheme: Scheme | None = None
    """The scheme under which plain GETs over HTTP/3 are answered; None answers none."""
    reset_key: bytes | None = None
    """The key that a successor on the same port has, too, so that peers believe its resets; None makes one up."""
    name_id: Callable[[bytes], bytes] = bytes
    """Makes of a random connection ID one that leads to this process, where several have one port."""
