import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { MOST_FIELDS } from "./few-fields.ts";
import { RawClient } from "./raw-client.ts";

test("a request has a browser's number of fields, or is refused", async () => {
  let handled = 0;
  const server = await listen(
    (_request, response) => {
      handled += 1;
      response.end("told");
    },
    { host: "127.0.0.1", port: 0 },
    HTTP_LIMITS,
  );
  onTestFinished(() => server.close());
  const client = await RawClient.open(server.port);
  const withFields = (count: number) => `GET / HTTP/1.1\r\nHost: x\r\n${"a:b\r\n".repeat(count - 1)}\r\n`;
  client.socket.write(withFields(MOST_FIELDS));
  await client.hears(/told/g);
  client.socket.write(withFields(MOST_FIELDS + 1));
  await client.closed();
  expect(client.heard).toContain("HTTP/1.1 431 ");
  expect(client.heard).toContain(`a request has ${MOST_FIELDS} header fields at most`);
  expect(handled).toBe(1);
});
