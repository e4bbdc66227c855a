import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { areInstalled, installArguments, isForDevelopment, packagesFor } from "./npm-packages.mjs";
import { ROOT } from "./paths.ts";

interface Package {
  readonly integrity: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const ALWAYS = {
  "node_modules/a": { integrity: "sha512-a" },
  "node_modules/a/node_modules/b": { integrity: "sha512-b" },
};
const NATIVE = { integrity: "sha512-n", optional: true };
const OF_ELSEWHERE = {
  "node_modules/other-os": { ...NATIVE, os: ["plan9"], cpu: [process.arch] },
  "node_modules/other-cpu": { ...NATIVE, os: [process.platform], cpu: ["pdp11"] },
  "node_modules/other-libc": { ...NATIVE, os: [process.platform], cpu: [process.arch], libc: ["newlib"] },
  "node_modules/wasm": { ...NATIVE, cpu: ["wasm32"] },
  "node_modules/of-wasm": NATIVE,
};

/** A clone whose lock file lists some packages, and whose npm says that it has installed some. */
function clone(locked: Record<string, Package>, installed: Record<string, Package>): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "node_modules"));
  const write = (path: string, packages: object) =>
    writeFileSync(join(root, path), JSON.stringify({ packages }));
  write("package-lock.json", { "": {}, ...locked });
  write("node_modules/.package-lock.json", installed);
  for (const path of Object.keys(installed)) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, "package.json"), "{}");
  }
  return root;
}

test("packages are installed when npm's list and the folders say so; those of other platforms may be missing", () => {
  expect(areInstalled(clone({ ...ALWAYS, ...OF_ELSEWHERE }, ALWAYS), "all")).toBe(true);
  expect(areInstalled(ROOT, "all")).toBe(true);
});

test("they are not if this platform's native parts are missing, as in packages that were installed on another", () => {
  const ofHere = { "node_modules/here": { ...NATIVE, os: [process.platform], cpu: [process.arch] } };
  expect(areInstalled(clone({ ...ALWAYS, ...ofHere }, ALWAYS), "all")).toBe(false);
  expect(areInstalled(clone({ ...ALWAYS, ...ofHere }, { ...ALWAYS, ...ofHere }), "all")).toBe(true);
});

test.each([
  ["all", ["--include=optional", "--include=dev"]],
  ["serving", ["--include=optional", "--omit=dev"]],
] as const)("for %s npm is told what to install, whatever its settings leave out", (packages, kinds) => {
  expect(installArguments(packages, false)).toEqual(expect.arrayContaining(["ci", ...kinds]));
});

test("packages that a server may be running on stay while the others join them", () => {
  expect(installArguments("all", true).slice(0, 2)).toEqual(["install", "--no-save"]);
});

test("what only development needs may be missing for serving, and for that alone", () => {
  const root = clone({ ...ALWAYS, "node_modules/vitest": { integrity: "sha512-v", dev: true } }, ALWAYS);
  expect(areInstalled(root, "serving")).toBe(true);
  expect(areInstalled(root, "all")).toBe(false);
});

test("who has packages of development keeps them", () => {
  const withTests = { ...ALWAYS, "node_modules/vitest": { integrity: "sha512-v", dev: true } };
  expect(isForDevelopment(clone(withTests, withTests))).toBe(true);
  expect(isForDevelopment(clone(withTests, ALWAYS))).toBe(false);
  expect(isForDevelopment(temporaryFolder())).toBe(false);
});

test.each([
  ["serving", ["start", "--port", "0"], {}],
  ["serving", ["prepare"], {}],
  ["serving", ["nuwa", "simulate", "kuafu"], {}],
  ["all", ["nuwa", "bench", "fuzz"], {}],
  ["all", ["nuwa", "new", "rule", "mine"], {}],
  ["all", ["test"], {}],
  ["serving", ["test"], { NODE_ENV: "production" }],
] as const)("packages of %s are for %j with %j", (packages, command, environment) => {
  expect(packagesFor(command, environment)).toBe(packages);
});

test.each([
  ["npm has not finished", "node_modules/.package-lock.json"],
  ["a package was removed", "node_modules/a/node_modules/b"],
  ["a package was emptied", "node_modules/a/package.json"],
])("they are not if %s", (_what, gone) => {
  const root = clone(ALWAYS, ALWAYS);
  rmSync(join(root, gone), { recursive: true });
  expect(areInstalled(root, "all")).toBe(false);
});

test.each([
  ["is newer", { ...ALWAYS, "node_modules/a": { integrity: "sha512-a2" } }],
  ["lists more", { ...ALWAYS, "node_modules/c": { integrity: "sha512-c" } }],
])("they are not if the lock file %s", (_what, locked) => {
  expect(areInstalled(clone(locked, ALWAYS), "all")).toBe(false);
});
