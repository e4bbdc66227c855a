import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Feedback, Stamp } from "../../../../cc/receiver/receiver-scheme.ts";
import { decodeFeedback, encodeFeedback } from "./feedback.ts";
import { decodePing, decodePong, encodePing, encodePong, isPong } from "./heartbeat.ts";
import { MalformedMessage } from "./malformed-message.ts";
import { decodeStamp, encodeStamp } from "./stamp.ts";

interface Vector {
  name: string;
  hex: string;
  fields: Record<string, number | boolean | null> | null;
}

function readVectors(file: string): Vector[] {
  const url = new URL(`../../../../transport/wire_format/testdata/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Vector[];
}

/** A vector's fields in the names and units used here: `send_time_us` becomes `sendTimeSeconds`. */
function messageOf(fields: NonNullable<Vector["fields"]>): object {
  const named = Object.entries(fields).map(([name, value]) => {
    const [stem = "", unit] = name.split(/_(us|milli|s)$/);
    const suffix = unit === "us" ? "_seconds" : unit === "s" ? "_second" : "";
    const camel = (stem + suffix).replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const perUnit = { us: 1e6, milli: 1000 }[unit ?? ""] ?? 1;
    return [camel, typeof value === "number" ? value / perUnit : value] as const;
  });
  return Object.fromEntries(named);
}

const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe.each([
  {
    file: "stamps.json",
    decode: decodeStamp,
    encode: (bytes: Uint8Array) => encodeStamp(decodeStamp(bytes)),
  },
  {
    file: "feedback.json",
    decode: decodeFeedback,
    encode: (bytes: Uint8Array) => encodeFeedback(decodeFeedback(bytes)),
  },
  {
    file: "pings.json",
    decode: decodePing,
    encode: (bytes: Uint8Array) => encodePing(decodePing(bytes).sequence),
  },
  {
    file: "pongs.json",
    decode: decodePong,
    encode: (bytes: Uint8Array) => encodePong(decodePong(bytes).sequence),
  },
])("shared vectors of $file", ({ file, decode, encode }) => {
  test.each(readVectors(file))("$name", ({ hex, fields }) => {
    const bytes = fromHex(hex);
    if (fields === null) {
      expect(() => decode(bytes)).toThrow(MalformedMessage);
    } else {
      expect(decode(bytes)).toEqual(messageOf(fields));
      expect(toHex(encode(bytes))).toBe(hex);
    }
  });
});

const uint16 = fc.nat(2 ** 16 - 1);
const uint32 = fc.nat(2 ** 32 - 1);
const uint53 = fc.maxSafeNat();
const seconds = uint32.map((microseconds) => microseconds / 1e6);
/** Every microsecond of a clock of 272 years; of an older one a number holds every second microsecond. */
const clockSeconds = fc.nat(2 ** 33 * 1e6).map((microseconds) => microseconds / 1e6);

const stamps: fc.Arbitrary<Stamp> = fc
  .record({
    isAppLimited: fc.boolean(),
    phase: fc.constantFrom(0, 1, 2),
    epoch: uint16,
    sequence: uint32,
    sendTimeSeconds: clockSeconds,
    bytesSent: uint53,
    packetsSent: uint32,
    rtt: fc.option(fc.record({ smoothedRttSeconds: seconds, minRttSeconds: seconds })),
    cwndBytes: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    maxDatagramBytes: fc.integer({ min: 1, max: 2 ** 16 - 1 }),
  })
  .map(({ rtt, ...rest }) => ({ ...rest, ...(rtt ?? { smoothedRttSeconds: null, minRttSeconds: null }) }));

const feedbacks: fc.Arbitrary<Feedback> = fc.record({
  endSlowStart: fc.boolean(),
  epoch: uint16,
  sequence: uint32,
  lastStampSequence: uint32,
  windowBytes: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  bandwidthBitsPerSecond: uint53,
  queueingDelaySeconds: seconds,
  k: fc.option(fc.integer({ min: 1000, max: 9000 }).map((milli) => milli / 1000)),
  targetDelaySeconds: fc.option(fc.integer({ min: 1, max: 2 ** 32 - 1 }).map((us) => us / 1e6)),
});

describe("round trips", () => {
  it("gives back every stamp", () => {
    fc.assert(
      fc.property(stamps, (stamp) => {
        expect(decodeStamp(encodeStamp(stamp))).toEqual(stamp);
      }),
    );
  });

  it("gives back every feedback", () => {
    fc.assert(
      fc.property(feedbacks, (message) => {
        expect(decodeFeedback(encodeFeedback(message))).toEqual(message);
      }),
    );
  });

  it("decodes or refuses any bytes, and never anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        for (const decode of [decodeStamp, decodeFeedback, decodePing, decodePong]) {
          try {
            decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedMessage);
          }
        }
      }),
    );
  });

  it("tells a pong from every other datagram by its first byte", () => {
    const pong = encodePong(1);
    expect([pong, encodePing(1), new Uint8Array(0)].map(isPong)).toEqual([true, false, false]);
  });

  it("reads a stamp that lies inside a larger buffer", () => {
    const bytes = fromHex(readVectors("stamps.json")[1]?.hex ?? "");
    const larger = new Uint8Array(100);
    larger.set(bytes, 7);
    expect(decodeStamp(larger.subarray(7, 7 + bytes.byteLength))).toEqual(decodeStamp(bytes));
  });
});

describe("fields that do not fit", () => {
  const message: Feedback = {
    endSlowStart: false,
    epoch: 0,
    sequence: 0,
    lastStampSequence: 0,
    windowBytes: 12_000,
    bandwidthBitsPerSecond: 0,
    queueingDelaySeconds: 0,
    k: 7,
    targetDelaySeconds: 0.04,
  };

  test.each([
    ["not a number", { bandwidthBitsPerSecond: Number.NaN }],
    ["an epoch of 17 bits", { epoch: 65_536 }],
    ["half a sequence", { sequence: 0.5 }],
  ])("are refused: %s", (_name, change) => {
    expect(() => encodeFeedback({ ...message, ...change })).toThrow(MalformedMessage);
  });

  test.each([
    ["a fraction of a byte", { windowBytes: 12_000.5 }, { windowBytes: 12_001 }],
    ["a window of zero", { windowBytes: 0 }, { windowBytes: 1 }],
    ["a window of 2^40", { windowBytes: 2 ** 40 }, { windowBytes: 2 ** 32 - 1 }],
    ["a negative delay", { queueingDelaySeconds: -1 }, { queueingDelaySeconds: 0 }],
    ["k above 9", { k: 9.001 }, { k: 9 }],
    ["a target of no time", { targetDelaySeconds: 0 }, { targetDelaySeconds: 1e-6 }],
  ])("are cut to what does: %s", (_name, change, written) => {
    expect(decodeFeedback(encodeFeedback({ ...message, ...change }))).toEqual({ ...message, ...written });
  });
});
