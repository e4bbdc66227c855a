"""`npm run trace`: look at traces, change them, and make one format of another."""
