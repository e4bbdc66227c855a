import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { makeSessionToken, readSessionKey } from "./session-token.ts";

interface Vector {
  readonly name: string;
  readonly key: string;
  readonly expires_s: number;
  readonly token: string;
}

const VECTORS = new URL("../../transport/wire_format/testdata/session_tokens.json", import.meta.url);
const { made } = JSON.parse(readFileSync(VECTORS, "utf8")) as { made: readonly Vector[] };

it.each(made)("makes the protocol's token: $name", ({ key, expires_s: expiresS, token }) => {
  expect(makeSessionToken(Buffer.from(key), expiresS)).toBe(token);
});

it("reads a key without the line's end behind it", () => {
  const file = join(temporaryFolder(), "key");
  writeFileSync(file, `\t${"k".repeat(32)}\r\n`);
  expect(readSessionKey(file)).toEqual(Buffer.from("k".repeat(32)));
});

it.each([
  ["short", /it has 5 bytes where a key has 32 to 1024: openssl rand -hex 32 makes one$/],
  [null, /cannot be read \(ENOENT\)/],
])("says in one sentence that a file holds no key: %s", (content, sentence) => {
  const file = join(temporaryFolder(), "key");
  if (content !== null) writeFileSync(file, content);
  expect(() => readSessionKey(file)).toThrow(sentence);
});
