"""The abuse suite: what a hostile client can do to the servers, one attack a file, each held to a limit."""
