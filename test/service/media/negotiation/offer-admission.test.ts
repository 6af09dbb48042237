import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { MediaError } from "../../../../src/service/media/media-error.ts";
import { admittedOffer } from "../../../../src/service/media/negotiation/offer-admission.ts";
import {
  isAdmittedAddress,
  type PrivateCandidates,
} from "../../../../src/service/media/negotiation/remote-address.ts";
import { realOffers } from "../real-offers.ts";

const everywhere = (_address: string): boolean => true;

/** The error with which an offer is refused. */
function refusal(sdp: string): string {
  try {
    admittedOffer(sdp, everywhere);
  } catch (error) {
    if (error instanceof MediaError && error.code === "refused_offer") return error.message;
    throw error;
  }
  throw new Error("The offer was admitted.");
}

function linesOf(sdp: string, start: string): string[] {
  return sdp.split("\r\n").filter((line) => line.startsWith(start));
}

const head = "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n";
const chromium = realOffers["chromium"]!;
const audio = chromium.replace(/[^]*(?=m=audio)|m=application[^]*/g, "");

const dataSection = "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n";

/** The offer of Chromium with this line after its last one. */
const withLine = (line: string): string => `${chromium}${line}\r\n`;

describe("an offer", () => {
  it.each(Object.entries(realOffers))("of %s keeps what its connection needs", (_name, sdp) => {
    const admitted = admittedOffer(sdp, everywhere);
    for (const name of ["ice-ufrag", "ice-pwd", "fingerprint", "mid", "setup", "rtpmap", "group"])
      expect(linesOf(admitted, `a=${name}`)).toEqual(linesOf(sdp, `a=${name}`));
    const kinds = (text: string): string[] => linesOf(text, "m=").map((line) => line.split(" ")[0]!);
    expect(kinds(admitted)).toEqual(kinds(sdp));
    // An admitted offer is admitted again unchanged.
    expect(admittedOffer(admitted, everywhere)).toBe(admitted);
  });

  it.each([
    ["m=foo 9 UDP/DTLS/SCTP webrtc-datachannel", "is no section that the service uses."],
    ["m=text 9 UDP/TLS/RTP/SAVPF 98", "is no section that the service uses."],
    ["m=AUDIO 9 UDP/TLS/RTP/SAVPF 0", "is no section that the service uses."],
    ["m=audio 9 UDP/TLS/RTP/SAVPF 0", "is a second audio section."],
    ["m=video 0 UDP/TLS/RTP/SAVPF 0", "is a second video section."],
    ["m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "is a second application section."],
    ["m=application 9 SCTP 5000", "names an unknown protocol."],
    ["m=audio 9 RTP/AVP 0", "names an unknown protocol."],
  ])("with the section %s is refused by its line", (line, fault) => {
    const number = withLine(line).split("\r\n").length - 1;
    expect(refusal(withLine(line))).toMatch(`Line ${number} of the offer ("${line}") ${fault}`);
  });

  it.each([
    ["m=audio 9 UDP/TLS/RTP/SAVPF 0 0", /names formats that cannot be used.*each once/],
    ["m=audio 9 UDP/TLS/RTP/SAVPF 128", /names formats that cannot be used/],
    ["m=application 9 UDP/DTLS/SCTP other", /Use webrtc-datachannel/],
  ])("that is only the section %s is refused", (line, fault) => {
    expect(refusal(`${head}${line}\r\n`)).toMatch(fault);
  });

  it.each([
    ["an attribute twice", withLine("a=mid:2"), /"a=mid:2".*comes too often/],
    ["two setups", withLine("a=setup:active"), /comes too often/],
    ["sections of one name", chromium.replace("a=mid:1", "a=mid:0"), /names two sections alike/],
    ["two directions", chromium.replace("a=recvonly", "a=recvonly\r\na=sendrecv"), /comes too often/],
    ["too many lines", head + "a=x\r\n".repeat(1_000), /more than 1000 lines/],
    ["a line that is too long", withLine(`a=fmtp:96 ${"x".repeat(1_100)}`), /is too long.*1024 characters/],
    ["too many formats", head + audio + "a=rtpmap:9 x/8000\r\n".repeat(65), /comes too often/],
    ["a malformed format", `${head}${audio}a=rtpmap:x\r\n`, /^Line \d+ of the offer \("a=rtpmap:x"/],
    ["no section", "v=0\r\n", /no media section/],
    ["no line", "", /no media section/],
    ["another version", `v=1\r\n${audio}`, /^Line 1 of the offer \("v=1"\)/],
    ["no origin", `v=0\r\ns=-\r\n${audio}`, /^Line 2 of the offer \("s=-"\)/],
  ])("with %s is refused", (_what, sdp, fault) => {
    expect(refusal(sdp)).toMatch(fault);
    expect(refusal(sdp).length).toBeLessThan(250);
  });

  it.each(["hello", "a=mid:0\u0000", "=", "a=fingerprint:md5 00", "a=ice-ufrag:é", "a=sctp-port:-1"])(
    "with the malformed line %j is refused",
    (line) => {
      expect(refusal(`${head}${dataSection}${line}\r\n`)).toMatch(/^Line \d+ of the offer \("/);
    },
  );

  it("loses attributes that the service does not use, and the direction to send video", () => {
    const sdp = chromium.replace(
      "a=recvonly",
      "a=rid:1 send\r\na=simulcast:send 1\r\na=ssrc-group:FID 1 2\r\na=sendrecv",
    );
    const admitted = admittedOffer(sdp, everywhere);
    for (const dropped of ["a=rid", "a=simulcast", "a=ssrc", "a=rtcp:"])
      expect(admitted).not.toContain(dropped);
    expect(linesOf(admitted, "a=recvonly")).toHaveLength(2);
  });
});

describe("the candidates of an offer", () => {
  const admittedCandidates = (candidates: readonly string[], isAdmitted = everywhere): string[] => {
    const lines = candidates.map((line) => `a=candidate:${line}\r\n`).join("");
    const admitted = admittedOffer(`${head}${dataSection}a=mid:0\r\n${lines}`, isAdmitted);
    return linesOf(admitted, "a=candidate:").map((line) => line.slice("a=candidate:".length));
  };

  it.each<[candidate: string, kept?: string]>([
    [
      "1 1 udp 2122260223 198.51.100.7 50000 typ host generation 0 network-id 1",
      "1 1 udp 2122260223 198.51.100.7 50000 typ host generation 0",
    ],
    [
      "2 1 UDP 1686052607 198.51.100.8 50001 typ srflx raddr 10.0.0.1 rport 50001",
      "2 1 udp 1686052607 198.51.100.8 50001 typ srflx raddr 0.0.0.0 rport 0 generation 0",
    ],
    [
      "3 1 udp 41885439 2001:db8::1 443 typ relay raddr host.invalid rport 1",
      "3 1 udp 41885439 2001:db8::1 443 typ relay raddr :: rport 0 generation 0",
    ],
    // TCP, host names, mDNS names, the port of a well-known service, no port, a port beyond all.
    ["1 1 tcp 1 198.51.100.7 9 typ host tcptype active"],
    ["1 1 udp 1 victim.example 50000 typ host"],
    ["1 1 udp 1 8430a743-2d73-49a0-8afb-2d3c91d525da.local 50000 typ host"],
    ["1 1 udp 1 198.51.100.7 53 typ host"],
    ["1 1 udp 1 198.51.100.7 0 typ host"],
    ["1 1 udp 1 198.51.100.7 65536 typ host"],
    // RTCP of its own, an address that is none.
    ["1 2 udp 1 198.51.100.7 50000 typ host"],
    ["1 1 udp 1 198.51.100.777 50000 typ host"],
    [""],
  ])("“%s” is kept as %s", (candidate, kept) => {
    expect(admittedCandidates([candidate])).toEqual(kept === undefined ? [] : [kept]);
  });

  it("are dropped if their address is not accepted", () => {
    const isAdmitted = (address: string): boolean => address !== "10.0.0.1";
    const candidates = ["1 1 udp 1 10.0.0.1 5000 typ host", "1 1 udp 1 10.0.0.2 5000 typ host"];
    expect(admittedCandidates(candidates, isAdmitted)).toEqual([`${candidates[1]} generation 0`]);
  });

  it("have at most 20 addresses, over all sections", () => {
    const section = (media: string, mid: number): string => {
      const ports = Array.from({ length: 15 }, (_, number) => 5000 + 15 * mid + number);
      const lines = ports.map((port) => `a=candidate:1 1 udp 1 198.51.100.7 ${port} typ host\r\n`);
      return `m=${media}\r\na=mid:${mid}\r\n${lines.join("")}`;
    };
    const sdp = head + section("audio 9 UDP/TLS/RTP/SAVPF 0", 0) + section("video 9 UDP/TLS/RTP/SAVPF 96", 1);
    expect(linesOf(admittedOffer(sdp, everywhere), "a=candidate:")).toHaveLength(20);
  });

  it("are the only lines with addresses", () => {
    const lines = ["m=audio 5000 UDP/TLS/RTP/SAVPF 0", "c=IN IP4 victim.example"];
    lines.push("a=rtcp:5001 IN IP4 victim.example", "a=remote-candidates:1 victim.example 5000");
    const admitted = admittedOffer(head + lines.map((line) => `${line}\r\n`).join(""), everywhere);
    expect(admitted).not.toMatch(/victim|500/);
    expect(linesOf(admitted, "c=")).toEqual(["c=IN IP4 0.0.0.0"]);
  });
});

function own(address: string, prefix: number, internal = false): NetworkInterfaceInfo {
  const shared = { address, netmask: "", mac: "", internal, cidr: `${address}/${prefix}` };
  return address.includes(":") ? { ...shared, family: "IPv6", scopeid: 0 } : { ...shared, family: "IPv4" };
}

const interfaces = () => ({
  lo: [own("127.0.0.1", 8, true), own("::1", 128, true)],
  lan: [own("192.168.7.2", 24), own("fd12:3456::2", 64)],
});

const isAdmitted = (address: string, privateCandidates: PrivateCandidates, publicAddress?: string): boolean =>
  isAdmittedAddress(address, { privateCandidates, publicAddress, interfaces });

describe("an address in a client's candidates", () => {
  it.each([
    ["always", [true, true, true], ["8.8.8.8", "2606:4700::1"]],
    ["never", [false, false, false], ["0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255"]],
    ["never", [false, false, false], ["240.0.0.1", "::", "fe80::1", "ff02::1", "localhost"]],
    ["never", [false, false, false], ["::ffff:8.8.8.8", "64:ff9b::808:808"]],
    ["in this machine's own network", [true, true, false], ["192.168.7.99", "fd12:3456::99"]],
    ["in another private network", [false, true, false], ["192.168.8.99", "10.0.0.1", "172.17.0.1"]],
    ["in another private network", [false, true, false], ["100.64.0.1", "127.0.0.1", "::1", "fd12:3457::99"]],
  ])("%s is accepted by auto, allow and deny: %j %j", (_what, expected, addresses) => {
    for (const address of addresses)
      expect(
        (["auto", "allow", "deny"] as const).map((setting) => isAdmitted(address, setting)),
        address,
      ).toEqual(expected);
  });

  it("in a private network is not accepted by `auto` behind a public address", () => {
    expect(isAdmitted("192.168.7.99", "auto", "8.8.4.4")).toBe(false);
    expect(isAdmitted("192.168.7.99", "auto", "192.168.7.2")).toBe(true);
  });
});
