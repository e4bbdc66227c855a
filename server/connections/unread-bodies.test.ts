import type { IncomingMessage, RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { RawClient } from "./raw-client.ts";

/** A server that answers everything at once, and the requests that it has got. */
async function answering(handle: RequestListener = (_request, response) => response.end("told")) {
  const requests: IncomingMessage[] = [];
  const server = await listen(
    (request, response) => {
      requests.push(request);
      handle(request, response);
    },
    { host: "127.0.0.1", port: 0 },
    { ...HTTP_LIMITS, keepAliveTimeoutMs: 600_000 },
  );
  onTestFinished(() => server.close());
  return { client: await RawClient.open(server.port), requests };
}

const head = (field: string) => `POST /api/films HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`;

test.each([
  ["in chunks of a byte", head("Transfer-Encoding: chunked"), "1\r\na\r\n"],
  ["of a terabyte", head("Content-Length: 1000000000000"), "aaaaaa"],
])("a body %s is read no further than to its answer", async (_what, begin, part) => {
  const { client, requests } = await answering();
  client.socket.write(begin);
  await client.hears(/told/g);
  client.socket.write(part.repeat(500_000));
  await client.closed();
  expect(requests[0]?.socket.bytesRead).toBeLessThan(1_000_000);
});

test("a body that is read has its time", async () => {
  const { client } = await answering((request, response) => {
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
    });
    request.on("end", () => response.end(`<${bytes}>`));
  });
  client.socket.write(head("Transfer-Encoding: chunked"));
  client.socket.write("4\r\nfilm\r\n".repeat(50_000));
  client.socket.write("0\r\n\r\n");
  await client.hears(/<200000>/g);
  client.socket.write(head("Content-Length: 4"));
  client.socket.write("film");
  await client.hears(/<4>/g);
});

test("what is left of a short body is passed over, and the next request answered", async () => {
  const { client, requests } = await answering();
  client.socket.write(head("Content-Length: 1000"));
  await client.hears(/told/g);
  client.socket.write("a".repeat(1000) + head("Content-Length: 0"));
  await client.hears(/told/g, 2);
  expect(requests).toHaveLength(2);
});
