/** Random numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kinds = ["audio", "video", "application", "text", "message", "image", "foo", "AUDIO", ""];
const protocols = [
  ...["UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/AVP", "RTP/AVPF", "TCP/TLS/RTP/SAVPF"],
  ...["UDP/DTLS/SCTP", "TCP/DTLS/SCTP", "DTLS/SCTP", "SCTP", "udptl", "TCP/MSRP"],
];
const directions = ["a=sendrecv", "a=sendonly", "a=recvonly", "a=inactive"];
const numbers = [0, 1, -1, 8, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32].map(String);
const values = [
  ...["", " ", "*", "/", ":", "\t", "0/0", "apt=96", "apt=111", "x".repeat(300), "é", "\u0000", "::1"],
];

/** Attributes that are rare, obsolete, or for another kind of section. */
const attributes = [
  ...["a=mid:0", "a=mid:9", "a=group:BUNDLE", "a=group:BUNDLE 0", "a=group:BUNDLE 2 1 0"],
  ...["a=group:BUNDLE 7 8 9", "a=group:LS 0 1", "a=rid:1 send", "a=rid:1 recv pt=96;max-width=0"],
  ...["a=simulcast:send 1;2;3", "a=simulcast:recv 1", "a=ssrc:1 cname:x", "a=ssrc:4294967295 msid:x y"],
  ...["a=ssrc-group:FID 1 2", "a=ssrc-group:SIM 1 2 3"],
  "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4",
  ...["a=ice-lite", "a=ice-options:renomination trickle", "a=setup:active", "a=setup:passive"],
  ...["a=setup:holdconn", "a=bundle-only", "a=rtcp-mux-only", "a=rtcp:9 IN IP4 0.0.0.0", "a=rtcp-fb:* nack"],
  "a=extmap:1 urn:ietf:params:rtp-hdrext:encrypt urn:ietf:params:rtp-hdrext:toffset",
  "a=extmap:15 urn:ietf:params:rtp-hdrext:sdes:mid",
  "a=extmap:14 http://www.webrtc.org/experiments/rtp-hdrext/generic-frame-descriptor-00",
  ...["a=sctp-port:0", "a=sctp-port:70000", "a=sctpmap:5000 webrtc-datachannel 1024", "a=max-message-size:0"],
  ...["a=max-message-size:1", "a=max-message-size:9999999999"],
  "a=fingerprint:sha-1 00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33",
  ...["a=fingerprint:md5 00:11", "a=msid:- -", "a=msid:stream", "a=maxptime:0", "a=ptime:0"],
  ...["a=x-google-flag:conference", "a=candidate:1 1 udp 1 127.0.0.1 9 typ host"],
  "a=candidate:1 1 tcp 1 127.0.0.1 9 typ host tcptype active",
  "a=candidate:1 2 udp 1 host.invalid 9999 typ host",
  "a=candidate:1 1 udp 4294967295 203.0.113.1 9999 typ relay raddr 0.0.0.0 rport 0",
  ...["a=end-of-candidates", "a=rtpmap:96 H264/90000", "a=rtpmap:96 rtx/90000", "a=rtpmap:111 opus/48000/8"],
  ...["a=rtpmap:111 multiopus/48000/6", "a=rtpmap:0 opus/1/1", "a=fmtp:96 apt=96", "a=fmtp:97 apt=97"],
  "a=fmtp:111 channel_mapping=0,1,2;num_streams=255;coupled_streams=255",
  ...["a=fmtp:111 maxptime=0;ptime=0;maxaveragebitrate=-1;stereo=9", "a=fmtp:63 111/111/111/111"],
  ...["a=fmtp:96 x-google-max-bitrate=-1;x-google-min-bitrate=99999999", "b=AS:0", "b=TIAS:999999999"],
  ...["c=IN IP6 ::1", "m=audio 0 UDP/TLS/RTP/SAVPF 0", "m=video 0 UDP/TLS/RTP/SAVPF 0"],
  "m=application 0 UDP/DTLS/SCTP webrtc-datachannel",
];

/** Mutates offers. The same seed gives the same mutations. */
export class OfferMutation {
  readonly #random: () => number;
  readonly #starts: readonly string[];

  constructor(starts: readonly string[], seed: number) {
    this.#starts = starts;
    this.#random = seededRandom(seed);
  }

  /** The next offer, with one to four mutations. */
  next(): string {
    let lines = this.#pick(this.#starts).split("\r\n").slice(0, -1);
    const count = 1 + this.#below(4);
    for (let made = 0; made < count; made++) lines = this.#mutated(lines);
    const sdp = `${lines.join(this.#random() < 0.02 ? "\n" : "\r\n")}\r\n`;
    return (this.#random() < 0.02 ? sdp.slice(0, this.#below(sdp.length) + 1) : sdp).slice(0, 65_536);
  }

  #mutated(lines: string[]): string[] {
    const mutations = [
      () => this.#replaceMedia(lines, 0, kinds),
      () => this.#replaceMedia(lines, 2, protocols),
      () => this.#replaceMedia(lines, 1, numbers),
      () => this.#replaceMedia(lines, 3, numbers),
      () => lines.map((line) => (directions.includes(line) ? this.#pick(directions) : line)),
      () => lines.toSpliced(this.#below(lines.length), 1),
      () => lines.toSpliced(this.#below(lines.length), 0, this.#pick(lines)),
      () => this.#swapped(lines),
      () => lines.toSpliced(1 + this.#below(lines.length), 0, this.#pick(attributes)),
      () => lines.toSpliced(1 + this.#below(lines.length), 0, this.#pick(attributes)),
      () => this.#sections(lines),
      () => this.#edited(lines, /\d+/g, numbers),
      () => this.#edited(lines, /[^\s:=/;]+/g, values),
      () => this.#edited(lines, /[^\s:=/;]+/g, numbers),
      () => this.#grown(lines),
    ];
    return this.#pick(mutations)();
  }

  /** Replaces one field of an `m=` line. */
  #replaceMedia(lines: string[], field: number, choices: readonly string[]): string[] {
    const heads = lines.flatMap((line, index) => (line.startsWith("m=") ? [index] : []));
    if (heads.length === 0) return lines;
    const at = this.#pick(heads);
    const fields = lines[at]!.slice(2).split(" ");
    fields[Math.min(field, fields.length - 1)] = this.#pick(choices);
    return lines.with(at, `m=${fields.join(" ")}`);
  }

  #swapped(lines: string[]): string[] {
    const [a, b] = [this.#below(lines.length), this.#below(lines.length)];
    return lines.with(a, lines[b]!).with(b, lines[a]!);
  }

  /** Sections in another order, one left out, one twice, or one of another offer. */
  #sections(lines: string[]): string[] {
    const parts = partsOf(lines);
    const others = partsOf(this.#pick(this.#starts).split("\r\n").slice(0, -1)).slice(1);
    const [head, ...sections] = parts;
    const at = this.#below(sections.length + 1);
    const changed = this.#pick([
      () => sections.toSorted(() => this.#random() - 0.5),
      () => sections.toSpliced(at, 1),
      () => sections.toSpliced(at, 0, this.#pick(others)),
      () => sections.toSpliced(at, 1, this.#pick(others)),
    ])();
    return [head!, ...changed].flat();
  }

  /** Replaces a part of one line. */
  #edited(lines: string[], part: RegExp, choices: readonly string[]): string[] {
    const at = this.#below(lines.length);
    const line = lines[at]!;
    const places = [...line.matchAll(part)];
    const place = places[this.#below(places.length)];
    if (!place) return lines;
    const edited =
      line.slice(0, place.index) + this.#pick(choices) + line.slice(place.index + place[0].length);
    return lines.with(at, edited);
  }

  /** The same line many times, or a very long one. */
  #grown(lines: string[]): string[] {
    const at = this.#below(lines.length);
    const count = this.#pick([2, 30, 300, 2_000]);
    return this.#random() < 0.7
      ? lines.toSpliced(at, 0, ...Array.from({ length: count }, () => lines[at]!))
      : lines.with(at, lines[at]! + "A".repeat(count));
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<Value>(choices: readonly Value[]): Value {
    return choices[this.#below(choices.length)]!;
  }
}

/** The lines of the session, then those of each section. */
function partsOf(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith("m=")) parts.push([]);
    parts.at(-1)!.push(line);
  }
  return parts;
}
