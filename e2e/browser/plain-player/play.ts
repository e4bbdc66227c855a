import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { makeCertificate } from "../../../server/testdata/make-certificate.ts";
import { launchBrowser } from "../browsers/browser.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { trusting } from "../browsers/trust.ts";
import { MediaServer } from "../cell/media-server.ts";
import { OUR_MEDIA_SERVER } from "../cell/parameters.ts";
import { ROOT } from "../environment.ts";
import { type LinkLog, parseLinkLog } from "../link/log.ts";
import { openLinkRelay } from "../link/relay.ts";
import type { LinkParameters } from "../link/shell.ts";

/**
 * What the answers say of the path, the newest alone, as transport/README.md has it; dash.js's own download times as it takes
 * them by itself; and the newest of those alone.
 */
export type Samples = "cmsd" | "own" | "newest-own";

export interface PlainPlayOptions {
  readonly program: BrowserProgram;
  /** Packaged. */
  readonly film: string;
  readonly link: LinkParameters;
  /** The sender's. */
  readonly scheme: string;
  /** What dash.js goes by. */
  readonly samples: Samples;
  readonly watchSeconds: number;
}

export interface PlainPlay {
  readonly log: LinkLog;
  /** Of dash.js, twice a second. */
  readonly estimates: readonly { atMs: number; value: number | null }[];
  /** By each answer to a request for video. */
  readonly told: readonly Told[];
  /** By which protocol the media came, each once. */
  readonly protocols: readonly string[];
  readonly window: { fromMs: number; toMs: number };
}

const SAMPLE_INTERVAL_MS = 500;
const PAGE = '<!doctype html><meta charset="utf-8"><title>dash.js</title><video muted></video>';

/**
 * Plays with dash.js as it is published and nothing of ours in the page: plain GETs over HTTP/3 to the media server behind the
 * relay. Chromium is told to speak QUIC there, and to trust the certificate, as it does where a site announces HTTP/3.
 */
export async function playPlainly(options: PlainPlayOptions): Promise<PlainPlay> {
  const { program, film, link, scheme } = options;
  const folder = await mkdtemp(join(tmpdir(), "nuwa-plain-"));
  const site = createServer((_request, response) =>
    response.setHeader("Content-Type", "text/html").end(PAGE),
  );
  try {
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    const files = makeCertificate(folder, "127.0.0.1");
    await using relay = await openLinkRelay(link);
    await using server = await MediaServer.start({
      command: [
        ...OUR_MEDIA_SERVER,
        ...["--http3", scheme, "--certificate", files.certificate, "--key", files.key],
        ...["--max-datagram-bytes", "1200"], // as all of the laboratory's emulated runs
      ],
      directory: film,
      host: "127.0.0.1",
      origin,
    });
    await relay.connect(server.port);
    const host = `127.0.0.1:${relay.port}`;
    const browser = await launchBrowser(program, [`--origin-to-force-quic-on=${host}`, trusting(files)]);
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const seen = await watch(page, `https://${host}/manifest.mpd`, options);
      return { ...seen, log: parseLinkLog(await relay.close()) };
    } finally {
      await browser.close();
    }
  } finally {
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function watch(
  page: Page,
  manifest: string,
  { samples, watchSeconds }: PlainPlayOptions,
): Promise<Omit<PlainPlay, "log">> {
  await page.addScriptTag({
    content: await readFile(join(ROOT, "node_modules/dashjs/dist/modern/umd/dash.all.min.js"), "utf8"),
  });
  const fromMs = Date.now();
  await page.evaluate(begin, manifest, samples, SAMPLE_INTERVAL_MS);
  await page.waitForFunction(`document.querySelector("video").currentTime > 0`);
  await page.waitForFunction(
    `performance.now() > ${await page.evaluate("performance.now()")} + ${1000 * watchSeconds}`,
    {
      timeout: 1000 * (watchSeconds + 60),
    },
  );
  const toMs = Date.now();
  const { estimates, told } = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  const protocols = await page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType("resource")
        .flatMap((entry) =>
          entry.name.endsWith(".m4s") ? [(entry as PerformanceResourceTiming).nextHopProtocol] : [],
        ),
    ),
  ]);
  return { estimates, told, protocols, window: { fromMs, toMs } };
}

/** What an answer said, and when: its head came at once, and dash.js takes it when the body is there. */
export interface Told {
  readonly headAtMs: number;
  readonly takenAtMs: number;
  /** In kbit/s; null where it said none. */
  readonly etp: number | null;
}

interface Seen {
  estimates: { atMs: number; value: number | null }[];
  told: Told[];
}

interface PlainPlayer {
  updateSettings(settings: object): void;
  addResponseInterceptor(look: (response: PlainResponse) => Promise<PlainResponse>): void;
  initialize(video: HTMLVideoElement | null, url: string, autoplay: boolean): void;
  getAverageThroughput(type: string): number;
}

interface PlainResponse {
  headers?: Record<string, string>;
  request: { customData?: { request?: { mediaType?: string; type?: string; firstByteDate?: Date | null } } };
}

/** Runs in the page. */
function begin(manifest: string, samples: Samples, intervalMs: number): void {
  const { dashjs } = globalThis as unknown as { dashjs: { MediaPlayer(): { create(): PlainPlayer } } };
  const seen: Seen = { estimates: [], told: [] };
  Object.assign(globalThis, { seen });
  const player = dashjs.MediaPlayer().create();
  player.updateSettings({
    streaming: {
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      cmsd: { enabled: samples === "cmsd", abr: { etpWeightRatio: samples === "cmsd" ? 1 : 0 } },
      abr: {
        throughput:
          samples === "own"
            ? {}
            : {
                averageCalculationMode: "throughputCalculationModeArithmeticMean",
                sampleSettings: { vod: 1, enableSampleSizeAdjustment: false },
              },
      },
    },
  });
  player.addResponseInterceptor(async (response) => {
    const { mediaType, type, firstByteDate } = response.request.customData?.request ?? {};
    if (mediaType === "video" && type === "MediaSegment") {
      const etp = /;etp=(\d+)/.exec(response.headers?.["cmsd-dynamic"] ?? "")?.[1];
      const takenAtMs = Date.now();
      const headAtMs = firstByteDate?.getTime() ?? takenAtMs;
      seen.told.push({ headAtMs, takenAtMs, etp: etp === undefined ? null : Number(etp) });
    }
    return response;
  });
  player.initialize(document.querySelector("video"), manifest, true);
  setInterval(() => {
    const kilobits = player.getAverageThroughput("video");
    const value = Number.isFinite(kilobits) && kilobits > 0 ? 1000 * kilobits : null;
    seen.estimates.push({ atMs: Date.now(), value });
  }, intervalMs);
}
