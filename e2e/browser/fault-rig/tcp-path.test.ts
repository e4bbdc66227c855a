import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { TcpPath } from "./tcp-path.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test("a path passes bytes on both ways", async () => {
  await using path = await pathToServer();
  expect(await get(path)).toBe("hello");
});

test("a path that is cut holds the bytes and lets them go on when it is restored", async () => {
  await using path = await pathToServer();
  path.cut();
  let hasAnswered = false;
  const answer = get(path).finally(() => {
    hasAnswered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hasAnswered).toBe(false);
  path.restore();
  expect(await answer).toBe("hello");
});

test("a path that refuses ends each connection, until it is restored", async () => {
  await using path = await pathToServer();
  path.refuse();
  await expect(get(path)).rejects.toThrow();
  path.restore();
  expect(await get(path)).toBe("hello");
});

test("a path that speaks for its server answers 502 while that is gone", async () => {
  await using path = await pathToServer();
  const { upstreamPort } = path;
  path.speakForServer();
  expect(await get(path)).toBe("hello");
  path.upstreamPort = await portOfNobody();
  expect((await fetch(addressOf(path))).status).toBe(502);
  path.upstreamPort = upstreamPort;
  expect(await get(path)).toBe("hello");
});

test("a path takes bytes no faster than the other side does, and loses none", async () => {
  await using path = await TcpPath.open();
  const server = createTcpServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  path.upstreamPort = (server.address() as AddressInfo).port;
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const sent = { bytes: 0 };
  Readable.from(counted(sent)).pipe(connect(path.port, "127.0.0.1"));
  const [back] = await accepted;
  await untilAtRest(sent);
  path.cut();
  path.restore();
  await untilAtRest(sent);
  expect(sent.bytes).toBeLessThan(MANY_BYTES);
  let received = 0;
  for await (const chunk of back) received += chunk.length;
  expect(received).toBe(MANY_BYTES);
  server.close();
});

/** Many times what the system holds of two connections. */
const MANY_BYTES = 64 * 1024 ** 2;

function* counted(sent: { bytes: number }): Generator<Buffer> {
  for (const chunk = Buffer.alloc(2 ** 16); sent.bytes < MANY_BYTES; sent.bytes += chunk.length) yield chunk;
}

async function untilAtRest(sent: { readonly bytes: number }): Promise<void> {
  for (let before = -1; before !== sent.bytes; ) {
    before = sent.bytes;
    for (let turns = 0; turns < 200; turns += 1) await turn();
  }
}

async function pathToServer(): Promise<TcpPath> {
  const server = createServer((_request, response) => void response.end("hello"));
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const path = await TcpPath.open();
  path.upstreamPort = (server.address() as AddressInfo).port;
  return path;
}

async function portOfNobody(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const addressOf = (path: TcpPath): string => `http://127.0.0.1:${path.port}/`;

async function get(path: TcpPath): Promise<string> {
  const response = await fetch(addressOf(path));
  return response.text();
}
