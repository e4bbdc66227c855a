import type { TestContext } from "vitest";
import { isContinuousIntegration } from "../../server/setup/continuous-integration.ts";
import { readEnvironment } from "./environment.ts";
import type { Mahimahi } from "./setup/shell-command.ts";

/**
 * The browser, or skips the test with the one line that says why there is none. With CI=true nothing may be skipped, and
 * the test fails with that line.
 */
export async function requireChrome(context: TestContext): Promise<string> {
  const { chrome, chromeReason } = await readEnvironment();
  return chrome ?? leave(context, chromeReason);
}

/** The same for mahimahi. */
export async function requireMahimahi(context: TestContext): Promise<Mahimahi> {
  const { mahimahi, mahimahiReason } = await readEnvironment();
  return mahimahi ?? leave(context, mahimahiReason);
}

/** Leaves the test without a verdict, for a reason that a person can do something about. */
export function leave(context: TestContext, reason = "run npm run prepare-machine"): never {
  if (isContinuousIntegration(process.env)) throw new Error(reason);
  return context.skip(reason);
}
