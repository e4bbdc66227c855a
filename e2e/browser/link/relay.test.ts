import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parseLinkLog } from "./log.ts";
import { measureLink } from "./metrics.ts";
import { openLinkRelay } from "./relay.ts";
import { findTraces } from "./trace.ts";

const PACKETS = 600;
const QUEUE_PACKETS = 100;
const PAYLOAD_BYTES = 1200;
/** With its headers it is more than the link's opportunities carry. */
const TOO_LARGE_BYTES = 1500;

test("a burst through the relay: its log reads as mahimahi's, and delays, drops and rate are those of the link", async () => {
  const server = await bound();
  const client = await bound();
  try {
    const traces = await findTraces("24mbit", null);
    const link = { traces, delayMs: 20, queuePackets: QUEUE_PACKETS, lossRatio: 0 };
    await using relay = await openLinkRelay(link);
    await relay.connect(server.address().port);
    answerWithBurst(server);
    client.send("ask", relay.port, "127.0.0.1");
    const received = await countUntilQuiet(client);
    const log = parseLinkLog(await relay.close());
    expect(log.departures).toHaveLength(received);
    expect(received).toBeGreaterThanOrEqual(QUEUE_PACKETS);
    expect(received + log.drops.length).toBe(PACKETS);
    const atMs = log.opportunities.map((opportunity) => opportunity.atMs);
    const window = { fromMs: log.startedAtMs, toMs: Math.max(...atMs) };
    const { capacityBitsPerSecond, queueingDelayMaxMs } = measureLink(log, window);
    expect(capacityBitsPerSecond / 24e6).toBeCloseTo(1, 1);
    // 100 packets of 1232 bytes at 24 Mbit/s: 41 ms for the last of them, however busy the machine is
    expect(queueingDelayMaxMs).toBeGreaterThanOrEqual(38);
    expect(queueingDelayMaxMs).toBeLessThanOrEqual(43);
  } finally {
    server.close();
    client.close();
  }
});

test("a relay that lost datagrams beside its link says so at its end", async () => {
  const server = await bound();
  const client = await bound();
  try {
    const traces = await findTraces("24mbit", null);
    const loseOne = async () => {
      await using relay = await openLinkRelay({ traces, delayMs: 20, queuePackets: null, lossRatio: 0 });
      await relay.connect(server.address().port);
      server.once("message", (_, from: AddressInfo) => {
        server.send(Buffer.alloc(TOO_LARGE_BYTES), from.port, from.address);
        server.send("after it", from.port, from.address);
      });
      client.send("ask", relay.port, "127.0.0.1");
      await once(client, "message");
      await relay.close();
    };
    await expect(loseOne()).rejects.toThrow("1 too large, or beyond its memory");
  } finally {
    server.close();
    client.close();
  }
});

async function bound(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

function answerWithBurst(server: Socket): void {
  server.once("message", (_, from: AddressInfo) => {
    for (let index = 0; index < PACKETS; index += 1) {
      server.send(Buffer.alloc(PAYLOAD_BYTES), from.port, from.address);
    }
  });
}

/** Packets until 500 ms pass without one. */
async function countUntilQuiet(client: Socket): Promise<number> {
  const QUIET_MS = 500;
  let count = 0;
  await once(client, "message");
  count += 1;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, QUIET_MS);
    client.on("message", () => {
      count += 1;
      clearTimeout(timer);
      timer = setTimeout(resolve, QUIET_MS);
    });
  });
  return count;
}
