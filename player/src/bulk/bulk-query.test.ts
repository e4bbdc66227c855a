import { expect, it } from "vitest";
import { bytesWanted, unknownBulkParameters } from "./bulk-query.ts";

const query = (text: string) => new URLSearchParams(text);

it("finds parameters that mean nothing to a download", () => {
  expect(unknownBulkParameters(query("scheme=nuwa&preset=bulk&k=3&target_delay_ms=20&bytes=5"))).toBeNull();
  expect(unknownBulkParameters(query("byte=5&rule=bola"))?.names).toEqual(["byte", "rule"]);
});

it("takes a number of bytes that the server can send", () => {
  expect([bytesWanted(query("")), bytesWanted(query("bytes=100000"))]).toEqual([30_000_000, 100_000]);
  for (const text of ["0", "-1", "1.5", "x", "1e13"]) {
    expect(() => bytesWanted(query(`bytes=${text}`))).toThrow(`bytes must be a whole number from 1 to`);
  }
});
