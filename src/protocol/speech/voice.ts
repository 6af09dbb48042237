import * as z from "zod";

/** A voice of the speech service (interface specification, Voice). */
export const voiceSchema = z.object({
  voice_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  description: z.string(),
});
export type Voice = z.infer<typeof voiceSchema>;

/** The fields by which voices can be sorted. */
export const voiceSorts = ["created_at", "name"] as const;
export type VoiceSort = (typeof voiceSorts)[number];

export const sortDirections = ["asc", "desc"] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Query of GET /api/speech/v2/voices (interface specification, Speech voices). */
export const voicesQuerySchema = z.object({
  page_size: z.number().int().min(1).max(100).default(30),
  next_page_token: z.string().min(1).max(4_096).optional(),
  search: z.string().max(200).default(""),
  sort: z.enum(voiceSorts).default("created_at"),
  sort_direction: z.enum(sortDirections).default("desc"),
  /** Has no effect: the count is always sent, because clients of the third-party SDK cannot read a page without it. */
  include_total_count: z.boolean().default(true),
  /** Each entry one identifier or several, comma-separated. */
  voice_ids: z.array(z.string().max(10_000)).max(100).optional(),
});
export type VoicesQuery = z.infer<typeof voicesQuerySchema>;

/** One page of voices. `next_page_token` is null on the last page. `total_count` counts all pages. */
export const voicesPageSchema = z.object({
  voices: z.array(voiceSchema),
  has_more: z.boolean(),
  next_page_token: z.string().nullable(),
  total_count: z.number().int(),
});
export type VoicesPage = z.infer<typeof voicesPageSchema>;

/** The listing: an array with only the page, or the page itself for clients of the third-party SDK. */
export const voicesAnswerSchema = z.union([z.array(voicesPageSchema).length(1), voicesPageSchema]);

/** The content of a page token: the sort order, and the last voice of its page (sort value, then id). */
export const voicesPlaceSchema = z.tuple([
  z.enum(voiceSorts),
  z.enum(sortDirections),
  z.string(),
  z.string(),
]);
export type VoicesPlace = z.infer<typeof voicesPlaceSchema>;
