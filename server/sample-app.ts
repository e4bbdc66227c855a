import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { LinkState } from "../player/src/options/server-config.ts";
import { createApp } from "./app.ts";
import type { AppConfig } from "./config.ts";
import { FilmShelf } from "./films/film-shelf.ts";
import { listen } from "./http-server.ts";
import type { LinkService, Route } from "./link/link-control.ts";
import type { LinkRequest } from "./link/link-request.ts";
import { createLog } from "./log.ts";

/** What lies beside the served folders and must never be in an answer. */
export const CANARY = "canary-5f1c";

/** Of the sample app's own pages. */
export const ORIGIN = "http://localhost:8080";

/** For tests: a folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nuwa-server-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const SAMPLE_LINK_STATE: LinkState = {
  name: "lte-like",
  title: "LTE",
  delayMs: 20,
  queuePackets: 300,
  queueBytes: null,
  lossRatio: 0,
  startedAtMs: 1_800_000_000_000,
  capacity: { binMs: 500, periodMs: 1000, bitsPerSecond: [5_000_000, 6_000_000] },
};

/** For tests: an emulated link that notes what was asked of it. */
export function sampleLink({ kind }: { kind: Route["kind"] }): LinkService & { requests: LinkRequest[] } {
  const requests: LinkRequest[] = [];
  const lanes = [
    { host: "127.0.0.1", port: 40_001 },
    { host: "127.0.0.1", port: 40_002 },
  ] as const;
  return {
    requests,
    choices: [
      { name: "none", title: "No emulated link", summary: "s" },
      { name: "lte-like", title: "LTE", summary: "s" },
    ],
    defaults: { delayMs: 20, queuePackets: 300, lossRatio: 0 },
    state: kind === "direct" ? null : SAMPLE_LINK_STATE,
    isAwaited: false,
    isForEach: false,
    route: kind === "relay" ? { kind, lanes } : { kind },
    change: (request) => {
      requests.push(request);
      return Promise.resolve();
    },
  };
}

/** For tests: an app over small files, listening on a free port until the test ends. */
export async function startSampleApp(
  overrides: Partial<AppConfig> = {},
): Promise<{ port: number; url: string; folder: string; logLines: string[] }> {
  const folder = temporaryFolder();
  write(folder, "secret.txt", CANARY);
  write(folder, "player/index.html", "<title>nuwa-stream</title>");
  write(folder, "player/bulk.html", "<title>bulk</title>");
  write(folder, "player/assets/index-abc123.js", "export {};");
  write(folder, "player/.env", CANARY);
  write(folder, "media/manifest.mpd", "<MPD/>");
  write(folder, "media/init-v0.m4s", "init");
  write(folder, "media/seg-v0-00001.m4s", "0123456789");
  write(folder, "media/presentation.json", CANARY);
  write(folder, "media/.hidden.m4s", CANARY);
  write(folder, "media-other/seg-v0-00001.m4s", CANARY);
  const logLines: string[] = [];
  const app = createApp({
    playerDirectory: join(folder, "player"),
    films: FilmShelf.ofOne({ directory: join(folder, "media"), title: "Sample", durationSeconds: 4 }),
    transport: () => ({ host: "127.0.0.1", port: 4433, certificateHashes: ["aGFzaA=="] }),
    registry: {
      schemes: [
        {
          name: "nuwa",
          title: "Nuwa",
          control: "receiver",
          family: "f",
          summary: "s",
          source: "p",
          policy: null,
          reads: ["target_delay_ms"],
        },
      ],
      schemesNotOffered: [{ name: "cubic", title: "CUBIC" }],
      presets: [
        {
          name: "on-demand",
          title: "On demand",
          target_delay_ms: 40,
          rho_ms: 20,
          k: 7,
          catches_up: false,
          follows_need: false,
          as_in_paper: false,
          summary: "s",
        },
      ],
      defaults: { scheme: "nuwa", preset: "on-demand" },
    },
    rules: [{ name: "nuwa", title: "NuwaRule", summary: "s" }],
    defaults: { scheme: "nuwa", preset: "on-demand", rule: "nuwa" },
    origins: () => [ORIGIN, "http://127.0.0.1:8080"],
    log: createLog("debug", (line) => logLines.push(line)),
    ...overrides,
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return { port: server.port, url: `http://127.0.0.1:${server.port}`, folder, logLines };
}

/** For tests: GET with the path exactly as given, which fetch would tidy up; other headers on top. */
export function getRaw(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        body += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

function write(folder: string, name: string, content: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
