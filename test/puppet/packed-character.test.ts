import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import { describe, expect, it, test } from "vitest";
import { packCharacter } from "../../src/puppet/format/pack-character.ts";
import { streamCount, unpackCharacter } from "../../src/puppet/format/unpack-character.ts";
import { parseOutline } from "../../src/puppet/format/outline.ts";
import { createRig, parseCharacter, type PuppetParams } from "../../src/puppet/index.ts";
import { characterNames, readCharacter } from "./load-character.ts";
import { pixelDifference } from "./pixel-difference.ts";

interface Golden {
  readonly size: number;
  readonly scale: number;
  readonly characters: Record<
    string,
    {
      readonly frames: readonly {
        readonly id: string;
        readonly file: string;
        readonly params: PuppetParams;
      }[];
    }
  >;
}

const folder = new URL("../golden/", import.meta.url);
const golden = JSON.parse(readFileSync(new URL("golden.json", folder), "utf8")) as Golden;

/** Far less than what the fast renderer may differ by (renderer.test.ts). */
const rounding = { mean: 0.6, over24Percent: 0.2 };

/** The value with its outlines rounded to quarters of a unit, which is what packing may do to them. */
function rounded(value: unknown): unknown {
  if (typeof value === "string" && /^M[\d .-]/.test(value)) {
    const { verbs, points } = parseOutline(value, "path");
    return { verbs: [...verbs], points: [...points].map((point) => Math.round(point * 4) / 4 + 0) };
  }
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rounded(part)]));
}

describe.each(Object.entries(golden.characters))("%s packed and unpacked", (name, { frames }) => {
  const packed: unknown = JSON.parse(JSON.stringify(packCharacter(readCharacter(name))));

  it("is the same file but for the rounding of its outlines", () => {
    expect(rounded(unpackCharacter(packed))).toEqual(rounded(readCharacter(name)));
  });

  const rig = createRig(parseCharacter(packed), { Path2D });

  it.each([5, 17].map((at) => [frames[at]!.id, frames[at]!] as const))(
    "draws the golden frame %s",
    async (_id, frame) => {
      const expected = createCanvas(golden.size, golden.size);
      expected.getContext("2d").drawImage(await loadImage(readFileSync(new URL(frame.file, folder))), 0, 0);
      const drawn = createCanvas(golden.size, golden.size);
      rig.draw(drawn.getContext("2d"), frame.params, { scale: golden.scale });
      const { mean, over24Percent } = pixelDifference(drawn, expected);
      expect(mean).toBeLessThanOrEqual(rounding.mean);
      expect(over24Percent).toBeLessThanOrEqual(rounding.over24Percent);
    },
  );
});

test.each(characterNames)("%s takes less than 55 per cent of its bytes", (name) => {
  const json = readCharacter(name);
  // The build's quality, 11, takes five times as long, and the share is the same within 0.03.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const bytes = (value: unknown): number => brotliCompressSync(JSON.stringify(value), { params }).byteLength;
  expect(bytes(packCharacter(json))).toBeLessThan(bytes(json) * 0.55);
});

describe("a packed file that is damaged", () => {
  const packed = {
    name: "x",
    d: "",
    packed: { step: 8, streams: Array.from({ length: streamCount }, () => "#") },
  };

  test.each([
    ["a step is missing", { ...packed, packed: { streams: packed.packed.streams } }, "packed.step"],
    ["a stream is missing", { ...packed, packed: { step: 8, streams: ["#"] } }, "packed.streams"],
    ["a stream ends too early", packed, "packed.streams"],
    [
      "an earlier path is missing",
      { ...packed, packed: { step: 8, streams: ["$", ...packed.packed.streams.slice(1)] } },
      "packed.streams",
    ],
  ])("is refused: %s", (_what, json, path) => {
    expect(() => parseCharacter(json)).toThrow(expect.objectContaining({ code: "INVALID_CHARACTER", path }));
  });
});

test("a file with an empty text cannot be packed", () => {
  expect(() => packCharacter({ name: "" })).toThrow("An empty text cannot be packed.");
});
