import * as z from "zod";
import { originSchema } from "../settings/embed-config.ts";

/** Why pages of an address may or may not show an avatar. */
export const originReasons = [
  "listed",
  "own",
  "not_an_address",
  "nothing_listed",
  "other_scheme",
  "other_port",
  "with_www",
  "without_www",
  "other_part",
  "not_listed",
] as const;
export type OriginReason = (typeof originReasons)[number];

/** Body of POST /api/console/origin-check/: any address of the site, and the origins that the form has now. */
export const originCheckSchema = z.object({
  page: z.string().min(1).max(2_000),
  allowed_origins: z.array(originSchema).max(200),
});

/** Its answer. */
export const originVerdictSchema = z.object({
  allowed: z.boolean(),
  /** What has to be in the list; null where the text is no address. */
  origin: z.string().nullable(),
  reason: z.enum(originReasons),
  /** The entry of the list that admits it, or that nearly does. */
  entry: z.string().nullable(),
  /** The reason in English. */
  detail: z.string(),
});
export type OriginVerdict = z.infer<typeof originVerdictSchema>;
