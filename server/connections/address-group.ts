import { BlockList, isIP, isIPv6 } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Where this machine's browsers and proxies come from. The rest of 127.0.0.0/8 is nobody's in particular. */
const OWN_ADDRESSES: readonly string[] = ["127.0.0.1", "::1"];

/** Whether limits for strangers pass it by: this machine's own programs would be the ones to suffer. */
export function isOwnMachine(address: string): boolean {
  return OWN_ADDRESSES.includes(plainAddress(address));
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: string): boolean {
  return isWithin(LOOPBACK, address);
}

/** Of addresses and subnets, such as 10.0.0.0/8. @throws RangeError where one of them is neither */
export function subnetList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits, ...rest] = subnet.split("/");
    const version = isIP(address);
    const mostBits = version === 6 ? 128 : 32;
    const prefixBits = bits === undefined ? mostBits : Number(bits);
    const isWhole = bits === undefined || /^\d{1,3}$/.test(bits);
    if (version === 0 || rest.length > 0 || !isWhole || prefixBits > mostBits)
      throw new RangeError(`"${subnet}" is neither an address nor a subnet`);
    list.addSubnet(address, prefixBits, version === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

export function isWithin(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/** What one client can have many of counts as one: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function addressGroup(address: string): string {
  return networkOf(address, 64);
}

/** What one household has: an IPv4 address, or the first 56 bits of an IPv6 address (RFC 6177). */
export function addressHousehold(address: string): string {
  return networkOf(address, 56);
}

/** What one customer of a provider can have: an IPv4 address, or the first 48 bits of an IPv6 address (RFC 6177). */
export function addressSite(address: string): string {
  return networkOf(address, 48);
}

function networkOf(address: string, prefixBits: number): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill("0");
  const whole = [...first, ...zeros, ...last].slice(0, Math.floor(prefixBits / 16));
  if (prefixBits % 16 === 0) return `${whole.join(":")}::/${prefixBits}`;
  const cut = Number.parseInt([...first, ...zeros, ...last][whole.length] ?? "0", 16);
  const kept = cut & (0xffff << (16 - (prefixBits % 16)));
  return `${[...whole, (kept & 0xffff).toString(16)].join(":")}::/${prefixBits}`;
}

/** An IPv4 address that a socket for both families writes as `::ffff:192.0.2.7`; without a zone. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
