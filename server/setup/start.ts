import { RULES } from "../../player/src/rules/registry.ts";
import { readSessionKey } from "../access/session-token.ts";
import { mediaHost, mediaPortCount, pageAddress } from "../addresses.ts";
import { requireName } from "../front.ts";
import { readPair } from "../tls/certificate-pair.ts";
import { surviveUnreadOutput } from "../unread-output.ts";
import { versionLine } from "../version.mjs";
import { keepForbiddenBytecode } from "./bytecode.ts";
import {
  requireFreePort,
  requireFreeUdpPorts,
  requireTraceFile,
  requireWritableFolder,
} from "./early-checks.ts";
import { prepareFilms, wantedFilms } from "./films.ts";
import { chooseLink, readLinks, requireReadableLink } from "./links.ts";
import { laneCount, parseStartOptions } from "./options.ts";
import { ownCertificate } from "./own-certificate.ts";
import { PLAYER, POLICIES } from "./paths.ts";
import { playerBuild } from "./player-build.ts";
import { pythonEnvironment } from "./python-environments.ts";
import { beginningWith, offering, readRegistry } from "./registry.ts";
import { runSteps } from "./steps.ts";
import { usage } from "./usage.ts";

/** `npm start`: checks what was asked for, sets up what is missing, serves until it is told to stop. */
export async function start(args: readonly string[], signal: AbortSignal): Promise<number> {
  const options = parseStartOptions(args, process.env);
  if (options.help) {
    process.stdout.write(await usage());
    return 0;
  }
  if (options.version) {
    process.stdout.write(versionLine());
    return 0;
  }
  surviveUnreadOutput(); // from here on, since films are encoded before anything is served
  keepForbiddenBytecode();
  const wanted = await wantedFilms(options, signal);
  if (options.link !== null) requireTraceFile(options.link);
  if (options.certificate !== null) requireName(readPair(options.certificate), options);
  if (options.sessionKey !== null) readSessionKey(options.sessionKey);
  await requireFreePort(options);
  const ports = mediaPortCount(options) + laneCount(options.link);
  await requireFreeUdpPorts(mediaHost(options), options.udpPort, ports);
  const serving = import("../main.ts"); // takes as long as all that other processes answer meanwhile
  const [known, links] = await Promise.all([readRegistry(), readLinks()]);
  const registry = offering(options.schemes, known);
  const defaults = beginningWith(options, registry);
  const link = chooseLink(options.link, links);
  await requireReadableLink(link, links);
  requireWritableFolder(options.data);

  await runSteps([[pythonEnvironment, playerBuild]], { signal, output: process.stdout });
  const page = options.publicUrl ?? pageAddress(options.host, options.port, "https");
  const own = { signal, output: process.stdout };
  const certificate = options.certificate ?? (options.https ? await ownCertificate(page, own) : null);
  const [films, { serve }] = await Promise.all([prepareFilms(wanted, options, signal), serving]);
  const folders = { playerDirectory: PLAYER, policyDirectory: POLICIES };
  const exitCode = await serve({
    options,
    certificate,
    registry,
    rules: RULES,
    defaults,
    films,
    ...folders,
    links: links.choices,
    link,
    signal,
  });
  await films.encodingsOver(); // it was stopped, too
  return exitCode;
}
