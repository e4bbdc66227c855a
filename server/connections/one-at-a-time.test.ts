import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MOST_FIELDS } from "./few-fields.ts";
import { MAX_WAITING_HEADS, MAX_WAITING_REQUESTS, oneAtATime } from "./one-at-a-time.ts";
import { RawClient } from "./raw-client.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

interface Started {
  readonly port: number;
  /** Paths in the order in which they were handled. */
  readonly handled: string[];
  readonly answers: ServerResponse[];
}

async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Started> {
  const handled: string[] = [];
  const answers: ServerResponse[] = [];
  const server = createServer(
    oneAtATime((request, response) => {
      handled.push(request.url ?? "");
      answers.push(response);
      handle(request, response);
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, handled, answers };
}

test("requests sent at once are answered in their order", async () => {
  const { port, handled } = await startServer((request, response) => void response.end(`<${request.url}>`));
  const client = await RawClient.open(port);
  const paths = Array.from({ length: MAX_WAITING_REQUESTS }, (_, index) => `/${index}`);
  client.socket.write(paths.map(get).join(""));
  await client.hears(/<\/\d+>/g, paths.length);
  expect(handled).toEqual(paths);
  expect([...client.heard.matchAll(/<(\/\d+)>/g)].map(([, path]) => path)).toEqual(paths);
});

test("a request is not handled before the one ahead of it was answered, nor after its socket has ended", async () => {
  const { port, handled, answers } = await startServer(() => undefined);
  const client = await RawClient.open(port);
  client.socket.write(get("/1") + get("/2") + get("/3"));
  while (handled.length === 0) await new Promise(setImmediate);
  expect(handled).toEqual(["/1"]);
  answers[0]?.end("one");
  await client.hears(/one/g);
  while (handled.length === 1) await new Promise(setImmediate);
  expect(handled).toEqual(["/1", "/2"]);
  client.socket.destroy();
  const [, second] = answers;
  if (second !== undefined && !second.closed) await once(second, "close");
  expect(handled).toEqual(["/1", "/2"]);
});

test("a socket with more requests waiting than allowed is ended, and the first of them told", async () => {
  const { port, handled, answers } = await startServer(() => undefined);
  const client = await RawClient.open(port);
  client.socket.write(get("/").repeat(MAX_WAITING_REQUESTS + 2));
  await client.closed();
  expect(handled).toHaveLength(1);
  expect(answers[0]?.closed).toBe(true);
});

test("a socket with a waiting request of too many fields is ended", async () => {
  const { port, handled } = await startServer(() => undefined);
  const client = await RawClient.open(port);
  client.socket.write(`${get("/")}GET / HTTP/1.1\r\nHost: x\r\n${"a:b\r\n".repeat(MOST_FIELDS)}\r\n`);
  await client.closed();
  expect(handled).toHaveLength(1);
});

test("a socket whose waiting requests are too large together is ended, also once some had their turn", async () => {
  const { port, handled, answers } = await startServer(() => undefined);
  const client = await RawClient.open(port);
  const large = `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(MAX_WAITING_HEADS / 3)}\r\n\r\n`;
  client.socket.write(large.repeat(3));
  while (handled.length === 0) await new Promise(setImmediate);
  answers[0]?.end("one");
  while (handled.length === 1) await new Promise(setImmediate);
  client.socket.write(large);
  answers[1]?.end("two");
  await client.hears(/two/g);
  client.socket.write(large.repeat(3));
  await client.closed();
  expect(handled).toHaveLength(3);
});

test("a body is read in its turn", async () => {
  const { port } = await startServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => response.end(`<${body}>`));
  });
  const client = await RawClient.open(port);
  const post = (body: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  client.socket.write(post("first") + post("second") + post("third"));
  await client.hears(/<third>/g);
  expect(client.heard.match(/<\w+>/g)).toEqual(["<first>", "<second>", "<third>"]);
});
