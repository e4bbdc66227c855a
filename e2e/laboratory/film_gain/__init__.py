"""`nuwa bench film-gain`: what whole films gain by scheme, estimate and rule, beside the best of what there is."""

NAME = "film-gain"
