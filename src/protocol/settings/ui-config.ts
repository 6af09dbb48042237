import * as z from "zod/mini";
import { variants, type Variant } from "./variant.ts";

const shortText = z.string().check(z.maxLength(200));
const longText = z.string().check(z.maxLength(2_000));

/** Hosts and addresses. */
const places = z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(50));

const variantNames = Object.keys(variants) as Variant[];

// The words for these patterns in error messages are in `service/http/operations/validation.ts`: browsers parse with the same
// schemas, and need no words.
export const colorPattern = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
export const linkPattern = /^https:\/\/[^\s<>"']{1,2000}$/;
export const contactPattern = /^(?:https?:\/\/|mailto:|tel:)[^\s<>"']{1,2000}$/;
export const fontPattern = /^[\w\s,"'-]{1,200}$/;

/** The CSS colours that an owner can set: `#rgb` or `#rrggbb`. Nothing else may reach a style sheet. */
export const cssColorSchema = z.string().check(z.regex(colorPattern));

export const variantSchema = z.enum(variantNames);

export const placementSchema = z.enum([
  "bottom-right",
  "bottom-left",
  "top-right",
  "top-left",
  "bottom-center",
  "center-right",
]);
export type Placement = z.infer<typeof placementSchema>;

/** A link that is shown to visitors: https only. */
const httpsUrl = z.string().check(z.regex(linkPattern));

/** Where visitors reach the owner: a page, an e-mail address or a phone number. */
const contactUrl = z.string().check(z.regex(contactPattern));

/** The keys of `ui` that browsers read before the first frame, and keep all others (`late-settings.ts`). */
export const earlyUiSchema = z.looseObject({
  /** The avatar's own name, shown with "AI assistant". Default: the model style's title. */
  avatar_name: z.optional(shortText.check(z.minLength(1))),
  /** The owner of the assistant, as shown to visitors. Default: the context's name. */
  owner_name: z.optional(shortText),
  variant: z.optional(variantSchema),
  placement: z.optional(placementSchema),
  theme: z.optional(z.enum(["auto", "light", "dark"])),
  brand_color: z.optional(cssColorSchema),
  radius: z.optional(z.number().check(z.gte(0), z.lte(48))),
  font: z.optional(z.string().check(z.regex(fontPattern))),
  /** The languages of conversations and labels, as BCP 47 tags, the one for all other visitors first. Default: all. */
  languages: z.optional(z.array(z.string().check(z.maxLength(10))).check(z.maxLength(50))),
  /** Replacements for the widget's texts, by text key. */
  texts: z.optional(z.record(z.string().check(z.maxLength(64)), longText)),
  suggestions: z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(6))),
  /** Shown before the start; the session begins only when the visitor chooses to start it. */
  consent_text: z.optional(longText),
  /** How long the visitor's consent is remembered: until the tab is closed (default), or on the device. */
  consent_remember: z.optional(z.enum(["session", "device"])),
  privacy_url: z.optional(httpsUrl),
  /** How else the owner can be reached, on the error page and after a question without an answer. */
  contact_url: z.optional(contactUrl),
  captions: z.optional(z.boolean()),
  text_input: z.optional(z.boolean()),
  voice_mode: z.optional(z.enum(["push-to-talk", "hands-free", "both", "off"])),
  /** Whether visitors can rate answers and conversations. Default: true. */
  feedback: z.optional(z.boolean()),
  /**
   * Where links in answers may lead; others are shown as text. A host (`shop.example`, `*.shop.example`, `*`), an address
   * with everything below it, `mailto:` or `tel:`. Default: the page's own origin.
   */
  links_allowed: z.optional(places),
  /** Where pictures in answers may come from, in the same form. Default: none is shown. */
  images_allowed: z.optional(places),
});
export type UiConfig = z.infer<typeof earlyUiSchema>;
