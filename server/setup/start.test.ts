import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { RULES } from "../../player/src/rules/registry.ts";
import { temporaryFolder } from "../sample-app.ts";

const START = fileURLToPath(new URL("start.mjs", import.meta.url));
const README = fileURLToPath(new URL("../README.md", import.meta.url));

/** Runs `npm start`'s program to its end; only for what ends before anything is set up or served. */
function start(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [START, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      stdout += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      stderr += part;
    });
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

test.each([
  [["--prot", "1"], "nuwa-stream: unknown option --prot: the options are "],
  [["--port", "x"], 'nuwa-stream: --port is "x": '],
  [["--film", "/nonexistent/film.mp4"], "nuwa-stream: the film /nonexistent/film.mp4 does not exist: "],
  [["--link", "/nonexistent/moon.down"], "nuwa-stream: the trace /nonexistent/moon.down is not a file: "],
  [
    ["--port", "0", "--data", "/proc/x"],
    "nuwa-stream: the folder /proc/x for telemetry cannot be written (E",
  ],
  [
    ["--port", "0", "--data", START],
    `nuwa-stream: the folder ${START} for telemetry cannot be had, since ${START} is`,
  ],
  [
    ["--port", "0", "--data", join(START, "x")],
    `nuwa-stream: the folder ${join(START, "x")} for telemetry cannot be had`,
  ],
  [
    ["--port", "0", "--link", "0mbit"],
    "nuwa-stream: --link: link '0mbit': a link of 0.0 Mbit/s cannot be traced",
  ],
  [["--port", "0", "--link", README], `nuwa-stream: --link: trace ${README}: line 1 is '# `],
  [["--port", "0", "--link", "moon"], 'nuwa-stream: unknown link "moon": choose one of none, '],
  [["--port", "0", "--scheme", "moon"], 'nuwa-stream: unknown scheme "moon": choose one of '],
  [["--port", "0", "--preset", "slow"], 'nuwa-stream: unknown preset "slow": choose one of on-demand, '],
])("%j ends with one sentence and exit code 2", async (args, sentence) => {
  const { exitCode, stdout, stderr } = await start(...args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr.startsWith(sentence), stderr).toBe(true);
});

test("a folder is not a film", async () => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await start("--film", folder);
  expect([exitCode, stderr]).toEqual([
    2,
    `nuwa-stream: the film ${folder} is not a file: give a film with --film\n`,
  ]);
});

test("a port in use is told before any set-up", async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
    onTestFinished(() => void server.close());
  });
  const { exitCode, stdout, stderr } = await start("--port", String(port));
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    "",
    `nuwa-stream: port ${port} on 127.0.0.1 is in use: stop the program that uses it or choose another with --port\n`,
  ]);
});

test("--help names every option, its variable and the registry's choices", async () => {
  const { exitCode, stdout } = await start("--help");
  expect(exitCode).toBe(0);
  for (const name of ["port", "host", "film", "scheme", "preset", "rule", "link", "loss", "log-level"]) {
    expect(stdout).toContain(`--${name} `);
    expect(stdout).toContain(`NUWA_${name.toUpperCase().replaceAll("-", "_")}`);
  }
  expect(stdout).toContain("cubic");
  expect(stdout).toContain("on-demand");
  expect(stdout).toContain("lte-like");
  const rules = stdout.split("Rules:\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];
  expect(rules.map((line) => line.trim().split(" ")[0])).toEqual(RULES.map(({ name }) => name));
  expect(rules.filter((line) => line.endsWith("(default)"))).toHaveLength(1);
});
