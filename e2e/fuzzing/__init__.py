"""Malformed inputs for every parser on both sides."""
