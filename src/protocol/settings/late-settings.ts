import * as z from "zod/mini";

// Settings that browsers read only when they need them: their schemas are not loaded before the first frame.

export const personPattern = /^(?:https:\/\/|mailto:)[^\s<>"']{1,2000}$/;
export const phonePattern = /^\+?[\d ()./-]{3,40}$/;
export const dataLayerPattern = /^[A-Za-z_$][\w$]{0,63}$/;

/** The keys of `ui` that are read after the first frame. */
/** What visitors can be asked for with a message, besides its text. */
export const messageFields = ["name", "email", "phone"] as const;
export type MessageField = (typeof messageFields)[number];

export const lateUiSchema = z.looseObject({
  /** A page or an e-mail address of a person (`https://`, `mailto:`). */
  handover_url: z.optional(z.string().check(z.regex(personPattern))),
  /** A person's phone number. */
  handover_phone: z.optional(z.string().check(z.regex(phonePattern))),
  /** The page takes over: a button that only sends it `visavis-handover`. Default: false. */
  handover_event: z.optional(z.boolean()),
  /** Visitors can leave a message, with these of their data. Empty, the default: they cannot. */
  handover_message: z.optional(z.array(z.enum(messageFields)).check(z.maxLength(messageFields.length))),
  /** What visitors agree to before a message is sent. Default: nothing. */
  handover_consent: z.optional(z.string().check(z.maxLength(2_000))),
});

export const analyticsSchema = z.looseObject({
  /** `true`: events go to `window.dataLayer`. A name: to that array of the window. Default: none. */
  data_layer: z.optional(z.union([z.boolean(), z.string().check(z.regex(dataLayerPattern))])),
});

/** How many days the words of conversations are kept. */
const retentionSchema = z.int().check(z.gte(0));

/** How many days the words of conversations are kept; 0, also where the relay does not say: they are not. */
export function readRetentionDays(days: unknown): number {
  return retentionSchema.safeParse(days).data ?? 0;
}

/** How visitors reach a person. */
export interface Handover {
  readonly url?: string | undefined;
  readonly phone?: string | undefined;
  readonly event: boolean;
  /** What a message asks for; empty: none can be left. */
  readonly message: readonly MessageField[];
  /** What visitors agree to before a message is sent; empty: nothing. */
  readonly consent: string;
}

/** The ways to a person that `ui` gives; null if there is none. */
export function readHandover(ui: unknown): Handover | null {
  const read = lateUiSchema.safeParse(ui).data ?? {};
  const { handover_url: url, handover_phone: phone, handover_message: message = [] } = read;
  const event = read.handover_event === true;
  const consent = read.handover_consent?.trim() ?? "";
  return event || url !== undefined || phone !== undefined || message.length > 0
    ? { url, phone, event, message, consent }
    : null;
}

/** The name of the page's data layer; null if the owner wants no events there. */
export function readDataLayer(analytics: unknown): string | null {
  const wanted = analyticsSchema.safeParse(analytics).data?.data_layer;
  return wanted === true ? "dataLayer" : typeof wanted === "string" ? wanted : null;
}
