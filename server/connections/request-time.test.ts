import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { LEAST_BYTES_PER_SECOND, letBodyBeLong } from "./request-time.ts";

const TIME_MS = 100;
const PART = "x".repeat(LEAST_BYTES_PER_SECOND / 20); // every 5 ms: ten times what must come

/** What a server answers to a body that is told as longer than it comes, and how much of it came. */
async function answerTo({ isLong, sentParts }: { isLong: boolean; sentParts: number }) {
  let cameBytes = 0;
  const limits = { ...HTTP_LIMITS, requestTimeoutMs: TIME_MS };
  const server = await listen(
    (request) => {
      if (isLong) letBodyBeLong(request);
      request.on("data", (part: Buffer) => {
        cameBytes += part.length;
      });
    },
    { host: "127.0.0.1", port: 0 },
    limits,
  );
  onTestFinished(() => server.close());
  const answer = await new Promise<string>((resolve, reject) => {
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(head));
    let sent = 0;
    const sending = setInterval(() => {
      if (sent < sentParts) socket.write(PART);
      sent += 1;
    }, 5);
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      received += part;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearInterval(sending);
      resolve(received);
    });
  });
  return { answer, parts: cameBytes / PART.length };
}

test("a body that stands still is ended with 408 and a sentence", async () => {
  const { answer } = await answerTo({ isLong: false, sentParts: 0 });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain("the request came too slowly: send it within 0.1 s");
});

test("a body that may be long has as much time as it goes on", async () => {
  const { answer, parts } = await answerTo({ isLong: true, sentParts: 100 });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(parts).toBe(100);
});
