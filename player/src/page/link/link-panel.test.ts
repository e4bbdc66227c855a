import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LINK_LIMITS } from "../../../../server/link/link-limits.ts";
import type { LinkState, ServerConfig } from "../../options/server-config.ts";
import { STEPS } from "../testing/sample-link.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { type LinkChange, LinkPanel } from "./link-panel.ts";

const { whileAsked } = vi.hoisted(() => ({ whileAsked: { act: (): void => undefined } }));

vi.mock("./link-api.ts", () => ({
  fetchLink: () => Promise.resolve({ link: LINK, clock: { aheadMs: 5000, withinMs: 1 } }),
  putLink: (): Promise<LinkState> => {
    whileAsked.act();
    return Promise.resolve({ ...LINK, delayMs: 30 });
  },
}));
vi.mock("../fetch-config.ts", () => ({ fetchLane: () => Promise.resolve(null) }));

const LINK = { ...STEPS, name: "6mbit" };
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

beforeEach(() => {
  window = openSamplePage("index.html");
  vi.stubGlobal("setInterval", () => 0); // its looks would outlive the page
  onLink = vi.fn();
  const config = {
    link: LINK,
    links: [],
    linkLimits: LINK_LIMITS,
    transport: null,
  } as unknown as ServerConfig;
  new LinkPanel({ config, onLink, onRefused: () => undefined });
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
  const panel = new LinkPanel({
    config: config as unknown as ServerConfig,
    onLink,
    onRefused: () => undefined,
  });
  await vi.waitFor(() => expect(panel.link?.startedAtMs).toBe(LINK.startedAtMs - 5000));
  expect(onLink).not.toHaveBeenCalled();
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
