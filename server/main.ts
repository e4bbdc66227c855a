import { once } from "node:events";
import type { ServerConfig } from "../player/src/options/server-config.ts";
import { readSessionKey } from "./access/session-token.ts";
import { randomToken } from "./access/token.ts";
import type { TransportInfo } from "./addresses.ts";
import { announce } from "./announce.ts";
import { createApp } from "./app.ts";
import { EvictionLog } from "./connections/eviction-log.ts";
import { exitOnFault } from "./exit-on-fault.ts";
import { surviveFileSizeLimit } from "./file-size-signal.ts";
import { DroppedFilms } from "./films/drop/dropped-films.ts";
import type { FilmShelf } from "./films/film-shelf.ts";
import { Front } from "./front.ts";
import { HTTP_LIMITS, listen } from "./http-server.ts";
import { LinkControl } from "./link/link-control.ts";
import { createLog, headFor, type Log } from "./log.ts";
import { ServerMetrics, type ServiceName } from "./metrics/server-metrics.ts";
import { Problem } from "./problem.mjs";
import { relayService, transportService } from "./python-services.ts";
import type { OfferedRegistry } from "./registry.ts";
import { ServiceError } from "./service-process.ts";
import type { StartOptions } from "./setup/options.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import { type CertificateFiles, type CertificatePair, readPair } from "./tls/certificate-pair.ts";
import { CertificateRenewal } from "./tls/renewal.ts";
import { TransportSupervisor } from "./transport-supervisor.ts";
import { readVersion } from "./version.mjs";

const DAY_MS = 86_400_000;

/** What the set-up has checked and made. */
export interface Served {
  readonly options: StartOptions;
  /** With which pages are served over HTTPS; absent or null: they are not. */
  readonly certificate?: CertificateFiles | null;
  readonly registry: OfferedRegistry;
  readonly rules: ServerConfig["rules"];
  /** What the page begins with. */
  readonly defaults: ServerConfig["defaults"];
  readonly films: FilmShelf;
  readonly playerDirectory: string;
  /** Learned policies with their cards. */
  readonly policyDirectory: string;
  /** Links that can be asked for by name, `none` first; absent: none can. */
  readonly links?: ServerConfig["links"];
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
  certificate = null,
  registry,
  rules,
  defaults,
  films,
  playerDirectory,
  policyDirectory,
  links = [],
  link: linkName = null,
  signal,
}: Served): Promise<number> {
  const pair = certificate === null ? null : readPair(certificate);
  const front = new Front(options, pair);
  const head = headFor(process.stderr.fd, process.env);
  const log = createLog(options.logLevel, (line) => process.stderr.write(line), head);
  const stopWatchingForFaults = exitOnFault(log);
  const stopSurviving = surviveFileSizeLimit();
  let transport: TransportSupervisor | null = null;
  let origins: readonly string[] = [];
  let { token } = options;
  const linkDefaults = { delayMs: options.delay, queuePackets: options.queue, lossRatio: options.loss };
  const metrics = new ServerMetrics();
  metrics.tellBuild(readVersion());
  const countRestarts = (service: ServiceName) => () => metrics.restarts.inc({ service });
  const link = new LinkControl({
    ...{ ...relayService(options, log), onRestart: countRestarts("relay") },
    willStart: linkName !== null,
    ...{ choices: links, defaults: linkDefaults, log, signal },
  });
  const telemetry = telemetryOf(options, metrics, log);
  const { droppedRoot } = films;
  const dropped = droppedRoot === null ? undefined : new DroppedFilms({ root: droppedRoot, shelf: films });
  const app = createApp({
    playerDirectory,
    policyDirectory,
    films,
    ...(dropped === undefined ? {} : { dropped }),
    transport: () => transport?.info ?? null,
    transportMetricsPort: () => transport?.metricsPort ?? null,
    letsNewcomersIn: () => transport?.letsNewcomersIn ?? true,
    registry,
    rules,
    defaults,
    link,
    sessionKey: options.sessionKey === null ? null : readSessionKey(options.sessionKey),
    cmcdCollector: options.cmcd,
    origins: () => origins,
    token: () => token,
    publicName: front.publicName,
    trustedProxies: front.trustedProxies,
    ...(telemetry === null ? {} : { telemetry }),
    metrics,
    log,
  });
  await dropped?.open(); // before a page looks, which would miss its film
  // The web server first: the transport must be told the page's origin, and the port may have been left to the system.
  const evictions = new EvictionLog(log);
  const onEviction = (address: string) => {
    metrics.evictions.inc();
    evictions.note(address);
  };
  const server = await listen(
    app,
    options,
    { ...HTTP_LIMITS, onEviction, unlimited: options.trustProxy ?? [] },
    pair,
  );
  let inUse = pair;
  const onRenewed = (renewed: CertificatePair) => {
    server.useCertificate(renewed);
    inUse = renewed;
  };
  metrics.watchCertificate(() => inUse?.expiresAtMs ?? null);
  const renewal =
    certificate === null ? null : new CertificateRenewal({ files: certificate, onRenewed, log });
  try {
    origins = front.origins(server.port);
    if (front.isOpenToOthers(server.address)) token ??= randomToken();
    const command = transportService({ options, origins, films, log });
    const onMove = (info: TransportInfo) => link.useUpstream(info);
    transport = new TransportSupervisor({ command, log, onMove, onRestart: countRestarts("transport") });
    await Promise.all([startOrExplain(transport.start(signal)), telemetry?.store.open()]);
    if (linkName !== null) await startOrExplain(link.start({ ...linkDefaults, name: linkName }));
    const isTokenGiven = options.token !== null;
    const write = (text: string) => process.stdout.write(text);
    announce({ front, server, link: linkName, token, isTokenGiven, log, write });
    if (!signal.aborted) await once(signal, "abort");
    log.info("stopping");
  } finally {
    renewal?.stop();
    await Promise.all([server.close(), telemetry?.store.close(), link.stop(), transport?.stop()]);
    stopWatchingForFaults();
    stopSurviving();
  }
  return 0;
}

function telemetryOf(
  { telemetry, telemetryDays, data }: StartOptions,
  { registry }: ServerMetrics,
  log: Log,
): Telemetry | null {
  if (!telemetry) return null;
  return createTelemetry(data, log, {
    registry,
    maxAgeMs: telemetryDays === null ? null : telemetryDays * DAY_MS,
  });
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
