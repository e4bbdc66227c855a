"""Links that no constant of a scheme or rule was chosen on, of six families; two are of Debian's mahimahi-traces."""

from __future__ import annotations

UNSEEN = "unseen"
"""All of them, on a command line."""
FILM_LINKS = (
    "lte-like/3mbit/801",
    "lte-like/6mbit/802",
    "lte-like/12mbit/803",
    "5g-like/8mbit/811",
    "5g-like/12mbit/812",
    "5g-like/20mbit/813",
    "wifi-like/4mbit/821",
    "wifi-like/8mbit/822",
    "wifi-like/16mbit/823",
    "5mbit",
    "ATT-LTE-driving-2016",
    "TMobile-UMTS-driving",
)
"""Over these a film of a few Mbit/s is not always at its best."""
UNSEEN_LINKS = (
    *FILM_LINKS,
    "lte-like/5mbit/904",
    "lte-like/12mbit/901",
    "5g-like/20mbit/902",
    "5g-like/40mbit/905",
    "wifi-like/15mbit/903",
    "wifi-like/30mbit/906",
    "6mbit",
    "18mbit",
)
