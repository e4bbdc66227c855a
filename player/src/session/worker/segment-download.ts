import { RequestFailed } from "../session-errors.ts";
import { MalformedMessage } from "../wire/malformed-message.ts";
import {
  decodeResponseHead,
  encodeSegmentRequest,
  type ResponseHead,
  type SegmentRequest,
} from "../wire/request-line.ts";
import type { Pauses } from "./pauses.ts";
import { ReadPacing } from "./read-pacing.ts";
import type { BidirectionalStream, TransportSession } from "./transport-session.ts";

/** What the client cancels a request with (transport/wire_format/PROTOCOL.md, section "Segment request"). */
const CANCEL_CODE = 1;

const HEAD_MAX_BYTES = 4096;
const NEWLINE = 0x0a;

export interface Download {
  readonly head: ResponseHead;
  /** null where the body was to be counted only. */
  readonly body: ArrayBuffer | null;
  readonly bodyBytes: number;
}

export interface DownloadOptions {
  readonly transport: Pick<TransportSession, "createBidirectionalStream">;
  readonly request: SegmentRequest;
  readonly signal: AbortSignal;
  /** Count the body's bytes and forget them: for measurements larger than memory. */
  readonly discardBody: boolean;
  readonly onHead: (head: ResponseHead) => void;
  /** Bytes just read from the stream, head included. */
  readonly onBytes: (bytes: number) => void;
  /** Called for every piece of the body with the bytes received so far. */
  readonly onProgress: (loadedBytes: number) => void;
  /** ms on a monotonic clock. */
  readonly nowMs: () => number;
  readonly pause: Pauses["pause"];
}

/**
 * Fetches one segment over a bidirectional stream of its own. Throws RequestFailed, MalformedMessage when the server
 * does not follow the protocol, and the signal's reason when cancelled.
 */
export async function downloadSegment(options: DownloadOptions): Promise<Download> {
  const { signal } = options;
  signal.throwIfAborted();
  const line = encodeSegmentRequest(options.request);
  let stream: BidirectionalStream | null = null;
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  const cancel = (): void => {
    if (stream !== null) {
      cancelStream(stream, reader);
    }
  };
  signal.addEventListener("abort", cancel);
  try {
    stream = await options.transport.createBidirectionalStream();
    reader = stream.readable.getReader();
    if (signal.aborted) {
      cancel();
    }
    signal.throwIfAborted();
    // Not awaited: a browser confirms the end of a stream only when it was acknowledged, a round trip later.
    sendLine(stream.writable.getWriter(), line);
    return await readResponse(reader, options);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MalformedMessage || error instanceof RequestFailed) {
      cancel();
      throw error;
    }
    throw new RequestFailed(`${options.request.path}: the stream broke off`, { cause: error });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function sendLine(writer: WritableStreamDefaultWriter<Uint8Array>, line: Uint8Array): void {
  const ignore = (): void => undefined; // a request that cannot be sent shows as a response that cannot be read
  writer.write(line).catch(ignore);
  writer.close().catch(ignore);
}

/** Sends STOP_SENDING and, if the request was not yet written, resets our side. */
function cancelStream(
  stream: BidirectionalStream,
  reader: ReadableStreamDefaultReader<Uint8Array> | null,
): void {
  const reason = cancelReason();
  const ignore = (): void => undefined; // what is being thrown away may fail as it likes
  reader?.cancel(reason).catch(ignore);
  if (!stream.writable.locked) {
    stream.writable.abort(reason).catch(ignore);
  }
}

function cancelReason(): unknown {
  const message = "cancelled by the receiver";
  if (typeof WebTransportError === "undefined") {
    return new DOMException(message, "AbortError");
  }
  try {
    return new WebTransportError(message, { streamErrorCode: CANCEL_CODE });
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    // Chromium (150 still) takes one dictionary instead of what the standard says.
    const ChromiumError = WebTransportError as unknown as new (init: WebTransportErrorInit) => Error;
    return new ChromiumError({ message, streamErrorCode: CANCEL_CODE });
  }
}

interface WebTransportErrorInit {
  readonly message: string;
  readonly streamErrorCode: number;
}

async function readResponse(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: DownloadOptions,
): Promise<Download> {
  const { head, rest } = await readHead(reader, options);
  options.onHead(head);
  const body = options.discardBody ? null : allocate(head.lengthBytes, options.request.path);
  let loadedBytes = 0;
  const take = (chunk: Uint8Array): void => {
    if (loadedBytes + chunk.byteLength > head.lengthBytes) {
      throw new MalformedMessage(
        `${options.request.path}: more bytes than the ${head.lengthBytes} announced`,
      );
    }
    body?.set(chunk, loadedBytes);
    loadedBytes += chunk.byteLength;
    options.onProgress(loadedBytes);
  };
  if (rest.byteLength > 0) {
    take(rest);
  }
  const pacing = new ReadPacing(options.nowMs());
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    options.onBytes(value.byteLength);
    take(value);
    const wait = pacing.wait(value.byteLength, head.lengthBytes - loadedBytes, options.nowMs());
    if (wait !== null) {
      await options.pause(wait.durationMs, wait.slackMs);
    }
  }
  if (loadedBytes !== head.lengthBytes) {
    throw new RequestFailed(`${options.request.path}: ${loadedBytes} of ${head.lengthBytes} bytes arrived`);
  }
  return { head, body: body?.buffer ?? null, bodyBytes: loadedBytes };
}

function allocate(lengthBytes: number, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(lengthBytes);
  } catch (error) {
    throw new RequestFailed(`${path}: no memory for ${lengthBytes} bytes`, { cause: error });
  }
}

async function readHead(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: DownloadOptions,
): Promise<{ head: ResponseHead; rest: Uint8Array }> {
  let buffered = new Uint8Array(0);
  for (;;) {
    const newline = buffered.indexOf(NEWLINE);
    if (newline !== -1) {
      const line = new TextDecoder().decode(buffered.subarray(0, newline));
      return { head: decodeResponseHead(line), rest: buffered.subarray(newline + 1) };
    }
    if (buffered.byteLength > HEAD_MAX_BYTES) {
      throw new MalformedMessage(
        `${options.request.path}: the answer's head exceeds ${HEAD_MAX_BYTES} bytes`,
      );
    }
    const { value, done } = await reader.read();
    if (done) {
      throw new RequestFailed(`${options.request.path}: the server ended the stream without an answer`);
    }
    options.onBytes(value.byteLength);
    const joined = new Uint8Array(buffered.byteLength + value.byteLength);
    joined.set(buffered);
    joined.set(value, buffered.byteLength);
    buffered = joined;
  }
}
