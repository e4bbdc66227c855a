import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { everyAddress } from "../addresses.ts";
import { Problem } from "../problem.mjs";
import { parseStartOptions } from "./options.ts";
import { ROOT } from "./paths.ts";
import { START_OPTIONS } from "./start-help.mjs";

const DEFAULTS = {
  help: false,
  version: false,
  port: 8080,
  host: "127.0.0.1",
  origin: null,
  publicUrl: null,
  trustProxy: null,
  https: false,
  certificate: null,
  sessionKey: null,
  udpPort: 0,
  token: null,
  films: [],
  cmcd: null,
  laneEach: false,
  pull: false,
  playWhileEncoding: false,
  ladder: null,
  codec: null,
  quality: false,
  scheme: null,
  preset: null,
  rule: null,
  link: { text: "steps", file: resolve("steps") },
  delay: 20,
  queue: 300,
  loss: 0,
  workers: availableParallelism(),
  sharedPort: false,
  sessionRateMbit: null,
  totalRateMbit: null,
  inFlightMib: null,
  schemes: null,
  data: join(ROOT, ".data"),
  telemetry: true,
  telemetryDays: null,
  logLevel: "info",
};

test.each(["port", "host", "link", "delay", "queue", "loss", "log-level"] as const)(
  "the help's default of --%s is what holds without it",
  (name) => {
    const [preset = ""] = START_OPTIONS[name].preset.split(";");
    expect(parseStartOptions([`--${name}`, preset], {})).toEqual(parseStartOptions([], {}));
  },
);

test.each([
  [[], {}, {}],
  [["--help"], {}, { help: true }],
  [["-h"], {}, { help: true }],
  [["--version"], {}, { version: true }],
  [["--port", "9000"], {}, { port: 9000 }],
  [["--port=0"], {}, { port: 0 }],
  [["--port", "9000", "--port", "9001"], {}, { port: 9001 }],
  [["--host", "::"], {}, { host: "::", link: null }],
  [["--host", "::1"], {}, { host: "::1" }],
  [["--host", "::0"], {}, { host: "::", link: null }],
  [["--host", "0"], {}, { host: "0.0.0.0", link: null }],
  [["--link", "none"], {}, { link: null }],
  [["--origin", "https://films.example"], {}, { origin: "https://films.example" }],
  [
    ["--public-url", "https://demo.example/"],
    {},
    { publicUrl: "https://demo.example", udpPort: 4433, link: null },
  ],
  [
    ["--public-url=https://demo.example:8443", "--udp-port", "0"],
    {},
    { publicUrl: "https://demo.example:8443", udpPort: 0, link: null },
  ],
  [
    ["--public-url", "https://demo.example", "--trust-proxy", "10.0.0.0/8,fd00::7"],
    {},
    { publicUrl: "https://demo.example", trustProxy: ["10.0.0.0/8", "fd00::7"], udpPort: 4433, link: null },
  ],
  [["--https"], {}, { https: true, host: everyAddress(), link: null }],
  [["--https", "--host", "192.0.2.7"], {}, { https: true, host: "192.0.2.7", link: null }],
  [[], { NUWA_HTTPS: "1" }, { https: true, host: everyAddress(), link: null }],
  [
    ["--certificate", "a.pem", "--key", "/k.pem"],
    { INIT_CWD: "/called/here" },
    {
      https: true,
      host: everyAddress(),
      link: null,
      certificate: { certificate: resolve("/called/here/a.pem"), key: resolve("/k.pem") },
    },
  ],
  [[], { NUWA_UDP_PORT: "443", NUWA_WORKERS: "20" }, { udpPort: 443, workers: 20 }],
  [[], { NUWA_TOKEN: "abcdefghij-ABCDEFGHI_" }, { token: "abcdefghij-ABCDEFGHI_" }],
  [["--lane-each"], {}, { laneEach: true }],
  [["--quality"], {}, { quality: true }],
  [["--cmcd", "/api/telemetry/cmcd"], {}, { cmcd: "/api/telemetry/cmcd" }],
  [["--cmcd", "https://reports.example/cmcd"], {}, { cmcd: "https://reports.example/cmcd" }],
  [["--film", "/films/a.mkv"], {}, { films: [resolve("/films/a.mkv")] }],
  [["--film", "a.mkv"], { INIT_CWD: "/called/here" }, { films: [resolve("/called/here/a.mkv")] }],
  [
    ["--film", "a.mkv", "--film=https://films.example/a/../b.mpd?x=1", "--pull"],
    { INIT_CWD: "/here", NUWA_FILM: "z.mkv" },
    { films: [resolve("/here/a.mkv"), "https://films.example/b.mpd?x=1"], pull: true },
  ],
  [
    ["--ladder", "640x360@800k", "--codec=av1"],
    {},
    { ladder: [{ longSide: 640, shortSide: 360, videoBitsPerSecond: 800_000 }], codec: "av1" },
  ],
  [[], { NUWA_FILM: "z.mkv", INIT_CWD: "/here" }, { films: [resolve("/here/z.mkv")] }],
  [
    ["--scheme", "cubic", "--preset=live", "--rule", "bola"],
    {},
    { scheme: "cubic", preset: "live", rule: "bola" },
  ],
  [
    ["--link", "lte-like", "--delay", "12.5", "--queue", "50", "--loss", "0.01"],
    { INIT_CWD: "/called/here" },
    {
      link: { text: "lte-like", file: resolve("/called/here/lte-like") },
      delay: 12.5,
      queue: 50,
      loss: 0.01,
    },
  ],
  [
    ["--session-rate-mbit", "20", "--total-rate-mbit", "0.5"],
    {},
    { sessionRateMbit: 20, totalRateMbit: 0.5 },
  ],
  [["--workers", "4"], {}, { workers: 4 }],
  [
    ["--shared-port", "--udp-port", "443", "--workers", "21"],
    {},
    { sharedPort: true, udpPort: 443, workers: 21 },
  ],
  [["--in-flight-mib", "64"], {}, { inFlightMib: 64 }],
  [["--schemes", "kuafu,cubic,kuafu"], {}, { schemes: ["kuafu", "cubic"] }],
  [["--data", "kept"], { INIT_CWD: "/called/here" }, { data: resolve("/called/here/kept") }],
  [[], { NUWA_DATA: "/kept" }, { data: resolve("/kept") }],
  [["--no-telemetry"], {}, { telemetry: false }],
  [[], { NUWA_NO_TELEMETRY: "1" }, { telemetry: false }],
  [[], { NUWA_NO_TELEMETRY: "0" }, { telemetry: true }],
  [["--telemetry-days", "30"], {}, { telemetryDays: 30 }],
  [["--log-level", "debug"], {}, { logLevel: "debug" }],
  [[], { NUWA_PORT: "9000", NUWA_SCHEME: "cubic" }, { port: 9000, scheme: "cubic" }],
  [["--help"], { NUWA_PROT: "9000" }, { help: true }],
  [[], { NUWA_PYTHON: "/usr/bin/python3", NUWA_TRACES: "/traces", NUWA_PROT: "" }, {}],
  [[], { NUWA_SERVICE_HOST: "10.0.0.1", NUWA_STREAM_PORT: "udp://10.0.0.1:4433" }, {}],
  [[], { NUWA_LOG_LEVEL: "error", NUWA_RULE: "" }, { logLevel: "error" }],
  [["--port", "9001"], { NUWA_PORT: "9000" }, { port: 9001 }],
])("%j with environment %j", (args, environment, expected) => {
  expect(parseStartOptions(args, environment)).toEqual({ ...DEFAULTS, ...expected });
});

test.each([
  [["--prot", "9000"], {}, "unknown option '--prot': did you mean --port?"],
  [["-p", "9000"], {}, "unknown option '-p': see npm start -- --help"],
  [["--help=yes"], {}, "unknown option '--help=yes': see npm start -- --help"],
  [["--port"], {}, "option '--port <number>' argument missing: see npm start -- --help"],
  [["--port", "--host", "::"], {}, '--port is "--host": write a port number from 0 to 65535'],
  [
    ["--cmcd", "reports.example"],
    {},
    '--cmcd is "reports.example": write a URL, as in https://reports.example/cmcd, or /api/telemetry/cmcd',
  ],
  [["--film="], {}, "option --film needs a value: see npm start -- --help"],
  [
    ["--film", "https://"],
    {},
    '--film is "https://": write the whole URL of an MPD, as in https://films.example/film.mpd',
  ],
  [
    ["--ladder", "720p"],
    {},
    '--ladder has the rung "720p": write width, height and rate, as in 640x360@800k',
  ],
  [["--codec", "vp9"], {}, '--codec is "vp9": write one of hevc, av1'],
  [["--port", "http"], {}, '--port is "http": write a port number from 0 to 65535'],
  [["--port", "65536"], {}, '--port is "65536": write a port number from 0 to 65535'],
  [["--port", "-1"], {}, '--port is "-1": write a port number from 0 to 65535'],
  [["--port", "0x50"], {}, '--port is "0x50": write a port number from 0 to 65535'],
  [["--port", "80.5"], {}, '--port is "80.5": write a port number from 0 to 65535'],
  [[], { NUWA_PORT: "many" }, 'NUWA_PORT is "many": write a port number from 0 to 65535'],
  [["--port", "6000"], {}, "--port is 6000, to which browsers connect nothing: choose another port"],
  [["--certificate", "a.pem"], {}, "--certificate goes with --key: give the file of each"],
  [["--key", "a.pem"], {}, "--key goes with --certificate: give the file of each"],
  [[], { NUWA_HTTPS: "yes" }, 'NUWA_HTTPS is "yes": write 1 or 0'],
  [
    [],
    { NUWA_TOTAL_RATE_MBITS: "100" },
    "unknown variable NUWA_TOTAL_RATE_MBITS: did you mean NUWA_TOTAL_RATE_MBIT?",
  ],
  [[], { NUWA_MOON: "1" }, "unknown variable NUWA_MOON: see npm start -- --help"],
  [["--udp-port", "22"], {}, "--udp-port is 22, to which browsers connect nothing: choose another port"],
  [["--udp-port", "70000"], {}, '--udp-port is "70000": write a port number from 0 to 65535'],
  [
    ["--udp-port", "65534"],
    {},
    "--udp-port is 65534, and workers and an emulated link take those that follow: ",
  ],
  [
    ["--udp-port", "443", "--workers", "21"],
    {},
    "the 21 workers from UDP port 443 on, or an emulated link, take port 465, to which browsers connect nothing: ",
  ],
  [
    ["--public-url", "http://demo.example:81"],
    {},
    '--public-url is "http://demo.example:81", but browsers allow WebTransport to pages over https alone: give https://demo.example:81',
  ],
  ...["demo.example", "https://demo.example/film", "wss://demo.example", "https://a@demo.example"].map(
    (url): [string[], object, string] => [
      ["--public-url", url],
      {},
      `--public-url is "${url}": write https, host and perhaps a port, as in https://demo.example`,
    ],
  ),
  [
    ["--public-url", "https://demo.example", "--trust-proxy", "10.0.0.0/33"],
    {},
    '--trust-proxy is "10.0.0.0/33": "10.0.0.0/33" is neither an address nor a subnet; write them as in 10.0.0.0/8,fd00::7',
  ],
  [
    ["--trust-proxy", "10.0.0.7"],
    {},
    "--trust-proxy goes with --public-url: give the address at which the proxy serves the page",
  ],
  [
    ["--https", "--public-url", "https://demo.example", "--trust-proxy", "10.0.0.7"],
    {},
    "--trust-proxy is for a proxy that ends TLS in front of this server: leave it out, or --https and --certificate",
  ],
  [
    ["--cmcd", "/api/telemetry/cmcd", "--no-telemetry"],
    {},
    "--cmcd /api/telemetry/cmcd is this server's telemetry, of which it takes none with --no-telemetry: leave one",
  ],
  [["--quality"], { NUWA_PLAY_WHILE_ENCODING: "1" }, "--quality measures films before they are served, and "],
  [
    ["--host", "http://here"],
    {},
    '--host is "http://here": write a host name or an IP address without scheme, port and zone',
  ],
  [
    ["--host", "fe80::1%eth0"],
    {},
    '--host is "fe80::1%eth0": write a host name or an IP address without scheme, ',
  ],
  [
    ["--host", "localhost:80"],
    {},
    '--host is "localhost:80": write a host name or an IP address without scheme, ',
  ],
  [["--delay", "-1"], {}, '--delay is "-1": write a number from 0 to 1000 (milliseconds)'],
  [["--queue", "1.5"], {}, '--queue is "1.5": write a whole number from 1 to 20000 (packets)'],
  [["--total-rate-mbit", "0"], {}, '--total-rate-mbit is "0": write a number from 0.1 to 100000 (Mbit/s)'],
  [["--in-flight-mib", "0"], {}, '--in-flight-mib is "0": write a whole number from 1 to 4096 (MiB)'],
  [["--queue", "0"], {}, '--queue is "0": write a whole number from 1 to 20000 (packets)'],
  [["--loss", "5%"], {}, '--loss is "5%": write a number from 0 to 0.5 (0.01 is one packet in a hundred)'],
  [["--telemetry-days", "0"], {}, '--telemetry-days is "0": write a whole number from 1 to 3650 (days)'],
  [["--log-level", "loud"], {}, '--log-level is "loud": write one of error, warn, info, debug'],
  [
    ["9000"],
    { npm_config_port: "true" },
    'unexpected argument "9000": options are written after two dashes, as in npm start -- --port 9000',
  ],
  [
    [],
    { npm_config_log_level: "debug" },
    "npm kept --log-level for itself: write two dashes before it, npm start -- --log-level <level>",
  ],
])("%j with environment %j is refused", (args, environment, sentence) => {
  const parse = () => parseStartOptions(args, environment);
  expect(parse).toThrow(Problem);
  expect(parse).toThrow(sentence);
});
