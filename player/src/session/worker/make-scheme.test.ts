import { expect, it, vi } from "vitest";
import { makeReceiver } from "../../../../cc/receiver/registry.ts";
import { makeScheme } from "./make-scheme.ts";

vi.mock("../../../../cc/receiver/registry.ts", { spy: true });

it("gives the receiver all of the session's numbers, in seconds", async () => {
  const parameters = {
    ...{ scheme: "nuwa", preset: "mobile" },
    ...{ targetDelayMs: 120, rhoMs: 60, k: 5, catchesUp: true, followsNeed: true, asInPaper: false },
  };
  const { learned } = await makeScheme({ parameters, policy: null }, () => {});
  const numbers = {
    targetDelaySeconds: 0.12,
    rhoSeconds: 0.06,
    k: 5,
    catchesUp: true,
    followsNeed: true,
    asInPaper: false,
  };
  expect(makeReceiver).toHaveBeenCalledExactlyOnceWith("nuwa", numbers);
  expect(learned).toBeNull();
});
