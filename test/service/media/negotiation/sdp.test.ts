import { describe, expect, it, test } from "vitest";
import {
  hasSameIce,
  isDirectCandidate,
  isSamePeer,
  preparedOffer,
  publishedAnswer,
  wantsVideo,
} from "../../../../src/service/media/negotiation/sdp.ts";

const offer = [
  "v=0",
  "o=- 4611 2 IN IP4 127.0.0.1",
  "s=-",
  "a=fingerprint:sha-256 AA:BB",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111",
  "a=rtpmap:111 opus/48000/2",
  "m=video 9 UDP/TLS/RTP/SAVPF 102 103 96 97",
  "a=rtpmap:102 H264/90000",
  "a=rtpmap:103 rtx/90000",
  "a=rtpmap:96 VP8/90000",
  "a=rtcp-fb:96 nack",
  "a=rtpmap:97 rtx/90000",
  "",
].join("\r\n");

describe("preparing an offer", () => {
  it("puts VP8 first in the video section, and leaves the audio codecs alone", () => {
    const prepared = preparedOffer(offer);
    expect(prepared).toContain("m=video 9 UDP/TLS/RTP/SAVPF 96 102 103 97\r\n");
    expect(prepared).toContain("m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n");
  });

  it("lets the client begin DTLS where the client leaves the choice", () => {
    const choosing = offer.replace("a=fingerprint", "a=setup:actpass\r\na=fingerprint");
    expect(preparedOffer(choosing)).toContain("a=setup:active\r\na=fingerprint");
    const passive = choosing.replace("actpass", "passive");
    expect(preparedOffer(passive)).toContain("a=setup:passive\r\n");
  });

  it("gives VP8 a bitrate to start from", () => {
    expect(preparedOffer(offer)).toMatch(
      /a=rtpmap:96 VP8\/90000\r\na=fmtp:96 x-google-start-bitrate=1500;x-google-max-bitrate=\d+\r\n/,
    );
  });

  it("requests short audio packets, whatever the client requested", () => {
    const asking = offer.replace("m=video", "a=ptime:60\r\nm=video");
    expect(preparedOffer(asking)).toMatch(/a=rtpmap:111 opus\/48000\/2\r\na=ptime:10\r\nm=video/);
  });

  it("asks for no reports of each packet's arrival where there is no video", () => {
    const extension =
      "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01\r\n";
    const level = "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r\n";
    const feedback = "a=rtcp-fb:111 transport-cc\r\na=rtcp-fb:111 nack\r\n";
    const reporting = offer.replace("m=video", `${feedback}${level}${extension}m=video`);
    expect(preparedOffer(reporting)).toContain("a=rtcp-fb:111 transport-cc\r\n");
    expect(preparedOffer(reporting)).toContain(extension);
    const voiceOnly = preparedOffer(reporting.slice(0, reporting.indexOf("m=video")));
    expect(voiceOnly).not.toMatch(/transport-(?:wide-)?cc/);
    expect(voiceOnly).toContain(`a=rtcp-fb:111 nack\r\n${level}`);
  });

  describe("for a busy process", () => {
    const voiceOnly = offer.slice(0, offer.indexOf("m=video"));

    it("codes a voice without video with less work, in packets of twice the length", () => {
      expect(preparedOffer(voiceOnly, true)).toMatch(
        /a=rtpmap:111 opus\/48000\/2\r\na=fmtp:111 maxaveragebitrate=80000\r\na=ptime:20\r\n$/,
      );
      const repairing = voiceOnly.replace("opus/48000/2", "$&\r\na=fmtp:111 minptime=10;useinbandfec=1");
      expect(preparedOffer(repairing, true)).toContain(
        "a=fmtp:111 minptime=10;useinbandfec=1;maxaveragebitrate=80000\r\na=ptime:20",
      );
    });

    it("keeps to the client's own limit", () => {
      const narrow = voiceOnly.replace("opus/48000/2", "$&\r\na=fmtp:111 maxaveragebitrate=16000");
      expect(preparedOffer(narrow, true)).toContain("a=fmtp:111 maxaveragebitrate=16000\r\na=ptime:20");
    });

    it("codes a voice with video with less work too, but in short packets: its lips do not wait", () => {
      expect(preparedOffer(offer, true)).toMatch(
        /a=rtpmap:111 opus\/48000\/2\r\na=fmtp:111 maxaveragebitrate=80000\r\na=ptime:10\r\nm=video/,
      );
      const video = /m=video[^]*/.exec(preparedOffer(offer))?.[0] ?? "none";
      expect(preparedOffer(offer, true)).toContain(video);
    });

    it("leaves an offer alone that knows no Opus", () => {
      const other = voiceOnly.replace("opus/48000/2", "PCMU/8000");
      expect(preparedOffer(other, true)).not.toContain("maxaveragebitrate");
    });
  });

  it("leaves a video section without VP8, and an offer without video, unchanged", () => {
    const other = offer.replace("VP8", "AV1");
    expect(preparedOffer(other)).toContain(other.slice(other.indexOf("m=video")));
    const videoless = offer.slice(0, offer.indexOf("m=audio"));
    expect(preparedOffer(videoless)).toBe(videoless);
  });
});

it.each([
  ["wanted", offer, true],
  ["switched off", offer.replace("m=video 9", "m=video 0"), false],
  ["missing", offer.slice(0, offer.indexOf("m=video")), false],
  ["inactive", `${offer}a=inactive\r\n`, false],
  ["only sent", `${offer}a=sendonly\r\n`, false],
  ["only received", `${offer}a=recvonly\r\n`, true],
  ["wanted without audio", offer.replace("m=video", "a=inactive\r\nm=video"), true],
])("video that is %s in an offer", (_what, sdp, isWanted) => {
  expect(wantsVideo(sdp)).toBe(isWanted);
});

test("a restart of ICE is told by its credentials", () => {
  const first = "v=0\r\nm=audio\r\na=ice-ufrag:abcd\r\na=ice-pwd:secret\r\n";
  expect(hasSameIce(first, first.replace("v=0", "v=1"))).toBe(true);
  expect(hasSameIce(first, first.replace("abcd", "efgh"))).toBe(false);
  expect(hasSameIce("", "")).toBe(false);
});

test("a peer is told from others by its certificate and session", () => {
  expect(isSamePeer(offer, offer.replace("4611 2", "4611 3"))).toBe(true);
  expect(isSamePeer(offer, offer.replace("AA:BB", "AA:CC"))).toBe(false);
  expect(isSamePeer(offer, offer.replace("4611 2", "4612 2"))).toBe(false);
  expect(isSamePeer("", "")).toBe(false);
});

describe("the answer that a client gets", () => {
  const candidates = {
    lan: "a=candidate:1 1 udp 2122265343 10.0.0.5 40000 typ host generation 0",
    docker: "a=candidate:2 1 udp 2122194687 172.17.0.1 40000 typ host generation 0",
    tcp: "a=candidate:3 1 tcp 1518283007 10.0.0.5 9 typ host tcptype active",
    relay: "a=candidate:4 1 udp 41885439 203.0.113.9 3478 typ relay raddr 10.0.0.5 rport 40000",
  };
  const answer = [
    ...["v=0", "o=- 1 2 IN IP4 127.0.0.1", "m=video 40000 UDP/TLS/RTP/SAVPF 96"],
    ...["c=IN IP4 10.0.0.5", "a=rtcp:9 IN IP4 0.0.0.0", ...Object.values(candidates), ""],
  ].join("\r\n");
  const candidatesOf = (sdp: string): string[] =>
    sdp.split("\r\n").filter((line) => line.startsWith("a=candidate"));
  const relay = "a=candidate:4 1 udp 41885439 203.0.113.9 3478 typ relay raddr 0.0.0.0 rport 0";

  it("is unchanged without a public address", () => {
    expect(publishedAnswer(answer, undefined)).toBe(answer);
  });

  it("has the public address once in place of the machine's own, none of which it contains, and keeps relays", () => {
    const published = publishedAnswer(answer, "198.51.100.7");
    expect(candidatesOf(published)).toEqual([candidates.lan.replace("10.0.0.5", "198.51.100.7"), relay]);
    expect(published).toContain("\r\nc=IN IP4 198.51.100.7\r\n");
    expect(published).not.toMatch(/10\.0\.0\.5|172\.17/);
  });

  it("writes a public IPv6 address as IPv6", () => {
    expect(publishedAnswer(answer, "2001:db8::7")).toContain("\r\nc=IN IP6 2001:db8::7\r\n");
  });

  it("has only the public address's own candidate where the machine has that address itself", () => {
    const published = publishedAnswer(answer.replace("40000 typ host", "40001 typ host"), "172.17.0.1");
    expect(candidatesOf(published)).toEqual([candidates.docker, relay]);
    expect(isDirectCandidate(candidates.docker, "172.17.0.1")).toBe(true);
    expect(isDirectCandidate(candidates.docker, "10.0.0.5")).toBe(false);
  });

  it("waits only for UDP candidates of this host", () => {
    const isDirect = Object.values(candidates).map((candidate) => isDirectCandidate(candidate));
    expect(isDirect).toEqual([true, true, false, false]);
  });
});
