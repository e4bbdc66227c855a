import { expect, test } from "vitest";
import { outcomeTables } from "./outcome-table.ts";
import { sampleMatrix } from "./samples.ts";

test("each condition has a table of means, which says how many runs they are of", () => {
  const failure = { scheme: "cubic", message: "window of -1 < 0 bytes", state: {} };
  const { request, conditions, runs } = sampleMatrix(
    "--schemes nuwa,cubic --links 24mbit:queue=100 --seeds 2 --duration 2",
    ({ arm, seed }) => {
      if (arm.name !== "cubic") return { rates: [22 + seed], p95Ms: 10 * seed };
      return seed === 1 ? failure : { rates: [20], p95Ms: 30 };
    },
  );
  expect(
    outcomeTables({ request, conditions }, runs),
  ).toBe(`24mbit, simulated: 20 ms each way, droptail, queue of 100 packets

| scheme | Mbit/s | queueing delay, mean | p95     | loss   | runs   |
| ------ | ------ | -------------------- | ------- | ------ | ------ |
| nuwa   | 23.50  | 7.5 ms               | 15.0 ms | 1.00 % | 2      |
| cubic  | 20.00  | 15.0 ms              | 30.0 ms | 1.00 % | 1 of 2 |
`);
});

test("where no run finished there is nothing to say", () => {
  const failure = { scheme: "cubic", message: "window of -1 < 0 bytes", state: {} };
  const { request, conditions, runs } = sampleMatrix("--schemes cubic --seeds 1 --duration 2", () => failure);
  expect(outcomeTables({ request, conditions }, runs)).toContain(
    "| cubic  | -      | -                    | -   | -    | 0 of 1 |",
  );
});
