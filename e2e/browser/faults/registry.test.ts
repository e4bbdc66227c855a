import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "./registry.ts";
import { faultsPage } from "./table.ts";

test("every file of a fault is in the registry, under its own name", () => {
  const files = readdirSync(new URL(".", import.meta.url))
    .filter((file) => file.endsWith(".ts") && !/^(?:registry|table)\./.test(file))
    .map((file) => file.replace(/\.ts$/, ""));
  expect(FAULTS.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
});

for (const { name, strike, expected } of FAULTS) {
  test(`${name} says how soon bytes flow again, or how soon the film begins`, () => {
    const { bytesAfterSeconds, firstFrameSeconds } = expected;
    expect(strike === undefined ? firstFrameSeconds : bytesAfterSeconds).toBeTypeOf("number");
  });
}

test("the page of faults has all of them", async () => {
  await expect(faultsPage(FAULTS)).toMatchFileSnapshot("README.md");
});
