"""Which schemes plain GETs may be answered under: those that need nothing but the sender."""

from __future__ import annotations

from cc.core.scheme import Scheme
from cc.registry import SCHEMES


def plain_scheme(name: str) -> Scheme:
    """The scheme of that name; raises ValueError for one that there is not, or that needs a receiver or a policy."""
    fitting = {scheme.name: scheme for scheme in SCHEMES if scheme.control == "sender" and scheme.policy is None}
    if name not in fitting:
        raise ValueError(
            f"--http3: no sender's scheme without a policy is called {name!r}; known: {', '.join(fitting)}"
        )
    return fitting[name]
