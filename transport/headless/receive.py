"""The headless receiver: downloads for a while under a scheme and says what the link gave, like iperf."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from urllib.parse import quote

from cc.core.decision import Learned
from cc.core.quantile import quantile
from cc.core.receiver_base import ReceiverScheme, Stamp
from cc.core.scheme import Scheme
from cc.core.wrapping_count import counted_since
from cc.receiver.observer import Observer
from cc.receiver.presets import Preset
from models.policies.folder import POLICIES
from transport.headless.client import ClientProtocol, open_session
from transport.headless.receive_intervals import IntervalRecord, IntervalRecorder
from transport.headless.receive_log import ReceiveLog
from transport.loop_lateness import LoopLateness
from transport.policies import PolicyReport, PolicyShelf, SessionPolicy
from transport.wire_format.requests import MAX_GENERATED_BYTES


@dataclass(frozen=True, slots=True)
class OnOff:
    """A source that sends so many bytes, pauses, and begins again."""

    on_bytes: int
    off_s: float


@dataclass(frozen=True, slots=True)
class ReceiveOptions:
    """What to download, when and how it is recorded."""

    url: str
    origin: str
    scheme: Scheme
    preset: Preset
    seconds: float
    token: str | None = None
    """What opens the session, where the server asks for it."""
    begin_at_s: float | None = None
    """Seconds since the Unix epoch at which the request is sent; the session is open by then. None: at once."""
    interval_s: float | None = None
    """Length of the stretches that are reported; None reports the whole alone."""
    source: OnOff | None = None
    """None sends without end."""
    policy_directory: Path = POLICIES
    """Of the policies of schemes whose receiver asks one."""
    qlog_directory: Path | None = None
    """Where a qlog of what the receiver does is written; None for nowhere."""


@dataclass(frozen=True)
class ReceiveReport:
    """What a run measured; None where there was nothing to measure."""

    scheme: str
    preset: str
    seconds: float
    received_bytes: int
    throughput_bits_per_s: float
    began_at_s: float
    """Seconds since the Unix epoch."""
    queueing_delay_mean_s: float | None
    queueing_delay_p50_s: float | None
    queueing_delay_p95_s: float | None
    queueing_delay_max_s: float | None
    estimated_bandwidth_bits_per_s: float | None
    loss_ratio: float | None
    """Share of the packets sent between the first and the last stamp that did not arrive."""
    stamps_received: int
    packets_sent: int | None
    """Between the first and the last stamp, as the sender counts."""
    rtt_mean_s: float | None
    """Of the sender's smoothed RTT in each stamp."""
    lateness_p99_s: float | None
    """By how much this process woke late: times that are taken late look like a queue, where no system notes them."""
    lateness_max_s: float | None
    intervals: IntervalRecord | None
    policy: PolicyReport | None
    """None where the receiver asks none."""

    def as_json(self) -> dict[str, object]:
        """For machines."""
        return asdict(self)

    def as_text(self) -> str:
        """For people."""

        def milliseconds(seconds: float | None) -> str:
            return "-" if seconds is None else f"{seconds * 1000:.1f} ms"

        estimate = self.estimated_bandwidth_bits_per_s
        late = f"p99 {milliseconds(self.lateness_p99_s)}, max {milliseconds(self.lateness_max_s)}"
        loss = "-" if self.loss_ratio is None else f"{self.loss_ratio:.2%}"
        policy = () if self.policy is None else (f"policy           {self.policy.as_text()}",)
        return "\n".join(
            (
                f"scheme           {self.scheme} (preset {self.preset})",
                f"received         {self.received_bytes / 1e6:.2f} MB in {self.seconds:.1f} s",
                f"throughput       {self.throughput_bits_per_s / 1e6:.2f} Mbit/s",
                f"queueing delay   p50 {milliseconds(self.queueing_delay_p50_s)}, "
                f"p95 {milliseconds(self.queueing_delay_p95_s)}, max {milliseconds(self.queueing_delay_max_s)}",
                f"loss             {loss}",
                f"this host late   {late}",
                f"estimate         {'-' if estimate is None else f'{estimate / 1e6:.2f} Mbit/s'}",
                *policy,
            )
        )


@dataclass(frozen=True, slots=True)
class _Counts:
    """When a stamp arrived."""

    packets_sent: int
    datagrams_received: int


async def receive(options: ReceiveOptions) -> ReceiveReport:
    """Download filler for a while; raises ConnectionError where there is no server or it refuses."""
    scheme, preset = options.scheme, options.preset
    receiver = Observer() if scheme.make_receiver is None else scheme.make_receiver(preset.parameters)
    policy = await _load_policy(receiver, options)
    token = "" if options.token is None else f"&token={quote(options.token)}"
    session_url = f"{options.url.rstrip('/')}/v1/{scheme.name}?preset={preset.name}{token}"
    loop = asyncio.get_running_loop()
    async with open_session(session_url, origin=options.origin, receiver=receiver) as client:
        if options.begin_at_s is not None:
            await asyncio.sleep(options.begin_at_s - time.time())
        log = _make_log(options, loop_s=loop.time())
        run = _Run(client, receiver, policy, began_s=loop.time(), interval_s=options.interval_s, log=log)
        began_at_s = time.time()
        try:
            await _download_for(client, options, on_data=run.on_data)
        finally:
            run.stop()
        return run.report(options, began_at_s=began_at_s, now_s=loop.time())


def _make_log(options: ReceiveOptions, *, loop_s: float) -> ReceiveLog | None:
    directory, scheme, preset = options.qlog_directory, options.scheme.name, options.preset.name
    return None if directory is None else ReceiveLog(directory, scheme=scheme, preset=preset, loop_s=loop_s)


async def _load_policy(receiver: ReceiverScheme, options: ReceiveOptions) -> SessionPolicy | None:
    """What answers the receiver, ready before the first stamp; None for one that asks nothing."""
    name = options.scheme.policy
    if name is None or not isinstance(receiver, Learned):
        return None
    shelf = PolicyShelf(options.policy_directory)
    await shelf.load(name)
    return SessionPolicy(receiver, options.scheme, shelf, who="receiver")


class _Run:
    """What is counted while the download goes on."""

    def __init__(
        self,
        client: ClientProtocol,
        receiver: ReceiverScheme,
        policy: SessionPolicy | None,
        *,
        began_s: float,
        interval_s: float | None,
        log: ReceiveLog | None,
    ) -> None:
        self._log = log
        self._client = client
        self._receiver = receiver
        self._policy = policy
        self._began_s = began_s
        self._received_bytes = 0
        self._first: _Counts | None = None
        self._last: _Counts | None = None
        self._delays_s = array("d")
        """One for each stamp, of a run that may last for days."""
        self._rtts_s = array("d")
        self._recorder = None if interval_s is None else IntervalRecorder(interval_s=interval_s, began_s=began_s)
        self._watch = LoopLateness()
        self._now_s = asyncio.get_running_loop().time
        client.stamp_observer = self._on_stamp
        client.payload_observer = self._on_payload
        client.late_s = self._watch.late_s
        if log is not None:
            client.request_observer = lambda feedback: log.on_request(feedback, now_s=self._now_s())
        if policy is not None and isinstance(receiver, Learned):
            client.feedback_observer = partial(_answer, receiver, policy)

    def on_data(self, data: bytes) -> None:
        """Bytes of a response arrived."""
        self._received_bytes += len(data)
        if self._recorder is not None:
            self._recorder.on_received(len(data), now_s=self._now_s())

    def stop(self) -> None:
        """Nothing is counted any more."""
        self._watch.stop()
        if self._log is not None:
            self._log.close()

    def report(self, options: ReceiveOptions, *, began_at_s: float, now_s: float) -> ReceiveReport:
        """What was measured up to now."""
        elapsed_s = now_s - self._began_s
        delays_s, rtts_s = sorted(self._delays_s), self._rtts_s
        packets_sent, loss_ratio = _losses(self._first, self._last)
        recorder = self._recorder
        late = self._watch.lateness.summary()
        return ReceiveReport(
            scheme=options.scheme.name,
            preset=options.preset.name,
            seconds=elapsed_s,
            received_bytes=self._received_bytes,
            throughput_bits_per_s=8 * self._received_bytes / elapsed_s,
            began_at_s=began_at_s,
            queueing_delay_mean_s=fmean(delays_s) if delays_s else None,
            queueing_delay_p50_s=quantile(delays_s, 0.50) if delays_s else None,
            queueing_delay_p95_s=quantile(delays_s, 0.95) if delays_s else None,
            queueing_delay_max_s=delays_s[-1] if delays_s else None,
            estimated_bandwidth_bits_per_s=self._receiver.state(now_s=now_s).bandwidth_bits_per_s,
            loss_ratio=loss_ratio,
            stamps_received=len(delays_s),
            packets_sent=packets_sent,
            rtt_mean_s=fmean(rtts_s) if rtts_s else None,
            lateness_p99_s=None if late is None else late.p99_s,
            lateness_max_s=None if late is None else late.max_s,
            intervals=None if recorder is None else recorder.record(seconds=options.seconds),
            policy=None if self._policy is None else self._policy.say_last_words(),
        )

    def _on_payload(self, size_bytes: int) -> None:
        if self._recorder is not None:
            self._recorder.on_payload(size_bytes, now_s=self._now_s())

    def _on_stamp(self, stamp: Stamp, received_time_s: float) -> None:
        delay_s = self._receiver.state(now_s=received_time_s).raw_queueing_delay_s
        self._last = _Counts(stamp.packets_sent, self._client.datagrams_received)
        self._first = self._first or self._last
        self._delays_s.append(delay_s)
        if stamp.smoothed_rtt_s is not None:
            self._rtts_s.append(stamp.smoothed_rtt_s)
        if self._log is not None:
            late_s = self._client.late_s() if self._client.arrived_s is None else 0.0
            self._log.on_stamp(stamp, self._receiver, now_s=self._now_s(), late_s=late_s)
        if self._recorder is not None:
            self._recorder.on_stamp(queueing_delay_s=delay_s, cwnd_bytes=stamp.cwnd_bytes, now_s=received_time_s)


def _answer(learned: Learned, policy: SessionPolicy) -> None:
    """Tell the receiver what its policy says, if it asks."""
    answer = policy.answer()
    if answer is not None:
        learned.on_decision(*answer)


async def _download_for(client: ClientProtocol, options: ReceiveOptions, *, on_data: Callable[[bytes], None]) -> None:
    """Until the time is over; raises what the download raised."""
    download = asyncio.create_task(_download(client, options.source, on_data=on_data))
    done, _ = await asyncio.wait({download}, timeout=options.seconds)
    for task in done:
        task.result()
    download.cancel()
    await asyncio.wait({download})


async def _download(client: ClientProtocol, source: OnOff | None, *, on_data: Callable[[bytes], None]) -> None:
    if source is None:
        await client.download(f"generated/{MAX_GENERATED_BYTES}", on_data=on_data)
        return
    while True:
        await client.download(f"generated/{source.on_bytes}", on_data=on_data)
        await asyncio.sleep(source.off_s)


def _losses(first: _Counts | None, last: _Counts | None) -> tuple[int | None, float | None]:
    """Packets sent between two stamps, and the share of them that did not arrive."""
    if first is None or last is None:
        return None, None
    sent = counted_since(last.packets_sent, first.packets_sent)
    arrived = last.datagrams_received - first.datagrams_received
    return sent, None if sent <= 0 else max(0.0, 1 - arrived / sent)
