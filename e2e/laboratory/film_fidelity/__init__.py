"""`nuwa bench film-fidelity`: films in virtual time beside the same films in a browser."""
