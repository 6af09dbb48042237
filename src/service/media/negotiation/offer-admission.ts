import { MediaError } from "../media-error.ts";
import { isIP } from "node:net";

/** Limits of an offer. Browsers send about 300 lines; the longest have 250 characters. */
const linesMax = 1_000;
const lineMaxLength = 1_024;

/** An error message quotes at most this many characters of a line. */
const shownMaxLength = 60;

/** One line of an offer, without its line end. */
interface OfferLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** One section of an offer: its `m=` line and the lines up to the next one. */
interface OfferSection {
  readonly head: OfferLine;
  readonly lines: OfferLine[];
}

/** An offer as lines: first those of the whole session, then its sections. */
interface OfferParts {
  readonly session: OfferLine[];
  readonly sections: OfferSection[];
}

/** The error for a line that is not accepted. `fault` says what is wrong, `remedy` what to send instead. */
function refusedLine({ number, text }: OfferLine, fault: string, remedy: string): MediaError {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  const shown = printable.length > shownMaxLength ? `${printable.slice(0, shownMaxLength)}…` : printable;
  return MediaError.refusedOffer(`Line ${number} of the offer ("${shown}") ${fault} ${remedy}`);
}

/** Splits an offer (RFC 8866) into sections. Throws MediaError `refused_offer`. */
function offerParts(sdp: string): OfferParts {
  const parts: OfferParts = { session: [], sections: [] };
  for (const line of linesOf(sdp)) {
    if (line.text.startsWith("m=")) parts.sections.push({ head: line, lines: [] });
    else (parts.sections.at(-1)?.lines ?? parts.session).push(line);
  }
  return parts;
}

function linesOf(sdp: string): OfferLine[] {
  const texts = sdp.split(/\r?\n/, linesMax + 2);
  if (texts.at(-1) === "") texts.pop();
  if (texts.length > linesMax)
    throw MediaError.refusedOffer(`The offer has more than ${linesMax} lines. Send a shorter one.`);
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  for (const line of lines) checkLine(line);
  return lines;
}

function checkLine(line: OfferLine): void {
  if (line.text.length > lineMaxLength)
    throw refusedLine(line, "is too long.", `A line may have ${lineMaxLength} characters.`);
  if (!/^[a-z]=/.test(line.text))
    throw refusedLine(line, "is not a line of a session description.", "Write a letter, = and a value.");
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line.text))
    throw refusedLine(line, "contains a control character.", "Remove it.");
}

/** Which `m=` section a line belongs to. */
type SectionKind = "audio" | "video" | "application";

/** What is accepted for one attribute. */
interface AttributeRule {
  /** The form of its value; undefined if it has no value. */
  form?: RegExp;
  /** How often it may occur in one section or in the session part. Default 1. */
  max?: number;
  /** Where it is used; elsewhere it is dropped. Default: everywhere. */
  places?: readonly ("session" | SectionKind)[];
}

const rtp = ["audio", "video"] as const;
const sections = [...rtp, "application"] as const;
const direction: AttributeRule = { places: rtp };
const describedTypesMax = 64;

/**
 * The attributes that the service uses (RFC 8866, 8829, 8839, 8841, 8843; Chromium's `x-google-…` are fmtp parameters). All
 * others are dropped, as SDP requires for unknown attributes, so that they cannot harm the WebRTC library.
 */
const rules: Readonly<Record<string, AttributeRule>> = {
  group: { form: /^BUNDLE(?: [!#-'*+\-.\w^`{|}~]{1,32}){0,3}$/, places: ["session"] },
  "extmap-allow-mixed": {},
  "msid-semantic": { form: /^ ?WMS(?: \S{1,64}){0,8}$/, places: ["session"] },
  "ice-lite": { places: ["session"] },
  "ice-ufrag": { form: /^[\w+/=-]{4,256}$/ },
  "ice-pwd": { form: /^[\w+/=-]{22,256}$/ },
  "ice-options": { form: /^[\w+/-]{1,32}(?: [\w+/-]{1,32}){0,7}$/ },
  fingerprint: { form: /^sha-(?:1|224|256|384|512) [\dA-F]{2}(?::[\dA-F]{2}){19,63}$/i, max: 4 },
  setup: { form: /^(?:actpass|active|passive)$/ },
  mid: { form: /^[!#-'*+\-.\w^`{|}~]{1,32}$/, places: sections },
  extmap: {
    form: /^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\/(?:sendrecv|sendonly|recvonly|inactive))? [\x21-\x7e]{1,200}$/,
    max: 32,
    places: rtp,
  },
  sendrecv: direction,
  sendonly: direction,
  recvonly: direction,
  inactive: direction,
  "rtcp-mux": { places: rtp },
  "rtcp-mux-only": { places: rtp },
  "rtcp-rsize": { places: rtp },
  "bundle-only": { places: sections },
  msid: { form: /^[\x21-\x7e]{1,128}(?: [\x21-\x7e]{1,128})?$/, max: 4, places: ["audio"] },
  rtpmap: { form: /^\d{1,3} [\w.-]{1,32}\/\d{1,6}(?:\/[1-8])?$/, max: describedTypesMax, places: rtp },
  fmtp: { form: /^\d{1,3} [\x20-\x7e]{1,512}$/, max: describedTypesMax, places: rtp },
  "rtcp-fb": { form: /^(?:\d{1,3}|\*) [\w .-]{1,64}$/, max: 8 * describedTypesMax, places: rtp },
  maxptime: { form: /^\d{1,4}$/, places: ["audio"] },
  ssrc: {
    form: /^\d{1,10} (?:cname|msid|mslabel|label):[\x20-\x7e]{1,256}$/,
    max: 16,
    places: ["audio"],
  },
  "sctp-port": { form: /^\d{1,5}$/, places: ["application"] },
  sctpmap: { form: /^\d{1,5} webrtc-datachannel(?: \d{1,5})?$/, places: ["application"] },
  "max-message-size": { form: /^\d{1,10}$/, places: ["application"] },
  "end-of-candidates": { places: sections },
};

const directions = new Set(["sendrecv", "sendonly", "recvonly", "inactive"]);

/** The service receives no video, so the direction of the client's video is changed to one in which the client does not send. */
const withoutSending: Readonly<Record<string, string>> = { sendrecv: "recvonly", sendonly: "inactive" };

/**
 * The attribute lines of one section, or of the session part, that the service uses, in their order. Throws MediaError
 * `refused_offer` for a line that has the wrong form or occurs too often.
 */
function admittedAttributes(lines: readonly OfferLine[], place: "session" | SectionKind): string[] {
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, name = "", value] = /^a=([^:]*)(?::(.*))?$/.exec(line.text) ?? [];
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule || (rule.places && !rule.places.includes(place))) return [];
    const isOfForm = rule.form ? value !== undefined && rule.form.test(value) : value === undefined;
    if (!isOfForm)
      throw refusedLine(line, "is not of the form that its attribute has.", "Send it as a browser does.");
    const counted = directions.has(name) ? "direction" : name;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    if (count > (rule.max ?? 1)) throw refusedLine(line, "comes too often.", "Remove the repetitions.");
    return place === "video" && withoutSending[name] ? [`a=${withoutSending[name]}`] : [line.text];
  });
}

/** The most candidates of one offer that are used, because each causes checks from every address of this machine. */
const candidatesMax = 20;

/** Ports below this belong to well-known services. NATs do not assign them to browsers, except the two below. */
const firstFreePort = 1_024;
const allowedLowPorts = [80, 443];

const form =
  /^a=candidate:([\w+/]{1,32}) 1 udp (\d{1,10}) ([\da-f.:]{2,45}) (\d{1,5}) typ (host|srflx|prflx|relay)(?: |$)/i;

/** Selects the candidates of one offer that may be used. The limit counts over all sections. */
class CandidateFilter {
  readonly #isAdmittedAddress: (address: string) => boolean;
  readonly #seen = new Set<string>();

  /** `isAdmittedAddress`: whether packets may be sent to an IP address. */
  constructor(isAdmittedAddress: (address: string) => boolean) {
    this.#isAdmittedAddress = isAdmittedAddress;
  }

  /**
   * The candidates of one section that may be used, reduced to the needed fields. Others are dropped: TCP, those of RTCP,
   * host names (also mDNS names, because nothing here should look up names that clients send) and addresses that are not
   * admitted. Connections do not need them: checks of a client that reaches this machine are answered to their source.
   */
  admitted(lines: readonly OfferLine[]): string[] {
    return lines.flatMap(({ text }) => {
      const [, foundation, priority, address = "", port = "", type = ""] = form.exec(text) ?? [];
      if (isIP(address) === 0 || Number(priority) > 0xffffffff || !isUsablePort(Number(port))) return [];
      if (!this.#hasRoomFor(`${address.toLowerCase()} ${port}`) || !this.#isAdmittedAddress(address))
        return [];
      this.#seen.add(`${address.toLowerCase()} ${port}`);
      const kind = type.toLowerCase();
      // The library requires a base address. A placeholder is enough, and keeps the client's local address private.
      const base = kind === "host" ? "" : ` raddr ${isIP(address) === 6 ? "::" : "0.0.0.0"} rport 0`;
      return [
        `a=candidate:${foundation} 1 udp ${priority} ${address} ${port} typ ${kind}${base} generation 0`,
      ];
    });
  }

  /** Whether this candidate is within the limit. Bundled sections repeat each other's candidates, which count once. */
  #hasRoomFor(place: string): boolean {
    return this.#seen.has(place) || this.#seen.size < candidatesMax;
  }
}

function isUsablePort(port: number): boolean {
  return (port >= firstFreePort && port <= 65_535) || allowedLowPorts.includes(port);
}

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
