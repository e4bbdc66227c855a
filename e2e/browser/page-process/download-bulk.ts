import type { Page } from "puppeteer";
import type { BulkData, BulkWork, Download, PageRecords } from "./job.ts";

interface PageGlobals {
  nuwaStream: { result: Promise<Download>; records(): PageRecords };
}

/** Waits for the download benchmark page's result. */
export async function downloadBulk(page: Page, work: BulkWork): Promise<BulkData> {
  page.setDefaultTimeout(work.limitSeconds * 1000);
  await page.waitForFunction("globalThis.nuwaStream !== undefined");
  return page.evaluate(async (limitMs) => {
    const { nuwaStream } = globalThis as unknown as PageGlobals;
    const tooLate = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`the download took more than ${limitMs / 1000} s`)), limitMs);
    });
    const download = await Promise.race([nuwaStream.result, tooLate]);
    const { stamps, estimates } = nuwaStream.records();
    return { kind: "bulk" as const, download, records: { stamps, estimates } };
  }, work.limitSeconds * 1000);
}
