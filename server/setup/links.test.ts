import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Problem } from "../problem.mjs";
import { temporaryFolder } from "../sample-app.ts";
import { chooseLink, requireReadableLink } from "./links.ts";

const LINKS = {
  choices: [
    { name: "none", title: "No emulated link", summary: "s" },
    { name: "lte-like", title: "LTE", summary: "s" },
  ],
  recorded: [],
};

afterEach(() => vi.unstubAllEnvs());

test("a link is a known name, a rate, or a file, in this order", () => {
  const folder = temporaryFolder();
  const file = join(folder, "lte-like");
  writeFileSync(file, "1\n");
  expect(chooseLink(null, LINKS)).toBeNull();
  expect(chooseLink({ text: "lte-like", file }, LINKS)).toBe("lte-like");
  expect(chooseLink({ text: "1.5mbit", file: join(folder, "1.5mbit") }, LINKS)).toBe("1.5mbit");
  expect(chooseLink({ text: "24Mbit", file: join(folder, "24Mbit") }, LINKS)).toBe("24mbit");
  expect(chooseLink({ text: "mine", file }, LINKS)).toBe(file);
});

test("a file that is no trace is told with its line", async () => {
  const file = join(temporaryFolder(), "walk.csv");
  writeFileSync(file, "time_s,x_mbps\n0,1\n1,2\n");
  await requireReadableLink(file, LINKS);
  writeFileSync(file, "time_s,x_mbps\n0,1\n1,fast\n");
  await expect(requireReadableLink(file, LINKS)).rejects.toThrow(
    `--link: trace ${file}: line 3 has 'fast' for x_mbps, which is not a number: give a link's name, a rate`,
  );
});

test("a recorded link that is listed is read whole, too", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "back.down"), "5\n3\n9\n");
  vi.stubEnv("NUWA_TRACES", folder);
  const links = {
    choices: [...LINKS.choices, { name: "back", title: "back", summary: "s" }],
    recorded: ["back"],
  };
  await expect(requireReadableLink("back", links)).rejects.toThrow(
    `--link: trace ${join(folder, "back.down")}: line 2 goes back in time, from 5 to 3 ms: `,
  );
});

const CHOICES_BESIDE = [...LINKS.choices, { name: "Verizon-LTE-short", title: "Verizon", summary: "s" }];

function refusal(text: string, isRecorded: boolean): () => unknown {
  const link = { text, file: join(temporaryFolder(), "nothing") };
  return () =>
    chooseLink(link, { choices: CHOICES_BESIDE, recorded: isRecorded ? ["Verizon-LTE-short"] : [] });
}

test.each(["moon", "24mbits", ""])(
  "%j, of which there is no file either, is told with the known names",
  (text) => {
    const all = `unknown link "${text}": choose one of none, lte-like, Verizon-LTE-short, a rate such as 24mbit, or a file with a trace`;
    expect(refusal(text, true)).toThrow(new Problem(all));
  },
);

test("where no recorded link is on the machine, it says how to get them", () => {
  expect(refusal("TMobile-UMTS-driving", false)).toThrow(
    "or a file with a trace; recorded links are not here: npm run prepare-machine fetches them",
  );
});

test.each([
  ["Verizon-LTE-shrt", "Verizon-LTE-short"],
  ["verizon-lte-short.down", "Verizon-LTE-short"],
  ["Verizon-LTE", "Verizon-LTE-short"],
  ["lte", "lte-like"],
])("%j is told with the nearest, and where all are listed", (text, nearest) => {
  const told = `unknown link "${text}": did you mean ${nearest}? npm start -- --help lists all`;
  expect(refusal(text, true)).toThrow(new Problem(told));
});
