import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** For tests: another server, and the paths that it was asked for. 404 for what it does not know, unless `otherwise` answers. */
export async function startOrigin(
  answers: Readonly<Record<string, Answer>>,
  otherwise: Answer = (response) => response.writeHead(404).end(),
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    (answers[path] ?? otherwise)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** For tests: 200 with a text. */
export function ok(text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => response.writeHead(200, headers).end(text);
}
