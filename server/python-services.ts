import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { mediaHost, mediaPortCount } from "./addresses.ts";
import type { FilmShelf } from "./films/film-shelf.ts";
import type { LinkControlOptions } from "./link/link-control.ts";
import type { Log } from "./log.ts";
import type { ServiceCommand } from "./service-process.ts";
import type { StartOptions } from "./setup/options.ts";
import { MEDIA, ROOT, VENV_PYTHON } from "./setup/paths.ts";
import { MEDIA_SERVER, relayTransportLog } from "./transport-log.ts";

/** Bounds a hang only: one that is given up begins anew, which on a machine so busy would never end. */
const READY_TIMEOUT_MS = 60_000;

interface TransportWishes {
  readonly options: Pick<
    StartOptions,
    | "host"
    | "publicUrl"
    | "udpPort"
    | "certificate"
    | "sessionKey"
    | "logLevel"
    | "workers"
    | "sharedPort"
    | "sessionRateMbit"
    | "totalRateMbit"
    | "inFlightMib"
    | "schemes"
  >;
  /** Of the pages that may open sessions. */
  readonly origins: readonly string[];
  readonly films: Pick<FilmShelf, "root" | "mounts">;
  readonly log: Log;
  /** Of this process: its key of stateless resets, where it has one, is shared by many machines. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** `python -m transport serve` for the server's pages. */
export function transportService({
  options,
  origins,
  films,
  log,
  environment = process.env,
}: TransportWishes): ServiceCommand {
  return {
    name: MEDIA_SERVER,
    ...pythonService(log, MEDIA_SERVER),
    args: [
      ...["-m", "transport", "serve", films.root?.directory ?? emptyFolder()],
      ...["--host", mediaHost(options), "--port", String(options.udpPort)],
      ...origins.flatMap((origin) => ["--origin", origin]),
      ...films.mounts.flatMap(({ name, directory }) => ["--mount", `${name}=${directory}`]),
      ...["--workers", String(options.workers)],
      ...(options.sharedPort ? ["--shared-port"] : []),
      ...certificateFiles(options.certificate),
      ...given("--session-key", options.sessionKey),
      ...given("--session-rate-mbit", options.sessionRateMbit),
      ...given("--total-rate-mbit", options.totalRateMbit),
      ...given("--in-flight-mib", options.inFlightMib),
      ...given("--schemes", options.schemes?.join(",") ?? null),
      ...["--metrics-port", "0"],
      ...["--log-level", options.logLevel, "--stop-with-stdin", "--beat", "--self-check"],
    ],
    // One for all that are started after each other: what a successor says of its predecessor's sessions is believed.
    env: { NUWA_RESET_KEY: environment.NUWA_RESET_KEY || randomBytes(32).toString("hex") },
  };
}

/** `python -m transport`, to which a link adds what it wants of the relay. */
export function relayService(
  options: Pick<StartOptions, "host" | "publicUrl" | "udpPort" | "workers" | "sharedPort" | "laneEach">,
  log: Log,
): Pick<LinkControlOptions, "relay" | "host" | "ports" | "isForEach"> {
  const { udpPort } = options;
  const first = udpPort + mediaPortCount(options);
  return {
    relay: { ...pythonService(log, "relay"), args: ["-m", "transport"] },
    host: mediaHost(options),
    isForEach: options.laneEach,
    ports: udpPort === 0 ? [0, 0] : [first, first + 1],
  };
}

function pythonService(log: Log, name: string) {
  return {
    program: VENV_PYTHON,
    cwd: ROOT,
    readyTimeoutMs: READY_TIMEOUT_MS,
    onLogLine: relayTransportLog(log, name),
  };
}

/** What the media server has at its root where no film lies there. */
function emptyFolder(): string {
  const folder = join(MEDIA, "nothing");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** One of our own is for pages alone: sessions have a short-lived one, which pages know by its hash. */
function certificateFiles(files: StartOptions["certificate"]): string[] {
  return files === null ? [] : ["--certificate", files.certificate, "--key", files.key];
}

function given(option: string, value: number | string | null): string[] {
  return value === null ? [] : [option, String(value)];
}
