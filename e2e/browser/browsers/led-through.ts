import type { BrowserKind } from "./program.ts";

/** Where the browser finds web server and transport: at the near ends of the paths to them. */
export interface NearEnds {
  readonly tcpPort: number;
  readonly udpPort: number;
}

/** What makes a browser take the paths to the product. */
export interface Leading {
  /** Of the browser. */
  readonly browserArgs: readonly string[];
  /** Of the product, as after `npm start --`. */
  readonly serverArgs: readonly string[];
  /** Of the page, in the place of the product's own; null leaves it. */
  readonly pageAddress: string | null;
  /** Run in the page before anything of its own. */
  readonly script: string | null;
}

/**
 * Chromium resolves the product's names to the paths, and nobody knows of them. Firefox cannot: its page lies at the TCP
 * path's address, and is told the UDP path's instead of the transport's.
 */
export function ledThrough(
  kind: BrowserKind,
  { tcpPort, udpPort }: NearEnds,
  { isUdpDirect }: { isUdpDirect: boolean },
): Leading {
  if (kind === "chromium") {
    const hosts = [`MAP localhost 127.0.0.1:${tcpPort}`];
    if (!isUdpDirect) hosts.push(`MAP 127.0.0.1 127.0.0.1:${udpPort}`);
    const browserArgs = [`--host-resolver-rules=${hosts.join(", ")}`];
    return { browserArgs, serverArgs: [], pageAddress: null, script: null };
  }
  const pageAddress = `http://localhost:${tcpPort}`;
  const script = isUdpDirect ? null : `(${toldOtherwise})(${udpPort})`;
  return { browserArgs: [], serverArgs: ["--origin", pageAddress], pageAddress, script };
}

/** Plain JavaScript: what a compiler adds to a function would be missing in the page. */
const toldOtherwise = `(port) => {
  const asked = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await asked(input, init);
    if (input !== "/api/config") return response;
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text.replaceAll(/https:\\/\\/127\\.0\\.0\\.1:\\d+/g, "https://127.0.0.1:" + port), { status, headers });
  };
}`;
