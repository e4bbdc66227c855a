"""Links, flows and episodes to train, validate and test with; needs nothing but cc/ and the names of links."""
