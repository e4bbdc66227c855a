import type { LinkState } from "../../player/src/options/server-config.ts";
import type { TransportInfo } from "../addresses.ts";
import type { Message } from "../service-process.ts";
import type { LinkRequest } from "./link-request.ts";
import { NO_LINK, parseLinkState } from "./link-state.ts";

/** A way through the emulated link; each has a queue of its own. */
export interface Lane {
  readonly host: string;
  readonly port: number;
}

/** What a relay says when it is ready. */
export interface RelayReady {
  readonly lanes: readonly [Lane, Lane];
  readonly link: LinkState;
}

export interface RelayPlace {
  readonly upstream: TransportInfo;
  readonly host: string;
  /** 0 takes a free one. */
  readonly ports: readonly [number, number];
  /** Whether each client has a lane alone. */
  readonly isForEach: boolean;
}

/** Arguments of `python -m transport relay`. */
export function relayArguments(
  { upstream, host, ports, isForEach }: RelayPlace,
  { name, delayMs, queuePackets, lossRatio }: LinkRequest,
): string[] {
  return [
    ...["relay", "--upstream", atAddress(reachable(upstream)), "--host", host],
    ...ports.flatMap((port) => ["--port", String(port)]),
    ...["--link", name, "--control"],
    ...(name === NO_LINK ? [] : ["--delay", String(delayMs), "--queue", String(queuePackets)]),
    ...(name === NO_LINK ? [] : ["--loss", String(lossRatio)]),
    ...(isForEach ? ["--for-each"] : []),
  ];
}

/** `none` is nothing at all here: what a request leaves out has the values of the start. */
export function linkCommand({ name, delayMs, queuePackets, lossRatio }: LinkRequest): Message {
  if (name === NO_LINK) return { command: "link", link: { name } };
  const link = { name, delay_ms: delayMs, queue_packets: queuePackets, loss_ratio: lossRatio };
  return { command: "link", link };
}

export function upstreamCommand(upstream: TransportInfo): Message {
  return { command: "upstream", ...reachable(upstream) };
}

/** @returns null if this is not the ready line of a relay with two lanes */
export function parseRelayReady({ event, lanes, link }: Message): RelayReady | null {
  const state = parseLinkState(link);
  if (event !== "ready" || !Array.isArray(lanes) || state === null) return null;
  const [first, second] = lanes.map(parseLane);
  return first && second ? { lanes: [first, second], link: state } : null;
}

/** @returns a sentence where a relay that ends has lost what its sockets had no room for; null for any other message */
export function sentenceOfLosses({ event, datagrams_missed: missed }: Message): string | null {
  if (event !== "ended" || typeof missed !== "number" || missed === 0) return null;
  return `the relay lost ${missed} datagrams beside its link, which came faster than it read them: is the machine busy?`;
}

export function atAddress({ host, port }: Lane): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where this machine reaches what listens on every address. */
function reachable({ host, port }: TransportInfo): Lane {
  const loopbacks: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  return { host: loopbacks[host] ?? host, port };
}

function parseLane(value: unknown): Lane | null {
  if (typeof value !== "object" || value === null) return null;
  const { host, port } = value as Message;
  return typeof host === "string" && typeof port === "number" ? { host, port } : null;
}
