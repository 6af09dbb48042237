/** Bitrates for the estimator to start from and to stay under, in kbit/s. Without a start it needs seconds to rise. */
const startKbps = 1_500;
const maxKbps = 2_500;

/** Sound that a packet holds: a receiver waits for two of them before it plays. The usual 20 ms cost 30 ms more. */
const packetMs = 10;

/**
 * The client's offer as it is applied here, which is all that the answering side can choose by: VP8 first in its video
 * section, with a bitrate to start from (left as it is where it has no VP8), and short packets of sound.
 */
export function preparedOffer(sdp: string): string {
  return sectionsOf(sdp)
    .map((section) => {
      if (section.startsWith("m=video ")) return preferVp8(section);
      return section.startsWith("m=audio ") ? shortenPackets(section) : section;
    })
    .join("");
}

/** Asks for packets of `packetMs` (RFC 8866 §6.4), whatever the client asked for. */
function shortenPackets(section: string): string {
  const end = /\r?\n/.exec(section)?.[0] ?? "\r\n";
  return `${section.replace(/^a=ptime:.*\r?\n/gm, "")}a=ptime:${packetMs}${end}`;
}

/** Whether the two descriptions come from the same peer connection: an ICE restart keeps the DTLS certificate. */
export function isSamePeer(sdp: string, other: string): boolean {
  const fingerprint = fingerprintOf(sdp);
  return (
    fingerprint !== undefined && fingerprint === fingerprintOf(other) && sessionOf(sdp) === sessionOf(other)
  );
}

/** Whether the two offers are of the same ICE generation (RFC 8839 §5.4): then the second is no ICE restart. */
export function hasSameIce(sdp: string, other: string): boolean {
  const credentials = iceCredentialsOf(sdp);
  return credentials !== "" && credentials === iceCredentialsOf(other);
}

/** The session's own part, then one text for each `m=` section, line ends kept. */
function sectionsOf(sdp: string): string[] {
  return sdp.split(/^(?=m=)/m);
}

function preferVp8(section: string): string {
  const vp8 = [...section.matchAll(/^a=rtpmap:(\d+) VP8\/90000/gim)].map(([, payloadType]) => payloadType!);
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

/** The session id of the `o=` line (RFC 8866 §5.2): stays when a peer makes further offers. */
function sessionOf(sdp: string): string | undefined {
  return /^o=\S+ (\S+) /m.exec(sdp)?.[1];
}
