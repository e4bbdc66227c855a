import { expect, test } from "vitest";
import { answerStart } from "./start-help.mjs";

function answer(...args: string[]) {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const exitCode = answerStart(args, { stdout: sink("stdout"), stderr: sink("stderr") });
  return { exitCode, ...written };
}

test.each([["--help"], ["-h"], ["--port", "9000", "--help"]])("%j %j %j is answered", (...args) => {
  const { exitCode, stdout, stderr } = answer(...args.filter((arg) => arg !== undefined));
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(
    "  --log-level <level>          error, warn, info, debug (default: info, env: NUWA_LOG_LEVEL)\n",
  );
});

test("--version is answered", () => {
  expect(answer("--version")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^nuwa-stream \d/),
  });
});

test.each([
  ["--prot", "unknown option '--prot'"],
  ["-p", "unknown option '-p'"],
  ["9000", "unexpected argument '9000'"],
])("%s is refused in one sentence", (arg, sentence) => {
  expect(answer(arg)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `nuwa-stream: ${sentence}: see npm start -- --help\n`,
  });
});

test.each([
  [[]],
  [["--port", "x"]],
  [["--port"]],
  [["--film", "-.mp4"]],
  [["--port=0", "--link", "lte-like"]],
])("%j is left to those who know values", (args) => {
  expect(answer(...args)).toEqual({ exitCode: null, stdout: "", stderr: "" });
});
