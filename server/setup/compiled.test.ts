import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { ROOT } from "./clone.mjs";
import { compiledProgram } from "./compiled.mjs";

const entry = "main.ts";

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, 1, 1); // not while it is compiled
}

function sources(): { root: string; entry: string; folder: string } {
  const root = temporaryFolder();
  write(join(root, entry), `import { word } from "./word.ts";\nexport const said: string = word;\n`);
  write(join(root, "word.ts"), `export const word: string = "one";\n`);
  return { root, entry, folder: join(root, "kept") };
}

const saidBy = async (url: string | null): Promise<unknown> => (await import(url ?? "")).said;

test("a program is compiled once, and again when one of its sources changes", async () => {
  const where = sources();
  const first = await compiledProgram(where);
  const list = join(where.folder, "main.json");
  utimesSync(list, 1, 1);
  expect([await compiledProgram(where), statSync(list).mtimeMs]).toEqual([first, 1000]);
  for (const name of readdirSync(where.folder)) utimesSync(join(where.folder, name), 1, 1);
  write(join(where.root, "word.ts"), `export const word: string = "two";\n`);
  expect([await saidBy(first), await saidBy(await compiledProgram(where))]).toEqual(["one", "two"]);
  expect(readdirSync(where.folder)).toHaveLength(3); // program, source map, list: nothing of the former
});

test("what a command of former sources may load soon stays", async () => {
  const where = sources();
  const first = await compiledProgram(where);
  write(join(where.root, "word.ts"), `export const word: string = "two";\n`);
  await compiledProgram(where);
  expect(await saidBy(first)).toBe("one");
});

test("another program's folder among its files stays, however old it is", async () => {
  const where = sources();
  const other = join(where.folder, "other-main.ts");
  write(join(other, "main.json"), "{}");
  utimesSync(other, 1, 1);
  expect(await saidBy(await compiledProgram(where))).toBe("one");
  expect(readdirSync(other)).toEqual(["main.json"]);
});

test("two processes that compile it at the same time both get it", async () => {
  const where = sources();
  const script = `import { compiledProgram } from ${JSON.stringify(new URL("compiled.mjs", import.meta.url).href)};
    const { said } = await import(await compiledProgram(${JSON.stringify(where)}));
    process.stdout.write(said);`;
  const run = () => execa(process.execPath, ["--input-type=module", "--eval", script]);
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ stdout }) => stdout)).toEqual(["one", "one"]);
});

test("a source that changes while it is compiled is compiled again", async () => {
  const where = sources();
  const soon = Date.now() / 1000 + 3600;
  utimesSync(join(where.root, "word.ts"), soon, soon);
  const program = await compiledProgram(where);
  expect([await saidBy(program), readdirSync(where.folder)]).toEqual([
    "one",
    expect.not.arrayContaining(["main.json"]),
  ]);
});

test.each(["main.json", "main-", "main.json and main-"])(
  "of %s, emptied, it is compiled again",
  async (which) => {
    const where = sources();
    await compiledProgram(where);
    const emptied = readdirSync(where.folder).filter((name) =>
      which.split(" and ").some((word) => name.startsWith(word)),
    );
    for (const name of emptied) writeFileSync(join(where.folder, name), "");
    expect([emptied.length > 0, await saidBy(await compiledProgram(where))]).toEqual([true, "one"]);
  },
);

test("a source that is no TypeScript leaves it to whoever needs that source", async () => {
  const where = sources();
  write(join(where.root, "word.ts"), "const word = ;\n");
  expect(await compiledProgram(where)).toBeNull();
});

test("where it cannot be kept there is none", async () => {
  const where = sources();
  writeFileSync(where.folder, "");
  expect(await compiledProgram(where)).toBeNull();
});

test("no TypeScript that is compiled asks where it lies", async () => {
  const folder = temporaryFolder();
  await compiledProgram({ folder });
  const { inputs } = JSON.parse(readFileSync(join(folder, "main.json"), "utf8")) as { inputs: string[] };
  const asks = (name: string) => readFileSync(join(ROOT, name), "utf8").includes("import.meta.");
  expect(inputs.length).toBeGreaterThan(100);
  expect(inputs.filter((name) => name.endsWith(".ts") && asks(name))).toEqual([]);
});
