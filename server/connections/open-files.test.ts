import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { connectionsWithin, openFileLimit } from "./open-files.ts";

test.each([
  [null, 1024],
  [1_048_576, 1024],
  [1024, 464],
  [256, 80],
  [64, 16],
])("with %s open files there are %i places", (openFiles, places) => {
  expect(connectionsWithin(openFiles, 1024)).toBe(places);
});

test.runIf(process.platform === "linux")("the limit of this process is read", () => {
  expect(openFileLimit()).toBeGreaterThan(0);
});

test("where no file can be opened any more requests are refused, and the server goes on", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "film.m4s"), "film");
  const program = fileURLToPath(new URL("../testdata/few-files.ts", import.meta.url));
  const env = { ...process.env, npm_lifecycle_event: "start" };
  const run = [process.execPath, "--import", "tsx", program, folder];
  const child = spawn("sh", ["-c", 'ulimit -n 64; "$@"; exit $?', "sh", ...run], { env });
  onTestFinished(() => void child.stdin.end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () =>
    JSON.parse((await lines.next()).value) as { port: number; service: string; ffmpeg: string };
  const { port } = await next();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 }); // another connection would need another file
  onTestFinished(() => agent.destroy());
  const get = () => statusOf({ port, agent, path: "/film.m4s" });
  expect(await get()).toBe(200);
  child.stdin.write("fill\n");
  const { service, ffmpeg } = await next();
  expect(service).toBe(`ServiceError: the service could not be run (spawn ${process.execPath} EMFILE)`);
  expect(ffmpeg).toMatch(/^MediaError: ffmpeg could not be started at .* \(EMFILE\); .* try again later/);
  expect(await get()).toBe(503);
  child.stdin.write("free\n");
  await next();
  expect(await get()).toBe(200);
});

function statusOf(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end();
  });
}
