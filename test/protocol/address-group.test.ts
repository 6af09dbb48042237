import { expect, test } from "vitest";
import { addressGroup } from "../../src/protocol/address-group.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["1:2:3", "1:2:3"],
  ["::1::2", "::1::2"],
  ["1:2:3:4:5:6:7::8:9", "1:2:3:4:5:6:7::8:9"],
  ["::ffff:192.0.2.700", "::ffff:192.0.2.700"],
])("%s is counted as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test("a neighbouring network is a different group", () => {
  expect(addressGroup("2001:db8:1:3::1")).not.toBe(addressGroup("2001:db8:1:2::1"));
});
