import type { TestContext } from "vitest";
import { isContinuousIntegration } from "../../server/setup/continuous-integration.ts";
import type { BrowserKind, BrowserProgram } from "./browsers/program.ts";
import { readEnvironment } from "./environment.ts";
import type { Mahimahi } from "./setup/shell-command.ts";

type Skipping = Pick<TestContext, "skip">;

/**
 * The browser, or skips the test with the one line that says why there is none. With CI=true nothing may be skipped, and
 * the test fails with that line.
 */
export async function requireBrowser(
  context: Skipping,
  kind: BrowserKind = "chromium",
): Promise<BrowserProgram> {
  const found = (await readEnvironment()).browsers[kind];
  return found.path === null ? leave(context, found.reason) : { kind, path: found.path };
}

/** The same for mahimahi. */
export async function requireMahimahi(context: Skipping): Promise<Mahimahi> {
  const { mahimahi, mahimahiReason } = await readEnvironment();
  return mahimahi ?? leave(context, mahimahiReason);
}

/** Leaves the test without a verdict, for a reason that a person can do something about. */
export function leave(context: Skipping, reason = "run npm run prepare-machine"): never {
  if (isContinuousIntegration(process.env)) throw new Error(reason);
  return context.skip(reason);
}
