"""How long a certificate is valid; apart, so that a command line names it without cryptography."""

from __future__ import annotations

import datetime

LIFETIME = datetime.timedelta(days=13)
"""The default and the most: with `CLOCK_SKEW` it stays below the two weeks that browsers allow."""
CLOCK_SKEW = datetime.timedelta(hours=1)  # a client whose clock is behind must not see it as not yet valid
