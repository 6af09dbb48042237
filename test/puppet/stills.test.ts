import { readFileSync } from "node:fs";
import { loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { characterNames } from "./load-character.ts";

const read = (path: string): Buffer => readFileSync(new URL(`../../public/${path}`, import.meta.url));

describe.each(characterNames)("the stills of %s", (name) => {
  it.each(["porthole", "porthole-calm"])("%s is 160 px square and at most 5 KB", async (kind) => {
    const bytes = read(`characters/${name}-${kind}.webp`);
    const { width, height } = await loadImage(bytes);
    expect([width, height]).toEqual([160, 160]);
    expect(bytes.length).toBeLessThanOrEqual(5 * 1024);
  });

  it("poster is 512 px square and at most 40 KB", async () => {
    const bytes = read(`characters/${name}-poster.webp`);
    const { width, height } = await loadImage(bytes);
    expect([width, height]).toEqual([512, 512]);
    expect(bytes.length).toBeLessThanOrEqual(40 * 1024);
  });
});

it.each(["room", "calm"])("the background %s weighs at most 25 KB", (name) => {
  expect(read(`backgrounds/${name}.webp`).length).toBeLessThanOrEqual(25 * 1024);
});
