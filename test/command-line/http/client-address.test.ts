import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClientAddress } from "../../../src/command-line/http/client-address.ts";
import {
  type ForwardedHeader,
  readTrustedProxies,
} from "../../../src/command-line/settings/trusted-proxies.ts";
import { listen } from "../../../src/command-line/http/http-server.ts";

const seenFrom = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

function addressOf(
  headers: Record<string, string>,
  {
    peer = "10.0.0.1",
    trusted = "10.0.0.0/8, 2001:db8:ffff::/48",
    header = undefined as ForwardedHeader | undefined,
    warnings = [] as string[],
  } = {},
): string | null {
  const log = { warn: (message: string) => void warnings.push(message) };
  const told = createClientAddress({ proxies: readTrustedProxies(trusted, "PROXIES"), header, log });
  return told(new Request("http://relay.example/", { headers }), seenFrom(peer));
}

describe("a visitor's address by X-Forwarded-For", () => {
  test.each([
    ["what the proxy appended", "203.0.113.7", "203.0.113.7"],
    ["not what the visitor wrote before it", "1.1.1.1, 203.0.113.7", "203.0.113.7"],
    ["past several trusted hops", "1.1.1.1, 203.0.113.7, 10.0.0.3,10.0.0.2", "203.0.113.7"],
    ["with a port", "203.0.113.7:4711", "203.0.113.7"],
    ["IPv6", "2001:db8:1::5", "2001:db8:1::5"],
    ["IPv6 with a port", "[2001:db8:1::5]:4711, 2001:db8:ffff::1", "2001:db8:1::5"],
    ["mapped IPv4", "::ffff:203.0.113.7", "203.0.113.7"],
    ["all trusted: the first of them", "10.0.0.9, 10.0.0.2", "10.0.0.9"],
    ["garbage: the last trusted hop", "203.0.113.7, <script>", "10.0.0.1"],
    ["garbage behind a trusted hop: that hop", "203.0.113.7, unknown, 10.0.0.2", "10.0.0.2"],
    ["nothing", "", "10.0.0.1"],
    ["nothing but commas", ",,,", "10.0.0.1"],
  ])("%s", (_, header, address) => {
    expect(addressOf({ "x-forwarded-for": header })).toBe(address);
  });

  test("entries before an untrusted hop are not read, however long the header", () => {
    const forged = Array<string>(500).fill("1.1.1.1").join(",");
    expect(addressOf({ "x-forwarded-for": forged }, { peer: "198.51.100.4" })).toBe("198.51.100.4");
    expect(addressOf({ "x-forwarded-for": `${forged}, 203.0.113.7` })).toBe("203.0.113.7");
  });
});

describe("a visitor's address by Forwarded", () => {
  test.each([
    ["what the proxy appended", "for=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"],
    ["not what the visitor wrote", "for=1.1.1.1, for=203.0.113.7", "203.0.113.7"],
    ["quoted IPv6 with a port", 'proto=https;For="[2001:db8:1::5]:4711"', "2001:db8:1::5"],
    ["past trusted hops", 'for=203.0.113.7, for="10.0.0.2:80"', "203.0.113.7"],
    ["an open quote of the visitor's hides nothing", 'for="1.1.1.1, for=203.0.113.7', "203.0.113.7"],
    ["quoted commas part nothing", 'for=203.0.113.7;ext="a, for=1.1.1.1"', "203.0.113.7"],
    ["hidden: the last trusted hop", "for=_secret", "10.0.0.1"],
    ["garbage: the last trusted hop", "host=relay.example", "10.0.0.1"],
  ])("%s", (_, header, address) => {
    expect(addressOf({ forwarded: header })).toBe(address);
  });

  test("does not count where the proxy writes X-Forwarded-For", () => {
    const warnings: string[] = [];
    const headers = { forwarded: "for=1.1.1.1", "x-forwarded-for": "203.0.113.7" };
    expect(addressOf(headers, { warnings })).toBe("203.0.113.7");
    expect(warnings).toEqual([expect.stringContaining("VISAVIS_FORWARDED_HEADER")]);
    expect(addressOf(headers, { header: "forwarded" })).toBe("1.1.1.1");
    expect(addressOf({ "x-forwarded-for": "1.1.1.1" }, { header: "forwarded" })).toBe("10.0.0.1");
  });
});

test("without a trusted proxy, headers are ignored, and one warning says so", () => {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const proxies = readTrustedProxies("", "PROXIES");
  const told = createClientAddress({ proxies, header: undefined, log });
  for (const name of ["x-forwarded-for", "forwarded", "x-forwarded-for"]) {
    const request = new Request("http://relay.example/", { headers: { [name]: "for=203.0.113.7" } });
    expect(told(request, seenFrom("10.0.0.1"))).toBe("10.0.0.1");
  }
  expect(warnings).toEqual([expect.stringContaining("VISAVIS_TRUSTED_PROXIES")]);
  expect(told(new Request("http://relay.example/"), undefined)).toBeNull();
});

test("a real connection has the address of its other end, and the header's address if that end is trusted", async () => {
  const seen: (string | null)[] = [];
  const log = { warn: () => undefined };
  const told = ["", "127.0.0.0/8,::1"].map((trusted) =>
    createClientAddress({ proxies: readTrustedProxies(trusted, "PROXIES"), header: undefined, log }),
  );
  const server = await listen((request, environment) => {
    seen.push(...told.map((tell) => tell(request, environment)));
    return new Response("ok");
  }, 0);
  onTestFinished(() => server.close(100));
  await new Promise<void>((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.resume();
    socket.write(
      "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n\r\n",
    );
  });
  expect(seen[0]).toMatch(/^(?:::ffff:)?127\.0\.0\.1$/);
  expect(seen[1]).toBe("203.0.113.7");
});
