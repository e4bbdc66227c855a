// Starts a fake transport and says its process, as a parent that the test can kill.
import { fileURLToPath } from "node:url";
import { startService } from "../service-process.ts";

await startService({
  command: {
    name: "media server",
    program: process.execPath,
    args: [fileURLToPath(new URL("fake-transport.mjs", import.meta.url)), "ready"],
    cwd: process.cwd(),
    readyTimeoutMs: 20_000,
    onLogLine: (line) => process.stdout.write(`${line}\n`),
  },
  parseReady: (message) => message,
  onMessage: () => undefined,
  signal: new AbortController().signal,
});
process.stdout.write("ready\n");
