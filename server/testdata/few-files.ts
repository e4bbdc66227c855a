/**
 * Serves a folder with few open files: `few-files.ts FOLDER`, under `ulimit -n`. Told `fill` on stdin it opens files until no
 * more can be opened, tries to start a service and ffmpeg, lets `npm-parent.mjs` look a few times, and says how that went; told `free` it
 * closes them again.
 */
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import express from "express";
import { ffmpegVersion } from "../../media/find-ffmpeg.ts";
import { errorHandler } from "../errors.ts";
import { exitOnFault } from "../exit-on-fault.ts";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { createLog } from "../log.ts";
import { staticFiles } from "../routes/static-files.ts";
import { startService } from "../service-process.ts";
import { endWithNpm } from "../setup/npm-parent.mjs";

const LOOK_INTERVAL_MS = 5;
const LOOKS = 5;

const folder = process.argv[2] ?? "";
const log = createLog("error", (line) => process.stderr.write(line));
exitOnFault(log);
endWithNpm(LOOK_INTERVAL_MS);
let opened: number[] = [];
const app = express();
app.use(function keepFull(_request, _response, next) {
  if (opened.length > 0) fill(); // what was open while it was filled may have been closed since
  next();
});
app.use(staticFiles(folder, { setHeaders: () => undefined }), errorHandler(log));
// The connection must be there still when no other can be accepted.
const limits = { ...HTTP_LIMITS, keepAliveTimeoutMs: 60_000 };
const server = await listen(app, { host: "127.0.0.1", port: 0 }, limits);
say({ event: "ready", port: server.port });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "fill") {
    fill();
    const service = await startSomeService();
    const ffmpeg = await ffmpegVersion(process.execPath).then(String, String);
    await looks();
    say({ event: "filled", service, ffmpeg });
  } else {
    for (const file of opened) closeSync(file);
    opened = [];
    say({ event: "freed" });
  }
}
process.exit(0);

function fill(): void {
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EMFILE") throw error;
  }
}

function startSomeService(): Promise<string> {
  const command = { name: "service", program: process.execPath, args: ["--version"], cwd: "/" };
  return startService({
    command: { ...command, readyTimeoutMs: 20_000, onLogLine: () => undefined },
    parseReady: (message) => message,
    onMessage: () => undefined,
    signal: new AbortController().signal,
  }).then(
    () => "started",
    (error: unknown) => String(error),
  );
}

function looks(): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const timer = setInterval(() => {
      seen += 1;
      if (seen < LOOKS) return;
      clearInterval(timer);
      resolve();
    }, LOOK_INTERVAL_MS);
  });
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
