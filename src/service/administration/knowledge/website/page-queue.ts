import { isSameWebsite } from "./website-fetch.ts";

/** Files that pages show or load. They are no pages, and are not mentioned. */
const parts =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|css|m?js|json|woff2?|ttf|otf|mp[34]|webm|ogg|wav|mov|avi|xml|rss|atom)$/i;
/** Files that are read as pages are. */
const documents = /\.(?:pdf|docx)$/i;
/** Files that visitors may open, but that nobody reads. */
const files = /\.(?:doc|xlsx?|pptx?|odt|ods|zip|gz|rar|7z|tar|dmg|exe|apk|epub|csv)$/i;

/** Parameters of an address that only say where a visitor came from. */
const tracking = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|ref|session_?id|sid|phpsessid)$/i;

/** One address for all ways to write it: without fragment and without parameters for statistics. */
export function pageAddress(address: string | URL): URL {
  const url = new URL(address);
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url;
}

/** Path and query of a page, as people read it. */
export function pagePath({ pathname, search }: URL): string {
  try {
    return decodeURI(pathname + search);
  } catch {
    return pathname + search;
  }
}

/** Whether a path is one of these, or below one. `*` stands for anything, and `$` at the end for the end. */
export function isPathOf(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const isWhole = pattern.endsWith("$");
    const [first = "", ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const other of others) {
      const found = path.indexOf(other, at);
      if (found === -1) return false;
      at = found + other.length;
    }
    if (isWhole) return at === path.length;
    // "/blog" is not "/blogger".
    return /[*/]$/.test(pattern) || at === path.length || /[/?]/.test(path.charAt(at));
  });
}

/** Further addresses are only counted: a website can name as many as it likes. */
const maxWaiting = 2_000;

/** The pages of a website that have not been read yet: those without a query first, because queries often sort and filter the same things. */
export class PageQueue {
  readonly #origin: string;
  readonly #seen = new Set<string>();
  readonly #plain: URL[] = [];
  readonly #queried: URL[] = [];
  readonly #documents: URL[] = [];
  /** Files that are no pages, which nobody reads. */
  readonly files: URL[] = [];
  /** How many pages are too many to wait. */
  dropped = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Adds an address, if it is of this website and new. */
  add(address: string, base?: URL): void {
    if (address.length > 2_000 || !URL.canParse(address, base?.href)) return;
    const named = pageAddress(new URL(address, base));
    if (!/^https?:$/.test(named.protocol) || !isSameWebsite(named, new URL(this.#origin))) return;
    const url = new URL(`${named.pathname}${named.search}`, this.#origin);
    if (named.username !== "" || parts.test(url.pathname) || !this.see(url)) return;
    const isFile = files.test(url.pathname);
    if ((isFile ? this.files : this).length >= maxWaiting) this.dropped += isFile ? 0 : 1;
    else if (isFile) this.files.push(url);
    else if (documents.test(url.pathname)) this.#documents.push(url);
    else (url.search === "" ? this.#plain : this.#queried).push(url);
  }

  /** Notes an address; whether it is new. */
  see(url: URL): boolean {
    if (this.#seen.has(url.href)) return false;
    this.#seen.add(url.href);
    return true;
  }

  next(): URL | undefined {
    return this.#plain.shift() ?? this.#documents.shift() ?? this.#queried.shift();
  }

  get length(): number {
    return this.#plain.length + this.#documents.length + this.#queried.length;
  }
}
