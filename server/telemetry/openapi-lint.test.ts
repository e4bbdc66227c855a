import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { ROOT } from "../setup/paths.ts";
import { OPENAPI_DOCUMENT } from "./openapi.ts";

const LINTER = join(ROOT, "node_modules/@redocly/cli/bin/cli.js");
/** It stays on this machine. */
const ENVIRONMENT = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** It starts a program twice; bounds a hang only. */
const LIMIT_MS = 60_000;

interface Findings {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer: string }[];
  }[];
}

/** Of what sends a browser on, 303 is the good answer. */
function isRedirect({ ruleId, location }: Findings["problems"][number]): boolean {
  return ruleId === "operation-2xx-response" && location.every(({ pointer }) => pointer.includes("~1unlock"));
}

async function lint(document: object): Promise<string[]> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "openapi.json"), JSON.stringify(document));
  const command = [LINTER, "lint", "openapi.json", "--format=json"];
  const { stdout } = await execa(process.execPath, command, { cwd, env: ENVIRONMENT, reject: false });
  const { problems } = JSON.parse(stdout) as Findings;
  return problems
    .filter((problem) => !isRedirect(problem))
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test(
  "the linter of Redocly finds nothing in the description, and what is wrong in a wrong one",
  async () => {
    const { license: _license, ...info } = OPENAPI_DOCUMENT.info;
    const [problems, missed] = await Promise.all([
      lint(OPENAPI_DOCUMENT),
      lint({ ...OPENAPI_DOCUMENT, info }),
    ]);
    expect(problems).toEqual([]);
    expect(missed).toEqual([expect.stringContaining("info-license")]);
  },
  LIMIT_MS,
);
