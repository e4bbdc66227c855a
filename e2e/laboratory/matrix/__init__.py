"""From a command line to runs: options, how flows and links are written, and their product."""
