import { once } from "node:events";
import type { Presentation } from "../media/package-film.ts";
import { pageAddress, pageOrigins } from "./addresses.ts";
import { createApp } from "./app.ts";
import { listen } from "./http-server.ts";
import { createLog, type Log } from "./log.ts";
import type { Registry, Rule } from "./registry.ts";
import { type ServiceCommand, ServiceError } from "./service-process.ts";
import { DEFAULT_RULE, type StartOptions } from "./setup/options.mjs";
import { ROOT, VENV_PYTHON } from "./setup/paths.mjs";
import { Problem } from "./setup/problem.mjs";
import { createTelemetry } from "./telemetry/telemetry.ts";
import { relayTransportLog } from "./transport-log.ts";
import { TransportSupervisor } from "./transport-supervisor.ts";

const TRANSPORT_READY_TIMEOUT_MS = 20_000;

/** What the set-up has checked and made. */
export interface Served {
  readonly options: StartOptions;
  readonly registry: Registry;
  readonly rules: readonly Rule[];
  readonly presentation: Presentation;
  readonly playerDirectory: string;
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
  signal,
}: Served): Promise<number> {
  const log = createLog(options.logLevel, (line) => process.stderr.write(line));
  let transport: TransportSupervisor | null = null;
  const telemetry = createTelemetry(options.data, log);
  const app = createApp({
    playerDirectory,
    presentation,
    transport: () => transport?.info ?? null,
    registry,
    rules,
    defaults: {
      scheme: options.scheme ?? registry.defaults.scheme,
      preset: options.preset ?? registry.defaults.preset,
      rule: options.rule ?? DEFAULT_RULE,
    },
    telemetry,
    log,
  });
  // The web server first: the transport must be told the page's origin, and the port may have been left to the system.
  const server = await listen(app, options);
  try {
    const command = transportCommand({
      options,
      pagePort: server.port,
      mediaDirectory: presentation.directory,
      log,
    });
    transport = new TransportSupervisor({ command, log });
    await Promise.all([startOrExplain(transport, signal), telemetry.store.open()]);
    process.stdout.write(`nuwa-stream is ready: ${pageAddress(options.host, server.port)}\n`);
    if (!signal.aborted) await once(signal, "abort");
    log.info("stopping");
  } finally {
    await Promise.all([server.close(), telemetry.store.close(), transport?.stop()]);
  }
  return 0;
}

interface TransportWishes {
  readonly options: StartOptions;
  readonly pagePort: number;
  readonly mediaDirectory: string;
  readonly log: Log;
}

function transportCommand({ options, pagePort, mediaDirectory, log }: TransportWishes): ServiceCommand {
  const origins = pageOrigins(options.host, pagePort).flatMap((origin) => ["--origin", origin]);
  return {
    name: "transport",
    program: VENV_PYTHON,
    args: [
      ...["-m", "transport", "serve", mediaDirectory],
      ...["--host", options.host === "localhost" ? "127.0.0.1" : options.host, "--port", "0"],
      ...origins,
      ...["--log-level", options.logLevel, "--stop-with-stdin", "--beat"],
    ],
    cwd: ROOT,
    readyTimeoutMs: TRANSPORT_READY_TIMEOUT_MS,
    onLogLine: relayTransportLog(log),
  };
}

async function startOrExplain(transport: TransportSupervisor, signal: AbortSignal): Promise<void> {
  try {
    await transport.start(signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new Problem(`${error.message}: see its log above, and try again with --log-level debug`, {
      exitCode: 1,
    });
  }
}
