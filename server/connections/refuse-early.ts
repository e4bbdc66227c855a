import type { ServerResponse } from "node:http";

/** Refuses what no route is to hear of, in the form of all refusals; the connection ends with it. */
export function refuseEarly(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { Connection: "close", "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: { status, reason, field: null } }));
}
