import { isIPv6 } from "node:net";

/** Start and maximum of the bitrate estimator, in kbit/s. Without a start value it needs seconds to rise. */
const startKbps = 1_500;
const maxKbps = 2_500;

/** Duration of an audio packet. A receiver waits for two packets before it plays; with the usual 20 ms, it plays 30 ms later. */
const packetMs = 10;
/** Each packet costs the network's threads the same, however long it is. */
const easyPacketMs = 20;

/**
 * A voice with so many bits a second is coded by the part of Opus that is made for music (RFC 6716 §2.1.2): with about half the work of
 * the part for speech. By its source, Opus returns to that part after lost packets, because only that can repair them.
 */
const easyVoiceBps = 80_000;

/**
 * The client's offer as it is applied here. The answering side can state preferences only by changing the offer: the client begins
 * DTLS where it leaves the choice, VP8 first in the video section, with a start bitrate (unchanged if there is no VP8), and short
 * audio packets. A voice without video needs no reports of when each packet arrived. In a busy process, voices are coded with less work, for
 * 25 kbit/s more. Those without video are also sent with less, which makes them 30 ms later; with video, the lips would have to wait for them.
 */
export function preparedOffer(sdp: string, isBusy = false): string {
  const isAlone = !wantsVideo(sdp);
  return sectionsOf(letClientBegin(sdp))
    .map((section) => {
      if (section.startsWith("m=video ")) return preferVp8(section);
      if (!section.startsWith("m=audio ")) return section;
      const voice = setPackets(section, isBusy && isAlone ? easyPacketMs : packetMs);
      const reported = isAlone ? withoutReports(voice) : voice;
      return isBusy ? easeVoice(reported) : reported;
    })
    .join("");
}

/**
 * The client learns first that the path is open: this side only hears of it when its own check is answered, half a round trip
 * later, and the answer to its first DTLS message would take another half. A client that begins has its first picture a whole
 * round trip sooner.
 */
function letClientBegin(sdp: string): string {
  return sdp.replace(/^a=setup:actpass(?=\r?$)/gm, "a=setup:active");
}

/** Requests packets of this duration (RFC 8866 §6.4) instead of the client's own value. */
function setPackets(section: string, durationMs: number): string {
  const end = /\r?\n/.exec(section)?.[0] ?? "\r\n";
  return `${section.replace(/^a=ptime:.*\r?\n/gm, "")}a=ptime:${durationMs}${end}`;
}

/** Bitrates of pictures follow these reports; a voice has a fixed one, and each packet and report costs the network's threads time. */
function withoutReports(section: string): string {
  return section.replace(/^a=(?:rtcp-fb:\S+ transport-cc|extmap:\S+ \S*transport-wide-cc\S*)\r?\n/gm, "");
}

/** Allows Opus `easyVoiceBps` (RFC 7587 §6.1), unless the client has a limit of its own. */
function easeVoice(section: string): string {
  const opus = /^a=rtpmap:(\d+) opus\/48000.*\r?\n/im.exec(section);
  if (!opus || /^a=fmtp:.*maxaveragebitrate=/im.test(section)) return section;
  const [line, payloadType = ""] = opus;
  const parameters = new RegExp(`^(a=fmtp:${payloadType} .*?)(\\r?\\n)`, "m");
  const bitrate = `maxaveragebitrate=${easyVoiceBps}`;
  if (parameters.test(section)) return section.replace(parameters, `$1;${bitrate}$2`);
  return section.replace(line, `${line}a=fmtp:${payloadType} ${bitrate}${/\r?\n$/.exec(line)?.[0] ?? ""}`);
}

/** Whether the offer has a video section in which the client receives. A client that draws the avatar itself has none. */
export function wantsVideo(sdp: string): boolean {
  const video = sectionsOf(sdp).find((section) => section.startsWith("m=video "));
  return video !== undefined && !/^m=video 0 |^a=(?:inactive|sendonly)\r?$/m.test(video);
}

/** Whether the two descriptions come from the same peer connection: an ICE restart keeps the DTLS certificate. */
export function isSamePeer(sdp: string, other: string): boolean {
  const fingerprint = fingerprintOf(sdp);
  return (
    fingerprint !== undefined && fingerprint === fingerprintOf(other) && sessionOf(sdp) === sessionOf(other)
  );
}

/** Whether the two offers have the same ICE credentials (RFC 8839 §5.4), so that the second is not an ICE restart. */
export function hasSameIce(sdp: string, other: string): boolean {
  const credentials = iceCredentialsOf(sdp);
  return credentials !== "" && credentials === iceCredentialsOf(other);
}

/** The session part, then one text for each `m=` section, with their line ends. */
function sectionsOf(sdp: string): string[] {
  return sdp.split(/^(?=m=)/m);
}

function preferVp8(section: string): string {
  const vp8 = [...section.matchAll(/^a=rtpmap:(\d+) VP8\/90000/gim)].map(
    ([, payloadType = ""]) => payloadType,
  );
  const first = vp8[0];
  if (first === undefined) return section;
  const preferred = section.replace(
    /^(m=video \S+ \S+ )(.+?)(\r?\n)/,
    (_, head: string, all: string, end: string) => {
      const others = all.split(" ").filter((payloadType) => !vp8.includes(payloadType));
      return head + [...vp8, ...others].join(" ") + end;
    },
  );
  const bitrate = `a=fmtp:${first} x-google-start-bitrate=${startKbps};x-google-max-bitrate=${maxKbps}`;
  return preferred.replace(new RegExp(`^(a=rtpmap:${first} .*?)(\\r?\\n)`, "m"), `$1$2${bitrate}$2`);
}

function fingerprintOf(sdp: string): string | undefined {
  return /^a=fingerprint:(\S+ \S+)/m.exec(sdp)?.[1]?.toLowerCase();
}

function iceCredentialsOf(sdp: string): string {
  return (sdp.match(/^a=ice-(?:ufrag|pwd):.*$/gm) ?? []).slice(0, 2).join();
}

/** The session id of the `o=` line (RFC 8866 §5.2). It is the same in all offers of a peer. */
function sessionOf(sdp: string): string | undefined {
  return /^o=\S+ (\S+) /m.exec(sdp)?.[1];
}

/**
 * The answer that is sent to the client. Behind NAT, a client cannot use the machine's own addresses and loses about 235 ms
 * on failing checks, so one candidate with the public address replaces them. Where the machine has the public address itself, its
 * other addresses (those of container networks, for example) are left out: nothing that is sent to the public one arrives there.
 */
export function publishedAnswer(sdp: string, publicAddress: string | undefined): string {
  if (publicAddress === undefined) return sdp;
  const seen = new Set<string>();
  const lines = sdp.split("\r\n");
  const isOwn = lines.some((line) => isDirectCandidate(line, publicAddress));
  return lines
    .filter((line) => !isOwn || !line.includes(" typ host") || isDirectCandidate(line, publicAddress))
    .map((line) => publicLine(line, publicAddress))
    .filter((line) => {
      if (line === undefined || !line.startsWith("a=candidate:")) return line !== undefined;
      const place = candidatePlace(line);
      return !seen.has(place) && seen.add(place);
    })
    .join("\r\n");
}

/** Whether a client can reach a gathered candidate directly: a UDP host candidate, with the given address if there is one. */
export function isDirectCandidate(candidate: string, address?: string): boolean {
  const isHost = / udp /i.test(candidate) && / typ host/.test(candidate);
  return isHost && (address === undefined || candidate.split(" ")[4] === address);
}

function publicLine(line: string, publicAddress: string): string | undefined {
  if (line.startsWith("a=candidate:")) return publicCandidate(line, publicAddress);
  const isOwnPlace = line.startsWith("c=IN ") && !line.endsWith(" 0.0.0.0");
  return isOwnPlace ? `c=IN ${isIPv6(publicAddress) ? "IP6" : "IP4"} ${publicAddress}` : line;
}

/** The candidate with the public address; undefined for a host candidate that no client can use (TCP). */
function publicCandidate(line: string, publicAddress: string): string | undefined {
  if (!line.includes(" typ host")) return line.replace(/ raddr \S+ rport \d+/, " raddr 0.0.0.0 rport 0");
  if (!isDirectCandidate(line)) return undefined;
  const fields = line.split(" ");
  fields[4] = publicAddress;
  return fields.join(" ");
}

/** Transport, address and port: candidates with the same values are duplicates. */
function candidatePlace(line: string): string {
  const fields = line.split(" ");
  return `${fields[2] ?? ""} ${fields[4] ?? ""} ${fields[5] ?? ""}`;
}
