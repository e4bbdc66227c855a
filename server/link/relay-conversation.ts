import { Refusal } from "../errors.ts";
import type { Message, RunningService } from "../service-process.ts";

interface Question {
  readonly answer: (message: Message) => void;
  readonly fail: (error: Refusal) => void;
}

/**
 * Commands to a running relay, which answers each with one line, in their order. One that does not answer is ended by
 * its supervisor, and every question with it.
 */
export class RelayConversation {
  readonly #relay: Pick<RunningService<unknown>, "send">;
  readonly #questions: Question[] = [];

  constructor(relay: Pick<RunningService<unknown>, "send">) {
    this.#relay = relay;
  }

  /** @throws Refusal if the relay refuses or ends */
  async ask(command: Message): Promise<Message> {
    const answer = await new Promise<Message>((resolve, reject) => {
      this.#questions.push({ answer: resolve, fail: reject });
      this.#relay.send(command);
    });
    if (answer.event === "refused") throw new Refusal(400, String(answer.reason));
    return answer;
  }

  /** Asks for a sign of life, which any answer is. */
  probe(): void {
    if (this.#questions.length > 0) return;
    this.#questions.push({ answer: () => undefined, fail: () => undefined });
    this.#relay.send({ command: "state" });
  }

  /** A line of the relay's; its last word answers nothing. */
  hear(message: Message): void {
    if (message.event === "ended") return;
    this.#questions.shift()?.answer(message);
  }

  /** The relay has ended. */
  end(): void {
    for (const { fail } of this.#questions.splice(0)) {
      fail(
        new Refusal(
          503,
          "the emulated link has just ended and is being started again; try again in a moment",
        ),
      );
    }
  }
}
