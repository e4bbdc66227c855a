import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listenProblem } from "./setup/listen-problem.mjs";

/** A client that sends its request this slowly is up to no good, or gone. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 120_000;
const MAX_CONNECTIONS = 1024;
const MAX_HEADER_BYTES = 16 * 1024;

export interface ListeningServer {
  /** The port in use, also where a free one was asked for. */
  readonly port: number;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves an app over plain HTTP, with limits.
 *
 * @param address port 0 takes a free one
 * @throws Problem if the address cannot be listened on
 */
export async function listen(
  app: RequestListener,
  address: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    app,
  );
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  const port = await startListening(server, address);
  return { port, close: () => close(server) };
}

function startListening(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, { host, port })));
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
