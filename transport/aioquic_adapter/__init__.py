"""The one place that touches aioquic's private parts; `tests/test_aioquic_adapter.py` checks that each still exists.

- `recovery.py`, `scheme_pacer.py`: a scheme of cc/ in place of aioquic's controller and pacer, fed
  whole ACKs with the RTT updated.
- `connection.py`: what the server needs to know or limit in a connection: unsent bytes, forged ACKs, caps.
- `fast_flights.py`, `stream_run.py`, `flight_packet.py`, `acked_runs.py`: flights of stream data, built and
  acknowledged together; what else a packet may carry is left to aioquic.
- `epochs.py`: packet spaces and keys, found by their epoch without a function of Python's.
- `path_mtu.py`, `size_search.py`, `black_hole.py`: datagrams as large as the path carries.
- `send_buffer.py`: a stream's data in the pieces in which it was written.
- `withheld.py`: which packets are booked and never sent, so that whoever acknowledges one is found.
- `protocol.py`: aioquic's asyncio protocol, driven once per batch of datagrams instead of once per datagram.
- `client_acks.py`: when the headless receiver acknowledges.
- `client_marks.py`, `mark_reports.py`: ECN code points, counted by the headless receiver and told to the scheme.
"""

AIOQUIC_VERSION = "1.7.2"
"""The version whose private parts these modules know."""
