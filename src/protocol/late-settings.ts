import * as z from "zod/mini";

// Settings that browsers read only when they need them: their schemas are not loaded before the first frame.

export const personPattern = /^(?:https:\/\/|mailto:)[^\s<>"']{1,2000}$/;
export const phonePattern = /^\+?[\d ()./-]{3,40}$/;
export const dataLayerPattern = /^[A-Za-z_$][\w$]{0,63}$/;

/** The keys of `ui` that are read after the first frame. */
export const lateUiSchema = z.looseObject({
  /** A page or an e-mail address of a person (`https://`, `mailto:`). */
  handover_url: z.optional(z.string().check(z.regex(personPattern))),
  /** A person's phone number. */
  handover_phone: z.optional(z.string().check(z.regex(phonePattern))),
  /** The page takes over: a button that only sends it `visavis-handover`. Default: false. */
  handover_event: z.optional(z.boolean()),
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
}

/** The ways to a person that `ui` gives; null if there is none. */
export function readHandover(ui: unknown): Handover | null {
  const { handover_url: url, handover_phone: phone, handover_event } = lateUiSchema.safeParse(ui).data ?? {};
  const event = handover_event === true;
  return event || url !== undefined || phone !== undefined ? { url, phone, event } : null;
}

/** The name of the page's data layer; null if the owner wants no events there. */
export function readDataLayer(analytics: unknown): string | null {
  const wanted = analyticsSchema.safeParse(analytics).data?.data_layer;
  return wanted === true ? "dataLayer" : typeof wanted === "string" ? wanted : null;
}
