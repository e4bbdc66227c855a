import { join } from "node:path";
import type { Browser } from "puppeteer";
import { launchBrowser } from "../browsers/browser.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { type PlayedFilm, presentationOf } from "../cell/presentation.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import { Product } from "./product.ts";

/** As the set-up builds it. */
export const BUILT_PLAYER = join(BUILD_DIRECTORY, "player");

export interface ProductOptions {
  readonly program: BrowserProgram;
  readonly film: PlayedFilm;
  /** As after `npm start --`. */
  readonly serverArgs?: readonly string[];
  /** The built player. */
  readonly playerDirectory?: string;
  /** Learned policies instead of those that are shipped. */
  readonly policyDirectory?: string;
}

export interface RunningProduct {
  readonly product: Product;
  readonly browser: Browser;
}

/** Of all that it consists of, for cpu-use.ts. */
export function processGroupsOf({ browser, product }: RunningProduct): number[] {
  return [browser.process()?.pid, product.pid].filter((pid) => pid !== undefined);
}

/** Starts product and browser side by side, and stops both whatever happens. */
export async function withProduct<T>(
  { program, film, serverArgs = [], playerDirectory = BUILT_PLAYER, policyDirectory }: ProductOptions,
  use: (running: RunningProduct) => Promise<T>,
): Promise<T> {
  const presentation = await presentationOf(film, () => undefined);
  const order = {
    args: ["--port", "0", ...serverArgs],
    presentation,
    playerDirectory,
    ...(policyDirectory !== undefined && { policyDirectory }),
  };
  await using running = await startedBoth(Product.start(order), launchBrowser(program));
  return await use(running);
}

/**
 * Waits for both, which start beside each other; where one of them does not, the other is stopped.
 *
 * @returns what stops both, the browser first
 */
export async function startedBoth(
  starting: Promise<Product>,
  launching: Promise<Browser>,
): Promise<RunningProduct & AsyncDisposable> {
  const [started, launched] = await Promise.allSettled([starting, launching]);
  const stop = async () => {
    if (launched.status === "fulfilled") await launched.value.close();
    if (started.status === "fulfilled") await started.value[Symbol.asyncDispose]();
  };
  if (started.status === "fulfilled" && launched.status === "fulfilled")
    return { product: started.value, browser: launched.value, [Symbol.asyncDispose]: stop };
  await stop();
  throw started.status === "rejected" ? started.reason : (launched as PromiseRejectedResult).reason;
}
