import { admittedAttributes, type SectionKind } from "./offer-attributes.ts";
import { CandidateFilter } from "./offer-candidates.ts";
import { offerParts, refusedLine, type OfferLine, type OfferSection } from "./offer-lines.ts";
import { MediaError } from "./media-error.ts";

/** What an offer may contain, as part of error messages. */
const remedy = "Offer at most one audio, one video and one application (data channel) section.";

const rtpProtocols = ["UDP/TLS/RTP/SAVPF", "TCP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/SAVP"];
const dataProtocols = ["UDP/DTLS/SCTP", "TCP/DTLS/SCTP", "DTLS/SCTP"];

const protocols: Readonly<Record<SectionKind, readonly string[]>> = {
  audio: rtpProtocols,
  video: rtpProtocols,
  application: dataProtocols,
};

const payloadTypesMax = 64;

/**
 * The part of a client's offer that the service uses. Only this part is passed to the WebRTC library, because unknown kinds of
 * sections crash the library. Throws MediaError `refused_offer`, which names the line, if the offer contains something that is
 * not allowed. Candidates that may not be used and unknown attributes are dropped, because ordinary browsers send them.
 *
 * @param isAdmittedAddress whether packets may be sent to an IP address that a candidate names
 */
export function admittedOffer(sdp: string, isAdmittedAddress: (address: string) => boolean): string {
  const { session, sections } = offerParts(sdp);
  if (sections.length === 0)
    throw MediaError.refusedOffer(`The offer has no media section, nothing to connect. ${remedy}`);
  const candidates = new CandidateFilter(isAdmittedAddress);
  const kinds = new Set<SectionKind>();
  const admitted = [
    ...sessionHead(session),
    ...admittedAttributes(session, "session"),
    ...sections.flatMap((section) => admittedSection(section, kinds, candidates)),
  ];
  checkMids(sections);
  return admitted.map((line) => `${line}\r\n`).join("");
}

const headForms = [/^v=0$/, /^o=\S{1,64} \d{1,20} \d{1,20} IN IP[46] [\w.:-]{1,64}$/, /^s=.{0,256}$/];

/** The lines that every description begins with (RFC 8866 §5). The other lines of this part are not used here. */
function sessionHead(session: readonly OfferLine[]): string[] {
  const [version = "", origin = ""] = headForms.map((form, index) => {
    const line = session[index] ?? { number: index + 1, text: "" };
    if (!form.test(line.text))
      throw refusedLine(line, "is not how a description begins.", "Send the v=, o= and s= lines first.");
    return line.text;
  });
  return [version, origin, "s=-", "t=0 0"];
}

function admittedSection(
  { head, lines }: OfferSection,
  kinds: Set<SectionKind>,
  candidates: CandidateFilter,
): string[] {
  const { kind, text } = sectionHead(head);
  if (kinds.has(kind)) throw refusedLine(head, `is a second ${kind} section.`, remedy);
  kinds.add(kind);
  return [
    text,
    // The address is not used: the candidates contain the addresses of the client.
    "c=IN IP4 0.0.0.0",
    ...lines.map((line) => line.text).filter((line) => /^b=(?:AS|TIAS):\d{1,9}$/.test(line)),
    ...candidates.admitted(lines),
    ...admittedAttributes(lines, kind),
  ];
}

function sectionHead(head: OfferLine): { kind: SectionKind; text: string } {
  const [, kind = "", port, protocol = "", formats = ""] =
    /^m=([!-~]+) (\d{1,5}) ([!-~]+) ([!-~]+(?: [!-~]+)*)$/.exec(head.text) ?? [];
  if (!isSectionKind(kind)) throw refusedLine(head, "is no section that the service uses.", remedy);
  if (!protocols[kind].includes(protocol))
    throw refusedLine(head, "names an unknown protocol.", `Use ${protocols[kind][0]}.`);
  const isOfForm = kind === "application" ? isDataFormat(formats) : isPayloadTypes(formats.split(" "));
  if (!isOfForm)
    throw refusedLine(
      head,
      "names formats that cannot be used.",
      kind === "application"
        ? "Use webrtc-datachannel."
        : `Name up to ${payloadTypesMax} payload types from 0 to 127, each once.`,
    );
  // Port 0 means that the section is not used (RFC 8843: or bundled). Any other port is that of a candidate.
  return { kind, text: `m=${kind} ${Number(port) === 0 ? 0 : 9} ${protocol} ${formats}` };
}

function isSectionKind(kind: string): kind is SectionKind {
  return Object.hasOwn(protocols, kind);
}

function isDataFormat(formats: string): boolean {
  return /^(?:webrtc-datachannel|\d{1,5})$/.test(formats);
}

function isPayloadTypes(formats: readonly string[]): boolean {
  return (
    formats.length <= payloadTypesMax &&
    new Set(formats).size === formats.length &&
    formats.every((format) => /^\d{1,3}$/.test(format) && Number(format) <= 127)
  );
}

/** Checks that the ids of the sections are different, because ids identify sections (RFC 8843 §5). */
function checkMids(sections: readonly OfferSection[]): void {
  const seen = new Set<string>();
  for (const line of sections.flatMap(({ lines }) => lines)) {
    if (!line.text.startsWith("a=mid:")) continue;
    if (seen.has(line.text)) throw refusedLine(line, "names two sections alike.", "Give each its own mid.");
    seen.add(line.text);
  }
}
