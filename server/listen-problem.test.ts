import { expect, test } from "vitest";
import { listenProblem } from "./listen-problem.ts";
import { Problem } from "./problem.mjs";

test.each([
  [
    "EADDRINUSE",
    "localhost",
    8080,
    "port 8080 on localhost is in use: stop the program that uses it or choose another with --port",
  ],
  [
    "EACCES",
    "localhost",
    80,
    "port 80 on localhost is not allowed to you: choose one above 1023 with --port",
  ],
  [
    "EACCES",
    "localhost",
    8080,
    "port 8080 on localhost is not allowed to you: the system keeps it for itself, so choose another with --port",
  ],
  [
    "EAFNOSUPPORT",
    "::",
    8080,
    ":: is an address of IPv6, which this machine has not: give one of IPv4 with --host, such as 0.0.0.0",
  ],
  [
    "EADDRNOTAVAIL",
    "192.0.2.1",
    8080,
    "192.0.2.1 is not an address of this machine (EADDRNOTAVAIL): choose another with --host",
  ],
])("%s on %s, port %i, is told in a sentence", (code, host, port, sentence) => {
  const problem = listenProblem(Object.assign(new Error(code), { code }), { host, port });
  expect(problem).toBeInstanceOf(Problem);
  expect(problem.message).toBe(sentence);
});

test("what is not known stays as it is", () => {
  const error = Object.assign(new Error("?"), { code: "ENOMEM" });
  expect(listenProblem(error, { host: "::", port: 1 })).toBe(error);
});
