import { expect, test } from "vitest";
import {
  addressGroup,
  addressHousehold,
  addressSite,
  isLoopback,
  isOwnMachine,
  isWithin,
  subnetList,
} from "./address-group.ts";

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["192.0.2.7", false],
  ["::ffff:192.0.2.7", false],
  ["0.0.0.0", false],
  ["::", false],
  ["fe80::1%eth0", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test.each([
  ["127.0.0.1", true],
  ["::ffff:127.0.0.1", true],
  ["::1", true],
  ["127.200.0.1", false],
  ["192.0.2.7", false],
])("%s is this machine's own: %s", (address, expected) => {
  expect(isOwnMachine(address)).toBe(expected);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts with %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:1234:3:4:5:6", "2001:db8:1:1200::/56"],
  ["2001:db8:1:ff34::", "2001:db8:1:ff00::/56"],
  ["2001:db8:1:34::", "2001:db8:1:0::/56"],
  ["2001:db8::6", "2001:db8:0:0::/56"],
])("%s is of the household %s", (address, household) => {
  expect(addressHousehold(address)).toBe(household);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::6", "2001:db8:0::/48"],
])("%s is of the site %s", (address, site) => {
  expect(addressSite(address)).toBe(site);
});

test.each([
  ["10.1.2.3", true],
  ["::ffff:10.1.2.3", true],
  ["11.1.2.3", false],
  ["fd00::7", true],
  ["fd00::8", false],
])("%s is within 10.0.0.0/8 and fd00::7: %s", (address, expected) => {
  expect(isWithin(subnetList(["10.0.0.0/8", "fd00::7"]), address)).toBe(expected);
});

test.each(["", "here", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "fd00::/129", "10.0.0.0/"])(
  "%j is no subnet",
  (text) => {
    expect(() => subnetList([text])).toThrow(RangeError);
  },
);
