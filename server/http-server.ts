import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { originForm } from "./access/origin-form.ts";
import { admitFirst } from "./connections/admit-first.ts";
import { fewFields, MOST_FIELDS } from "./connections/few-fields.ts";
import { oneAtATime } from "./connections/one-at-a-time.ts";
import { connectionsWithin, openFileLimit } from "./connections/open-files.ts";
import { parseNoFurther } from "./connections/parse-no-further.ts";
import { ConnectionPlaces, type PlaceLimits } from "./connections/places.ts";
import { withinTime } from "./connections/request-time.ts";
import { matchTls } from "./connections/tls-places.ts";
import { toldLength } from "./connections/told-length.ts";
import { endUnreadBodies } from "./connections/unread-bodies.ts";
import { listenProblem } from "./listen-problem.ts";
import type { CertificatePair } from "./tls/certificate-pair.ts";
import { answerPlainVisitors } from "./tls/plain-visitors.ts";

/** What a client may take of the server; one that is slower than this is up to no good, or gone. */
export interface HttpLimits extends PlaceLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Without a byte in either direction. */
  readonly idleTimeoutMs: number;
  readonly checkIntervalMs: number;
  readonly maxHeaderBytes: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  idleTimeoutMs: 120_000,
  checkIntervalMs: 1_000,
  maxConnections: connectionsWithin(openFileLimit(), 1024),
  maxConnectionsPerAddress: 64,
  newConnectionsPerAddress: { perSecond: 20, burst: 128 },
  maxHeaderBytes: 16 * 1024,
};

/** For its end: each of those below listens once, and a stream that is compressed some times more. Beyond ten Node warns of a leak. */
const MOST_LISTENERS_OF_AN_ANSWER = 20;

/** Connections that wait to be accepted (`listen(2)`): who finds no room among them tries again after a second, and later. */
const BACKLOG = 4096;

export interface ListeningServer {
  /** The IP address in use, also where a name was given. */
  readonly address: string;
  /** The port in use, also where a free one was asked for. */
  readonly port: number;
  /** Of connections from now on; without effect where HTTP is plain. */
  useCertificate(pair: CertificatePair): void;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves an app, with limits, over HTTPS if there is a certificate; plain HTTP is led there then. A connection has one request in progress at a time.
 *
 * @param address port 0 takes a free one
 * @throws Problem if the address cannot be listened on
 */
export async function listen(
  app: RequestListener,
  address: { readonly host: string; readonly port: number },
  limits: HttpLimits = HTTP_LIMITS,
  pair: CertificatePair | null = null,
): Promise<ListeningServer> {
  const places = new ConnectionPlaces(limits);
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: limits.maxHeaderBytes,
  };
  const answer = endUnreadBodies(withinTime(originForm(app), limits.requestTimeoutMs));
  const handleInTurn = oneAtATime(fewFields(toldLength(places.noting(answer))));
  const handle: RequestListener = (request, response) => {
    response.setMaxListeners(MOST_LISTENERS_OF_AN_ANSWER);
    handleInTurn(request, response);
  };
  const tls =
    pair === null
      ? null
      : createTlsServer(
          { ...options, ...credentials(pair), handshakeTimeout: limits.headersTimeoutMs },
          handle,
        );
  if (tls !== null) answerPlainVisitors(tls, { http: options, timeMs: limits.headersTimeoutMs });
  const server = tls ?? createServer(options, handle);
  const raw = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    raw.add(socket);
    socket.once("close", () => raw.delete(socket));
  });
  if (tls !== null) matchTls(tls, places);
  parseNoFurther(server, tls === null ? "connection" : "secureConnection");
  admitFirst(server, places);
  server.timeout = limits.idleTimeoutMs;
  server.maxHeadersCount = MOST_FIELDS + 1; // enough to see that there are more
  const { address: ip, port } = await startListening(server, address);
  return {
    address: ip,
    port,
    useCertificate: (renewed) => tls?.setSecureContext(credentials(renewed)),
    close: () => close(server, raw),
  };
}

function credentials({ cert, key }: CertificatePair) {
  return { cert, key };
}

function startListening(
  server: Server | TlsServer,
  { host, port }: { host: string; port: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, { host, port })));
    server.listen({ host, port, backlog: BACKLOG }, () => resolve(server.address() as AddressInfo));
  });
}

/** Ends those, too, that have not spoken TLS to the end, of which Node's own list knows nothing. */
function close(server: Server | TlsServer, raw: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    for (const socket of raw) socket.destroy();
  });
}
