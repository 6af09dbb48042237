import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { WebsiteReport } from "../../../../src/protocol/console/websites.ts";
import { nextReadingMs } from "../../../../src/service/administration/knowledge/website/next-reading.ts";
import { readWebsite } from "../../../../src/service/administration/knowledge/website/read-website.ts";
import { isSitemap } from "../../../../src/service/administration/knowledge/website/sitemap-reading.ts";
import type { TextReader } from "../../../../src/service/administration/knowledge/reading/text-reader.ts";
import { createGuardedFetch } from "../../../../src/service/outbound/guarded-fetch.ts";
import { useTextReader } from "../../use-text-reader.ts";
import { isPathOf } from "../../../../src/service/administration/knowledge/website/page-queue.ts";
import { sampleDocx, samplePdf } from "./office-files.ts";
import { file, page, serveWebsite, status, type SampleAnswer } from "./website-server.ts";

const fetch = createGuardedFetch({ allowPrivate: true });
const openReader = useTextReader();
let reader: TextReader;

beforeAll(() => void (reader = openReader()));
afterAll(() => reader.close());

type Reading = Partial<Parameters<typeof readWebsite>[0]>;

async function reading(address: string, more: Reading = {}) {
  const progress: WebsiteReport[] = [];
  const onProgress = (report: WebsiteReport) => Promise.resolve(void progress.push(report));
  const { signal } = new AbortController();
  const result = await readWebsite({ address, fetch, reader, signal, onProgress, pauseMs: 0, ...more });
  const leftOut = Object.fromEntries(result.report.pages.map((one) => [one.path, one.left_out]));
  return { ...result, progress, leftOut };
}

/** Why each page of a website was left out: null for those that were read. */
async function leftOutOf(answers: Parameters<typeof serveWebsite>[0], more: Reading = {}) {
  return (await reading((await serveWebsite(answers)).origin, more)).leftOut;
}

const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
/** A first page that links to others. */
const home = (...paths: string[]): string => page("Home", `<p>Hello.</p>${links(...paths)}`);
const a = page("A", "<p>First.</p>");
const to = (location: string) => status(301, "", { location });
const urls = (...addresses: string[]): string =>
  addresses.map((url) => `<url><loc>${url}</loc></url>`).join("");

test("pages are found by links and sitemaps, and become one text with a heading for each", async () => {
  const site = await serveWebsite({
    "/": page("Alder Home", `<nav>${links("/delivery", "/#top")}</nav><p>Furniture from Vienna.</p>`),
    "/delivery": page("Delivery – Alder Home", "<p>We deliver in nine days.</p>"),
    "/showroom": page("Showroom – Alder Home", "<p>Open until six.</p>"),
    "/robots.txt": "User-agent: *\nAllow: /\n",
    "/sitemap.xml": "",
  });
  site.answers["/sitemap.xml"] =
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls(`${site.origin}/showroom`)}</urlset>`;
  const { text, leftOut, progress } = await reading(site.origin);
  expect(leftOut).toEqual({ "/": null, "/delivery": null, "/showroom": null });
  expect(text).toBe(
    "# Alder Home\n\nFurniture from Vienna.\n\n# Delivery\n\nWe deliver in nine days.\n\n# Showroom\n\nOpen until six.",
  );
  expect(progress[0]).toMatchObject({ reading: "/delivery", waiting: 1, pages: [{ path: "/" }] });
});

test("the address may be a sitemap, also one of sitemaps, and then only its pages are read", async () => {
  const site = await serveWebsite({
    "/a": page("A", `<p>First.</p>${links("/c")}`),
    "/b": page("B", "<p>Second.</p>"),
    "/map.xml": "",
    "/more.xml": "",
  });
  site.answers["/map.xml"] =
    `<sitemapindex><sitemap><loc>${site.origin}/more.xml</loc></sitemap><sitemap><loc>https://elsewhere.example/x.xml</loc></sitemap></sitemapindex>`;
  site.answers["/more.xml"] = `<urlset>${urls(`${site.origin}/a`, `${site.origin}/b`)}</urlset>`;
  const { leftOut } = await reading(`${site.origin}/map.xml`);
  expect(leftOut).toEqual({ "/a": null, "/b": null });
});

test("what robots.txt forbids is not called, and each page that is left out has its reason", async () => {
  const elsewhere = await serveWebsite({ "/": page("Other", "<p>Other words.</p>") });
  const site = await serveWebsite({
    "/robots.txt": "User-agent: *\nDisallow: /basket\n\nUser-agent: Visavis\nDisallow: /secret\n",
    "/": home(
      ...["/secret", "/gone", "/login", "/broken", "/away", "/empty", "/copy", "/private", "/list.zip"],
      ...["/picture", "/face.jpg", "mailto:a@b.example", "/basket"],
    ),
    "/secret": page("Secret", "<p>Never.</p>"),
    "/login": status(403),
    "/broken": status(500),
    "/away": to(`${elsewhere.origin}/`),
    "/empty": page("Empty", "<p> … </p>"),
    "/copy": page("Copy", "<p>Only once.</p>"),
    "/basket": page("Basket", "<p>Only once.</p>"),
    "/private": `<head><meta name="robots" content="noindex"></head><p>Not for lists.</p>`,
    "/picture": status(200, "png", { "content-type": "image/png" }),
  });
  const { leftOut, text } = await reading(site.origin);
  expect(leftOut).toEqual({
    "/": null,
    "/secret": "robots",
    "/gone": "not_found",
    "/login": "refused",
    "/broken": "server_error",
    "/away": "other_website",
    "/empty": "no_text",
    "/copy": null,
    "/basket": "same_text",
    "/private": "noindex",
    "/list.zip": "not_a_page",
    "/picture": "not_a_page",
  });
  for (const path of ["/secret", "/list.zip"]) expect(site.asked).not.toContain(path);
  expect(text).not.toContain("Never");
});

test("files that pages link to are read, and named by their files", async () => {
  const site = await serveWebsite({
    "/": home("/prices.pdf", "/care.docx", "/brochure", "/broken.pdf"),
    "/prices.pdf": file(samplePdf([[{ text: "A vase costs 48 pounds.", y: 700 }]]), "application/x-any"),
    "/care.docx": file(sampleDocx(["Wipe it dry."]), ""),
    "/brochure": file(samplePdf([[{ text: "We are potters.", y: 700 }]]), "application/pdf"),
    "/broken.pdf": file(Buffer.from("%PDF-1.7"), "application/pdf"),
  });
  const { leftOut, text } = await reading(site.origin);
  expect(leftOut).toEqual({
    ...{ "/": null, "/prices.pdf": null, "/care.docx": null, "/brochure": null },
    "/broken.pdf": "no_text",
  });
  expect(text).toContain("# prices.pdf\n\nA vase costs 48 pounds.");
  expect(text).toContain("# care.docx\n\nWipe it dry.");
});

test("only the wanted pages are read, and the others are not called", async () => {
  const paths = ["/help", "/help/parcels", "/helpers", "/help/old/one", "/en/news/2", "/shop$"];
  const site = await serveWebsite({
    "/": home(...paths),
    ...Object.fromEntries(paths.map((path) => [path, page(path, `<p>About ${path}.</p>`)])),
  });
  const wanted = { include: ["/help", "/*/news"], exclude: ["/help/old/"] };
  const { leftOut } = await reading(site.origin, { paths: wanted });
  const read = Object.keys(leftOut).filter((path) => leftOut[path] === null);
  expect(read).toEqual(["/help", "/help/parcels", "/en/news/2"]);
  expect(leftOut).toMatchObject({ "/": "excluded", "/helpers": "excluded", "/help/old/one": "excluded" });
  expect(site.asked).not.toContain("/helpers");
});

test.each([
  ["/a", ["/a"], true],
  ["/a/b?c=1", ["/a"], true],
  ["/ab", ["/a"], false],
  ["/a", ["/a$"], true],
  ["/a/b", ["/a$"], false],
  ["/x/y/z", ["/*/z$"], true],
  ["/x/y", ["/*/z", "/x"], true],
  ["/ab", ["/a*"], true],
])("the path %s is one of %j: %s", (path, patterns, is) => {
  expect(isPathOf(path, patterns)).toBe(is);
});

test("a website has one address with either scheme, and with www or without", async () => {
  const site = await serveWebsite({ "/": "", "/a": a, "/b": page("B", "<p>Second.</p>") });
  const host = `localhost:${new URL(site.origin).port}`;
  site.answers["/"] = home(`https://www.${host}/a`);
  site.answers["/robots.txt"] = `User-agent: *\nAllow: /\nSitemap: https://www.${host}/map.xml\n`;
  site.answers["/map.xml"] = `<urlset>${urls(`https://${host}/b`)}</urlset>`;
  expect((await reading(`http://${host}`)).leftOut).toEqual({ "/": null, "/a": null, "/b": null });
});

test.each([
  ["noindex", "noindex"],
  ["nofollow, NONE", "noindex"],
  ["visavis: noindex", "noindex"],
  ["googlebot: noindex", null],
  ["unavailable_after: 2030, noindex", "noindex"],
])("a page that is sent with X-Robots-Tag: %s is left out: %s", async (header, reason) => {
  const answers = { "/": home("/a"), "/a": status(200, a, { "x-robots-tag": header }) };
  expect(await leftOutOf(answers)).toEqual({ "/": null, "/a": reason });
});

test("five redirects are followed, and a loop is called one", async () => {
  const steps = ["/1", "/2", "/3", "/4", "/5"].map((path, at) => [path, to(`/${at + 2}`)] as const);
  const answers = { "/": home("/1", "/loop"), ...Object.fromEntries(steps), "/6": a, "/loop": to("/loop") };
  expect(await leftOutOf(answers)).toEqual({ "/": null, "/1": null, "/loop": "too_many_redirects" });
});

test("pages are read however they are packed, and whatever they say about it", async () => {
  const html = page("Packed", "<p>We make kilns.</p>");
  const ways: [encoding: string, bytes: Uint8Array][] = [
    ["gzip", gzipSync(html)],
    ["br", brotliCompressSync(html)],
    ["deflate", deflateSync(html)],
    ["deflate", deflateRawSync(html)],
    ["br", gzipSync(html)],
    ["gzip", Buffer.from(html)],
    ["br", Buffer.from(html)],
    ["", gzipSync(html)],
  ];
  for (const [encoding, bytes] of ways) {
    const site = await serveWebsite({ "/": file(bytes, "text/html", { "content-encoding": encoding }) });
    expect((await reading(site.origin)).text, encoding).toBe("# Packed\n\nWe make kilns.");
  }
});

test("at most 200 pages are read, pages without a query first", async () => {
  const answers: Record<string, SampleAnswer> = {
    "/": page("Home", links("/?sort=price", ...Array.from({ length: 250 }, (_, index) => `/p${index}`))),
  };
  for (let index = 0; index < 250; index++)
    answers[`/p${index}`] = page(`P ${index}`, `<p>Page number ${index}.</p>`);
  answers["/?sort=price"] = page("Sorted", "<p>Sorted by price.</p>");
  const site = await serveWebsite(answers);
  const { report, leftOut } = await reading(site.origin);
  expect(report).toMatchObject({ waiting: 0, beyond: 52 });
  expect(report.pages).toHaveLength(200);
  expect(leftOut).not.toHaveProperty("/?sort=price");
});

test("one page has one address, however links write it", async () => {
  const written = ["/a?utm_source=mail", "/a#part", "a", "//127.0.0.1:1/b", "javascript:alert(1)"];
  expect(await leftOutOf({ "/": home(...written), "/a": a })).toEqual({ "/": null, "/a": null });
});

test("what most pages repeat stands in the text once", async () => {
  const frame = "<header><p>Free delivery above 300 euros.</p></header>";
  const names = ["a", "b", "c", "d", "e"];
  const about = (name: string) =>
    `<details><summary>Why ${name}?</summary>So ${name}.</details><p>About ${name}.</p>`;
  const site = await serveWebsite({
    "/": page("Home", `${frame}<p>Hello.</p>${links(...names.map((name) => `/${name}`))}`),
    ...Object.fromEntries(names.map((name) => [`/${name}`, page(name, `${frame}${about(name)}`)])),
  });
  const { text } = await reading(site.origin);
  expect(text.match(/Free delivery/g)).toHaveLength(1);
  expect(text.match(/^---$/gm)).toHaveLength(names.length);
  expect(text).toContain("About e.");
});

test("a first page that leads to another origin makes that one the website", async () => {
  const site = await serveWebsite({ "/": home("/a"), "/a": a });
  expect(await leftOutOf({ "/": to(`${site.origin}/`) })).toEqual({ "/": null, "/a": null });
});

test("a website that forbids everything, is away or has no words is refused with the reason", async () => {
  const forbidding = await serveWebsite({ "/robots.txt": "User-agent: *\nDisallow: /\n", "/": a });
  const broken = await serveWebsite({ "/robots.txt": status(503), "/": a });
  const empty = await serveWebsite({ "/": page("Nothing", "<script>shop()</script>") });
  for (const [address, reason] of [
    [forbidding.origin, "robots"],
    [broken.origin, "robots_unreadable"],
    [empty.origin, "no_text"],
    ["http://127.0.0.1:1/", "unreachable"],
    ["http://mistyped.invalid/", "no_host"],
  ] as const)
    await expect(reading(address)).rejects.toMatchObject({ reason });
  expect(forbidding.asked).toEqual(["/robots.txt"]);
});

test("a sitemap that unpacks to more than it may is left out, and a page that is packed unasked is read", async () => {
  const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, " "));
  const packed = gzipSync(page("Packed", "<p>Packed.</p>"));
  const answers = {
    "/": home("/packed"),
    "/sitemap.xml": file(bomb, "application/gzip"),
    "/packed": file(packed, "text/html", { "content-encoding": "gzip" }),
  };
  expect(await leftOutOf(answers)).toEqual({ "/": null, "/packed": null });
});

test("a page that leads into a private network is left out, and nothing there is called", async () => {
  const inside = await serveWebsite({ "/": page("Inside", "<p>Secret.</p>") });
  const guarded = createGuardedFetch();
  const calls: string[] = [];
  const site = await serveWebsite({
    "/": home("/away"),
    "/away": to(`${inside.origin}/`),
  });
  // Only the website itself is called without the guard: it runs on this machine.
  const half: typeof guarded = async (url, request) => {
    calls.push(String(url));
    const answer = await globalThis.fetch(url, { redirect: "manual" });
    const next = answer.headers.get("location");
    return next === null ? answer : guarded(next, request);
  };
  const { leftOut } = await reading(site.origin, { fetch: half });
  expect(leftOut).toEqual({ "/": null, "/away": "not_secure" });
  expect(calls).toContain(`${site.origin}/away`);
  expect(inside.asked).toEqual([]);
});

test("a text of comments only is looked through at once, and is no sitemap", () => {
  expect(isSitemap(`${"<!---->".repeat(100_000)}x`)).toBe(false);
  expect(isSitemap('\uFEFF<?xml version="1.0"?><!-- a --><!-- b --><urlset></urlset>')).toBe(true);
});

test("reading ends when it is told to", async () => {
  const abort = new AbortController();
  const site = await serveWebsite({
    "/": home("/a", "/b"),
    "/a": (response) => {
      abort.abort(new Error("Enough."));
      status(200, "<p>A.</p>")(response);
    },
  });
  await expect(reading(site.origin, { signal: abort.signal })).rejects.toThrow("Enough.");
  expect(site.asked).not.toContain("/b");
});

describe("a website that is made to cost more than its size says", () => {
  /** A robots.txt whose one rule takes time for each of its stars and each letter of an address. */
  const stars = `User-agent: *\nDisallow: /${"*".repeat(500_000)}b\n`;
  const long = "a".repeat(1_900);

  /** Reads with little time for each text. */
  function impatient(): void {
    const patient = reader;
    reader = openReader({ timeoutMs: 1_000 });
    onTestFinished(async () => {
      await reader.close();
      reader = patient;
    });
  }

  test("a page of unbalanced elements is read as far as it can be, and others with it", async () => {
    const count = 250_000;
    const site = await serveWebsite({
      "/": `<p>Hello.</p>${links("/a")}${"<b>".repeat(count)}${"</i>".repeat(count)}<p>Lost.</p>`,
      "/a": a,
    });
    const { leftOut, text } = await reading(site.origin);
    expect(leftOut).toEqual({ "/": null, "/a": null });
    expect(text).not.toContain("Lost");
  });

  test("rules that take too long forbid everything", async () => {
    impatient();
    const site = await serveWebsite({ "/robots.txt": stars, "/": a });
    await expect(reading(`${site.origin}/${long}`)).rejects.toMatchObject({ reason: "too_complex" });
    expect(site.asked).toEqual(["/robots.txt"]);
  });

  test("the first page that had to be stopped is left out, and the second one ends the reading", async () => {
    impatient();
    const hostile = Array.from({ length: 3 }, (_, index) => `/${long}${index}`);
    const site = await serveWebsite({
      "/robots.txt": stars,
      "/": home(...hostile, "/after"),
      "/after": page("After", "<p>After.</p>"),
    });
    await expect(reading(site.origin)).rejects.toMatchObject({ reason: "too_complex", isFinal: true });
    expect(site.asked).not.toContain("/after");
  });
});

const now = new Date(2027, 0, 15, 14, 30).getTime();

test("a website is read again in the night of the next day or week, at a minute of its own, or never", () => {
  const day = new Date(nextReadingMs("day", now, "a")!);
  const week = new Date(nextReadingMs("week", now, "a")!);
  expect([day.getDate(), week.getDate()]).toEqual([16, 22]);
  expect(day.getHours()).toBeGreaterThanOrEqual(2);
  expect(day.getHours()).toBeLessThan(5);
  expect(nextReadingMs("day", now, "a")).toBe(day.getTime());
  const minutes = new Set(["a", "b", "c", "d"].map((id) => nextReadingMs("day", now, id)));
  expect(minutes.size).toBeGreaterThan(1);
  expect(nextReadingMs("never", now, "a")).toBeNull();
});
