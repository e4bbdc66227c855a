"""The best film that a link could have carried: what a plan reaches that knows the link's future."""
