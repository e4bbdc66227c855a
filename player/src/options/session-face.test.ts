import { atom } from "nanostores";
import { expect, it, vi } from "vitest";
import type { MediaPath } from "../session/media-path.ts";
import type { MediaSession } from "../session/media-session.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SessionState } from "../session/session-state.ts";
import { SessionFace } from "./session-face.ts";

interface Events {
  readonly path: MediaPath;
  readonly estimate: NetworkEstimate;
  readonly session: SessionState;
}

const OVER_HTTP: MediaPath = { kind: "http", reason: "closed" };
const CONNECTING: MediaPath = { kind: "connecting", reason: null };

class Face extends SessionFace<Events> {
  constructor(session: MediaSession) {
    super(session, {}, { path: session.path, estimate: session.estimate, session: session.state });
  }

  close(): boolean {
    return this.end("closed");
  }
}

function openFace() {
  const path = atom<MediaPath>(CONNECTING);
  const session = {
    path,
    estimate: atom<NetworkEstimate | null>(null),
    state: atom<SessionState | null>(null),
    close: vi.fn(() => {
      path.set(OVER_HTTP);
    }),
  };
  return { path, session, face: new Face(session as unknown as MediaSession) };
}

it("tells who listens of what is new, until they want no more", () => {
  const { path, face } = openFace();
  const heard: string[] = [];
  const end = face.on("path", ({ kind }) => heard.push(kind));
  path.set(OVER_HTTP);
  end();
  path.set(CONNECTING);
  expect(heard).toEqual(["http"]);
});

it("ends once, and tells nobody of what comes of that, however late they listen", () => {
  const { path, session, face } = openFace();
  const heard: string[] = [];
  face.on("path", ({ kind }) => heard.push(kind));
  expect([face.close(), face.close()]).toEqual([true, false]);
  expect(session.close).toHaveBeenCalledExactlyOnceWith("closed");
  face.on("path", ({ kind }) => heard.push(kind));
  path.set(CONNECTING);
  expect(heard).toEqual([]);
});
