import type { BrowserKind } from "../browsers/program.ts";

/** How a kind of browser is found on a machine, and where it is to be had. */
export interface KindOfBrowser {
  /** For people. */
  readonly title: string;
  /** Of the environment: a path that goes before all others. */
  readonly variables: readonly string[];
  /** Of its program, on the path. */
  readonly names: readonly string[];
  readonly macPath: string;
  /** What `--version` of a browser that starts prints. */
  readonly version: RegExp;
  /** As puppeteer calls it, which downloads it. */
  readonly puppeteer: "chrome" | "firefox";
  readonly downloadMegabytes: number;
  /** Debian's, and the program in it; Ubuntu's are snaps, which these tests cannot drive. */
  readonly debian: { readonly package: string; readonly path: string };
  /** Which of the two is tried first. */
  readonly prefers: "download" | "debian";
}

export const KINDS: Readonly<Record<BrowserKind, KindOfBrowser>> = {
  chromium: {
    title: "Chrome or Chromium",
    variables: ["NUWA_CHROME", "PUPPETEER_EXECUTABLE_PATH"],
    names: ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome"],
    macPath: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    version: /^(?:Google Chrome|Chromium|Chrome)\S* .*$|^Google Chrome for Testing .*$/m,
    puppeteer: "chrome",
    downloadMegabytes: 150,
    debian: { package: "chromium", path: "/usr/bin/chromium" },
    prefers: "download",
  },
  firefox: {
    title: "Firefox",
    variables: ["NUWA_FIREFOX"],
    names: ["firefox", "firefox-esr"],
    macPath: "/Applications/Firefox.app/Contents/MacOS/firefox",
    version: /^Mozilla Firefox .*$/m,
    puppeteer: "firefox",
    downloadMegabytes: 100,
    debian: { package: "firefox-esr", path: "/usr/bin/firefox-esr" },
    prefers: "debian", // without the libraries that a download leaves out
  },
};
