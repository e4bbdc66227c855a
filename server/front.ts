import { type PageScheme, pageAddress, pageOrigins } from "./addresses.ts";
import { isLoopback } from "./connections/address-group.ts";
import { Problem } from "./problem.mjs";
import type { StartOptions } from "./setup/options.ts";
import type { CertificatePair } from "./tls/certificate-pair.ts";

const HOW_TO_TRUST = "server/RUN-IT-FOR-OTHERS.md#a-class-in-one-room";

type Wishes = Pick<StartOptions, "host" | "origin" | "publicUrl" | "trustProxy" | "certificate" | "laneEach">;

/**
 * A page's name has to be known, since requests for any other are refused.
 *
 * @throws Problem if neither the certificate nor an option has one
 */
export function requireName(
  { names }: Pick<CertificatePair, "names">,
  { certificate, publicUrl, origin }: Pick<Wishes, "certificate" | "publicUrl" | "origin">,
): void {
  if (names.length > 0 || publicUrl !== null || origin !== null) return;
  throw new Problem(
    `the certificate ${certificate?.certificate} names no host, as one for *.example: give the page's address with --public-url`,
  );
}

/** How pages of this server are reached: over what, by which names, and past whom. */
export class Front {
  readonly scheme: PageScheme;
  /** By which pages come over TLS; null: by whatever name they are asked for. */
  readonly publicName: string | null;
  /** Who may end TLS in front of the server: addresses and subnets, as Express has them. */
  readonly trustedProxies: readonly string[];
  readonly #wishes: Wishes;
  /** For which a certificate was issued; one of our own is for whatever this machine is called. */
  readonly #names: readonly string[];

  /** @param pair with which pages are served over HTTPS; null: over HTTP */
  constructor(wishes: Wishes, pair: CertificatePair | null) {
    const { publicUrl, certificate } = wishes;
    this.#wishes = wishes;
    this.scheme = pair === null ? "http" : "https";
    const hasProxy = publicUrl !== null && pair === null;
    this.trustedProxies = hasProxy ? ["loopback", ...(wishes.trustProxy ?? [])] : [];
    this.#names = certificate === null ? [] : (pair?.names ?? []);
    this.publicName = publicUrl === null ? (this.#names[0] ?? null) : new URL(publicUrl).hostname;
  }

  origins(port: number): string[] {
    const { host, origin } = this.#wishes;
    const others = [origin, this.#publicOrigin(port)].filter((other) => other !== null);
    const issued = this.#names.map((name) => new URL(`https://${name}:${port}`).origin);
    return [...new Set([...pageOrigins(host, port, this.scheme), ...others, ...issued])];
  }

  /** The one to open. */
  address(port: number): string {
    return this.#publicOrigin(port) ?? pageAddress(this.#wishes.host, port, this.scheme);
  }

  isOpenToOthers(address: string): boolean {
    return !isLoopback(address) || this.#wishes.publicUrl !== null;
  }

  /**
   * What whoever opens it to others should know.
   *
   * @param server.link the one that is emulated to begin with; null: none is
   */
  warning({ address, port, link }: { address: string; port: number; link: string | null }): string {
    const { publicUrl, certificate, laneEach } = this.#wishes;
    const where = publicUrl === null ? "" : `, and at ${publicUrl} for everybody`;
    const isPlain = publicUrl === null && this.scheme === "http";
    const whose = laneEach
      ? "each session has the emulated link alone"
      : "the emulated link is shared by all visitors (--lane-each: one each)";
    const isOwn = this.scheme === "https" && certificate === null;
    return [
      `listening on ${address}, port ${port}${where}: whoever reaches it watches the film and sends telemetry`,
      ...(isPlain ? [", over HTTP that others can read"] : []),
      "; changes of the link, new films, telemetry and metrics ask for the token",
      ...(link === null ? [] : [`; ${whose}`]),
      ...(isOwn ? [`; browsers warn of the certificate, and ${HOW_TO_TRUST} says what to do`] : []),
    ].join("");
  }

  #publicOrigin(port: number): string | null {
    if (this.#wishes.publicUrl !== null) return this.#wishes.publicUrl;
    return this.publicName === null ? null : new URL(`https://${this.publicName}:${port}`).origin;
  }
}
