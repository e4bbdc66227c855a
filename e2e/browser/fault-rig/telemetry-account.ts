import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";

/** What came of the telemetry of all pages that played: events that were numbered and did not come, or were given up. */
export interface TelemetryAccount {
  readonly sessions: number;
  readonly missing: number;
  readonly dropped: number;
}

/** A page that ends sends what is unsent; the server writes it down within so long. */
const ARRIVAL_LIMIT_MS = 5000;
const LOOK_MS = 100;

/** Leaves the page and waits until the server has all that it numbered, or the time is over. */
export async function telemetryAfter(page: Page, address: string): Promise<TelemetryAccount> {
  await page.goto("about:blank");
  const limitMs = performance.now() + ARRIVAL_LIMIT_MS;
  let account = await accountOf(address);
  while (performance.now() < limitMs && (account.sessions === 0 || account.missing > 0)) {
    await pause(LOOK_MS);
    account = await accountOf(address);
  }
  return account;
}

async function accountOf(address: string): Promise<TelemetryAccount> {
  const response = await fetch(`${address}/api/telemetry/sessions`);
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}: ${await response.text()}`);
  const { sessions } = (await response.json()) as { sessions: { missing: number; dropped: number }[] };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    sessions: sessions.length,
    missing: sum(sessions.map(({ missing }) => missing)),
    dropped: sum(sessions.map(({ dropped }) => dropped)),
  };
}
