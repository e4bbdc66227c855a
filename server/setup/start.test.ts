import { spawn } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { RULES } from "../../player/src/rules/registry.ts";
import { Problem } from "../problem.mjs";
import { temporaryFolder } from "../sample-app.ts";
import { DEFAULT_LINK } from "./options.ts";
import { start } from "./start.ts";

const BOOTSTRAP = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));
const README = fileURLToPath(new URL("../README.md", import.meta.url));

/** Runs `npm start`'s program to its end; only for what ends before anything is set up or served. */
function runStart(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BOOTSTRAP, "start", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
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
  [["--prot", "1"], "unknown option '--prot': did you mean --port?"],
  [["--port", "x"], '--port is "x": '],
  [["--film", "/nonexistent/film.mp4"], "the film /nonexistent/film.mp4 does not exist: "],
  [["--pull"], "--pull fetches the segments of a film's URL: give one"],
  [["--link", "/nonexistent/moon.down"], "the trace /nonexistent/moon.down is not a file: "],
  [["--port", "0", "--data", "/proc/x"], "the folder /proc/x for telemetry cannot be written (E"],
  [
    ["--port", "0", "--data", BOOTSTRAP],
    `the folder ${BOOTSTRAP} for telemetry cannot be had, since ${BOOTSTRAP} is`,
  ],
  [
    ["--port", "0", "--data", join(BOOTSTRAP, "x")],
    `the folder ${join(BOOTSTRAP, "x")} for telemetry cannot be had`,
  ],
  [["--port", "0", "--link", "0mbit"], "--link: link '0mbit': a link of 0.0 Mbit/s cannot be traced"],
  [["--port", "0", "--link", README], `--link: trace ${README}: line 1 is '# `],
  [["--port", "0", "--link", "moon"], 'unknown link "moon": choose one of none, '],
  [
    ["--port", "0", "--link", "lte-lik"],
    'unknown link "lte-lik": did you mean lte-like? npm start -- --help',
  ],
  [["--port", "0", "--scheme", "cubik"], 'unknown scheme "cubik": did you mean cubic? npm start -- --help'],
  [["--port", "0", "--scheme", "moon"], 'unknown scheme "moon": choose one of '],
  [
    ["--port", "0", "--schemes", "kuafu,cubik"],
    'unknown scheme "cubik": did you mean cubic? npm start -- --help',
  ],
  [["--port", "0", "--schemes", "kuafu", "--scheme", "cubic"], 'unknown scheme "cubic": choose one of kuafu'],
  [["--port", "0", "--preset", "slow"], 'unknown preset "slow": choose one of on-demand, '],
])("%j is refused in one sentence, with exit code 2", async (args, sentence) => {
  const problem: unknown = await start(args, new AbortController().signal).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  const { message, exitCode, detail } = problem as Problem;
  expect([exitCode, detail]).toEqual([2, ""]);
  expect(message).toContain(sentence);
  expect(message.split("\n")).toHaveLength(1);
});

test.each([
  ["film", (path: string) => ["--film", path]],
  ["trace", (path: string) => ["--link", path]],
])("a %s to which no way leads is refused in one sentence", async (what, argsOf) => {
  const path = join(temporaryFolder(), "round");
  symlinkSync("round", path); // root may look into any folder, but not at this
  const started = start(argsOf(path), new AbortController().signal);
  await expect(started).rejects.toThrow(Problem);
  await expect(started).rejects.toThrow(
    `the ${what} ${path} cannot be looked at (ELOOP): check the path, and `,
  );
});

test("a folder without a manifest is not a film", async () => {
  const folder = temporaryFolder();
  for (const name of ["a.txt", "b.m4s", "c.m4s", "d.m4s", "e.m4s"]) writeFileSync(join(folder, name), "");
  expect(await runStart("--film", folder)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      `nuwa-stream: the folder ${folder} has no manifest (.mpd): it has a.txt, b.m4s, c.m4s and 2 more; ` +
      "give the folder of a packaged film\n",
  });
});

test("a port in use is refused before any set-up", async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
    onTestFinished(() => void server.close());
  });
  await expect(start(["--port", String(port)], new AbortController().signal)).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use: stop the program that uses it or choose another with --port`,
  );
});

test("--help names every option, its variable and the registry's choices", async () => {
  const { exitCode, stdout } = await runStart("--help");
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
  const links = stdout.split("Links:\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];
  const preferred = links
    .filter((line) => line.endsWith("(default)"))
    .map((line) => line.trim().split(" ")[0]);
  expect(preferred).toEqual([DEFAULT_LINK]);
});
