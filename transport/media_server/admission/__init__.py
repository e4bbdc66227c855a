"""Who may open a connection, and how long it may take; apart from sockets and aioquic.

- `limits.py`: the numbers.
- `admission.py`: a newcomer is accepted, asked to come back with a token (RFC 9000 section 8.1.2), or dropped; every
  connection that lives is in one of three rooms.
- `room.py`: connections at one stage, of which the oldest leaves for a newcomer.
- `prefixes.py`, `buckets.py`: whom an address stands for; how often something may happen for it.
- `resets.py`: the answer to packets of connections that nobody knows (RFC 9000 section 10.3).
- `wave_log.py`: a line a second however many newcomers come.
"""
