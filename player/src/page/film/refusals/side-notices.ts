import type { MediaPath } from "../../../session/media-path.ts";
import type { PolicyReport } from "../../../session/policy/policy-report.ts";
import type { SessionState } from "../../../session/session-state.ts";
import type { Notice, NoticeAction } from "../../dom/notice.ts";
import { StalePage } from "../../fetch-config.ts";
import type { Choices } from "../../query/choices.ts";
import { policySentence } from "../../words/sentences.ts";
import { asSentence } from "../../words/units.ts";
import { blockedUdpSentence, type NamedServer } from "./blocked-udp.ts";
import { noWebTransportNotice } from "./no-webtransport.ts";

const ENCODER_SILENT =
  "Nothing new of this live film comes: its encoder may have stopped. The film goes on by itself once there is more.";
const OVER_HTTP = "the film comes over HTTP and the receiver does not control congestion";

/** What the viewer of one film is told of it, each matter by itself. */
export class SideNotices {
  readonly #notice: Notice;
  /** Before what one of two films says. */
  readonly #matter: string;
  #mediaServer: NamedServer | null = null;
  /** A session was open once, so the way for UDP is there. */
  #wasOpen = false;
  #isUdpBlocked = false;
  /** What the media server said: the cause of whatever fails after it. */
  #refusal: string | null = null;

  constructor(notice: Notice, lane: 0 | 1) {
    this.#notice = notice;
    this.#matter = `film ${lane}`;
  }

  /** Where sessions are opened, for whoever is told that nothing comes from there; null while that is not known. */
  set mediaServer(server: NamedServer | null) {
    this.#mediaServer = server;
  }

  /** The film cannot go on. */
  showFailure(sentence: string, action: NoticeAction | null): void {
    if (this.#refusal === null) {
      this.#notice.insist(sentence, this.#matter, action);
    } else {
      this.#notice.insist(asSentence(this.#refusal), this.#matter, null);
    }
  }

  clearFailure(): void {
    this.#notice.clear(this.#matter);
  }

  /** It goes on nevertheless. */
  onImpediment(sentence: string): void {
    this.#notice.showOnce(sentence, `${this.#matter}: impediment`);
  }

  /** HTTP instead of a WebTransport that is not there, with a notice. */
  possible(choices: Choices): Choices {
    if ("WebTransport" in globalThis || choices.transport === "http") {
      return choices;
    }
    const page = { isSecure: isSecureContext, origin: location.origin, userAgent: navigator.userAgent };
    this.#notice.show(noWebTransportNotice(page, OVER_HTTP), `${this.#matter}: browser`);
    return { ...choices, transport: "http", estimator: "dashjs" };
  }

  /** Not of a film that has failed: that says more than what became of the session. `session` is how it stands now. */
  onPath(
    path: MediaPath,
    transport: Choices["transport"] | null,
    session: SessionState["kind"] | null,
  ): void {
    const matter = this.#pathMatter;
    // Its handshake waits still: where it were refused the browser would have said so.
    const isUnanswered = !this.#wasOpen && session === "opening";
    this.#isUdpBlocked ||= path.kind === "http" && isUnanswered;
    if (path.kind === "http" && this.#isUdpBlocked) {
      this.#notice.showOnce(blockedUdpSentence(this.#mediaServer), matter);
    } else if (path.kind === "http" && path.reason !== null && transport !== "http") {
      this.#notice.showOnce(overHttpSentence(path.reason), matter);
    } else {
      this.#notice.clear(matter);
    }
  }

  onSession(state: SessionState | null): void {
    const matter = `${this.#matter}: session`;
    this.#refusal = null;
    switch (state?.kind) {
      case undefined:
        this.#notice.clear(matter);
        break;
      case "open":
        this.#wasOpen = true;
        this.#isUdpBlocked = false;
        this.#notice.clear(matter);
        break;
      case "lost":
        if (!this.#isUdpBlocked) {
          this.#notice.showOnce(lostSentence(state.error), matter);
        } // else it is said already, with its cause
        break;
      case "refused":
        this.#refusal = `the media server refuses the session: ${state.error.message}`;
        this.#isUdpBlocked = false;
        this.#notice.clear(matter);
        this.#notice.showOnce(overHttpSentence(this.#refusal), this.#pathMatter); // as its path does
        break;
      default:
        break;
    }
  }

  /** Whether a live film has waited for long while nothing came. */
  onEncoder(isSilent: boolean): void {
    const matter = `${this.#matter}: encoder`;
    if (isSilent) {
      this.#notice.showOnce(ENCODER_SILENT, matter);
    } else {
      this.#notice.clear(matter);
    }
  }

  get #pathMatter(): string {
    return `${this.#matter}: path`;
  }

  /** How a learned scheme's policy fares; the newest report may still be of a scheme that was chosen before. */
  onPolicy(
    report: PolicyReport | null,
    scheme: { readonly name: string; readonly title: string } | null,
  ): void {
    const matter = `${this.#matter}: policy`;
    const isOfScheme = report !== null && report.scheme === scheme?.name;
    const sentence = isOfScheme ? policySentence(report, scheme.title) : null;
    if (sentence === null) {
      this.#notice.clear(matter);
    } else {
      this.#notice.showOnce(sentence, matter);
    }
  }
}

const overHttpSentence = (reason: string): string =>
  asSentence(`${reason.replace(/\.$/, "")}; the film comes over HTTP`);

function lostSentence(error: Error): string {
  return error instanceof StalePage
    ? error.message
    : asSentence(`${error.message.replace(/\.$/, "")}; trying again`);
}
