import type { MediaServerAddress } from "../options/media-server-address.ts";
import { configProblem, type ServerConfig } from "../options/server-config.ts";
import type { OpenOptions } from "../session/messages.ts";
import { unansweredBy } from "../session/nobody-behind.ts";
import { PROTOCOL_VERSION } from "../session/session-url.ts";

export const SERVER_AWAY = "The server does not answer (it is started with npm start).";

const NOT_OUR_SERVER = "/api/config is answered by another program than this page's server";

/** The page and its server are not of one version. */
export class StalePage extends Error {
  override readonly name = "StalePage";

  constructor(serverVersion: number) {
    super(
      `The server speaks protocol version ${serverVersion} and this page version ${PROTOCOL_VERSION}: reload the page.`,
    );
  }
}

/**
 * All that a page must know to begin, for as long as it takes. Throws StalePage, or an Error with one sentence for the
 * viewer.
 */
export async function fetchServerConfig(): Promise<ServerConfig> {
  const answer = await ask(null);
  const problem = configProblem(answer);
  if (problem !== null) {
    throw new Error(`${NOT_OUR_SERVER}: ${problem}.`);
  }
  return answer as ServerConfig;
}

/** Of a server of this page's version. */
async function ask(signal: AbortSignal | null): Promise<Pick<ServerConfig, "protocolVersion">> {
  let response: Response;
  try {
    response = await fetch("/api/config", { cache: "no-store", signal });
  } catch (error) {
    throw new Error(SERVER_AWAY, { cause: error });
  }
  if (unansweredBy(response.status, null) !== null && !isJson(response)) {
    throw new Error(SERVER_AWAY);
  }
  if (!response.ok) {
    throw new Error(`The server answered ${response.status} to /api/config; its log says why.`);
  }
  const answer = Object(await jsonOf(response)) as Partial<ServerConfig>;
  const { protocolVersion } = answer;
  if (typeof protocolVersion !== "number") {
    throw new Error(`${NOT_OUR_SERVER}: protocolVersion is to be a number.`);
  }
  if (protocolVersion !== PROTOCOL_VERSION) {
    throw new StalePage(protocolVersion);
  }
  return { ...answer, protocolVersion };
}

/** As this page's server answers, also where it has no room now; a proxy that speaks for it sends a page. */
function isJson({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("application/json") === true;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError
      ? new Error(`${NOT_OUR_SERVER}: it is no JSON.`, { cause: error })
      : error;
  }
}

/** Where the media server listens now, over a lane of its emulated link if there is one; null while it is away. */
export async function fetchLane(
  lane: 0 | 1,
  signal: AbortSignal | null = null,
): Promise<MediaServerAddress | null> {
  const { transport, link } = (await ask(signal)) as ServerConfig; // what else a newer server tells is not needed here
  if (transport === null) return null;
  const { sessionToken } = transport;
  return {
    ...(sessionToken !== undefined && { sessionToken }),
    url: transport.laneUrls[lane],
    certificateHashes: transport.certificateHashes,
    isEmulated: link !== null,
    workers: transport.workers,
  };
}

/** Where a page opens its one session that cannot go on without. Throws an Error with one sentence for the viewer. */
export async function fetchMediaServer(): Promise<
  Pick<OpenOptions, "serverUrl" | "certificateHashes" | "sessionToken">
> {
  const server = await fetchLane(0);
  if (server === null) {
    throw new Error("The media server is not up; the server's log says why.");
  }
  const { url, certificateHashes, sessionToken } = server;
  return { serverUrl: url, certificateHashes, sessionToken: sessionToken ?? null };
}
