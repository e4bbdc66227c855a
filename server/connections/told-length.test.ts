import { expect, onTestFinished, test } from "vitest";
import { listen } from "../http-server.ts";
import { RawClient } from "./raw-client.ts";

/** What is answered to a body in chunks of a byte by a server that reads all it gets. */
async function answerTo(path: string): Promise<string> {
  const server = await listen(
    (request, response) => {
      request.resume().on("end", () => response.end("taken"));
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => server.close());
  const client = await RawClient.open(server.port);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  client.socket.write(`${head}${"1\r\na\r\n".repeat(100)}0\r\n\r\n`);
  await client.closed();
  return client.heard;
}

test.each(["/", "/api/telemetry/cmcd", "/api/filmsy", "/media/api/films"])(
  "a body in chunks for %s is refused at once",
  async (path) => {
    const answer = await answerTo(path);
    expect(answer).toMatch(/^HTTP\/1\.1 411 /);
    expect(answer).toContain("send it with a Content-Length");
    expect(answer).not.toContain("taken");
  },
);

test.each(["/api/films", "/API/Films/?name=a", "/api/films?name=a"])(
  "a film for %s may come so",
  async (path) => {
    expect(await answerTo(path)).toContain("taken");
  },
);
