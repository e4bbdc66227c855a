import { once } from "node:events";
import type { Presentation } from "../media/package-film.ts";
import { randomToken } from "./access/token.ts";
import { pageAddress, pageOrigins } from "./addresses.ts";
import { createApp } from "./app.ts";
import { isLoopback } from "./connections/address-group.ts";
import { EvictionLog } from "./connections/eviction-log.ts";
import { exitOnFault } from "./exit-on-fault.ts";
import { HTTP_LIMITS, listen } from "./http-server.ts";
import { type LinkChoice, LinkControl } from "./link/link-control.ts";
import { createLog } from "./log.ts";
import { relayService, transportService } from "./python-services.ts";
import type { Registry, Rule } from "./registry.ts";
import { ServiceError } from "./service-process.ts";
import { DEFAULT_RULE, type StartOptions } from "./setup/options.ts";
import { Problem } from "./setup/problem.ts";
import { createTelemetry } from "./telemetry/telemetry.ts";
import { TransportSupervisor } from "./transport-supervisor.ts";

/** What the set-up has checked and made. */
export interface Served {
  readonly options: StartOptions;
  readonly registry: Registry;
  readonly rules: readonly Rule[];
  readonly presentation: Presentation;
  readonly playerDirectory: string;
  /** Learned policies with their cards. */
  readonly policyDirectory: string;
  /** Links that can be asked for by name, `none` first; absent: none can. */
  readonly links?: readonly LinkChoice[];
  /** The link to begin with: one of `links`, a rate, or a trace file's path; absent: nothing is emulated. */
  readonly link?: string | null;
  /** Ends serving. */
  readonly signal: AbortSignal;
}

/**
 * Serves until it is told to stop: the web server here, the transport as a watched process.
 *
 * @returns exit code
 * @throws Problem if the port cannot be listened on or the transport does not start
 */
export async function serve({
  options,
  registry,
  rules,
  presentation,
  playerDirectory,
  policyDirectory,
  links = [],
  link: linkName = null,
  signal,
}: Served): Promise<number> {
  const log = createLog(options.logLevel, (line) => process.stderr.write(line));
  const stopWatchingForFaults = exitOnFault(log);
  let transport: TransportSupervisor | null = null;
  let origins: readonly string[] = [];
  let { token } = options;
  const defaults = { delayMs: options.delay, queuePackets: options.queue, lossRatio: options.loss };
  const link = new LinkControl({ ...relayService(options, log), choices: links, defaults, log, signal });
  const telemetry = createTelemetry(options.data, log);
  const app = createApp({
    playerDirectory,
    policyDirectory,
    presentation,
    transport: () => transport?.info ?? null,
    transportMetricsPort: () => transport?.metricsPort ?? null,
    letsNewcomersIn: () => transport?.letsNewcomersIn ?? true,
    registry,
    rules,
    defaults: {
      scheme: options.scheme ?? registry.defaults.scheme,
      preset: options.preset ?? registry.defaults.preset,
      rule: options.rule ?? DEFAULT_RULE,
    },
    link,
    origins: () => origins,
    token: () => token,
    publicUrl: options.publicUrl,
    telemetry,
    log,
  });
  // The web server first: the transport must be told the page's origin, and the port may have been left to the system.
  const evictions = new EvictionLog(log);
  const server = await listen(app, options, {
    ...HTTP_LIMITS,
    onEviction: (address) => evictions.note(address),
  });
  const isOpenToOthers = !isLoopback(server.address) || options.publicUrl !== null;
  try {
    origins = pageOrigins(options.host, server.port);
    const { origin, publicUrl } = options;
    origins = [...origins, ...[origin, publicUrl].filter((other) => other !== null)];
    if (isOpenToOthers) token ??= randomToken();
    const command = transportService({ options, origins, mediaDirectory: presentation.directory, log });
    transport = new TransportSupervisor({ command, log, onMove: (info) => link.useUpstream(info) });
    await Promise.all([startOrExplain(transport.start(signal)), telemetry.store.open()]);
    if (linkName !== null) await startOrExplain(link.start({ ...defaults, name: linkName }));
    const address = publicUrl ?? pageAddress(options.host, server.port);
    process.stdout.write(`nuwa-stream is ready: ${address}\n`);
    if (isOpenToOthers) log.warn(openToOthers(server, publicUrl));
    if (token !== null)
      process.stdout.write(`to change the link and read telemetry: ${address}/unlock?token=${token}\n`);
    if (!signal.aborted) await once(signal, "abort");
    log.info("stopping");
  } finally {
    await Promise.all([server.close(), telemetry.store.close(), link.stop(), transport?.stop()]);
    stopWatchingForFaults();
  }
  return 0;
}

function openToOthers(
  { address, port }: { address: string; port: number },
  publicUrl: string | null,
): string {
  const where = publicUrl === null ? "" : `, and at ${publicUrl} for everybody,`;
  const how = publicUrl === null ? ", over HTTP that others can read" : "";
  return [
    `listening on ${address}, port ${port}${where}: whoever reaches it watches the film and sends telemetry${how};`,
    "changes of the link, telemetry and metrics ask for the token; the emulated link is one for all visitors",
  ].join(" ");
}

async function startOrExplain(start: Promise<void>): Promise<void> {
  try {
    await start;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new Problem(`${error.message}: see its log above, and try again with --log-level debug`, {
      exitCode: 1,
    });
  }
}
