import { readFile } from "node:fs/promises";
import type { Browser, Page } from "puppeteer";
import type { Presentation } from "../../../media/package-film.ts";
import { type PageQuery, withValues } from "../../../player/src/page/query/parameters.ts";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import { ledThrough } from "../browsers/led-through.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { Product, type RunningTransport } from "../product/product.ts";
import { BUILT_PLAYER, startedBoth } from "../product/with-page.ts";
import type { Chance } from "./chance.ts";
import { TcpPath } from "./tcp-path.ts";
import { UdpPath } from "./udp-path.ts";

/** Nobody looks at these pages. */
const VIEWPORT = { width: 640, height: 480 };

export interface RigOptions {
  readonly program: BrowserProgram;
  readonly presentation: Presentation;
  /** As after `npm start --`. */
  readonly serverArgs?: readonly string[];
  /** The built player. */
  readonly playerDirectory?: string;
  readonly serverEnvironment?: Readonly<Record<string, string>>;
  /** Whether the browser reaches the transport without the UDP path. */
  readonly isUdpDirect?: boolean;
  readonly chance: Chance;
}

/**
 * The real product and a real browser, and between them a network that can be cut, without root and on every system: a TCP
 * path to the page, and a UDP path to the transport.
 */
export interface Rig {
  readonly product: Product;
  readonly udp: UdpPath;
  readonly tcp: TcpPath;
  readonly browser: Browser;
  /** Where the browser finds the page. */
  readonly pageAddress: string;
  /** What its pages run before anything of their own; null: nothing. */
  readonly script: string | null;
  /** All that is left to chance in a run. */
  readonly chance: Chance;
}

/** Sets up a rig, and takes it down whatever happens. */
export async function withRig<T>(options: RigOptions, use: (rig: Rig) => Promise<T>): Promise<T> {
  const { program, presentation, isUdpDirect = false, playerDirectory = BUILT_PLAYER } = options;
  using udp = await UdpPath.open();
  await using tcp = await TcpPath.open();
  const nearEnds = { tcpPort: tcp.port, udpPort: udp.port };
  const { browserArgs, pageAddress, script, ...leading } = ledThrough(program.kind, nearEnds, {
    isUdpDirect,
  });
  const args = ["--port", "0", ...leading.serverArgs, ...(options.serverArgs ?? [])];
  const order = { args, presentation, playerDirectory };
  const onTransport = ({ port }: RunningTransport) => {
    udp.upstreamPort = port;
  };
  await using running = await startedBoth(
    Product.start(order, onTransport, options.serverEnvironment),
    launchBrowser(program, browserArgs, { viewport: VIEWPORT }),
  );
  const { product, browser } = running;
  tcp.upstreamPort = Number(new URL(product.address).port);
  return await use({
    product,
    udp,
    tcp,
    browser,
    pageAddress: pageAddress ?? product.address,
    script,
    chance: options.chance,
  });
}

export interface WatchedPage {
  readonly page: Page;
  /** Grows while the page is open. */
  readonly problems: string[];
  /** When the page asked the web server for a media segment, ms of the epoch. */
  readonly httpSegmentsAtMs: number[];
}

/** Opens the product's page, with what is to be written down about it. */
export async function openWatched(
  rig: Rig,
  query: PageQuery,
  prepareBlankPage: (page: Page, origin: string) => Promise<void> = async () => undefined,
): Promise<WatchedPage> {
  const url = `${rig.pageAddress}/?${withValues(new URLSearchParams(), query)}`;
  const httpSegmentsAtMs: number[] = [];
  const { page, problems } = await openPage(rig.browser, url, async (blank) => {
    await blank.evaluateOnNewDocument(await readFile(new URL("path-log.js", import.meta.url), "utf8"));
    if (rig.script !== null) await blank.evaluateOnNewDocument(rig.script);
    await prepareBlankPage(blank, new URL(url).origin);
    blank.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/media\/.*\.m4s$/.test(pathname))
        httpSegmentsAtMs.push(performance.timeOrigin + performance.now());
    });
  });
  return { page, problems, httpSegmentsAtMs };
}
