import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeFeedback, encodeFeedback, type FeedbackMessage } from "./feedback.ts";
import { decodePing, decodePong, encodePing, encodePong, isPong } from "./heartbeat.ts";
import { MalformedMessage } from "./malformed-message.ts";
import { decodeStamp, encodeStamp, type StampMessage } from "./stamp.ts";

interface Vector {
  name: string;
  hex: string;
  fields: Record<string, number | boolean | null> | null;
}

function readVectors(file: string): Vector[] {
  const url = new URL(`../../../../transport/wire_format/testdata/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Vector[];
}

/** The wire's names, from the names used here: `sendTimeUs` is `send_time_us`. */
function withWireNames(message: object): Record<string, unknown> {
  const names = Object.entries(message).map(([name, value]) => {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [snake.replace("_per_second", "_per_s"), value] as const;
  });
  return Object.fromEntries(names);
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
      expect(withWireNames(decode(bytes))).toEqual(fields);
      expect(toHex(encode(bytes))).toBe(hex);
    }
  });
});

const uint16 = fc.nat(2 ** 16 - 1);
const uint32 = fc.nat(2 ** 32 - 1);
const uint53 = fc.maxSafeNat();

const stamps: fc.Arbitrary<StampMessage> = fc
  .record({
    isAppLimited: fc.boolean(),
    phase: fc.constantFrom(0, 1, 2),
    epoch: uint16,
    sequence: uint32,
    sendTimeUs: uint53,
    bytesSent: uint53,
    packetsSent: uint32,
    rtt: fc.option(fc.record({ smoothedRttUs: uint32, minRttUs: uint32 })),
    cwndBytes: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    maxDatagramBytes: fc.integer({ min: 1, max: 2 ** 16 - 1 }),
  })
  .map(({ rtt, ...rest }) => ({ ...rest, ...(rtt ?? { smoothedRttUs: null, minRttUs: null }) }));

const feedbacks: fc.Arbitrary<FeedbackMessage> = fc.record({
  endSlowStart: fc.boolean(),
  epoch: uint16,
  sequence: uint32,
  lastStampSequence: uint32,
  windowBytes: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  bandwidthBitsPerSecond: uint53,
  queueingDelayUs: uint32,
  kMilli: fc.option(fc.integer({ min: 1000, max: 9000 })),
  targetDelayUs: fc.option(fc.integer({ min: 1, max: 2 ** 32 - 1 })),
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
  const message: FeedbackMessage = {
    endSlowStart: false,
    epoch: 0,
    sequence: 0,
    lastStampSequence: 0,
    windowBytes: 12_000,
    bandwidthBitsPerSecond: 0,
    queueingDelayUs: 0,
    kMilli: 7000,
    targetDelayUs: 40_000,
  };
  test.each([
    ["a fraction of a byte", { windowBytes: 12_000.5 }],
    ["a window of zero", { windowBytes: 0 }],
    ["a negative delay", { queueingDelayUs: -1 }],
    ["not a number", { bandwidthBitsPerSecond: Number.NaN }],
    ["k above 9", { kMilli: 9001 }],
    ["an epoch of 17 bits", { epoch: 65_536 }],
  ])("refuses %s", (_name, change) => {
    expect(() => encodeFeedback({ ...message, ...change })).toThrow(MalformedMessage);
  });
});
