import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import type { LinkState, ServerConfig } from "../../options/server-config.ts";
import { STEPS } from "../testing/sample-link.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { LinkNotNow } from "./link-api.ts";
import { type LinkChange, LinkPanel, type LinkPanelOptions } from "./link-panel.ts";

const { whileAsked, seen } = vi.hoisted(() => ({
  whileAsked: { act: (): void => undefined },
  seen: { startedAtMs: 0 },
}));

vi.mock("./link-api.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  fetchLink: () => Promise.resolve({ link: { ...LINK, ...seen }, clock: { aheadMs: 5000, withinMs: 1 } }),
  putLink: (): Promise<LinkState> => {
    whileAsked.act();
    return Promise.resolve({ ...LINK, delayMs: 30 });
  },
}));
vi.mock("../fetch-config.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  fetchLane: () => Promise.resolve(null),
}));

const LINK = { ...STEPS, name: "6mbit" };
const summary = () => document.getElementById("link-summary")?.textContent;
const field = (id: string) => document.getElementById(id) as HTMLInputElement;

function tellChange(): void {
  field("link-delay").value = "30";
  field("link-delay").dispatchEvent(new window.Event("change") as unknown as Event);
}

async function untilItIsThere(): Promise<void> {
  await vi.waitFor(() => expect(onLink).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
}

let window: ReturnType<typeof openSamplePage>;
let onLink: ReturnType<typeof vi.fn<(change: LinkChange) => void>>;
let onRefused: ReturnType<typeof vi.fn<LinkPanelOptions["onRefused"]>>;

beforeEach(() => {
  window = openSamplePage("index.html");
  vi.stubGlobal("setInterval", () => 0); // its looks would outlive the page
  onLink = vi.fn();
  onRefused = vi.fn();
  whileAsked.act = () => undefined;
  seen.startedAtMs = 0;
  const config = {
    link: LINK,
    links: [STEPS],
    linkLimits: LINK_LIMITS,
    transport: null,
  } as unknown as ServerConfig;
  new LinkPanel({ config, onLink, onRefused });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("gives the focus back to the field that Tab had led to when the form was disabled", async () => {
  whileAsked.act = () => field("link-queue").blur(); // as browsers do
  tellChange(); // Tab: nothing has the focus yet
  field("link-queue").focus();
  await untilItIsThere();
  expect(document.activeElement?.id).toBe("link-queue");
});

it("leaves the focus where the viewer has taken it meanwhile", async () => {
  whileAsked.act = () => field("chart-pause").focus();
  field("link-delay").focus();
  tellChange(); // Enter
  await untilItIsThere();
  expect(document.activeElement?.id).toBe("chart-pause");
});

it("tells when the link began by the page's clock, where the server's is ahead", async () => {
  const config = { link: LINK, links: [STEPS], linkLimits: LINK_LIMITS, transport: null };
  const panel = new LinkPanel({ config: config as unknown as ServerConfig, onLink, onRefused });
  await vi.waitFor(() => expect(panel.link?.startedAtMs).toBe(LINK.startedAtMs - 5000));
  expect(onLink).not.toHaveBeenCalled();
});

it("keeps what cannot be had now, says so, and asks for it again", async () => {
  whileAsked.act = () => {
    throw new LinkNotNow("the emulated link is being started again");
  };
  tellChange();
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalled());
  const [sentence, link, action] = onRefused.mock.lastCall ?? [];
  expect(sentence).toBe("The link was not changed, since the emulated link is being started again.");
  expect(link).toBe(LINK);
  await vi.waitFor(() => expect(field("link-delay").disabled).toBe(false));
  expect(field("link-delay").value).toBe("30");
  expect(summary()).toMatch(`Not taken; the link is still “${LINK.title}”. ${LINK.delayMs} ms each way`);

  seen.startedAtMs = 7000; // its relay is there again
  document.dispatchEvent(new window.Event("visibilitychange") as unknown as Event);
  await vi.waitFor(() => expect(onLink.mock.lastCall?.[0].isSettled).toBe(false));
  expect([field("link-delay").value, summary()]).toEqual(["30", expect.stringMatching("Not taken")]);

  whileAsked.act = () => field("link").blur(); // as browsers do
  action?.act();
  await vi.waitFor(() => expect(onLink.mock.lastCall?.[0].isSettled).toBe(true));
  await vi.waitFor(() => expect(field("link").disabled).toBe(false));
  expect(onLink.mock.lastCall?.[0].link).toMatchObject({ delayMs: 30 });
  expect(summary()).not.toMatch("Not taken");
  expect(document.activeElement?.id).toBe("link");
});

it("goes back to the link that there is where the other one is refused for good", async () => {
  whileAsked.act = () => {
    throw new Error("the delay is to be at most 20 ms");
  };
  tellChange();
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalled());
  expect(onRefused).toHaveBeenCalledWith("The delay is to be at most 20 ms.", LINK, null);
  await vi.waitFor(() => expect(field("link-delay").value).toBe(String(LINK.delayMs)));
});

it("asks for the link at which a walk through the menu ends, once", async () => {
  const asked = vi.fn();
  whileAsked.act = asked;
  const select = document.getElementById("link") as HTMLSelectElement;
  for (const name of ["steps", "lte-like"]) {
    select.value = name;
    select.dispatchEvent(new window.Event("change") as unknown as Event);
  }
  await untilItIsThere();
  expect(asked).toHaveBeenCalledTimes(1);
});

it("folds its numbers in at Escape", () => {
  const numbers = document.querySelector<HTMLDetailsElement>(".more");
  if (numbers !== null) numbers.open = true;
  document.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }) as unknown as Event);
  expect(numbers?.open).toBe(false);
});
