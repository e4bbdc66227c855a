import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Problem } from "../problem.mjs";

/** As transport/wire_format/session_token.py takes it. */
const KEY_BYTES = { min: 32, max: 1024 };

/** Long enough for a page that asks before every session, and short enough that a copied one is soon worth nothing. */
export const TOKEN_LIFETIME_S = 60;

const PURPOSE = "nuwa-session-token-1:";

/** Gives a token that opens sessions at the media server until then (transport/wire_format/PROTOCOL.md, section Token). */
export function makeSessionToken(key: Buffer, expiresS: number): string {
  const code = createHmac("sha256", key).update(`${PURPOSE}${expiresS}`).digest("base64url");
  return `${expiresS}.${code}`;
}

/**
 * The key that a file holds: all of it but white space at its ends.
 *
 * @throws Problem where there is none
 */
export function readSessionKey(path: string): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(`--session-key ${path} cannot be read (${code}): openssl rand -hex 32 makes a key`);
  }
  const key = Buffer.from(content.toString("latin1").replace(/^[ \t-\r]+|[ \t-\r]+$/g, ""), "latin1");
  const { min, max } = KEY_BYTES;
  if (key.length >= min && key.length <= max) return key;
  throw new Problem(
    `--session-key ${path}: it has ${key.length} bytes where a key has ${min} to ${max}: openssl rand -hex 32 makes one`,
  );
}
