import { describe, expect, it } from "vitest";
import { MediaError } from "../../../../src/service/media/media-error.ts";
import { admittedOffer } from "../../../../src/service/media/negotiation/offer-admission.ts";
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
const audio = realOffers["chromium"]!.replace(/[^]*(?=m=audio)|m=application[^]*/g, "");

/** The offer of Chromium with this line after its last one. */
const withLine = (line: string): string => `${realOffers["chromium"]!}${line}\r\n`;

describe("an offer", () => {
  it.each(Object.entries(realOffers))("of %s keeps what its connection needs", (_name, sdp) => {
    const admitted = admittedOffer(sdp, everywhere);
    for (const start of [
      "a=ice-ufrag",
      "a=ice-pwd",
      "a=fingerprint",
      "a=mid",
      "a=setup",
      "a=rtpmap",
      "a=group",
    ])
      expect(linesOf(admitted, start)).toEqual(linesOf(sdp, start));
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

  it("is refused for attributes that appear twice", () => {
    expect(refusal(withLine("a=mid:2"))).toMatch(/"a=mid:2".*comes too often/);
    expect(refusal(withLine("a=setup:active"))).toMatch(/comes too often/);
    expect(refusal(realOffers["chromium"]!.replace("a=mid:1", "a=mid:0"))).toMatch(
      /names two sections alike/,
    );
    expect(refusal(realOffers["chromium"]!.replace("a=recvonly", "a=recvonly\r\na=sendrecv"))).toMatch(
      /comes too often/,
    );
  });

  it("is refused for its size: lines, their length, their number in one section", () => {
    expect(refusal(head + "a=x\r\n".repeat(1_000))).toMatch("more than 1000 lines");
    const long = refusal(withLine(`a=fmtp:96 ${"x".repeat(1_100)}`));
    expect(long).toMatch(/is too long.*1024 characters/);
    expect(long.length).toBeLessThan(250);
    expect(refusal(head + audio + "a=rtpmap:9 x/8000\r\n".repeat(65))).toMatch(/comes too often/);
  });

  it.each([
    "hello",
    "a=mid:0\u0000",
    "=",
    "a=rtpmap:x",
    "a=fingerprint:md5 00",
    "a=ice-ufrag:é",
    "a=sctp-port:-1",
  ])("with the malformed line %j is refused", (line) => {
    expect(
      refusal(
        head +
          (/^a=rtpmap/.test(line) ? audio : "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n") +
          `${line}\r\n`,
      ),
    ).toMatch(/^Line \d+ of the offer \("/);
  });

  it("must begin like a description, and have a section", () => {
    expect(refusal("")).toMatch("no media section");
    expect(refusal("v=0\r\n")).toMatch("no media section");
    expect(refusal(`v=1\r\n${audio}`)).toMatch('Line 1 of the offer ("v=1")');
    expect(refusal(`v=0\r\ns=-\r\n${audio}`)).toMatch('Line 2 of the offer ("s=-")');
  });

  it("loses attributes that the service does not use, and the direction to send video", () => {
    const sdp = realOffers["chromium"]!.replace(
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
  const section = "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:0\r\n";
  const admittedCandidates = (candidates: readonly string[], isAdmitted = everywhere): string[] =>
    linesOf(
      admittedOffer(
        head + section + candidates.map((line) => `a=candidate:${line}\r\n`).join(""),
        isAdmitted,
      ),
      "a=candidate:",
    );

  it("are kept if they are UDP with an address", () => {
    expect(
      admittedCandidates([
        "1 1 udp 2122260223 198.51.100.7 50000 typ host generation 0 network-id 1",
        "2 1 UDP 1686052607 198.51.100.8 50001 typ srflx raddr 10.0.0.1 rport 50001",
        "3 1 udp 41885439 2001:db8::1 443 typ relay raddr host.invalid rport 1",
      ]),
    ).toEqual([
      "a=candidate:1 1 udp 2122260223 198.51.100.7 50000 typ host generation 0",
      "a=candidate:2 1 udp 1686052607 198.51.100.8 50001 typ srflx raddr 0.0.0.0 rport 0 generation 0",
      "a=candidate:3 1 udp 41885439 2001:db8::1 443 typ relay raddr :: rport 0 generation 0",
    ]);
  });

  it.each([
    ["TCP", "1 1 tcp 1 198.51.100.7 9 typ host tcptype active"],
    ["a host name", "1 1 udp 1 victim.example 50000 typ host"],
    ["an mDNS name", "1 1 udp 1 8430a743-2d73-49a0-8afb-2d3c91d525da.local 50000 typ host"],
    ["a port of a well-known service", "1 1 udp 1 198.51.100.7 53 typ host"],
    ["no port", "1 1 udp 1 198.51.100.7 0 typ host"],
    ["a port beyond all", "1 1 udp 1 198.51.100.7 65536 typ host"],
    ["RTCP of its own", "1 2 udp 1 198.51.100.7 50000 typ host"],
    ["an address that is none", "1 1 udp 1 198.51.100.777 50000 typ host"],
    ["nothing", ""],
  ])("are dropped where they are %s", (_what, candidate) => {
    expect(admittedCandidates([candidate])).toEqual([]);
  });

  it("are dropped if their address is not accepted", () => {
    const isAdmitted = (address: string): boolean => address !== "10.0.0.1";
    const candidates = ["1 1 udp 1 10.0.0.1 5000 typ host", "1 1 udp 1 10.0.0.2 5000 typ host"];
    expect(admittedCandidates(candidates, isAdmitted)).toEqual([
      "a=candidate:1 1 udp 1 10.0.0.2 5000 typ host generation 0",
    ]);
  });

  it("have at most 20 addresses, over all sections", () => {
    const sections = ["audio 9 UDP/TLS/RTP/SAVPF 0", "video 9 UDP/TLS/RTP/SAVPF 96"].map(
      (media, index) =>
        `m=${media}\r\na=mid:${index}\r\n${Array.from(
          { length: 15 },
          (_, number) => `a=candidate:1 1 udp 1 198.51.100.7 ${5000 + 15 * index + number} typ host\r\n`,
        ).join("")}`,
    );
    expect(linesOf(admittedOffer(head + sections.join(""), everywhere), "a=candidate:")).toHaveLength(20);
  });

  it("are the only lines with addresses", () => {
    const sdp = `${head}m=audio 5000 UDP/TLS/RTP/SAVPF 0\r\nc=IN IP4 victim.example\r\na=rtcp:5001 IN IP4 victim.example\r\na=remote-candidates:1 victim.example 5000\r\n`;
    const admitted = admittedOffer(sdp, everywhere);
    expect(admitted).not.toMatch(/victim|500/);
    expect(linesOf(admitted, "c=")).toEqual(["c=IN IP4 0.0.0.0"]);
  });
});
