import { describe, expect, it } from "vitest";
import { isDirectCandidate, publishedAnswer } from "../../../../src/service/media/negotiation/sdp.ts";

const answer = [
  "v=0",
  "o=- 1 2 IN IP4 127.0.0.1",
  "m=video 40000 UDP/TLS/RTP/SAVPF 96",
  "c=IN IP4 10.0.0.5",
  "a=rtcp:9 IN IP4 0.0.0.0",
  "a=candidate:1 1 udp 2122265343 10.0.0.5 40000 typ host generation 0",
  "a=candidate:2 1 udp 2122194687 172.17.0.1 40000 typ host generation 0",
  "a=candidate:3 1 tcp 1518283007 10.0.0.5 9 typ host tcptype active",
  "a=candidate:4 1 udp 41885439 203.0.113.9 3478 typ relay raddr 10.0.0.5 rport 40000",
  "",
].join("\r\n");

const candidatesOf = (sdp: string): string[] =>
  sdp.split("\r\n").filter((line) => line.startsWith("a=candidate"));

describe("the answer that a client gets", () => {
  it("is unchanged without a public address", () => {
    expect(publishedAnswer(answer, undefined)).toBe(answer);
  });

  it("has the public address once in place of the machine's own, and keeps relays", () => {
    expect(candidatesOf(publishedAnswer(answer, "198.51.100.7"))).toEqual([
      "a=candidate:1 1 udp 2122265343 198.51.100.7 40000 typ host generation 0",
      "a=candidate:4 1 udp 41885439 203.0.113.9 3478 typ relay raddr 0.0.0.0 rport 0",
    ]);
  });

  it("contains no address of the machine itself if there is a public one", () => {
    const published = publishedAnswer(answer, "198.51.100.7");
    expect(published).toContain("\r\nc=IN IP4 198.51.100.7\r\n");
    expect(published).not.toMatch(/10\.0\.0\.5|172\.17/);
  });

  it("writes a public IPv6 address as IPv6", () => {
    expect(publishedAnswer(answer, "2001:db8::7")).toContain("\r\nc=IN IP6 2001:db8::7\r\n");
  });

  it("has only the public address's own candidate where the machine has that address itself", () => {
    const published = publishedAnswer(answer.replace("40000 typ host", "40001 typ host"), "172.17.0.1");
    expect(candidatesOf(published)).toEqual([
      "a=candidate:2 1 udp 2122194687 172.17.0.1 40000 typ host generation 0",
      "a=candidate:4 1 udp 41885439 203.0.113.9 3478 typ relay raddr 0.0.0.0 rport 0",
    ]);
    const [, own = ""] = candidatesOf(answer);
    expect([isDirectCandidate(own, "172.17.0.1"), isDirectCandidate(own, "10.0.0.5")]).toEqual([true, false]);
  });

  it("waits only for UDP candidates of this host", () => {
    expect(candidatesOf(answer).map((candidate) => isDirectCandidate(candidate))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
