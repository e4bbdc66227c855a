import { expect, it } from "vitest";
import { Refusal } from "../errors.ts";
import { RelayConversation } from "./relay-conversation.ts";

it("does not take the relay's last word for an answer", async () => {
  const conversation = new RelayConversation({ send: () => undefined });
  const asked = conversation.ask({ command: "state" });
  conversation.hear({ event: "ended", lateness_p99_s: 0.002 });
  conversation.end();
  await expect(asked).rejects.toBeInstanceOf(Refusal);
});
