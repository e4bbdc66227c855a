import { expect, test } from "vitest";
import { announce } from "./announce.ts";
import { Front } from "./front.ts";

const LOOPBACK = {
  host: "127.0.0.1",
  origin: null,
  publicUrl: null,
  trustProxy: null,
  certificate: null,
  laneEach: false,
};
const TOKEN = "abcdefghij-ABCDEFGHI_";

/** What is written, and of what is warned. */
function told({ host = "127.0.0.1", token = null as string | null, isTokenGiven = false }) {
  const lines: string[] = [];
  const warnings: string[] = [];
  announce({
    front: new Front({ ...LOOPBACK, host }, null),
    server: { address: host, port: 8080 },
    link: null,
    token,
    isTokenGiven,
    log: { warn: (text) => warnings.push(text) },
    write: (text) => lines.push(text),
  });
  return { lines, warnings };
}

test("on loopback the page's address is all that is told", () => {
  expect(told({})).toEqual({ lines: ["nuwa-stream is ready: http://localhost:8080\n"], warnings: [] });
});

test("beyond loopback there is a warning, and a second address with the token", () => {
  const { lines, warnings } = told({ host: "192.0.2.7", token: TOKEN });
  expect(lines[1]).toBe(
    `to change the link, add films and read telemetry: http://192.0.2.7:8080/unlock?token=${TOKEN}\n`,
  );
  expect(warnings).toHaveLength(1);
});

test("a token that was given is not told again: what is written here ends in logs", () => {
  const { lines } = told({ token: TOKEN, isTokenGiven: true });
  expect(lines.join()).not.toContain(TOKEN);
  expect(lines[1]).toContain("http://localhost:8080/unlock?token=<the token that was given>\n");
});
