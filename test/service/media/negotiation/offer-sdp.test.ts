import { describe, expect, it } from "vitest";
import {
  hasSameIce,
  isSamePeer,
  preparedOffer,
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
    const reporting = offer.replace(
      "m=video",
      `a=rtcp-fb:111 transport-cc\r\na=rtcp-fb:111 nack\r\n${level}${extension}m=video`,
    );
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

describe("telling whether an offer wants video", () => {
  it("knows a section that is missing, unused or without a receiver", () => {
    expect(wantsVideo(offer)).toBe(true);
    expect(wantsVideo(offer.replace("m=video 9", "m=video 0"))).toBe(false);
    expect(wantsVideo(offer.slice(0, offer.indexOf("m=video")))).toBe(false);
    for (const direction of ["inactive", "sendonly"])
      expect(wantsVideo(`${offer}a=${direction}\r\n`)).toBe(false);
    expect(wantsVideo(`${offer}a=recvonly\r\n`)).toBe(true);
    expect(wantsVideo(offer.replace("m=video", "a=inactive\r\nm=video"))).toBe(true);
  });
});

describe("telling ICE restarts from renegotiations", () => {
  const first = "v=0\r\nm=audio\r\na=ice-ufrag:abcd\r\na=ice-pwd:secret\r\n";

  it("compares the credentials", () => {
    expect(hasSameIce(first, first.replace("v=0", "v=1"))).toBe(true);
    expect(hasSameIce(first, first.replace("abcd", "efgh"))).toBe(false);
    expect(hasSameIce("", "")).toBe(false);
  });
});

describe("telling peers apart", () => {
  it("recognizes a restart by its certificate and session", () => {
    expect(isSamePeer(offer, offer.replace("4611 2", "4611 3"))).toBe(true);
  });

  it("recognizes another peer by its certificate or session", () => {
    expect(isSamePeer(offer, offer.replace("AA:BB", "AA:CC"))).toBe(false);
    expect(isSamePeer(offer, offer.replace("4611 2", "4612 2"))).toBe(false);
    expect(isSamePeer("", "")).toBe(false);
  });
});
