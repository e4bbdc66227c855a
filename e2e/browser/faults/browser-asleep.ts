import type { Browser } from "puppeteer";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** All of the browser's processes stand still, as on a machine that sleeps; the server's do not. */
export const browserAsleep: Fault = {
  name: "browser-asleep",
  title: "browser asleep",
  strike: ({ browser }) => signal(browser, "SIGSTOP"),
  lastsSeconds: [5, 12],
  withholds: "the page",
  heal: ({ browser }) => signal(browser, "SIGCONT"),
  watchSeconds: 6,
  expected: GOES_ON,
};

/** puppeteer gives the browser a process group of its own. */
function signal(browser: Browser, name: NodeJS.Signals): void {
  const pid = browser.process()?.pid;
  if (pid === undefined) throw new Error("the browser has no process that could be signalled");
  process.kill(-pid, name);
}
