"""Tao, the schemes that Remy makes: a tree of whiskers, and the sender that goes by it."""
