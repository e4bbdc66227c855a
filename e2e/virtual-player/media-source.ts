/** Stand-ins for MediaSource and SourceBuffer: they keep which times were appended, and no pictures. */

import { VirtualTimeRanges } from "./time-ranges.ts";

/** Bytes that say which times of the film they stand for; an initialization segment stands for none. */
export function segmentBytes(startSeconds: number, endSeconds: number): ArrayBuffer {
  return Float64Array.of(startSeconds, endSeconds).buffer;
}

export class VirtualSourceBuffer extends EventTarget {
  readonly #source: Pick<VirtualMediaSource, "beforeChange" | "onChange">;
  readonly buffered = new VirtualTimeRanges();
  updating = false;
  mode = "segments";
  timestampOffset = 0;
  appendWindowStart = 0;
  appendWindowEnd = Number.POSITIVE_INFINITY;

  constructor(source: Pick<VirtualMediaSource, "beforeChange" | "onChange">) {
    super();
    this.#source = source;
  }

  appendBuffer(data: ArrayBuffer | Uint8Array): void {
    const bytes = data instanceof ArrayBuffer ? data : data.slice().buffer;
    const [start = 0, end = 0] = new Float64Array(bytes);
    this.#source.beforeChange();
    if (end > start) this.buffered.add(start, end);
    this.#update();
  }

  remove(start: number, end: number): void {
    this.#source.beforeChange();
    this.buffered.remove(start, end);
    this.#update();
  }

  abort(): void {}

  changeType(): void {}

  #update(): void {
    this.updating = true;
    queueMicrotask(() => {
      this.updating = false;
      this.#source.onChange();
      this.dispatchEvent(new Event("update"));
      this.dispatchEvent(new Event("updateend"));
    });
  }
}

export class VirtualMediaSource extends EventTarget {
  static isTypeSupported(): boolean {
    return true;
  }
  readyState = "closed";
  /** For the media element that plays it. */
  beforeChange: () => void = () => undefined;
  onChange: () => void = () => undefined;
  duration = Number.NaN;
  readonly sourceBuffers: VirtualSourceBuffer[] = [];

  /** A media element takes it. */
  open(): void {
    this.readyState = "open";
    this.dispatchEvent(new Event("sourceopen"));
  }

  addSourceBuffer(): VirtualSourceBuffer {
    const buffer = new VirtualSourceBuffer(this);
    this.sourceBuffers.push(buffer);
    return buffer;
  }

  removeSourceBuffer(buffer: VirtualSourceBuffer): void {
    this.sourceBuffers.splice(this.sourceBuffers.indexOf(buffer), 1);
  }

  endOfStream(): void {
    this.readyState = "ended";
  }

  setLiveSeekableRange(): void {}
}
