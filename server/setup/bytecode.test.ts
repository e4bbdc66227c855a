import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { keepForbiddenBytecode } from "./bytecode.ts";

afterEach(() => vi.unstubAllEnvs());

function kept(environment: Readonly<Record<string, string | undefined>>, venv: string) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  keepForbiddenBytecode(venv);
  const { PYTHONDONTWRITEBYTECODE: forbids, PYTHONPYCACHEPREFIX: folder } = process.env;
  return { forbids, folder };
}

test("bytecode that the environment forbids is kept beside the packages", () => {
  const venv = temporaryFolder();
  expect(kept({ PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: undefined }, venv)).toEqual({
    forbids: "",
    folder: join(venv, "bytecode"),
  });
});

test("and before there are any packages", () => {
  const venv = join(mkdtempSync(join(temporaryFolder(), "clone-")), ".venv");
  const { folder } = kept({ PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: undefined }, venv);
  expect(folder).toBe(join(venv, "bytecode"));
});

test("where nothing forbids it, Python keeps it as it does", () => {
  const { folder } = kept(
    { PYTHONDONTWRITEBYTECODE: undefined, PYTHONPYCACHEPREFIX: undefined },
    temporaryFolder(),
  );
  expect(folder).toBeUndefined();
});

test("a folder of the user's own stays", () => {
  const { folder } = kept({ PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: "/mine" }, temporaryFolder());
  expect(folder).toBe("/mine");
});
