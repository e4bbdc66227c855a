"""Films of the matrix that a real browser plays, over the relay or under mahimahi."""
