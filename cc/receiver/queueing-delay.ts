/**
 * One-way queueing delay from stamps (the paper's equations 1 to 4; nuwa.py names it). The twin of queueing_delay.py,
 * where the deviations from the paper and the choice of the constants are explained; both are held to the same vectors.
 */

const REFERENCE_WINDOW_SECONDS = 30;
const MEASUREMENT_VARIANCE_SECONDS2 = 0.003 ** 2;
const QUEUE_VARIANCE_SECONDS2_PER_SECOND = 4.2e-4;
const INVERSE_CAPACITY_VARIANCE_PER_SECOND = 1e-9 ** 2;
const INITIAL_INVERSE_CAPACITY_VARIANCE = 1e-7 ** 2;
const INITIAL_QUEUE_VARIANCE_SECONDS2 = 0.005 ** 2;
const NOISE_BOUND_SECONDS = 0.005;
const EMPTY_QUEUE_SECONDS = 0.002;
const STANDING_QUEUE_SECONDS = [0.004, 0.016] as const;
const STANDING_QUEUE_RTT_SHARE = 1 / 8;

interface Reference {
  readonly receivedTimeSeconds: number;
  readonly oneWayDelaySeconds: number;
  readonly groupBytes: number;
}

/** Raw (D_c) and filtered (Q_d) queueing delay, one stamp at a time. */
export class QueueingDelay {
  rawSeconds = 0;
  /** What was noticed; rawSeconds is the same less what the host may have been late. */
  mostSeconds = 0;
  filteredSeconds = 0;
  inverseCapacitySecondsPerByte = 0;
  /** When the queue was last seen empty, on the receiver's clock. */
  confirmedTimeSeconds: number;
  /** By how much the newest stamp's one-way delay was below the reference before it. */
  undercutSeconds = 0;
  readonly #references: Reference[] = [];
  #lastReceivedTimeSeconds: number | null = null;
  #lastBytesSent = 0;
  #p00 = INITIAL_INVERSE_CAPACITY_VARIANCE;
  #p01 = 0;
  #p11 = INITIAL_QUEUE_VARIANCE_SECONDS2;

  constructor(confirmedTimeSeconds = 0) {
    this.confirmedTimeSeconds = confirmedTimeSeconds;
  }

  /**
   * Takes one stamp, in order of sequence; `bytesSent` is the sender's running total. It arrived at the received time, or
   * up to `lateSeconds` before.
   */
  onStamp(sendTimeSeconds: number, receivedTimeSeconds: number, bytesSent: number, lateSeconds = 0): void {
    const last = this.#lastReceivedTimeSeconds;
    const groupBytes = last === null ? 0 : bytesSent - this.#lastBytesSent;
    const elapsedSeconds = last === null ? 0 : Math.max(0, receivedTimeSeconds - last);
    this.#lastReceivedTimeSeconds = receivedTimeSeconds;
    this.#lastBytesSent = bytesSent;

    const oneWayDelaySeconds = receivedTimeSeconds - sendTimeSeconds;
    const reference = this.#slideReferences({ receivedTimeSeconds, oneWayDelaySeconds, groupBytes });
    const mostSeconds = oneWayDelaySeconds - reference.oneWayDelaySeconds; // eq. 1
    this.mostSeconds = mostSeconds;
    this.rawSeconds = Math.max(0, mostSeconds - lateSeconds);
    if (mostSeconds <= EMPTY_QUEUE_SECONDS) this.confirmedTimeSeconds = receivedTimeSeconds;
    this.#filter(this.rawSeconds, mostSeconds, groupBytes - reference.groupBytes, elapsedSeconds);
  }

  /** D_c of a host in time; of a late one, what the filter expects within what it can have been. */
  get likelySeconds(): number {
    return Math.max(this.rawSeconds, Math.min(this.filteredSeconds, this.mostSeconds));
  }

  #slideReferences(newest: Reference): Reference {
    const references = this.#references;
    const before = references[0]?.oneWayDelaySeconds ?? newest.oneWayDelaySeconds;
    this.undercutSeconds = Math.max(0, before - newest.oneWayDelaySeconds);
    let last = references.at(-1);
    while (last !== undefined && last.oneWayDelaySeconds >= newest.oneWayDelaySeconds) {
      references.pop();
      last = references.at(-1);
    }
    references.push(newest);
    const oldestSeconds = newest.receivedTimeSeconds - REFERENCE_WINDOW_SECONDS;
    let first = references[0] ?? newest;
    while (first.receivedTimeSeconds < oldestSeconds) {
      references.shift();
      first = references[0] ?? newest;
    }
    return first;
  }

  /** Two-state Kalman filter: eta = [1/B, Q_d], H = [dM, 1] (eq. 2 to 4). */
  #filter(leastSeconds: number, mostSeconds: number, deltaBytes: number, elapsedSeconds: number): void {
    const p00 = this.#p00 + INVERSE_CAPACITY_VARIANCE_PER_SECOND * elapsedSeconds;
    const p01 = this.#p01;
    const p11 = this.#p11 + QUEUE_VARIANCE_SECONDS2_PER_SECOND * elapsedSeconds;

    const ph0 = p00 * deltaBytes + p01;
    const ph1 = p01 * deltaBytes + p11;
    const innovationVariance = deltaBytes * ph0 + ph1 + MEASUREMENT_VARIANCE_SECONDS2;
    const gain0 = ph0 / innovationVariance;
    const gain1 = ph1 / innovationVariance;
    const expectedSeconds = deltaBytes * this.inverseCapacitySecondsPerByte + this.filteredSeconds;
    const innovationSeconds =
      Math.max(leastSeconds, Math.min(expectedSeconds, mostSeconds)) - expectedSeconds;

    this.inverseCapacitySecondsPerByte = Math.max(
      0,
      this.inverseCapacitySecondsPerByte + gain0 * innovationSeconds,
    );
    const filteredSeconds = this.filteredSeconds + gain1 * innovationSeconds;
    this.filteredSeconds = Math.max(0, Math.min(filteredSeconds, mostSeconds + NOISE_BOUND_SECONDS));
    this.#p00 = p00 - gain0 * ph0;
    this.#p01 = p01 - gain0 * ph1;
    this.#p11 = p11 - gain1 * ph1;
  }
}

/** From which delay on a queue stands, on a path of this round trip; below it is noise (RFC 9406 section 4.2). */
export function leastStandingDelaySeconds(minRttSeconds: number): number {
  const [lowest, highest] = STANDING_QUEUE_SECONDS;
  return Math.min(highest, Math.max(lowest, STANDING_QUEUE_RTT_SHARE * minRttSeconds));
}
