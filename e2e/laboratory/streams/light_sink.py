"""A client that takes all that a server sends and says so in long strides, as a process of its own.

A receiver in Python cannot take as much as the server sends: the server then waits, and wakes for each of its ACKs.
This one reads packet numbers alone. It decrypts nothing, hands over nothing, grants all credit at once, and
acknowledges `STRIDE_PACKETS` at a time, as receivers do that get a whole batch from their system. For loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import time
from collections.abc import Sequence

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import decode_packet_number
from aioquic.tls import Epoch

from cc.receiver.observer import Observer
from e2e.laboratory.streams.receivers import begun
from transport.headless.client import ClientProtocol, open_session_as
from transport.headless.receive_intervals import IntervalRecorder
from transport.wire_format.requests import MAX_GENERATED_BYTES

STRIDE_PACKETS = 64
LATEST_ACK_S = 0.002
MOST_RANGES = 4
"""Of packet numbers in an ACK: older gaps are those of numbers that a server skips."""
CREDIT_BYTES = 2**40
CONNECTION_ID_BYTES = 8
FRAME_OVERHEAD_BYTES = 36
"""Of a full packet of stream data: header 11, AEAD 16, and the frame's type, stream, offset and length."""
MAX_DATAGRAM_BYTES = 65_535
LONG_HEADER = 0x80


class LightSink(ClientProtocol):
    """An ordinary client until `sink` is called."""

    def __init__(self, configuration: QuicConfiguration) -> None:
        super().__init__(QuicConnection(configuration=configuration))
        self.recorder: IntervalRecorder | None = None
        self.sunk_bytes = 0
        self._unacknowledged = 0
        self._ack_timer: asyncio.TimerHandle | None = None
        self._expected_number = 0

    def sink(self, recorder: IntervalRecorder) -> None:
        """From now on nothing is read but packet numbers."""
        assert self._transport is not None
        sock = self._transport.get_extra_info("socket")
        assert isinstance(sock, socket.socket)
        self.recorder = recorder
        self._expected_number = self._quic._spaces[Epoch.ONE_RTT].expected_packet_number
        self._loop.remove_reader(sock.fileno())
        self._loop.add_reader(sock.fileno(), self._drain, sock)

    def _drain(self, sock: socket.socket) -> None:
        recorder, crypto = self.recorder, self._quic._cryptos[Epoch.ONE_RTT].recv
        assert recorder is not None
        assert crypto.hp is not None
        remove, queue = crypto.hp.remove, self._quic._spaces[Epoch.ONE_RTT].ack_queue
        sunk_bytes = 0
        while True:
            try:
                data = sock.recv(MAX_DATAGRAM_BYTES)
            except BlockingIOError:
                break
            if data[0] & LONG_HEADER:
                continue
            header, truncated = remove(data, 1 + CONNECTION_ID_BYTES)
            number = decode_packet_number(truncated, 8 * (len(header) - 1 - CONNECTION_ID_BYTES), self._expected_number)
            self._expected_number = max(self._expected_number, number + 1)
            queue.add(number)
            sunk_bytes += len(data) - FRAME_OVERHEAD_BYTES
            self._unacknowledged += 1
            if self._unacknowledged >= STRIDE_PACKETS:
                self._acknowledge()
        recorder.on_received(sunk_bytes, now_s=self._loop.time())
        self.sunk_bytes += sunk_bytes
        if self._unacknowledged and self._ack_timer is None:
            self._ack_timer = self._loop.call_later(LATEST_ACK_S, self._acknowledge)

    def _acknowledge(self) -> None:
        if self._ack_timer is not None:
            self._ack_timer.cancel()
            self._ack_timer = None
        self._unacknowledged = 0
        now_s = self._loop.time()
        space = self._quic._spaces[Epoch.ONE_RTT]
        while len(space.ack_queue) > MOST_RANGES:
            space.ack_queue.shift()
        space.largest_received_packet, space.largest_received_time = self._expected_number - 1, now_s
        space.ack_at = now_s - LATEST_ACK_S
        self._quic._close_at = now_s + self._quic._idle_timeout()
        self.transmit()


async def _sink(options: argparse.Namespace) -> dict[str, object]:
    session = open_session_as(
        LightSink, options.url, origin=options.origin, receiver=Observer(), receive_window_bytes=CREDIT_BYTES
    )
    async with session as client:
        await asyncio.sleep(options.begin_at - time.time())
        began_at_s, began_s = time.time(), asyncio.get_running_loop().time()
        recorder = IntervalRecorder(interval_s=options.interval, began_s=began_s)
        await _ask_until(began_s + options.seconds, client, recorder, options.request_bytes)
        return {
            "began_at_s": began_at_s,
            "intervals": {"received_bytes": recorder.record(seconds=options.seconds).received_bytes},
        }


async def _ask_until(end_s: float, client: LightSink, recorder: IntervalRecorder, request_bytes: int | None) -> None:
    """One request after the other, as soon as as many bytes have come; the first one's beginning is read."""
    loop = asyncio.get_running_loop()
    has_begun = asyncio.Event()
    downloads = []
    asked_bytes = 0
    while loop.time() < end_s:
        if client.sunk_bytes >= asked_bytes:
            path = f"generated/{request_bytes or MAX_GENERATED_BYTES}"
            downloads.append(asyncio.create_task(client.download(path, on_data=lambda data: has_begun.set())))
            asked_bytes += request_bytes or MAX_GENERATED_BYTES
            if client.recorder is None:
                await has_begun.wait()
                client.sink(recorder)
        await asyncio.sleep(0.01)
    for download in downloads:
        download.cancel()


def main(arguments: Sequence[str] | None = None) -> int:
    """Sinks for a while; a line of JSON at the end has what came in each interval."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    options = begun(parser, arguments)
    sys.stdout.write(json.dumps([asyncio.run(_sink(options))]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
