import type { Request } from "express";
import { addressGroup, isOwnMachine } from "./address-group.ts";

/**
 * Where a request comes from; behind proxies what they say. That it is this machine is believed where it came over no other:
 * who is within a subnet of `--trust-proxy` can say so, too, and would be free of all limits.
 */
export function addressOf({ ip = "", ips, socket }: Pick<Request, "ip" | "ips" | "socket">): string {
  return [ip, ...ips, socket.remoteAddress ?? ip].find((address) => !isOwnMachine(address)) ?? ip;
}

/** Whose limits a request falls under; null for this machine's own. */
export function senderOf(request: Pick<Request, "ip" | "ips" | "socket">): string | null {
  const address = addressOf(request);
  return isOwnMachine(address) ? null : addressGroup(address);
}
