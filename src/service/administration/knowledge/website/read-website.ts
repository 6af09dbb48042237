import { setTimeout as pause } from "node:timers/promises";
import { websiteMaxPages } from "../../../../protocol/console/websites.ts";
import type { WebsitePage, WebsiteReason, WebsiteReport } from "../../../../protocol/console/websites.ts";
import { documentPassages } from "../../../language/passages/document-index.ts";
import { htmlText } from "../files/html-text.ts";
import { pageLinks } from "./page-links.ts";
import { pageAddress, pagePath, PageQueue } from "./page-queue.ts";
import { readRobots, type Robots } from "./robots.ts";
import { isSitemap, parseSitemap, sitemapPages } from "./sitemap.ts";
import { WebsiteFault } from "./website-fault.ts";
import { answerText, callWebsite, type WebsiteAnswer, type WebsiteCalls } from "./website-fetch.ts";
import { websiteText, type ReadPage } from "./website-text.ts";

/** A website to read, and who is told how far it is. */
export interface WebsiteOrder extends WebsiteCalls {
  /** The address of a page or of a sitemap. */
  address: string;
  onProgress(report: WebsiteReport): Promise<void>;
  /** The least time between two requests, in ms. */
  pauseMs: number;
}

/** What was read of a website. */
export interface WebsiteReading {
  text: string;
  report: WebsiteReport;
}

/** The most pages in a report: those that were called, and those that nobody called. */
const maxReported = 500;
const pageMaxBytes = 5 * 1024 * 1024;
const pageTypes =
  /^(?:text\/html|application\/xhtml\+xml|text\/plain|text\/markdown|text\/xml|application\/xml|)$/;
const pageAccept = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.8";

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const fetchPage = (calls: WebsiteCalls, url: URL, origin: string | null): Promise<WebsiteAnswer> =>
  callWebsite(calls, url.href, { maxBytes: pageMaxBytes, accept: pageAccept, origin, types: pageTypes });

/** Reads a website page by page. */
class WebsiteWalk {
  readonly #order: WebsiteOrder;
  readonly #robots: Robots;
  readonly #origin: string;
  readonly queue: PageQueue;
  readonly #pages: WebsitePage[] = [];
  readonly #read: (ReadPage & { page: WebsitePage })[] = [];
  readonly #texts = new Set<string>();
  /** How many pages were called. */
  #called = 0;
  /** Whether links lead to further pages. False: an owner who gave a sitemap wants its pages only. */
  followsLinks = true;

  constructor(order: WebsiteOrder, origin: string, robots: Robots) {
    this.#order = order;
    this.#origin = origin;
    this.#robots = robots;
    this.queue = new PageQueue(origin);
  }

  report(reading: string | null): WebsiteReport {
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
  #take({ url, type, ...answer }: WebsiteAnswer, page: WebsitePage): void {
    // A redirect may lead to another page that is read already, or that robots.txt forbids.
    if (!this.#robots.allows(url)) throw new WebsiteFault("robots");
    const isSame = pagePath(pageAddress(url)) === page.path;
    if (!isSame && !this.queue.see(pageAddress(url))) throw new WebsiteFault("same_text");
    const text = answerText(answer);
    if (isSitemap(text)) {
      for (const address of parseSitemap(text).pages) this.queue.add(address, url);
      throw new WebsiteFault("no_text");
    }
    const isPlain = type === "text/plain" || type === "text/markdown";
    if (isPlain) {
      this.#keep({ title: "", text: text.trim() }, page);
      return;
    }
    const { links, base, isNoindex } = pageLinks(text);
    const origin = base !== null && URL.canParse(base, url.href) ? new URL(base, url) : url;
    if (this.followsLinks) for (const link of links) this.queue.add(link, origin);
    if (isNoindex) throw new WebsiteFault("noindex");
    this.#keep(htmlText(text), page);
  }

  #keep({ title, text }: { title: string; text: string }, page: WebsitePage): void {
    if (!hasWords(text)) throw new WebsiteFault("no_text");
    if (this.#texts.has(text)) throw new WebsiteFault("same_text");
    this.#texts.add(text);
    this.#read.push({ path: page.path, title, text, page });
    page.passages = documentPassages(text).length;
  }

  /** Notes pages that nobody calls. */
  leaveOut(urls: readonly URL[], reason: WebsiteReason): void {
    for (const url of urls)
      if (this.#pages.length < maxReported)
        this.#pages.push({ path: pagePath(url), left_out: reason, passages: 0 });
  }

  /** Reads one page, with the answer if it is there already. */
  async visit(url: URL, answer?: WebsiteAnswer): Promise<void> {
    const page: WebsitePage = { path: pagePath(url), left_out: null, passages: 0 };
    this.#called += 1;
    try {
      this.#take(answer ?? (await fetchPage(this.#order, url, this.#origin)), page);
    } catch (error) {
      if (!(error instanceof WebsiteFault)) throw error;
      page.left_out = error.reason;
    }
    this.#pages.push(page);
  }

  /** Reads the pages of the queue. */
  async follow(): Promise<void> {
    const { onProgress, pauseMs, signal } = this.#order;
    while (this.#called < websiteMaxPages) {
      const url = this.queue.next();
      if (url === undefined) break;
      if (!this.#robots.allows(url)) {
        this.leaveOut([url], "robots");
        // Long rules take their time, and others want to be served meanwhile.
        await pause(0, undefined, { signal });
        continue;
      }
      await onProgress(this.report(pagePath(url)));
      await pause(Math.max(pauseMs, this.#robots.delayMs), undefined, { signal });
      await this.visit(url);
    }
  }

  /** The text of all pages. Throws the WebsiteFault of the first page when there is none. */
  result(): WebsiteReading {
    this.leaveOut(this.queue.files, "not_a_page");
    if (this.#read.length === 0) throw new WebsiteFault(this.#pages[0]?.left_out ?? "no_text");
    const { text, parts } = websiteText(this.#read);
    for (const [index, { page }] of this.#read.entries()) {
      const part = parts[index] ?? null;
      page.left_out = part === null ? "no_room" : null;
      page.passages = part === null ? 0 : documentPassages(part).length;
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
  const start = pageAddress(order.address);
  const asked = await readRobots(order, start.origin);
  if (!asked.allows(start)) throw new WebsiteFault("robots");
  const first = await fetchPage(order, start, null);
  const { origin } = first.url;
  const robots = origin === start.origin ? asked : await readRobots(order, origin);
  const walk = new WebsiteWalk(order, origin, robots);
  const text = answerText(first);
  if (isSitemap(text)) {
    const { pages, sitemaps } = parseSitemap(text);
    walk.followsLinks = false;
    for (const page of [...pages, ...(await sitemapPages(order, sitemaps, origin))]) walk.queue.add(page);
  } else {
    const landed = pageAddress(first.url);
    walk.queue.see(landed);
    await walk.visit(landed, first);
    const named = robots.sitemaps.length > 0 ? robots.sitemaps : [`${origin}/sitemap.xml`];
    for (const page of await sitemapPages(order, named, origin)) walk.queue.add(page);
  }
  await walk.follow();
  return walk.result();
}
