"""The headless receiver: downloads for a while under a scheme and says what the link gave, like iperf."""

from __future__ import annotations

import asyncio
import math
from dataclasses import asdict, dataclass

from cc.presets import Preset
from cc.receiver.nuwa import NuwaParameters
from cc.receiver.observer import Observer
from cc.receiver_base import Stamp
from cc.registry import Scheme
from transport.client import open_session
from transport.requests import MAX_GENERATED_BYTES


@dataclass(frozen=True)
class ReceiveReport:
    """What a run measured; None where there was nothing to measure."""

    scheme: str
    preset: str
    seconds: float
    received_bytes: int
    throughput_bits_per_s: float
    queueing_delay_p50_s: float | None
    queueing_delay_p95_s: float | None
    queueing_delay_max_s: float | None
    estimated_bandwidth_bits_per_s: float | None
    loss_ratio: float | None
    """Share of the packets sent between the first and the last stamp that did not arrive."""
    stamps_received: int

    def as_json(self) -> dict[str, float | int | str | None]:
        """For machines."""
        return asdict(self)

    def as_text(self) -> str:
        """For people."""

        def milliseconds(seconds: float | None) -> str:
            return "-" if seconds is None else f"{seconds * 1000:.1f} ms"

        estimate = self.estimated_bandwidth_bits_per_s
        loss = "-" if self.loss_ratio is None else f"{self.loss_ratio:.2%}"
        return "\n".join(
            (
                f"scheme           {self.scheme} (preset {self.preset})",
                f"received         {self.received_bytes / 1e6:.2f} MB in {self.seconds:.1f} s",
                f"throughput       {self.throughput_bits_per_s / 1e6:.2f} Mbit/s",
                f"queueing delay   p50 {milliseconds(self.queueing_delay_p50_s)}, "
                f"p95 {milliseconds(self.queueing_delay_p95_s)}, max {milliseconds(self.queueing_delay_max_s)}",
                f"loss             {loss}",
                f"estimate         {'-' if estimate is None else f'{estimate / 1e6:.2f} Mbit/s'}",
            )
        )


@dataclass(frozen=True)
class _StampRecord:
    received_time_s: float
    packets_sent: int
    datagrams_received: int
    queueing_delay_s: float


async def receive(*, url: str, origin: str, scheme: Scheme, preset: Preset, seconds: float) -> ReceiveReport:
    """Download filler for `seconds`; raises ConnectionError where there is no server or it refuses."""
    parameters = NuwaParameters(target_delay_s=preset.target_delay_s, rho_s=preset.rho_s, k=preset.k)
    receiver = Observer() if scheme.make_receiver is None else scheme.make_receiver(parameters)
    loop = asyncio.get_running_loop()
    received_bytes = 0
    records: list[_StampRecord] = []

    def count(data: bytes) -> None:
        nonlocal received_bytes
        received_bytes += len(data)

    session_url = f"{url.rstrip('/')}/v1/{scheme.name}?preset={preset.name}"
    async with open_session(session_url, origin=origin, receiver=receiver) as client:

        def record(stamp: Stamp, received_time_s: float) -> None:
            state = receiver.state(now_s=received_time_s)
            records.append(
                _StampRecord(received_time_s, stamp.packets_sent, client.datagrams_received, state.raw_queueing_delay_s)
            )

        client.stamp_observer = record
        started_s = loop.time()
        download = asyncio.create_task(client.download(f"generated/{MAX_GENERATED_BYTES}", on_data=count))
        done, _ = await asyncio.wait({download}, timeout=seconds)
        elapsed_s = loop.time() - started_s
        for task in done:
            task.result()
        download.cancel()
        await asyncio.wait({download})
        estimate = receiver.state(now_s=loop.time()).bandwidth_bits_per_s
    delays_s = sorted(record.queueing_delay_s for record in records)
    return ReceiveReport(
        scheme=scheme.name,
        preset=preset.name,
        seconds=elapsed_s,
        received_bytes=received_bytes,
        throughput_bits_per_s=8 * received_bytes / elapsed_s,
        queueing_delay_p50_s=_quantile(delays_s, 0.50),
        queueing_delay_p95_s=_quantile(delays_s, 0.95),
        queueing_delay_max_s=delays_s[-1] if delays_s else None,
        estimated_bandwidth_bits_per_s=estimate,
        loss_ratio=_loss_ratio(records),
        stamps_received=len(records),
    )


def _quantile(ordered: list[float], share: float) -> float | None:
    """Nearest rank."""
    if not ordered:
        return None
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _loss_ratio(records: list[_StampRecord]) -> float | None:
    if len(records) < 2:
        return None
    sent = records[-1].packets_sent - records[0].packets_sent
    arrived = records[-1].datagrams_received - records[0].datagrams_received
    return None if sent <= 0 else max(0.0, 1 - arrived / sent)
