import type { CDPSession, Page } from "puppeteer";

/** What a page's scripts hold, its workers' included. */
export interface PageHeap {
  /** After collecting what nobody holds; with the buffers behind arrays, which lie beside the heap. */
  readonly usedBytes: number;
  /** Elements and texts, those that were taken out of the document included. */
  readonly nodes: number;
}

/** Collects the page's garbage, and its workers', and says what is left. */
export async function heapOf(page: Page): Promise<PageHeap> {
  const session = await page.createCDPSession();
  try {
    let usedBytes = await heldBytes(session);
    for (const worker of page.workers()) usedBytes += await heldBytes(worker.client);
    const { nodes } = await session.send("Memory.getDOMCounters");
    return { usedBytes, nodes };
  } finally {
    await session.detach();
  }
}

async function heldBytes(session: Pick<CDPSession, "send">): Promise<number> {
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  await session.send("HeapProfiler.disable");
  return usedSize + backingStorageSize;
}
