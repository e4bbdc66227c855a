"""A client of our own that can lie: its acknowledgements, its feedback, its frames."""
