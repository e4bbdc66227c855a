import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { requireMahimahi } from "../requirements.ts";
import { runCommand } from "../setup/run-command.ts";
import { type LinkLog, parseLinkLog } from "./log.ts";
import { measureLink } from "./metrics.ts";
import { openLinkShell } from "./shell.ts";
import { findTraces } from "./trace.ts";

/** Fewer than the 500 that the shell's network device holds: what it drops while mm-delay is kept waiting is in no log. */
const PACKETS = 400;
const PAYLOAD_BYTES = 1200;

test("a burst into a queue of 100 packets: delays, drops and rate are those of the link", async (context) => {
  const mahimahi = await requireMahimahi(context);
  const { received, log } = await sendBurst({ mahimahi, lossRatio: 0, packets: PACKETS });
  // the system sends packets of its own into the shell now and then
  const isOurs = ({ bytes }: { bytes: number }) => bytes === PAYLOAD_BYTES + 32;
  expect(log.departures.filter(isOurs)).toHaveLength(received);
  expect(received).toBeGreaterThanOrEqual(100);
  expect(received).toBeLessThan(PACKETS);
  expect(log.drops.filter(isOurs)).toHaveLength(PACKETS - received);
  // 100 packets of 1232 bytes at 24 Mbit/s: 41 ms for the last of them, give or take what else the machine does
  const { queueingDelayMaxMs, queueingDelayP50Ms } = measureLink(log, wholeLog(log));
  expect(queueingDelayMaxMs).toBeGreaterThanOrEqual(30);
  expect(queueingDelayMaxMs).toBeLessThanOrEqual(150);
  expect(queueingDelayP50Ms).toBeLessThan(queueingDelayMaxMs as number);
});

test("the log tells the link's capacity, and its times are this machine's", async (context) => {
  const mahimahi = await requireMahimahi(context);
  const beforeMs = Date.now();
  const { log, sentAtMs } = await sendBurst({ mahimahi, lossRatio: 0, packets: 20 });
  expect(log.startedAtMs).toBeGreaterThanOrEqual(beforeMs - 1);
  const first = log.arrivals.find((arrival) => arrival.bytes === PAYLOAD_BYTES + 32);
  // 20 ms of mm-delay lie between sending and the queue
  expect((first?.atMs ?? 0) - sentAtMs).toBeGreaterThanOrEqual(18);
  expect((first?.atMs ?? 0) - sentAtMs).toBeLessThanOrEqual(150);
  expect(measureLink(log, wholeLog(log)).capacityBitsPerSecond / 24e6).toBeCloseTo(1, 1);
});

test("random loss takes its share behind the queue", async (context) => {
  const mahimahi = await requireMahimahi(context);
  const { received, log } = await sendBurst({ mahimahi, lossRatio: 0.5, packets: 90 });
  const departed = log.departures.filter((departure) => departure.bytes === PAYLOAD_BYTES + 32).length;
  expect(departed).toBe(90);
  // 45 of 90 expected, standard deviation 4.7: five of those either way
  expect(received).toBeGreaterThan(21);
  expect(received).toBeLessThan(69);
});

interface Burst {
  mahimahi: Parameters<typeof openLinkShell>[0];
  lossRatio: number;
  packets: number;
}

/** Asks from inside the shell for a burst of packets from outside, until 300 ms pass without one. */
async function sendBurst({ mahimahi, lossRatio, packets }: Burst) {
  const traces = await findTraces("24mbit", mahimahi.traces);
  const sender = createSocket("udp4");
  sender.bind(0, "0.0.0.0");
  await once(sender, "listening");
  try {
    await using shell = await openLinkShell(mahimahi, { traces, delayMs: 20, queuePackets: 100, lossRatio });
    const sent = answerWithBurst(sender, packets);
    const { port } = sender.address();
    const asked = ["-e", RECEIVER, shell.outsideAddress, String(port)];
    const { command, args } = shell.inside(process.execPath, asked);
    const result = await runCommand(command, args, { timeoutMs: 20_000 });
    if (result.code !== 0) throw new Error(result.stderr);
    return { received: Number(result.stdout), sentAtMs: await sent, log: parseLinkLog(await shell.close()) };
  } finally {
    sender.close();
  }
}

async function answerWithBurst(sender: Socket, packets: number): Promise<number> {
  const [, from] = (await once(sender, "message")) as [Buffer, AddressInfo];
  const sentAtMs = Date.now();
  for (let index = 0; index < packets; index += 1) {
    sender.send(Buffer.alloc(PAYLOAD_BYTES), from.port, from.address);
  }
  return sentAtMs;
}

const RECEIVER = `
const [address, port] = process.argv.slice(1);
const socket = require("node:dgram").createSocket("udp4");
let received = 0;
let timer = setTimeout(finish, 5000);
function finish() { console.log(received); socket.close(); }
socket.on("message", () => { received += 1; clearTimeout(timer); timer = setTimeout(finish, 300); });
socket.send("go", Number(port), address);
`;

function wholeLog(log: LinkLog) {
  return { fromMs: log.startedAtMs + 100, toMs: log.opportunities.at(-1)?.atMs ?? log.startedAtMs };
}
