import type { LaunchOptions } from "puppeteer";

/** As for Chromium: films begin without a click. Nothing here may soften WebTransport. */
const PREFERENCES = { "media.autoplay.default": 0 };

/** Firefox as puppeteer drives it, over WebDriver BiDi. */
export function firefoxOptions(extra: readonly string[]): LaunchOptions {
  return { browser: "firefox", args: [...extra], extraPrefsFirefox: PREFERENCES };
}
