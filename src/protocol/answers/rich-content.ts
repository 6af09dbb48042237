import * as z from "zod/mini";

/*
 * What an answer may show besides text. It comes from the page, from a tool or from a tool server, so from strangers: the schemas
 * limit every size and count, and nothing in it is markup.
 */

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const address = z.string().check(z.minLength(1), z.maxLength(2_000));
const actionName = z.string().check(z.regex(/^[\w.:-]{1,64}$/));

/** A button. It sends a question, tells the page (`action`), or is a link (`href`). Without any of them it sends its label. */
export const richButtonSchema = z.object({
  label: text(80),
  send: z.optional(text(500)),
  action: z.optional(actionName),
  href: z.optional(address),
});
export type RichButton = z.infer<typeof richButtonSchema>;

/** A picture of a card: shown if `ui.images_allowed` of the context has its address. */
export const richPictureSchema = z.object({
  src: address,
  /** What the picture shows, for those who do not see it. */
  alt: z.optional(z.string().check(z.maxLength(200))),
});

/** A card. `href` makes its title a link, if `ui.links_allowed` of the context has the address. */
export const richCardSchema = z.object({
  title: text(120),
  text: z.optional(text(500)),
  price: z.optional(text(40)),
  picture: z.optional(richPictureSchema),
  href: z.optional(address),
  buttons: z.optional(z.array(richButtonSchema).check(z.minLength(1), z.maxLength(3))),
});
export type RichCard = z.infer<typeof richCardSchema>;

export const richFieldTypes = ["text", "email", "tel", "number", "date", "multiline", "choice"] as const;

/** A field of a form. `options` are the values of a `choice`. */
export const richFieldSchema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z][\w-]{0,39}$/)),
  label: text(80),
  type: z.optional(z.enum(richFieldTypes)),
  required: z.optional(z.boolean()),
  options: z.optional(z.array(text(80)).check(z.minLength(1), z.maxLength(12))),
});
export type RichField = z.infer<typeof richFieldSchema>;

/** A form. It sends a question with its labels and values, or tells the page (`action`). */
export const richFormSchema = z.object({
  title: z.optional(text(120)),
  fields: z.array(richFieldSchema).check(z.minLength(1), z.maxLength(4)),
  /** The label of its button. */
  submit: z.optional(text(40)),
  action: z.optional(actionName),
});
export type RichForm = z.infer<typeof richFormSchema>;

/** What is shown. At least one of these is there. */
export const richContentSchema = z.object({
  /** Questions that the visitor may ask next. */
  suggestions: z.optional(z.array(text(200)).check(z.minLength(1), z.maxLength(6))),
  buttons: z.optional(z.array(richButtonSchema).check(z.minLength(1), z.maxLength(6))),
  cards: z.optional(z.array(richCardSchema).check(z.minLength(1), z.maxLength(8))),
  form: z.optional(richFormSchema),
  /** Offers the ways to a person that the context has: `ui.handover_url`, `ui.handover_phone`, `ui.handover_event`. */
  handover: z.optional(z.boolean()),
});
export type RichContent = z.infer<typeof richContentSchema>;
