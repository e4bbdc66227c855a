import type { LinkState, NamedEntry } from "../../player/src/options/server-config.ts";
import type { TransportInfo } from "../addresses.ts";
import { Refusal } from "../errors.ts";
import type { Log } from "../log.ts";
import { type Message, type ServiceCommand, ServiceError } from "../service-process.ts";
import type { Ticker } from "../silence.ts";
import { Supervisor } from "../supervisor.ts";
import { isRate } from "./link-limits.ts";
import type { LinkRequest } from "./link-request.ts";
import { NO_LINK, parseLinkState } from "./link-state.ts";
import {
  atAddress,
  type Lane,
  linkCommand,
  parseRelayReady,
  type RelayReady,
  relayArguments,
  sentenceOfLosses,
  upstreamCommand,
} from "./relay-command.ts";
import { RelayConversation } from "./relay-conversation.ts";

/** Where sessions go: straight to the transport, through the relay's lanes, or nowhere while the relay is away. */
export type Route =
  | { readonly kind: "direct" }
  | { readonly kind: "relay"; readonly lanes: readonly [Lane, Lane] }
  | { readonly kind: "away" };

/** What the web server's routes need of the link. */
export interface LinkService {
  readonly choices: readonly NamedEntry[];
  /** What a request may leave out. */
  readonly defaults: Omit<LinkRequest, "name">;
  /** null: nothing is emulated. */
  readonly state: LinkState | null;
  /** The server is to begin with a link, which is not there yet. */
  readonly isAwaited: boolean;
  readonly route: Route;
  /** Whether each session has the link alone. */
  readonly isForEach: boolean;
  /** @throws Refusal */
  change(request: LinkRequest): Promise<void>;
}

export interface LinkControlOptions {
  /** The relay's program; its arguments are added. */
  readonly relay: Omit<ServiceCommand, "name">;
  /** Address that the lanes listen on. */
  readonly host: string;
  /** Of the lanes; 0 takes free ones. */
  readonly ports: readonly [number, number];
  /** Whether each session has a lane alone; absent: all that are open at a time share the two. */
  readonly isForEach?: boolean;
  /** Whether `start` will be called: until then no session goes straight on, round the link. */
  readonly willStart?: boolean;
  readonly choices: readonly NamedEntry[];
  readonly defaults: Omit<LinkRequest, "name">;
  readonly log: Log;
  /** Ends the wait for a relay's first start. */
  readonly signal: AbortSignal;
  /** A relay has ended by itself, and is started again. */
  readonly onRestart?: () => void;
  readonly ticker?: Ticker;
}

const PROBE_EVERY_TICKS = 4;

/**
 * The emulated link between pages and transport: a relay, started when the first link is asked for, watched, and told
 * where the transport is. It stays, since the sessions of pages go through it; `none` lets them pass freely.
 */
export class LinkControl implements LinkService {
  readonly choices: readonly NamedEntry[];
  readonly defaults: Omit<LinkRequest, "name">;
  readonly isForEach: boolean;
  readonly #options: LinkControlOptions;
  #request: LinkRequest;
  #upstream: TransportInfo | null = null;
  #relay: Supervisor<RelayReady> | null = null;
  #conversation: RelayConversation | null = null;
  #ready: RelayReady | null = null;
  #ticks = 0;
  #changes: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(options: LinkControlOptions) {
    this.#options = options;
    this.choices = options.choices;
    this.defaults = options.defaults;
    this.isForEach = options.isForEach ?? false;
    this.#request = { ...options.defaults, name: NO_LINK };
  }

  get state(): LinkState | null {
    const link = this.#ready?.link ?? null;
    return link === null || link.name === NO_LINK ? null : link;
  }

  get isAwaited(): boolean {
    return this.#options.willStart === true && this.#ready === null;
  }

  get route(): Route {
    if (this.isAwaited) return { kind: "away" };
    if (this.#relay === null || this.#ready === null) return { kind: "direct" };
    return this.#relay.answering === null ? { kind: "away" } : { kind: "relay", lanes: this.#ready.lanes };
  }

  /**
   * Begins with a link; here a trace file is welcome, too. A page may have asked for another already, which stays.
   *
   * @throws ServiceError if the relay does not start
   */
  start(request: LinkRequest): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#relay !== null) return;
      this.#request = request;
      await this.#startRelay();
    });
  }

  /** Emulates another link from now on, one change after the other. */
  change(request: LinkRequest): Promise<void> {
    return this.#inTurn(() => this.#change(request));
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#changes.then(act);
    this.#changes = turn.catch(() => undefined); // whoever asked is told; the next one does not care
    return turn;
  }

  /** The transport is there now; pages keep the relay's address. */
  useUpstream(transport: TransportInfo): void {
    this.#upstream = transport;
    this.#tellUpstream();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#relay?.stop();
    await this.#changes;
  }

  async #change(request: LinkRequest): Promise<void> {
    this.#requireKnown(request.name);
    if (this.#relay === null) {
      if (request.name === NO_LINK && this.isAwaited)
        throw new Refusal(503, "the emulated link is being started; try again in a moment");
      if (request.name === NO_LINK) return;
      await this.#startRelayOrRefuse();
    }
    if (this.#conversation === null) {
      throw new Refusal(503, "the emulated link is being started again; try again in a moment");
    }
    this.#noteLink(await this.#conversation.ask(linkCommand(request)));
    this.#request = request;
  }

  #requireKnown(name: string): void {
    if (isRate(name) || this.choices.some((choice) => choice.name === name)) return;
    const names = this.choices.map((choice) => choice.name).join(", ");
    throw new Refusal(400, `unknown link "${name}": choose one of ${names}, or a rate such as 24mbit`);
  }

  async #startRelayOrRefuse(): Promise<void> {
    try {
      await this.#startRelay();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new Refusal(503, error.message);
    }
  }

  async #startRelay(): Promise<void> {
    const { log, signal, onRestart, ticker } = this.#options;
    const relay = new Supervisor<RelayReady>({
      command: (failures) => this.#command(failures),
      parseReady: parseRelayReady,
      log,
      onUp: (running) => {
        this.#ready = running.ready;
        this.#conversation = new RelayConversation(running);
        log.info(
          `the relay emulates ${running.ready.link.title} at ${running.ready.lanes.map(atAddress).join(" and ")}`,
        );
        this.#tellUpstream(); // it may have moved while the relay started
      },
      onDown: () => {
        this.#conversation?.end();
        this.#conversation = null;
      },
      onMessage: (message) => {
        const losses = sentenceOfLosses(message);
        if (losses !== null) log.warn(losses);
        this.#conversation?.hear(message);
      },
      onTick: () => this.#probe(),
      ...(onRestart === undefined ? {} : { onRestart }),
      ...(ticker === undefined ? {} : { ticker }),
    });
    if (this.#isStopping) throw new Refusal(503, "the web server is stopping");
    this.#relay = relay;
    try {
      await relay.start(signal);
    } catch (error) {
      this.#relay = null;
      throw error;
    }
  }

  #command(failures: number): ServiceCommand {
    const { relay, host, ports: wanted } = this.#options;
    const upstream = this.#upstream;
    if (upstream === null) throw new Refusal(503, "the media server is not there yet; try again in a moment");
    // the former ports, so that pages have the right address already; any, if somebody has taken one meanwhile
    const [first, second] = this.#ready?.lanes ?? [];
    const ports = failures === 0 && first && second ? ([first.port, second.port] as const) : wanted;
    const args = [
      ...relay.args,
      ...relayArguments({ upstream, host, ports, isForEach: this.isForEach }, this.#request),
    ];
    return { ...relay, name: "relay", args };
  }

  #noteLink(message: Message): void {
    const link = parseLinkState(message.link);
    if (link === null || this.#ready === null) {
      throw new Error(
        `the relay told of its link in words unknown: ${JSON.stringify(message).slice(0, 200)}`,
      );
    }
    this.#ready = { ...this.#ready, link };
    this.#options.log.info(`the relay emulates ${link.title}`);
  }

  #tellUpstream(): void {
    if (this.#conversation === null || this.#upstream === null) return;
    this.#conversation.ask(upstreamCommand(this.#upstream)).catch((error: unknown) => {
      this.#options.log.warn(`the relay was not told where the media server is: ${String(error)}`);
    });
  }

  /** The relay says nothing by itself. */
  #probe(): void {
    this.#ticks += 1;
    if (this.#ticks % PROBE_EVERY_TICKS === 0) this.#conversation?.probe();
  }
}
