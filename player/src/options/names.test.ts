import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RULES } from "../rules/registry.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PYTHON = join(ROOT, ".venv/bin/python");

interface Named {
  readonly name: string;
}

test("names.ts has the registries' names: --update writes it anew", async () => {
  const printed = execFileSync(PYTHON, ["-m", "cc"], { cwd: ROOT, encoding: "utf8" });
  const { schemes, presets } = JSON.parse(printed) as Record<"schemes" | "presets", readonly Named[]>;
  const unions = [
    union("SchemeName", "Congestion control, whichever side runs it.", schemes),
    union("PresetName", "Numbers of Nuwa for a use.", presets),
    union("RuleName", "Adaptation rules.", RULES),
  ];
  const head = `/**
 * The names of all registries, as literal types for whoever writes a page.
 * Written by \`npx vitest run player/src/options/names --update\`.
 */
`;
  await expect([head, ...unions].join("\n")).toMatchFileSnapshot("names.ts");
});

function union(type: string, summary: string, entries: readonly Named[]): string {
  const names = entries.map(({ name }) => `  | "${name}"\n`).toSorted();
  return `/** ${summary} */\n// biome-ignore format: one name a line\nexport type ${type} =\n${names.join("")};\n`;
}
