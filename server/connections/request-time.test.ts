import type { IncomingMessage, RequestListener } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { LEAST_BYTES_PER_SECOND, letBodyBeLong } from "./request-time.ts";

const TIME_MS = 100;
const headOf = (bodyBytes: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
const PART = "x".repeat(Math.ceil((LEAST_BYTES_PER_SECOND * TIME_MS) / 1000)); // as much as must come in that time

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }); // a busy machine is no slow client
});
afterEach(() => {
  vi.useRealTimers();
});

/** As `expect.poll`, which would let the clock of the test go on. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

/** A client of a server, which has sent its request's head. */
async function begin(handle: RequestListener, bodyBytes = 1_000_000_000) {
  const requests: IncomingMessage[] = [];
  const limits = { ...HTTP_LIMITS, requestTimeoutMs: TIME_MS, keepAliveTimeoutMs: 600_000 };
  const server = await listen(
    (request, response) => {
      requests.push(request);
      handle(request, response);
    },
    { host: "127.0.0.1", port: 0 },
    limits,
  );
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    received += part;
  });
  const end = new Promise<string>((resolve, reject) => {
    socket.on("close", () => resolve(received)).on("error", reject);
  });
  let sentBytes = 0;
  const send = async (text: string) => {
    socket.write(text);
    sentBytes += text.length;
    await until(() => requests[0]?.socket.bytesRead === sentBytes);
  };
  await send(headOf(bodyBytes));
  return { send, end, received: () => received };
}

test("a body that stands still is ended with 408 and a sentence", async () => {
  const { end } = await begin(() => undefined);
  vi.advanceTimersByTime(TIME_MS);
  expect(await end).toMatch(/^HTTP\/1\.1 408 /);
  expect(await end).toContain("the request came too slowly: send it within 0.1 s");
});

test("a body that may be long has as much time as it goes on", async () => {
  const { send, end, received } = await begin((request) => letBodyBeLong(request.resume()));
  for (let times = 0; times < 3; times += 1) {
    await send(PART);
    vi.advanceTimersByTime(TIME_MS);
  }
  await send("x");
  expect(received()).toBe("");
  vi.advanceTimersByTime(TIME_MS);
  expect(await end).toMatch(/^HTTP\/1\.1 408 /);
});

test("a short body that still comes when its request is answered has no more time", async () => {
  const { send, end, received } = await begin((_request, response) => response.writeHead(404).end(), 1000);
  await until(() => received().startsWith("HTTP/1.1 404 "));
  await send("x");
  vi.advanceTimersByTime(TIME_MS);
  expect(await end).not.toContain("408");
});
