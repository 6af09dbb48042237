import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleSite, isConsolePath } from "../../src/command-line/console-site.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "visavis-console-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "console.html"), "<!doctype html><title>Console</title>");
  writeFileSync(join(folder, "preview.html"), "<!doctype html><title>Preview</title>");
  writeFileSync(join(folder, "assets/console-1.js"), "export {};");
  writeFileSync(join(folder, "photo-maker.html"), "<!doctype html><title>Photograph</title>");
  writeFileSync(join(folder, "secret.txt"), "not for browsers");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(consoleSite(folder).request(path, { headers }));

describe("the console's site", () => {
  it("has its page at /console/ and at the address of invitations, under a strict policy", async () => {
    for (const path of ["/console/", "/console/invitation"]) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("Console");
      const policy = answer.headers.get("content-security-policy");
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy).toContain(part);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    }
    expect((await get("/console")).headers.get("location")).toBe("/console/");
  });

  it("leads from an address that was typed without # to that page", async () => {
    for (const [typed, page] of [
      ["/console/avatars", "/console/#/avatars"],
      ["/console/settings/health/", "/console/#/settings/health"],
    ] as const) {
      const answer = await get(typed);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, page]);
    }
    for (const file of ["/console/secret.txt", "/console//evil.example", "/console/assets/none.js"])
      expect((await get(file)).status).toBe(404);
  });

  it("has the preview, which only its own pages may frame and which makes no markup", async () => {
    const answer = await get("/console/preview");
    expect(await answer.text()).toContain("Preview");
    const policy = answer.headers.get("content-security-policy");
    for (const part of ["default-src 'none'", "frame-ancestors 'self'", "trusted-types 'none'"])
      expect(policy).toContain(part);
  });

  it("keeps hashed files for good, compressed where the browser takes that, and answers what is known with 304", async () => {
    const answer = await get("/console/assets/console-1.js", { "accept-encoding": "br" });
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(answer.headers.get("content-encoding")).toBe("br");
    const again = await get("/console/assets/console-1.js", {
      "accept-encoding": "br",
      "if-none-match": answer.headers.get("etag") ?? "",
    });
    expect(again.status).toBe(304);
  });

  it("has no other file", async () => {
    for (const path of ["/console/secret.txt", "/console/assets/..%2fsecret.txt", "/console/assets/.env"])
      expect((await get(path)).status, path).toBe(404);
  });

  it("says that the console is not built", async () => {
    const answer = await consoleSite(join(folder, "assets")).request("/console/");
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("npm run build");
  });

  it("does not answer paths that only begin like its own", () => {
    expect(["/console", "/console/", "/console/x", "/consoles", "/"].map(isConsolePath)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("has the page that makes characters from photographs, which connects to nothing else, and its models", async () => {
    const page = await get("/console/photo-maker");
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy");
    for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'self'"])
      expect(policy).toContain(part);
    const model = await get("/console/mediapipe/face_mesh/face_mesh.binarypb");
    expect([model.status, (await model.arrayBuffer()).byteLength]).toEqual([200, 939]);
    for (const path of ["face_mesh/..%2fpackage.json", "tasks-vision/package.json", "face_mesh/nothing.js"])
      expect((await get(`/console/mediapipe/${path}`)).status).toBe(404);
  });
});
