/** Does something with each, in order, so many at a time; begins none once the signal has aborted. */
export async function atOnce<Item>(
  count: number,
  items: readonly Item[],
  use: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = items.values(); // shared: who is free takes the next
  const worker = async () => {
    for (const item of left) {
      if (signal?.aborted) return;
      await use(item);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
}
