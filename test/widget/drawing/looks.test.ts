import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadLook } from "../../../src/widget/drawing/looks.ts";
import { photoFile } from "../../photo/photo-fixture.ts";

/** What the page's owner reads in the browser's console. */
function takeWarnings(): string[] {
  const { calls } = vi.mocked(console.warn).mock;
  return calls.splice(0).map((words) => words.join(" "));
}

beforeEach(() => void vi.stubGlobal("Path2D", vi.fn()));
afterEach(() => void vi.unstubAllGlobals());

it("gives up a character that does not come", async () => {
  const limit = new AbortController();
  const setLimit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const neverAnswers = (_url: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("The time is over.")));
    });
  vi.stubGlobal("fetch", neverAnswers);
  const loading = loadLook("https://relay.example/characters/mina.json");
  expect(setLimit).toHaveBeenCalledWith(30_000);
  limit.abort();
  await expect(loading).rejects.toThrow("The time is over.");
  expect(takeWarnings()).toHaveLength(1);
  setLimit.mockRestore();
});

it("does not take a refusal for a character, and says so where the page's owner looks", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 404 })));
  await expect(loadLook("https://relay.example/characters/mina.json")).rejects.toThrow("404");
  expect(takeWarnings().join()).toContain("404");
});

it("gives up a photographed face whose pictures cannot be decoded", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(readFileSync(photoFile))));
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("The picture cannot be decoded.")));
  await expect(loadLook("https://relay.example/characters/mina.json")).rejects.toThrow("decoded");
  expect(takeWarnings().join()).toContain("decoded");
});
