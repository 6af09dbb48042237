import * as z from "zod";

/** The most pages that are read of a website. */
export const websiteMaxPages = 200;

/** How often a website is read again. */
export const websiteSchedules = ["never", "day", "week"] as const;
const schedule = z.enum(websiteSchedules);
export type WebsiteSchedule = z.infer<typeof schedule>;

/** Why a page was left out, or a whole website could not be read. */
export const websiteReasons = [
  /** The website's robots.txt forbids it. */
  "robots",
  /** The robots.txt itself cannot be read, so that everything counts as forbidden. */
  "robots_unreadable",
  /** The page asks not to be indexed. */
  "noindex",
  /** The owner left it out. */
  "excluded",
  "not_found",
  /** It is not for everybody. */
  "refused",
  "server_error",
  /** A file of another kind. */
  "not_a_page",
  /** It leads to another website. */
  "other_website",
  "no_text",
  /** Another page has the same text. */
  "same_text",
  "too_large",
  /** Reading it takes more time or memory than its size explains. */
  "too_complex",
  "timeout",
  "unreachable",
  /** There is no website of this name. */
  "no_host",
  /** Its certificate is not valid. */
  "certificate",
  /** It is only there without encryption. */
  "not_secure",
  /** It leads from one address to the next without an end. */
  "too_many_redirects",
  /** The document has its longest length. */
  "no_room",
] as const;
export const websiteReasonSchema = z.enum(websiteReasons);
export type WebsiteReason = z.infer<typeof websiteReasonSchema>;

/** What became of a page. */
export const websitePageSchema = z.object({
  /** Path and query. */
  path: z.string(),
  /** Null: it was read. */
  left_out: websiteReasonSchema.nullable(),
  /** How many passages it has. */
  passages: z.number().int(),
});
export type WebsitePage = z.infer<typeof websitePageSchema>;

/** How far the reading of a website is, or what the last one found. */
export const websiteReportSchema = z.object({
  pages: z.array(websitePageSchema),
  /** The path that is being read; null: none. */
  reading: z.string().nullable(),
  /** How many pages are known that are not read yet. */
  waiting: z.number().int(),
  /** How many pages were found beyond the most that are read. */
  beyond: z.number().int(),
});
export type WebsiteReport = z.infer<typeof websiteReportSchema>;

/** `waiting`: its turn comes. `stopped`: somebody stopped the reading; what was read before stays. */
export const websiteStateSchema = z.enum(["waiting", "reading", "ready", "failed", "stopped"]);
export type WebsiteState = z.infer<typeof websiteStateSchema>;

/** The most paths of each kind. */
const maxPaths = 200;
const paths = z.array(z.string().trim().min(1).max(2_000).startsWith("/")).max(maxPaths);

/**
 * Which pages of a website are read: paths with all that is below them. `*` stands for anything, and `$` at the end for the end.
 */
export const websitePathsSchema = z.object({
  /** None: all pages. */
  include: paths,
  exclude: paths,
});
export type WebsitePaths = z.infer<typeof websitePathsSchema>;

/** A website that avatars answer from. */
export const websiteSchema = z.object({
  /** Also the id of its document. */
  id: z.string(),
  address: z.string(),
  every: schedule,
  ...websitePathsSchema.shape,
  state: websiteStateSchema,
  /** Why it failed. */
  problem: websiteReasonSchema.nullable(),
  report: websiteReportSchema,
  /** Whether there is a document with its text. */
  has_document: z.boolean(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** When it is read again; null: never. */
  next_at: z.string().nullable(),
  created_at: z.string(),
});
export type Website = z.infer<typeof websiteSchema>;

/** Answer of GET /api/console/websites/. */
export const websiteListSchema = z.array(websiteSchema);

/** Body of POST /api/console/websites/: the address of a page or of a sitemap, and the avatars that answer from it. */
export const websiteCreateSchema = z.object({
  address: z.string().trim().min(1).max(2_000),
  every: schedule.default("never"),
  contexts: z.array(z.string().max(255)).max(200).optional(),
  include: paths.default([]),
  exclude: paths.default([]),
});

/** Body of PUT /api/console/websites/{website}/. */
export const websiteChangeSchema = z.object({ every: schedule, ...websitePathsSchema.partial().shape });

/** Body of POST /api/console/websites/{website}/leave-out/: the path and query of a page. */
export const websiteLeaveOutSchema = z.object({ path: z.string().min(1).max(2_000) });
