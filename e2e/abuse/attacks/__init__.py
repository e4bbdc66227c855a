"""The attacks, one a file, each with a line in `e2e.abuse.registry`."""
