import type { ReadableAtom } from "nanostores";
import type { MediaPath } from "../session/media-path.ts";
import type { MediaSession } from "../session/media-session.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SessionState } from "../session/session-state.ts";
import { watchNews } from "../session/watch.ts";
import { requireType, warnOfUnknown } from "./option-types.ts";
import { CHOICE_NAMES, type SessionChoices, sessionParametersOf } from "./session-options.ts";

/** What happens in every session, whichever player plays. */
interface SessionEvents {
  readonly path: MediaPath;
  readonly estimate: NetworkEstimate;
  readonly session: SessionState;
}

type Stores<Events> = { readonly [Type in keyof Events]: ReadableAtom<Events[Type] | null> };

/** What a page sees of a session and may ask of it. */
export abstract class SessionFace<Events extends SessionEvents> {
  readonly #session: MediaSession;
  readonly #events: Stores<Events>;
  readonly #listening = new Set<() => void>();
  #choices: SessionChoices;
  #hasEnded = false;

  protected constructor(session: MediaSession, choices: SessionChoices, events: Stores<Events>) {
    this.#session = session;
    this.#choices = choices;
    this.#events = events;
  }

  path(): MediaPath {
    return this.#session.path.get();
  }

  estimate(): NetworkEstimate | null {
    return this.#session.estimate.get();
  }

  session(): SessionState | null {
    return this.#session.state.get();
  }

  change(choices: SessionChoices): void {
    requireType("what change() takes", choices, "object");
    warnOfUnknown(choices, CHOICE_NAMES);
    const { scheme = this.#choices.scheme, preset = this.#choices.preset } = choices; // undefined is unsaid
    const next = { scheme, preset };
    const parameters = sessionParametersOf(next);
    this.#choices = next;
    this.#session.change(parameters);
  }

  reconnect(): void {
    this.#session.reconnect();
  }

  /** After the end nothing is heard any more. @returns ends it */
  on<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void): () => void {
    if (!Object.hasOwn(this.#events, type)) {
      const known = Object.keys(this.#events).join(", ");
      throw new Error(`There is no event ${String(type)}; choose one of ${known}.`);
    }
    requireType("a listener", listener, "function");
    if (this.#hasEnded) {
      return () => undefined;
    }
    const end = watchNews<Events[Type]>(this.#events[type], listener);
    this.#listening.add(end);
    return () => {
      this.#listening.delete(end);
      end();
    };
  }

  /** What is open goes on over HTTP. @returns whether it had not ended yet */
  protected end(reason: string): boolean {
    if (this.#hasEnded) {
      return false;
    }
    this.#hasEnded = true;
    for (const end of this.#listening) {
      end(); // first: to end is no fallback
    }
    this.#listening.clear();
    this.#session.close(reason);
    return true;
  }
}
