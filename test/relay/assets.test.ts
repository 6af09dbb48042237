import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { describe, expect, onTestFinished } from "vitest";
import { folderAssets } from "../../src/relay/assets/folder-assets.ts";
import { loaderAddress } from "../../src/protocol/page/loader-address.ts";
import type { RelayAsset } from "../../src/relay/relay-deps.ts";
import { builtFiles, publicUrl, runRelay, shop, relayTest as test } from "./relay-fixture.ts";

describe("built files", () => {
  test("the loader is readable for every page, cached briefly, and compressed when the browser accepts it", async ({
    relay,
  }) => {
    const plain = await relay.get("/embed.js");
    expect(await plain.text()).toBe("(()=>{})();");
    expect(plain.headers.get("access-control-allow-origin")).toBe("*");
    expect(plain.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
    const small = await relay.get("/embed.js", { "accept-encoding": "gzip, br" });
    expect(small.headers.get("content-encoding")).toBe("br");
    const etag = small.headers.get("etag")!;
    expect(etag).not.toBe(plain.headers.get("etag"));
    const again = await relay.get("/embed.js", { "accept-encoding": "br", "if-none-match": etag });
    expect(again.status).toBe(304);
  });

  test("a loader with its hash in the address is cached for ever, and never answered with other content", async () => {
    const past = new TextEncoder().encode("past();");
    const other = new TextEncoder().encode("other();");
    const versionOf = (body: Uint8Array) =>
      loaderAddress(createHash("sha384").update(body).digest("base64")).version;
    const names = { past: versionOf(past), other: versionOf(other) };
    const kept: Record<string, Uint8Array<ArrayBuffer>> = {
      [`loaders/${names.past}.js`]: past,
      // The content of another build: a file that was changed.
      [`loaders/${names.other}.js`]: past,
    };
    const read = (path: string): Promise<RelayAsset | null> => {
      const body = kept[path];
      if (body) return Promise.resolve({ body, contentType: "text/javascript", etag: '"1"' });
      return Promise.resolve(builtFiles[path] ?? null);
    };
    const relay = await runRelay({ assets: { read } });
    const current = versionOf(builtFiles["embed.js"]!.body);
    for (const [path, text] of [
      [`/embed/${current}/embed.js`, "(()=>{})();"],
      [`/embed/${names.past}/embed.js`, "past();"],
    ] as const) {
      const answer = await relay.get(path);
      expect([answer.status, await answer.text()]).toEqual([200, text]);
      expect(answer.headers.get("cache-control")).toContain("immutable");
      // Without it a browser cannot check the integrity of a file from another origin.
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
    for (const version of [names.other, "A".repeat(16), "v1", "..%2F..%2Fapi-key%00"])
      expect((await relay.get(`/embed/${version}/embed.js`)).status, version).toBe(404);
  });

  test("hashed modules are cached for ever; the fixed address imports the current widget", async ({
    relay,
  }) => {
    const module = await relay.get("/assets/widget-abc123.js");
    expect(module.headers.get("cache-control")).toContain("immutable");
    const fixed = await relay.get("/widget.js");
    expect(fixed.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(await fixed.text()).toBe('import "./assets/widget-abc123.js";\n');
    expect(fixed.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("other files of the public folder are not served", async ({ relay }) => {
    for (const path of ["/assets/..%2F.vite%2Fmanifest.json", "/assets/.hidden.js", "/.vite/manifest.json"]) {
      expect((await relay.get(path)).status, path).toBe(404);
    }
  });
});

test("files of a folder are served with type, ETag and brotli, follow changes, and never lie outside the folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "visavis-assets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "public", "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "public", "assets", "a.js"), "export const a = 1;");
  const assets = folderAssets(join(folder, "public"));
  const first = (await assets.read("assets/a.js"))!;
  expect(first.contentType).toMatch(/^text\/javascript/);
  expect(brotliDecompressSync(first.brotli!).toString()).toBe("export const a = 1;");
  writeFileSync(join(folder, "public", "assets", "a.js"), "export const a = 22;");
  expect((await assets.read("assets/a.js"))!.etag).not.toBe(first.etag);
  expect(await assets.read("../secret.txt")).toBeNull();
  expect(await assets.read("assets")).toBeNull();
});

test("what the build has compressed is served as it is, until the file changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "visavis-assets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.js");
  writeFileSync(file, "export const a = 1;");
  // With other bytes than the highest quality gives.
  const built = brotliCompressSync("export const a = 1;", {
    params: { [constants.BROTLI_PARAM_QUALITY]: 0 },
  });
  writeFileSync(`${file}.br`, built);
  const assets = folderAssets(folder);
  expect(Buffer.from((await assets.read("a.js"))!.brotli!).equals(built)).toBe(true);
  writeFileSync(file, "export const a = 22;");
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect(brotliDecompressSync((await assets.read("a.js"))!.brotli!).toString()).toBe("export const a = 22;");
});

describe("the viewer's page", () => {
  test("may be framed by the context's origins, and runs only the relay's own files", async ({ relay }) => {
    const answer = await relay.request("/viewer/ctx_demo");
    const policy = answer.headers.get("content-security-policy")!;
    expect(policy).toContain(`frame-ancestors 'self' ${shop} http://localhost:*`);
    expect(policy).toContain("default-src 'none'");
    // Compiling WebAssembly is allowed, for the voice activity; evaluating text is not.
    expect(policy).not.toMatch(/'unsafe-/);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(answer.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    const html = await answer.text();
    expect(html).toContain('<script type="module" src="/assets/viewer-def456.js">');
    expect(html).toContain('href="/assets/viewer-aaa.css"');
    expect(html).toContain('href="/assets/shared-bbb.css"');
    expect(html).not.toContain(shop);
    expect(html).not.toMatch(/<script(?![^>]*src=)|style=/);
  });

  test("shows the owner's words as plain text", async ({ relay }) => {
    await relay.changeContext((context) => (context.name = `</title><script>alert("1")</script>`));
    const html = await (await relay.request("/viewer/ctx_demo")).text();
    expect(html).toContain("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)");
  });

  test("is a plain 404 when the context does not exist", async ({ relay }) => {
    const answer = await relay.request("/viewer/ctx_nobody");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("does not exist");
  });
});

test("a relay under a path has its files under that path", async () => {
  const relay = await runRelay({ publicUrl: `${publicUrl}/talk` });
  const html = await (await relay.request("/viewer/ctx_demo")).text();
  expect(html).toContain('src="/talk/assets/viewer-def456.js"');
  const view = (await (await relay.get("/embed/v1/contexts/ctx_demo")).json()) as { background: string };
  expect(view.background).toBe(`${publicUrl}/talk/backgrounds/room.webp`);
});
