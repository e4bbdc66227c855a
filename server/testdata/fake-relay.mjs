// Behaves as `python -m transport relay --control` does, so far as its parent can see.
import { createInterface } from "node:readline";

const args = process.argv.slice(2);
/** @param {string} name */
const all = (name) => args.flatMap((arg, index) => (arg === name ? [args[index + 1] ?? ""] : []));

/** @param {object} message */
function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** @param {{name: string, delay_ms?: number, queue_packets?: number | null, loss_ratio?: number}} wish */
function describe({ name, delay_ms = 0, queue_packets = null, loss_ratio = 0 }) {
  const capacity = name === "none" ? null : { bin_ms: 500, period_ms: 1000, bits_per_s: [5e6, 6e6] };
  const settings = { name, delay_ms, queue_packets, queue_bytes: null, loss_ratio };
  return { ...settings, title: `Title of ${name}`, started_at_ms: 1_800_000_000_000, capacity };
}

process.stderr.write(`INFO relay: process ${process.pid}, arguments ${args.join(" ")}\n`);
if (all("--port").includes(process.env.FAKE_TAKEN_PORT ?? "none")) {
  process.stderr.write("python -m transport relay: cannot listen\n");
  process.exit(2);
}
const lanes = all("--port").map((port, index) => ({
  host: "127.0.0.1",
  port: port === "0" ? 20_000 + 2 * (process.pid % 20_000) + index : Number(port),
}));
const [name = ""] = all("--link");
const [delay = 0, queue = 0, loss = 0] = ["--delay", "--queue", "--loss"].map((option) =>
  Number(all(option)[0] ?? 0),
);
say({ event: "ready", lanes, link: describe({ name, delay_ms: delay, queue_packets: queue, loss_ratio: loss }) });
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { command, link, ...rest } = JSON.parse(line);
    if (command !== "state") process.stderr.write(`INFO relay: ${line}\n`);
    if (command === "link" && link.name === "1kbit") say({ event: "refused", reason: "1kbit is too slow" });
    else if (command === "link") say({ event: "link", link: describe(link) });
    else if (command === "upstream") say({ event: "upstream", ...rest });
    else say({ event: "refused", reason: `command ${command} is unknown` });
  })
  .on("close", () => {
    say({ event: "ended", datagrams_missed: Number(process.env.FAKE_MISSED ?? "0") });
  });
