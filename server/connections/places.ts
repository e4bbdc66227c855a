import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import { addressGroup, addressHousehold, isOwnMachine, isWithin, subnetList } from "./address-group.ts";
import { RateLimit } from "./rate-limit.ts";

export interface PlaceLimits {
  /** From everywhere together. */
  readonly maxConnections: number;
  /** From one address (`addressGroup`) other than 127.0.0.1 and ::1; an IPv6 household (`addressHousehold`) has what two have. */
  readonly maxConnectionsPerAddress: number;
  /** New ones of such an address in a second, and at once; more are ended unheard, since hearing them takes time from others. */
  readonly newConnectionsPerAddress: { readonly perSecond: number; readonly burst: number };
  /** Addresses and subnets of proxies, whose connections are those of many clients. */
  readonly unlimited?: readonly string[];
  /** Told of each connection that had to leave, or found no place. */
  readonly onEviction?: (address: string) => void;
}

/** A /56 may have what so many addresses may: a household has it, or some hundred telephones of a carrier. */
const ADDRESSES_A_HOUSEHOLD = 2;

/** The connections from one address; both sets in the order in which their sockets came to it, the oldest first. */
interface Group {
  readonly name: string;
  readonly household: string;
  /** Sockets that owe a request, or the rest of one. */
  readonly owing: Set<Socket>;
  readonly answered: Set<Socket>;
}

/**
 * The places for connections. A newcomer gets one, unless too many come from its address: where none is left, the connection leaves that has owed a request
 * for longest, or else the one that has been answered for longest. It is one of the newcomer's own address if that has its
 * fill, else of the household that holds most.
 */
export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #newcomers: RateLimit<string>;
  readonly #newcomersOfHouseholds: RateLimit<string>;
  readonly #proxies: BlockList;
  readonly #groups = new Map<string, Group>();
  readonly #households = new Map<string, Set<Group>>();
  readonly #groupOf = new WeakMap<Socket, Group>();
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  readonly #below = new WeakMap<Socket, Socket>();
  #held = 0;

  constructor(limits: PlaceLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#proxies = subnetList(limits.unlimited ?? []);
    const { perSecond, burst } = limits.newConnectionsPerAddress;
    this.#newcomers = new RateLimit({ perSecond, burst, capacity: 10_000, nowMs });
    this.#newcomersOfHouseholds = new RateLimit({
      perSecond: ADDRESSES_A_HOUSEHOLD * perSecond,
      burst: ADDRESSES_A_HOUSEHOLD * burst,
      capacity: 10_000,
      nowMs,
    });
  }

  get held(): number {
    return this.#held;
  }

  /** Gives a new connection its place. @returns false where it got none, and was ended */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress;
    if (address === undefined) {
      socket.destroy(); // it has left already
      return false;
    }
    const { maxConnections, maxConnectionsPerAddress, onEviction } = this.#limits;
    const isStranger = !isOwnMachine(address) && !isWithin(this.#proxies, address);
    // A proxy counts for nobody beside it.
    const [name, household] = isStranger
      ? [addressGroup(address), addressHousehold(address)]
      : [address, address];
    if (isStranger && !(this.#newcomers.take(name) && this.#newcomersOfHouseholds.take(household))) {
      socket.destroy();
      onEviction?.(name);
      return false;
    }
    const own = this.#groups.get(name);
    const ofHousehold = this.#households.get(household);
    if (own !== undefined && isStranger && sizeOf(own) >= maxConnectionsPerAddress) this.#evict(own);
    else if (
      ofHousehold !== undefined &&
      isStranger &&
      sizeOfAll(ofHousehold) >= ADDRESSES_A_HOUSEHOLD * maxConnectionsPerAddress
    )
      this.#evict(largest(ofHousehold));
    else if (this.#held >= maxConnections) this.#evict(this.#largest());
    this.#take(socket, name, household);
    return true;
  }

  /** The socket of TLS that a connection, once admitted, is spoken through. */
  speakThrough(secure: Socket, below: Socket): void {
    this.#below.set(secure, below);
  }

  /** A handler that notes which sockets have sent their request and are being answered. */
  noting(handle: RequestListener): RequestListener {
    return (request, response) => {
      this.#note(request, response);
      handle(request, response);
    };
  }

  #take(socket: Socket, name: string, household: string): void {
    const group = this.#groups.get(name) ?? { name, household, owing: new Set(), answered: new Set() };
    this.#groups.set(name, group);
    const ofHousehold = this.#households.get(household) ?? new Set();
    this.#households.set(household, ofHousehold.add(group));
    group.owing.add(socket);
    this.#groupOf.set(socket, group);
    this.#held += 1;
    socket.once("close", () => this.#leave(socket));
  }

  /** Once, when the socket is evicted or closes, whichever is first. */
  #leave(socket: Socket): void {
    const group = this.#groupOf.get(socket);
    if (group === undefined) return;
    this.#groupOf.delete(socket);
    group.owing.delete(socket);
    group.answered.delete(socket);
    this.#held -= 1;
    if (sizeOf(group) > 0) return;
    this.#groups.delete(group.name);
    const ofHousehold = this.#households.get(group.household);
    ofHousehold?.delete(group);
    if (ofHousehold?.size === 0) this.#households.delete(group.household);
  }

  #note(request: IncomingMessage, response: ServerResponse): void {
    const socket = this.#below.get(request.socket) ?? request.socket;
    const group = this.#groupOf.get(socket);
    if (group === undefined) return;
    this.#answers.set(socket, response);
    const move = (from: Set<Socket>, to: Set<Socket>) => {
      const isCurrent = this.#answers.get(socket) === response && this.#groupOf.has(socket);
      if (isCurrent && from.delete(socket)) to.add(socket);
    };
    if (!hasBody(request)) move(group.owing, group.answered);
    else request.once("end", () => !response.closed && move(group.owing, group.answered));
    response.once("close", () => move(group.answered, group.owing));
  }

  /** Of the household that holds most. */
  #largest(): Group {
    return largest(
      [...this.#households.values()].reduce((most, household) =>
        sizeOfAll(household) > sizeOfAll(most) ? household : most,
      ),
    );
  }

  #evict({ name, owing, answered }: Group): void {
    const [oldest] = owing.size > 0 ? owing : answered;
    if (oldest === undefined) return;
    this.#leave(oldest);
    oldest.destroy();
    this.#limits.onEviction?.(name);
  }
}

function largest(groups: ReadonlySet<Group>): Group {
  return [...groups].reduce((most, group) => (sizeOf(group) > sizeOf(most) ? group : most));
}

function sizeOfAll(groups: ReadonlySet<Group>): number {
  return [...groups].reduce((sum, group) => sum + sizeOf(group), 0);
}

function sizeOf({ owing, answered }: Group): number {
  return owing.size + answered.size;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
