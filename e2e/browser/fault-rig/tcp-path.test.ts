import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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

async function pathToServer(): Promise<TcpPath> {
  const server = createServer((_request, response) => void response.end("hello"));
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const path = await TcpPath.open();
  path.upstreamPort = (server.address() as AddressInfo).port;
  return path;
}

async function get(path: TcpPath): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${path.port}/`);
  return response.text();
}
