/** Inputs made of well-formed ones: bytes that are damaged, and JSON in which something is another thing. */

import { readFileSync } from "node:fs";
import fc from "fast-check";

const MOST_DAMAGES = 4;
const LARGEST_BYTES = 64 * 1024;

interface Damage {
  readonly kind: "flip" | "set" | "insert" | "remove" | "repeat" | "cut";
  /** Where, as a share of the length in 2^16ths. */
  readonly at: number;
  readonly value: number;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  // few change the length: most messages have one that is fixed
  kind: fc.constantFrom("flip", "flip", "flip", "set", "set", "set", "insert", "remove", "repeat", "cut"),
  at: fc.nat(0xffff),
  value: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
});

/** Samples with up to four damages, and now and then any bytes. */
export function damagedBytes(samples: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const damaged = fc
    .tuple(fc.constantFrom(...samples), fc.array(damages, { minLength: 1, maxLength: MOST_DAMAGES }))
    .map(([sample, list]) => Uint8Array.from(list.reduce(damage, [...sample]).slice(0, LARGEST_BYTES)));
  return fc.oneof(
    { arbitrary: damaged, weight: 50 },
    { arbitrary: fc.uint8Array({ maxLength: 64 }), weight: 1 },
  );
}

function damage(bytes: number[], { kind, at, value }: Damage): number[] {
  const index = Math.floor((at / 0x1_0000) * bytes.length);
  switch (kind) {
    case "flip":
      return bytes.toSpliced(index, 1, (bytes[index] ?? 0) ^ (1 << (value % 8)));
    case "set":
      return bytes.toSpliced(index, 1, value);
    case "insert":
      return bytes.toSpliced(index, 0, value);
    case "remove":
      return bytes.toSpliced(index, 1 + (value % 8));
    case "repeat":
      return bytes.toSpliced(index, 0, ...bytes.slice(index, index + 1 + (value % 16)));
    case "cut":
      return bytes.slice(0, index);
  }
}

const STRANGE: readonly unknown[] = [
  ...[null, true, "", "\u0000", "\ud800", "é".repeat(200), "x".repeat(5000), "__proto__", "-0", "1e999"],
  ...[0, -0, -1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 5e-324, [], {}, [[[]]], { __proto__: null }, [null]],
];

interface Edit {
  readonly how: "replace" | "remove" | "add" | "double";
  /** Which of all places in the document, modulo their number. */
  readonly place: number;
  readonly value: unknown;
}

const edits: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom("replace", "replace", "replace", "remove", "add", "double"),
  place: fc.nat(10_000),
  value: fc.oneof(fc.constantFrom(...STRANGE), fc.jsonValue({ maxDepth: 3 })),
});

/** Documents in which up to three places hold something else, as bytes of JSON; some of them damaged as text, too. */
export function changedJson(samples: readonly unknown[]): fc.Arbitrary<Uint8Array> {
  const encoder = new TextEncoder();
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(edits, { maxLength: 3 }))
    .map(([sample, list]) =>
      encoder.encode(JSON.stringify(list.reduce(edit, structuredClone(sample))) ?? "null"),
    );
  const texts = damagedBytes(samples.map((sample) => encoder.encode(JSON.stringify(sample))));
  return fc.oneof({ arbitrary: changed, weight: 4 }, { arbitrary: texts, weight: 1 });
}

type Holder = Record<string, unknown>;

function edit(document: unknown, { how, place, value: drawn }: Edit): unknown {
  const value = structuredClone(drawn); // a later edit may change it
  const places = placesIn(document);
  const chosen = places[place % places.length];
  if (chosen === undefined) return how === "remove" ? document : value;
  const { holder, key } = chosen;
  if (how === "replace") holder[key] = value;
  else if (how === "add") holder[`${key}x`] = value;
  else if (how === "double") holder[key] = [holder[key], holder[key]];
  else delete holder[key];
  return document;
}

function placesIn(value: unknown): { holder: Holder; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** The bytes of the wire's shared vectors, good ones and bad ones. */
export function vectors(...names: readonly string[]): Uint8Array[] {
  return names.flatMap((name) => {
    const url = new URL(`../../../transport/wire_format/testdata/${name}.json`, import.meta.url);
    const list = JSON.parse(readFileSync(url, "utf8")) as { hex: string }[];
    return list.map(({ hex }) => Uint8Array.from(Buffer.from(hex, "hex")));
  });
}

export function textOf(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}
