import type { LaunchOptions } from "puppeteer";

/**
 * `--no-sandbox`: tests run as root in containers. Nothing here may soften WebTransport (`--webtransport-developer-mode`
 * hides the browser's own penalties for reconnecting).
 */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--autoplay-policy=no-user-gesture-required",
  // The address bar's popups are pages that nobody sees here; to load them costs as much CPU as all the rest of a start.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

export function chromiumOptions(extra: readonly string[]): LaunchOptions {
  return { browser: "chrome", args: [...ARGUMENTS, ...extra] };
}
