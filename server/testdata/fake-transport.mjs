// Behaves as `python -m transport serve` does, so far as its parent can see; the first argument says how well.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [behaviour] = process.argv.slice(2);

const ready = {
  event: "ready",
  host: "127.0.0.1",
  port: process.pid % 65536, // tells one process from the next
  certificate_sha256: ["aGFzaA=="],
  certificate_not_after: "2030-01-01T00:00:00Z",
};

/** @param {number} port @param {string} hash */
function worker(port, hash) {
  return { port, sessions: 0, certificate_sha256: [hash] };
}

/** @param {object} message */
function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

process.stderr.write(`info fake transport, process ${process.pid}\n`);
if (process.env.NUWA_RESET_KEY !== undefined) process.stderr.write(`info reset key ${process.env.NUWA_RESET_KEY}\n`);
switch (behaviour) {
  case "ready":
    process.on("SIGUSR2", () => say({ ...ready, event: "certificate", certificate_sha256: ["bmV3", "aGFzaA=="] }));
    say(ready);
    setInterval(() => say({ event: "beat" }), 500);
    break;
  case "leaving": // says so, and ends when it is told to
    process.on("SIGTERM", () => say({ event: "stopping" }));
    process.on("SIGUSR1", () => process.exit(0));
    process.on("SIGUSR2", () => say({ event: "newcomers", can_enter: false, opening_s: null }));
    say(ready);
    setInterval(() => say({ event: "beat" }), 500);
    break;
  case "workers": // two, of which the first goes when it is told to, and comes back with another certificate
    process.on("SIGUSR2", () => {
      say({ event: "workers", workers: [] });
      say({ event: "workers", workers: [worker(2, "c2Vjb25k")] });
      say({ event: "workers", workers: [worker(1, "dGhpcmQ="), worker(2, "c2Vjb25k")] });
    });
    say({ ...ready, port: 1, workers: [worker(1, "aGFzaA=="), worker(2, "c2Vjb25k")] });
    break;
  case "mute": // beats when it is told to
    process.on("SIGUSR2", () => say({ event: "beat" }));
    say(ready);
    break;
  case "with a worker": // that hangs, and holds the pipes to whoever started its parent
    spawn(process.execPath, ["-e", "console.error('info worker', process.pid); setInterval(() => {}, 60_000)"], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    say(ready);
    break;
  case "silent":
    break;
  case "broken":
    process.stderr.write("error no such directory\n");
    process.exit(2);
    break;
  case "chatty":
    process.stdout.write("hello\n");
    break;
  case "stubborn":
    setInterval(() => undefined, 60_000);
    say(ready);
    break;
  default:
    throw new Error(`unknown behaviour ${behaviour}`);
}
if (!["stubborn", "leaving"].includes(behaviour ?? "")) createInterface({ input: process.stdin }).on("close", () => process.exit(0));
