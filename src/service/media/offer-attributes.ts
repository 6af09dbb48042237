import type { OfferLine } from "./offer-lines.ts";
import { refusedLine } from "./offer-lines.ts";

/** Which `m=` section a line belongs to. */
export type SectionKind = "audio" | "video" | "application";

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
const payloadTypesMax = 64;

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
  rtpmap: { form: /^\d{1,3} [\w.-]{1,32}\/\d{1,6}(?:\/[1-8])?$/, max: payloadTypesMax, places: rtp },
  fmtp: { form: /^\d{1,3} [\x20-\x7e]{1,512}$/, max: payloadTypesMax, places: rtp },
  "rtcp-fb": { form: /^(?:\d{1,3}|\*) [\w .-]{1,64}$/, max: 8 * payloadTypesMax, places: rtp },
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
export function admittedAttributes(lines: readonly OfferLine[], place: "session" | SectionKind): string[] {
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
