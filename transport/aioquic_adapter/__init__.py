"""The one place that touches aioquic's private parts; `tests/test_aioquic_adapter.py` checks that each still exists.

- `recovery.py`, `scheme_controller.py`, `scheme_pacer.py`: a scheme of cc/ in place of aioquic's controller and pacer,
  fed whole ACKs with the RTT updated.
- `connection.py`: a connection under a scheme: feedback in, flights out.
- `connection_streams.py`, `connection_path.py`: what is written to its streams; where its peer is, and moves to.
- `connection_guard.py`: what it forbids: forged ACKs, and keys used for too long.
- `close_reasons.py`: why a connection ends, cut to what fits into its last packet.
- `peer_limits.py`: ceilings on what a peer may make a connection keep.
- `critical_streams.py`: HTTP/3's own streams, which no peer may stop.
- `after_handshake.py`: what a handshake leaves, let go of once it is over.
- `hello_limits.py`: how many entries of a hello are read, and how long its transport parameters may be.
- `frame_limits.py`, `work_budget.py`, `path_answers.py`: how much a datagram may ask for: in frames, by
  itself and with those before it, and on other paths.
- `unread_limits.py`: who goes on sending although little of it is read.
- `wakings.py`, `turns.py`: when a connection is worth waking for, and how much it then sends.
- `window_probes.py`: packets that leave beyond a full window.
- `fast_flights.py`, `stream_run.py`, `flight_packet.py`, `acked_runs.py`: flights of stream data, built and
  acknowledged together; what else a packet may carry is left to aioquic.
- `fast_reads.py`, `fast_payloads.py`: packets opened, and ACKs and datagrams read, without asking for all that a packet
  or frame may be; what is out of the ordinary is left to aioquic.
- `epochs.py`: packet spaces and keys, found by their epoch without a function of Python's.
- `next_keys.py`: keys that come next, derived once for all packets that look like a change of keys.
- `path_mtu.py`, `size_search.py`, `black_hole.py`: datagrams as large as the path carries.
- `send_buffer.py`, `stream_sender.py`: a stream's data in the pieces in which it was written.
- `received_numbers.py`: by which packets that come twice are found.
- `withheld.py`: which packets are booked and never sent, so that whoever acknowledges one is found.
- `protocol.py`: aioquic's asyncio protocol, driven once per batch of datagrams instead of once per datagram.
- `timed.py`: the same protocol, whose timer is set apart from what is sent.
- `server.py`, `verdict.py`: aioquic's server with a gate; what becomes of a newcomer.
- `connection_ids.py`: IDs that name a process, and tokens of stateless resets that are made again for a connection that
  is forgotten.
- `session_http.py`: HTTP/3 for one session: no dynamic table, short fields, nothing kept of a finished stream.
- `qlog.py`: aioquic's events and those of the control, in a file for each connection.
- `payloads.py`: frames handed to a connection without a packet around them, for fuzzers.
- `client_acks.py`: when the headless receiver acknowledges.
- `client_arrival.py`: a client's connection that takes each datagram for the time at which it arrived.
- `client_limits.py`: what a server may make the headless receiver keep.
- `client_marks.py`, `mark_reports.py`: ECN code points, counted by the headless receiver and told to the scheme.
"""

AIOQUIC_VERSION = "1.7.2"
"""The version whose private parts these modules know."""
