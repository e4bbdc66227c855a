"""What the server's protection costs viewers who are honest."""
