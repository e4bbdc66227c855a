import type { Page } from "puppeteer";
import { type TestContext, test, vi } from "vitest";
import type { NuwaStream, Snapshot } from "../../../player/src/page/nuwa-stream.ts";
import type { PolicyReport } from "../../../player/src/session/policy/policy-report.ts";
import { openPage } from "../browsers/browser.ts";
import { BROWSER_KINDS, type BrowserKind } from "../browsers/program.ts";
import { isTooBusy } from "../fault-rig/expectation.ts";
import { cpuUseOf } from "../process/cpu-use.ts";
import { processGroupsOf, type RunningProduct, withProduct } from "../product/with-page.ts";
import { requireBrowser } from "../requirements.ts";
import { choose, playsOn } from "./page.ts";
import { policyFolder, type SampleKind } from "./sample-policy.ts";
import { TEST_FILM } from "./scenario.ts";

const PAGE = "/?scheme=nuwa-rl&muted=1";
/** Nuwa takes over from slow start once a queue has stood, which loopback alone never has. */
const LINK = ["--link", "8mbit"];
/** Bounds a hang only. */
const WITHIN = { timeout: 120_000 };

/** Each has a server and a browser of its own, and mostly waits. */
vi.setConfig({ maxConcurrency: 2 });

test.concurrent.for(BROWSER_KINDS)(
  "a film plays under Nuwa-RL in %s: its policy decides in the worker, and k moves",
  async (kind, context) => {
    const { expect } = context;
    await withPolicy({ context, kind }, "recurrent", async (page, problems) => {
      await expectReport(context, page, ({ decided }) => decided >= 20);
      const { notice, estimate } = await snapshot(page);
      expect(notice).toBeNull();
      expect(estimate?.policy).toMatchObject({ state: "ready", trouble: null, failed: 0 });
      expect(estimate?.policy?.p99Ms).toBeGreaterThan(0);
      const ks = await page.evaluate(() => {
        const { nuwaStream } = globalThis as unknown as { nuwaStream: NuwaStream };
        return nuwaStream.records().stamps.map(({ k }) => k);
      });
      expect(
        new Set(ks).size,
        "the untrained policy may take k straight to an end of its range",
      ).toBeGreaterThan(1);
      const hosts = new Set((await fetched(page)).map((url) => new URL(url).host));
      expect([...hosts], "nothing is fetched from anywhere else").toEqual([new URL(page.url()).host]);
      expect(problems).toEqual([]);
    });
  },
);

test.concurrent("the policy's runtime is fetched when it is chosen, not before", async (context) => {
  const { expect } = context;
  await withPolicy({ context }, "feed-forward", async (page) => {
    await choose(page, "scheme", "nuwa");
    await page.reload();
    await playsOn(page, 1);
    expect((await fetched(page)).filter(isRuntime)).toEqual([]);
    await choose(page, "scheme", "nuwa-rl");
    await expectReport(context, page, ({ decided }) => decided >= 1);
    expect((await fetched(page)).filter(isRuntime)).not.toEqual([]);
  });
});

test.concurrent.for([
  ["missing", "Nuwa-RL runs its heuristic: its policy nuwa-rl is not on the server."],
  [
    "truncated",
    "Nuwa-RL runs its heuristic: the model of its policy nuwa-rl is damaged, or another than its card names.",
  ],
  ["not-a-number", "Nuwa-RL runs its heuristic: its policy nuwa-rl gave no number when it was asked last."],
] as const)(
  "a film plays although its policy is %s, and the page says so",
  async ([kind, sentence], context) => {
    const { expect } = context;
    await withPolicy({ context }, kind, async (page, _problems, running) => {
      await page.waitForFunction(
        (text) => document.querySelector("#notice")?.textContent === text,
        WITHIN,
        sentence,
      );
      await playsOn(page, 3);
      await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
      const { estimate, stallCount } = await snapshot(page);
      expect(estimate?.policy).toMatchObject({ decided: 0, usesHeuristic: true });
      expect(estimate?.k, "the preset's").toBe(7);
      const cpuUse = await cpuUseOf(processGroupsOf(running));
      if (!isTooBusy({ cpuUse })) expect(stallCount).toBe(0);
      await choose(page, "scheme", "nuwa");
      await page.waitForFunction(
        () => document.querySelector<HTMLElement>("#notice")?.hidden === true,
        WITHIN,
      );
    });
  },
);

/** Opens the page on a film with this policy in the place of Nuwa-RL's. */
async function withPolicy(
  { context, kind: browserKind }: { context: TestContext; kind?: BrowserKind },
  kind: SampleKind,
  use: (page: Page, problems: readonly string[], running: RunningProduct) => Promise<void>,
): Promise<void> {
  const program = await requireBrowser(context, browserKind);
  const policyDirectory = await policyFolder(context, kind);
  const options = { program, film: TEST_FILM, policyDirectory, serverArgs: LINK };
  await withProduct(options, async (running) => {
    const { product, browser } = running;
    const { page, problems } = await openPage(browser, `${product.address}${PAGE}`);
    await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
    await use(page, problems, running);
    await page.close();
  });
}

async function expectReport(
  { expect }: TestContext,
  page: Page,
  isAsWished: (report: PolicyReport) => boolean,
): Promise<void> {
  const isSeen = async (): Promise<boolean> => {
    const report = (await snapshot(page)).estimate?.policy ?? null;
    return report !== null && isAsWished(report);
  };
  await expect.poll(isSeen, { ...WITHIN, interval: 200 }).toBe(true);
}

function snapshot(page: Page): Promise<Snapshot> {
  return page.evaluate(() => (globalThis as unknown as { nuwaStream: NuwaStream }).nuwaStream.snapshot());
}

/** What the page and its workers have fetched; blobs are the player's own. */
async function fetched(page: Page): Promise<string[]> {
  const names = () => performance.getEntriesByType("resource").map(({ name }) => name);
  const ofWorkers = page.workers().map((worker) => worker.evaluate(names).catch(unlessGone));
  const ofEach = await Promise.all([page.evaluate(names), ...ofWorkers]);
  return ofEach.flat().filter((name) => name.startsWith("http"));
}

/** Firefox's workers stay in the list when they have ended; such a one has nothing to say. */
function unlessGone(error: Error): string[] {
  if (!error.message.includes("no such frame")) throw error;
  return [];
}

const isRuntime = (url: string): boolean => /\bort[-.]/.test(url);
