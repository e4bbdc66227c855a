"""The attacks, each with a line in `e2e.abuse.registry`."""
