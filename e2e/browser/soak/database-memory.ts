/** What the web server's database holds of the memory, as its metrics say. */
export async function databaseBytes(address: string): Promise<number> {
  const response = await fetch(`${address}/metrics`);
  const [, bytes] = /^nuwa_telemetry_memory_bytes (\d+)$/m.exec(await response.text()) ?? [];
  if (bytes === undefined)
    throw new Error(`${response.url} does not say what telemetry holds (${response.status})`);
  return Number(bytes);
}
