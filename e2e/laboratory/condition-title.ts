/** What a condition is called, and what its link is set to. */
import type { Condition } from "./matrix.ts";
import type { MatrixRequest } from "./options.ts";

export function titleOf({ link, place }: Condition): string {
  return `${link.traces.name}, ${place === "simulation" ? "simulated" : `over ${place}`}`;
}

export function settingsOf({ link: { choice } }: Condition, request: MatrixRequest): string {
  const queue = choice.queuePackets === null ? "unlimited queue" : `queue of ${choice.queuePackets} packets`;
  const loss = choice.lossRatio === 0 ? "" : `, ${choice.lossRatio * 100} % random loss`;
  const acks = request.acks === "chromium" ? "" : `; acknowledgements: ${request.acks}`;
  return `${choice.delayMs} ms each way, ${choice.discipline}, ${queue}${loss}${acks}`;
}
