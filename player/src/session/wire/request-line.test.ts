import { describe, expect, it, test } from "vitest";
import { MalformedMessage } from "./malformed-message.ts";
import { decodeResponseHead, encodeSegmentRequest } from "./request-line.ts";

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("segment request", () => {
  it("is the line that the protocol shows", () => {
    const line = encodeSegmentRequest({ path: "seg-3-00007.m4s", range: [0, 65_535], priority: 12 });
    expect(decode(line)).toBe('{"path":"seg-3-00007.m4s","range":[0,65535],"priority":12}\n');
  });

  it("leaves out what was not asked for", () => {
    expect(decode(encodeSegmentRequest({ path: "init-0.m4s" }))).toBe('{"path":"init-0.m4s"}\n');
  });

  test.each([
    ["no path", { path: "" }],
    ["a priority of 2^31", { path: "a", priority: 2 ** 31 }],
    ["a fractional priority", { path: "a", priority: 0.5 }],
    ["a range that ends before it begins", { path: "a", range: [5, 4] as const }],
    ["a negative range", { path: "a", range: [-1, 4] as const }],
    ["a line above 2048 bytes", { path: "x".repeat(2048) }],
  ])("refuses %s", (_name, request) => {
    expect(() => encodeSegmentRequest(request)).toThrow(MalformedMessage);
  });
});

describe("response head", () => {
  it("reads the line that the protocol shows", () => {
    const head = decodeResponseHead('{"status":200,"length":65536,"total":812345,"type":"video/mp4"}');
    expect(head).toEqual({
      status: 200,
      lengthBytes: 65_536,
      totalBytes: 812_345,
      type: "video/mp4",
      reason: null,
    });
  });

  it("keeps the reason of an error", () => {
    const head = decodeResponseHead('{"status":404,"length":0,"reason":"no such file"}');
    expect(head).toMatchObject({ status: 404, lengthBytes: 0, reason: "no such file", type: null });
  });

  test.each([
    ["no JSON", "HTTP/1.1 200 OK"],
    ["an array", "[200]"],
    ["an unknown status", '{"status":302,"length":0}'],
    ["no length", '{"status":200}'],
    ["a negative length", '{"status":200,"length":-1}'],
  ])("refuses %s", (_name, line) => {
    expect(() => decodeResponseHead(line)).toThrow(MalformedMessage);
  });
});
