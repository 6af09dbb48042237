/** Bitrates for the estimator to start from and to stay under, in kbit/s. Without a start it needs seconds to rise. */
const startKbps = 2_500;
const maxKbps = 2_500;

/**
 * The client's offer as it is applied here: VP8 first in its video section (the answering side can choose in no other way)
 * and with a bitrate to start from. Left as it is where it has no VP8.
 */
export function preparedOffer(sdp: string): string {
  return sectionsOf(sdp)
    .map((section) => (section.startsWith("m=video ") ? preferVp8(section) : section))
    .join("");
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
