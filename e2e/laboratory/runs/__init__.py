"""Makes the runs that are not there yet."""
