import { readFile } from "node:fs/promises";
import type { Browser, Page } from "puppeteer";
import type { Presentation } from "../../../media/package-film.ts";
import { launchBrowser, openPage } from "../chromium/browser.ts";
import { Product, type RunningTransport } from "../product/product.ts";
import { BUILT_PLAYER } from "../product/with-page.ts";
import type { Chance } from "./chance.ts";
import { TcpPath } from "./tcp-path.ts";
import { UdpPath } from "./udp-path.ts";

export interface RigOptions {
  readonly chrome: string;
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
 * The real product and a real browser, and between them a network that can be cut, without root and on every system: the
 * browser resolves the page's host to a TCP path and the transport's to a UDP path. Neither side knows.
 */
export interface Rig {
  readonly product: Product;
  readonly udp: UdpPath;
  readonly tcp: TcpPath;
  readonly browser: Browser;
  /** All that is left to chance in a run. */
  readonly chance: Chance;
}

/** Sets up a rig, and takes it down whatever happens. */
export async function withRig<T>(options: RigOptions, use: (rig: Rig) => Promise<T>): Promise<T> {
  const { chrome, presentation, serverArgs = [], playerDirectory = BUILT_PLAYER } = options;
  using udp = await UdpPath.open();
  await using tcp = await TcpPath.open();
  const order = { args: ["--port", "0", ...serverArgs], presentation, playerDirectory };
  const onTransport = ({ port }: RunningTransport) => {
    udp.upstreamPort = port;
  };
  await using product = await Product.start(order, onTransport, options.serverEnvironment);
  tcp.upstreamPort = Number(new URL(product.address).port);
  const hosts = [`MAP localhost 127.0.0.1:${tcp.port}`];
  if (options.isUdpDirect !== true) hosts.push(`MAP 127.0.0.1 127.0.0.1:${udp.port}`);
  const browser = await launchBrowser(chrome, [`--host-resolver-rules=${hosts.join(", ")}`]);
  try {
    return await use({ product, udp, tcp, browser, chance: options.chance });
  } finally {
    await browser.close();
  }
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
  query: Readonly<Record<string, string>>,
  prepareBlankPage: (page: Page) => Promise<void> = async () => undefined,
): Promise<WatchedPage> {
  const url = `${rig.product.address}/?${new URLSearchParams(query)}`;
  const httpSegmentsAtMs: number[] = [];
  const { page, problems } = await openPage(rig.browser, url, async (blank) => {
    await blank.evaluateOnNewDocument(await readFile(new URL("path-log.js", import.meta.url), "utf8"));
    await prepareBlankPage(blank);
    blank.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/media\/.*\.m4s$/.test(pathname))
        httpSegmentsAtMs.push(performance.timeOrigin + performance.now());
    });
  });
  return { page, problems, httpSegmentsAtMs };
}
