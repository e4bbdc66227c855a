import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../sample-app.ts";
import { SID, sampleBatch } from "../sample-telemetry.ts";
import { storedNumbers } from "./audit.ts";
import { eventOf } from "./sender.ts";
import { buildSlimServer, SlimProcess } from "./slim-process.ts";

const BATCH_EVENTS = 200;

// prlimit is Linux's.
test.runIf(process.platform === "linux")(
  "a full disk is answered 507, loses nothing accepted, and is over when there is space again",
  { timeout: 60_000 },
  async () => {
    const program = await buildSlimServer();
    const directory = temporaryFolder();
    const server = new SlimProcess(program, directory, 1536);
    onTestFinished(async () => {
      await server.kill();
      program.remove();
    });
    await server.loaded();
    server.beginServing();
    const port = await server.port();
    const accepted: number[] = [];
    let next = 0;
    const send = async (): Promise<Response> => {
      const events = Array.from({ length: BATCH_EVENTS }, (_, index) => eventOf(SID, next + index));
      next += BATCH_EVENTS;
      const response = await post(port, sampleBatch(events));
      if (response.ok) accepted.push(...events.map(({ sn }) => sn));
      return response;
    };

    let response = await send();
    while (response.ok && next < 100_000) response = await send();
    expect(response.status).toBe(507);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(accepted.length).toBeGreaterThan(1000);

    execFileSync("prlimit", ["--pid", String(server.pid), "--fsize=unlimited"]);
    await expect.poll(async () => (await send()).status, { timeout: 10_000, interval: 200 }).toBe(200);
    await server.kill();
    const stored = new Set(await storedNumbers(directory, SID));
    expect(accepted.filter((sn) => !stored.has(sn))).toEqual([]);
    expect(server.log.match(/telemetry is not stored/g)).toHaveLength(1);
  },
);

function post(port: number, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/telemetry/sessions/${SID}/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
