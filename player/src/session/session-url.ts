/** What the page opens a session with; names and numbers as in `/api/config`. */
export interface SessionParameters {
  /** Name in the scheme registry. */
  readonly scheme: string;
  /** null where the numbers are of no preset. */
  readonly preset: string | null;
  readonly targetDelayMs: number;
  readonly rhoMs: number;
  /** Aggressiveness, 1 to 9. */
  readonly k: number;
  /** Whether Nuwa's window follows a link that has changed in proportion to itself. */
  readonly catchesUp: boolean;
  /** Whether a player's need bounds Nuwa's window. */
  readonly followsNeed: boolean;
  /** Whether Nuwa's window moves by its paper's equations alone, with a constant target. */
  readonly asInPaper: boolean;
}

/** Changes with the wire (transport/wire_format/PROTOCOL.md). */
export const PROTOCOL_VERSION = 1;

/** Where a session is opened (transport/wire_format/PROTOCOL.md, section "Session"). */
export function sessionUrl(
  serverUrl: string,
  parameters: SessionParameters,
  token: string | null = null,
): string {
  const url = new URL(`/v${PROTOCOL_VERSION}/${encodeURIComponent(parameters.scheme)}`, serverUrl);
  if (parameters.preset !== null) {
    url.searchParams.set("preset", parameters.preset);
  }
  url.searchParams.set("k", String(parameters.k));
  url.searchParams.set("target_delay_ms", String(parameters.targetDelayMs));
  if (token !== null) {
    url.searchParams.set("token", token);
  }
  return url.href;
}
