import type { ServerConfig } from "../player/src/options/server-config.ts";
import type { Token } from "./access/token.ts";
import type { TransportInfo } from "./addresses.ts";
import type { DroppedFilms } from "./films/drop/dropped-films.ts";
import type { FilmShelf } from "./films/film-shelf.ts";
import type { LinkService } from "./link/link-control.ts";
import type { Log } from "./log.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import type { OfferedRegistry } from "./registry.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** All that the app is made of; nothing else is read from the environment. */
export interface AppConfig {
  /** The built player: `index.html` and its assets. */
  readonly playerDirectory: string;
  readonly films: FilmShelf;
  /** Takes films of viewers; absent: none are taken. */
  readonly dropped?: DroppedFilms;
  /** Learned policies with their cards, `NAME.onnx` and `NAME.json`; absent: none can be had. */
  readonly policyDirectory?: string;
  /** Asked at each request, since the address changes when the transport is restarted; null while there is none. */
  readonly transport: () => TransportInfo | null;
  /** TCP port on loopback where it tells its metrics; null or absent: there is none. */
  readonly transportMetricsPort?: () => number | null;
  /** Where pages open sessions, besides the hosts of `origins`. */
  readonly sessionHosts?: () => readonly string[];
  /** Whether it opens new sessions; absent: nobody asks it. */
  readonly letsNewcomersIn?: () => boolean;
  /** Signs what opens sessions there; absent or null: everybody may. */
  readonly sessionKey?: Buffer | null;
  /** The emulated link; absent: there is none, and none can be asked for. */
  readonly link?: LinkService;
  /** Those of the server's own pages, which alone may change anything; other hosts than theirs are not answered. */
  readonly origins: () => readonly string[];
  /** By which pages come over TLS, and sessions are opened for them; absent or null: by the name that each asks for. */
  readonly publicName?: string | null;
  /** Addresses and subnets of proxies that are believed what they say of their clients, as Express has them; absent: nobody is. */
  readonly trustedProxies?: readonly string[];
  /** Asked for by changes of the link and by whoever reads telemetry; absent: none is. */
  readonly token?: Token;
  readonly registry: OfferedRegistry;
  readonly rules: ServerConfig["rules"];
  /** What the page starts with. */
  readonly defaults: ServerConfig["defaults"];
  /** URL, or a path of this server, that takes what pages report by CMCD; absent or null: they report none. */
  readonly cmcdCollector?: string | null;
  /** Absent: none is taken. */
  readonly telemetry?: Telemetry;
  /** Absent: none are told. */
  readonly metrics?: ServerMetrics;
  readonly log: Log;
}
