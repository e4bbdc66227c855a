import { setTimeout as pause } from "node:timers/promises";
import { PYTHON, ROOT } from "../environment.ts";
import type { Chance } from "../fault-rig/chance.ts";
import { Child } from "../process/child.ts";

/** Without a browser, each of its own scheme; a pause as long as a segment between downloads, as a player makes. */
const SCHEMES = ["nuwa", "cubic", "bbr", "newreno", "copa", "ledbat"] as const;
const STAYS_SECONDS = [5, 30] as const;
const BETWEEN_SECONDS = [1, 5] as const;
const BUSY = /this server is busy/;
const SEGMENT = "500000/2";

export interface ViewersOptions {
  /** Where the transport is; asked for each viewer, since it may have moved. */
  readonly address: () => string;
  /** The page's. */
  readonly origin: string;
  readonly chance: Chance;
  readonly signal: AbortSignal;
}

/** How many came, and how many of them found the server too busy for another session. */
export interface ViewersCount {
  readonly came: number;
  readonly refused: number;
}

/** Headless receivers that come and go, one at a time, until the signal. */
export async function comeAndGo({ address, origin, chance, signal }: ViewersOptions): Promise<ViewersCount> {
  let came = 0;
  let refused = 0;
  while (!signal.aborted) {
    const seconds = chance.between(STAYS_SECONDS).toFixed(1);
    const scheme = SCHEMES[chance.whole(0, SCHEMES.length - 1)] ?? SCHEMES[0];
    const had = await receive(
      [address(), "--origin", origin, "--scheme", scheme, "--seconds", seconds],
      signal,
    );
    came += 1;
    if (!had) refused += 1;
    await pause(1000 * chance.between(BETWEEN_SECONDS), undefined, { signal }).catch(() => undefined);
  }
  return { came, refused };
}

/** @returns whether it got a session */
async function receive(args: readonly string[], signal: AbortSignal): Promise<boolean> {
  const command = ["-m", "transport", "receive", ...args, "--on-off", SEGMENT, "--log-level", "error"];
  const child = await Child.start({ name: "viewer", command: PYTHON, args: command, cwd: ROOT });
  const end = () => child.kill("SIGKILL");
  signal.addEventListener("abort", end, { once: true });
  const code = await child.ended;
  signal.removeEventListener("abort", end);
  if (code === 0 || signal.aborted) return true;
  if (BUSY.test(child.lastWords)) return false;
  throw new Error(`${args.join(" ")}: ${child.lastWords}`);
}
