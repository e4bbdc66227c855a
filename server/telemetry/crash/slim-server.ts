/**
 * A server of telemetry alone, made to be killed. `slim-server.ts DIRECTORY` says `{"event":"loaded"}`; told `serve` on
 * stdin it listens on a free port of the loopback and says `{"event":"ready","port":N}`. It ends when stdin does.
 */
import { createInterface } from "node:readline";
import express from "express";
import { errorHandler } from "../../errors.ts";
import { listen } from "../../http-server.ts";
import { createLog } from "../../log.ts";
import { telemetryRoutes } from "../routes/index.ts";
import { createTelemetry } from "../telemetry.ts";

const directory = process.argv[2];
if (directory === undefined) throw new Error("slim-server.ts needs the directory of the store");

const log = createLog("warn", (line) => process.stderr.write(line));
const telemetry = createTelemetry(directory, log);
const app = express();
app.use("/api/telemetry", telemetryRoutes(telemetry, { origins: () => [] }));
app.use(errorHandler(log));

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ event: "loaded" });
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== "serve") throw new Error(`unknown command ${line}`);
  await telemetry.store.open();
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  say({ event: "ready", port: server.port });
}
await telemetry.store.close();
process.exit(0);
