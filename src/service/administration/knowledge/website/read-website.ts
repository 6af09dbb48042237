import { setTimeout as pause } from "node:timers/promises";
import {
  websiteMaxPages,
  type WebsitePaths,
  type WebsiteReason,
} from "../../../../protocol/console/websites.ts";
import type { StoredPage, StoredReport } from "../../../store/entities/websites.ts";
import { documentPassages } from "../../../knowledge/reading/document-passages.ts";
import type { PageReading } from "../reading/reading-jobs.ts";
import type { TextReader } from "../reading/text-reader.ts";
import { isPathOf, pageAddress, pagePath, PageQueue } from "./page-queue.ts";
import { readRobots, type Robots } from "./robots.ts";
import { sitemapPages } from "./sitemaps.ts";
import { WebsiteFault } from "./website-fault.ts";
import { callWebsite, type WebsiteAnswer, type WebsiteCalls } from "./website-fetch.ts";
import { type ReadPage, websiteText } from "./website-text.ts";

/** A website to read, and who is told how far it is. */
export interface WebsiteOrder extends Pick<WebsiteCalls, "fetch" | "signal"> {
  reader: Pick<TextReader, "read">;
  /** The address of a page or of a sitemap. */
  address: string;
  onProgress(report: StoredReport): Promise<void>;
  /** The least time between two requests, in ms. */
  pauseMs: number;
  /** Which pages are read. Default: all. */
  paths?: WebsitePaths;
}

/** What was read of a website. */
export interface WebsiteReading {
  text: string;
  report: StoredReport;
}

/** The most pages in a report: those that were called, and those that nobody called. */
const maxReported = 500;
const pageMaxBytes = 5 * 1024 * 1024;
const fileMaxBytes = 20 * 1024 * 1024;
const pageTypes =
  /^(?:text\/html|application\/xhtml\+xml|text\/plain|text\/markdown|text\/xml|application\/xml|application\/pdf|application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document|)$/;
const fileTypes = /^(?:application\/.*|binary\/octet-stream|)$/;
const pageAccept = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.8, application/pdf;q=0.5";

/** What a file is by its media type or by the end of its path; null: a page. */
function fileKind(type: string, { pathname }: URL): "pdf" | "docx" | null {
  if (type === "application/pdf" || (/\.pdf$/i.test(pathname) && fileTypes.test(type))) return "pdf";
  const isWord =
    type.endsWith("wordprocessingml.document") || (/\.docx$/i.test(pathname) && fileTypes.test(type));
  return isWord ? "docx" : null;
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const fetchPage = (calls: WebsiteCalls, url: URL, origin: string | null): Promise<WebsiteAnswer> =>
  callWebsite(calls, url.href, {
    ...(/\.(?:pdf|docx)$/i.test(url.pathname)
      ? { maxBytes: fileMaxBytes, types: new RegExp(`${pageTypes.source}|${fileTypes.source}`) }
      : { maxBytes: pageMaxBytes, types: pageTypes }),
    accept: pageAccept,
    origin,
  });

/** How often a website may need more time or memory than a text may. After that it is given up. */
const maxStops = 2;

/** Reads texts of a website in the thread. One that had to be stopped is `too_complex`, and finally the whole website is. */
function readsOf({ reader, signal }: WebsiteOrder): WebsiteCalls["read"] {
  let stops = 0;
  return async (kind, given) => {
    const isFile = kind === "pdf" || kind === "docx";
    // Files that take long are no attack, and yet only a few of them are tried.
    if (isFile && stops >= maxStops) throw new WebsiteFault("too_complex");
    const outcome = await reader.read(kind, given);
    signal.throwIfAborted();
    if ("read" in outcome) return outcome.read;
    if (!outcome.isStopped) throw new WebsiteFault("no_text");
    stops += 1;
    throw new WebsiteFault("too_complex", { isFinal: stops >= maxStops && !isFile });
  };
}

/** What a page says, or what the sitemap names that it is. */
async function readPage({ read }: WebsiteCalls, answer: WebsiteAnswer): Promise<PageReading> {
  const { bytes, charset, type, url, isNoindex } = answer;
  const kind = fileKind(type, url);
  if (kind !== null) return filePage(await read(kind, bytes), answer);
  const isPlain = type === "text/plain" || type === "text/markdown";
  const page = await read("page", { bytes, charset, isPlain });
  return { ...page, isNoindex: page.isNoindex || isNoindex };
}

/** A file as a page, whose title is its name. */
async function filePage(text: string, { url, isNoindex }: WebsiteAnswer): Promise<PageReading> {
  const title = pagePath(new URL(url.pathname, url)).split("/").at(-1) ?? "";
  const passages = (await documentPassages(text)).length;
  return { title, text, passages, links: [], base: null, isNoindex, sitemap: null };
}

/** A page that was called, and perhaps read. */
interface AnsweredPage {
  answer: WebsiteAnswer;
  read?: PageReading;
}

/** Reads a website page by page. */
class WebsiteWalk {
  readonly #calls: WebsiteCalls;
  readonly #order: WebsiteOrder;
  readonly #robots: Robots;
  readonly #origin: string;
  readonly queue: PageQueue;
  readonly #pages: StoredPage[] = [];
  readonly #read: (ReadPage & { page: StoredPage })[] = [];
  readonly #texts = new Set<string>();
  /** How many pages were called. */
  #called = 0;
  /** Whether links lead to further pages. False: an owner who gave a sitemap wants its pages only. */
  followsLinks = true;

  constructor(
    order: WebsiteOrder,
    calls: WebsiteCalls,
    { origin, robots }: { origin: string; robots: Robots },
  ) {
    this.#order = order;
    this.#calls = calls;
    this.#origin = origin;
    this.#robots = robots;
    this.queue = new PageQueue(origin);
  }

  report(reading: string | null): StoredReport {
    const room = Math.max(0, websiteMaxPages - this.#called);
    const left = this.queue.length;
    return {
      pages: [...this.#pages],
      reading,
      waiting: Math.min(left, room),
      beyond: Math.max(0, left - room) + this.queue.dropped,
    };
  }

  /** Takes in a page's answer. Throws WebsiteFault. */
  async #take({ answer, read }: AnsweredPage, page: StoredPage): Promise<void> {
    const { url } = answer;
    // A redirect may lead to another page that is read already, or that robots.txt forbids.
    const address = new URL(`${url.pathname}${url.search}`, this.#origin);
    if (!(await this.#robots.allows(address))) throw new WebsiteFault("robots");
    const isSame = pagePath(pageAddress(url)) === page.path;
    if (!isSame && !this.queue.see(pageAddress(url))) throw new WebsiteFault("same_text");
    this.#keep(read ?? (await readPage(this.#calls, answer)), url, page);
  }

  #keep(
    { title, text, passages, sitemap, links, base, isNoindex }: PageReading,
    url: URL,
    page: StoredPage,
  ): void {
    if (sitemap) for (const address of sitemap.pages) this.queue.add(address, url);
    const origin = base !== null && URL.canParse(base, url.href) ? new URL(base, url) : url;
    if (this.followsLinks) for (const link of links) this.queue.add(link, origin);
    if (isNoindex) throw new WebsiteFault("noindex");
    if (!this.#isWanted(url)) throw new WebsiteFault("excluded");
    if (!hasWords(text)) throw new WebsiteFault("no_text");
    if (this.#texts.has(text)) throw new WebsiteFault("same_text");
    this.#texts.add(text);
    this.#read.push({ path: page.path, title, text, page });
    page.passages = passages;
  }

  #isWanted(url: URL): boolean {
    const { include, exclude } = this.#order.paths ?? { include: [], exclude: [] };
    const path = pagePath(pageAddress(url));
    return (include.length === 0 || isPathOf(path, include)) && !isPathOf(path, exclude);
  }

  /** Notes pages that nobody calls. */
  leaveOut(urls: readonly URL[], reason: WebsiteReason): void {
    for (const url of urls)
      if (this.#pages.length < maxReported)
        this.#pages.push({ path: pagePath(url), left_out: reason, passages: 0 });
  }

  /** Reads one page, with the answer if it is there already. */
  async visit(url: URL, answered?: AnsweredPage): Promise<void> {
    const page: StoredPage = { path: pagePath(url), left_out: null, passages: 0 };
    this.#called += 1;
    try {
      await this.#take(answered ?? { answer: await fetchPage(this.#calls, url, this.#origin) }, page);
    } catch (error) {
      if (!(error instanceof WebsiteFault) || error.isFinal) throw error;
      page.left_out = error.reason;
    }
    this.#pages.push(page);
  }

  /** Whether robots.txt allows a page. If not, or if its rules take too long, the page is left out. */
  async #mayCall(url: URL): Promise<boolean> {
    try {
      if (await this.#robots.allows(url)) return true;
      this.leaveOut([url], "robots");
    } catch (error) {
      if (!(error instanceof WebsiteFault) || error.isFinal) throw error;
      this.leaveOut([url], error.reason);
    }
    return false;
  }

  /** Reads the pages of the queue. */
  async follow(): Promise<void> {
    const { onProgress, pauseMs, signal } = this.#order;
    while (this.#called < websiteMaxPages) {
      const url = this.queue.next();
      if (url === undefined) break;
      if (!this.#isWanted(url)) {
        this.leaveOut([url], "excluded");
        continue;
      }
      if (!(await this.#mayCall(url))) continue;
      await onProgress(this.report(pagePath(url)));
      await pause(Math.max(pauseMs, this.#robots.delayMs), undefined, { signal });
      await this.visit(url);
    }
  }

  /** The text of all pages. Throws the WebsiteFault of the first page when there is none. */
  async result(): Promise<WebsiteReading> {
    this.leaveOut(this.queue.files, "not_a_page");
    if (this.#read.length === 0) throw new WebsiteFault(this.#pages[0]?.left_out ?? "no_text");
    const { text, parts } = websiteText(this.#read);
    for (const [index, { page }] of this.#read.entries()) {
      const part = parts[index] ?? null;
      page.left_out = part === null ? "no_room" : null;
      page.passages = part === null ? 0 : (await documentPassages(part)).length;
      page.characters = part?.length ?? 0;
    }
    return { text, report: this.report(null) };
  }
}

/**
 * Reads a website: the pages that its address leads to by links, and those in its sitemaps, of the same origin, as far as robots.txt
 * allows. A first page that leads to another origin (as to www) makes that one the website. Rejects with WebsiteFault when nothing
 * could be read, and with the signal's reason.
 */
export async function readWebsite(order: WebsiteOrder): Promise<WebsiteReading> {
  const calls: WebsiteCalls = { ...order, read: readsOf(order) };
  const start = pageAddress(order.address);
  const asked = await readRobots(calls, start.origin);
  if (!(await asked.allows(start))) throw new WebsiteFault("robots");
  const first = await fetchPage(calls, start, null);
  const { origin } = first.url;
  const robots = origin === start.origin ? asked : await readRobots(calls, origin);
  const walk = new WebsiteWalk(order, calls, { origin, robots });
  const read = await readPage(calls, first);
  if (read.sitemap) {
    const { pages, sitemaps } = read.sitemap;
    walk.followsLinks = false;
    for (const page of [...pages, ...(await sitemapPages(calls, sitemaps, origin))]) walk.queue.add(page);
  } else {
    const landed = pageAddress(first.url);
    walk.queue.see(landed);
    await walk.visit(landed, { answer: first, read });
    const named = robots.sitemaps.length > 0 ? robots.sitemaps : [`${origin}/sitemap.xml`];
    for (const page of await sitemapPages(calls, named, origin)) walk.queue.add(page);
  }
  await walk.follow();
  return walk.result();
}
