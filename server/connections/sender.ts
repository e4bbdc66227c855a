import type { Request } from "express";
import { addressGroup, isOwnMachine } from "./address-group.ts";

/** Whose limits a request falls under: its address, behind a proxy what that says; null for this machine's own. */
export function senderOf({ ip = "" }: Request): string | null {
  return isOwnMachine(ip) ? null : addressGroup(ip);
}
