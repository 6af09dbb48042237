/** The bytes of an answer, with the encoding that it names; null: none. */
export interface EncodedText {
  bytes: Uint8Array;
  charset: string | null;
}

/** What a sitemap names (sitemaps.org, protocol 0.9). */
export interface Sitemap {
  pages: string[];
  /** Further sitemaps. */
  sitemaps: string[];
}

/** What a page says. */
export interface PageReading {
  title: string;
  /** Markdown. */
  text: string;
  /** How many passages the text has. */
  passages: number;
  /** Addresses of its links, as they stand there. */
  links: string[];
  /** What relative addresses are relative to; null: the page's own address. */
  base: string | null;
  /** Whether it asks not to be indexed. */
  isNoindex: boolean;
  /** Set if the page is a sitemap, and then nothing else is. */
  sitemap: Sitemap | null;
}

/** What a robots.txt says to this reader (RFC 9309). */
export interface RobotsReading {
  /** For each of the asked addresses, whether it may be called. */
  allows: boolean[];
  sitemaps: string[];
  /** How long to wait between two requests, in seconds. */
  delaySec: number;
}

/** What is read in the worker thread, and what comes of it. Texts are Markdown. */
export interface ReadingJobs {
  pdf: { given: Uint8Array; read: string };
  docx: { given: Uint8Array; read: string };
  html: { given: Uint8Array; read: string };
  /** `isPlain`: the page is text or Markdown. */
  page: { given: EncodedText & { isPlain: boolean }; read: PageReading };
  /** Null: it is no sitemap. */
  sitemap: { given: EncodedText; read: Sitemap | null };
  robots: { given: EncodedText & { address: string; asked: string[] }; read: RobotsReading };
}

export type ReadingKind = keyof ReadingJobs;

/** One job for the thread. */
export type ReadingJob<Kind extends ReadingKind = ReadingKind> = {
  [K in Kind]: { kind: K; given: ReadingJobs[K]["given"] };
}[Kind];

/** Why something was not read, for the operator. `isStopped`: it took too long or too much memory. */
export interface Unread {
  problem: string;
  isStopped: boolean;
}

/** Says that the libraries of a job are loaded, and that its text is read from now on. */
export const readingBegins = "begins";

/** What came of a job. */
export type ReadingOutcome<Kind extends ReadingKind> = { read: ReadingJobs[Kind]["read"] } | Unread;
