import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import { describe, expect, it, test } from "vitest";
import { parseOutline } from "../../src/puppet/format/outline.ts";
import { packCharacter } from "../../src/puppet/format/pack-character.ts";
import { streamCount, unpackCharacter } from "../../src/puppet/format/unpack-character.ts";
import { createRig, parseCharacter, type PuppetParams, type Rig } from "../../src/puppet/index.ts";
import { characterNames, loadCharacter, readCharacter } from "./load-character.ts";
import { type PixelDifference, pixelDifference } from "./pixel-difference.ts";

interface GoldenFrame {
  id: string;
  file: string;
  params: PuppetParams;
  state: Record<"jaw" | "smile" | "concern", number> & {
    lip: [number, number];
    weights: Record<string, number>;
  };
  probes: Record<string, number[]>;
}

interface Golden {
  size: number;
  scale: number;
  characters: Record<string, { frames: GoldenFrame[] }>;
}

const folder = new URL("../golden/", import.meta.url);
const { size, scale, characters } = JSON.parse(
  readFileSync(new URL("golden.json", folder), "utf8"),
) as Golden;

/** How far what the rig draws is from the golden frame. */
async function distance(rig: Rig, { file, params }: GoldenFrame): Promise<PixelDifference> {
  const [expected, drawn] = [createCanvas(size, size), createCanvas(size, size)];
  expected.getContext("2d").drawImage(await loadImage(readFileSync(new URL(file, folder))), 0, 0);
  rig.draw(drawn.getContext("2d"), params, { scale });
  return pixelDifference(drawn, expected);
}

const named = (frames: readonly GoldenFrame[]) => frames.map((frame) => [frame.id, frame] as const);

describe.each(Object.entries(characters))("%s drawn exactly", (name, { frames }) => {
  const rig = createRig(loadCharacter(name), { Path2D });

  it.each(named(frames))(
    "is the golden frame %s, with its probe points and its state",
    async (_id, frame) => {
      expect((await distance(rig, frame)).mean).toBeLessThanOrEqual(0.2);
      for (const [ref, expected] of Object.entries(frame.probes)) {
        const points = rig.points(ref, frame.params);
        const farthest = Math.max(...expected.map((value, i) => Math.abs(value - points[i]!)));
        expect(farthest, ref).toBeLessThanOrEqual(0.02);
      }
      const state = rig.state(frame.params);
      for (const key of ["jaw", "smile", "concern"] as const)
        expect(state[key], key).toBeCloseTo(frame.state[key], 3);
      expect(state.lipY).toBeCloseTo(frame.state.lip[0], 3);
      expect(state.lipScale).toBeCloseTo(frame.state.lip[1], 3);
      const nonZero = Object.entries(frame.state.weights).filter(([, weight]) => weight !== 0);
      expect(state.mouth).toHaveLength(nonZero.length);
      for (const { name: key, weight } of state.mouth)
        expect(weight).toBeCloseTo(frame.state.weights[key]!, 3);
    },
  );
});

it("covers 24 frames of each of the four characters", () => {
  expect(Object.values(characters).map(({ frames }) => frames.length)).toEqual([24, 24, 24, 24]);
});

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

describe.each(Object.entries(characters))("%s packed and unpacked", (name, { frames }) => {
  const packed: unknown = JSON.parse(JSON.stringify(packCharacter(readCharacter(name))));

  it("is the same file but for the rounding of its outlines", () => {
    expect(rounded(unpackCharacter(packed))).toEqual(rounded(readCharacter(name)));
  });

  it.each(named([frames[5]!, frames[17]!]))("draws the golden frame %s", async (_id, frame) => {
    const { mean, over24Percent } = await distance(createRig(parseCharacter(packed), { Path2D }), frame);
    // Far less than what the fast renderer may differ by.
    expect(mean).toBeLessThanOrEqual(0.6);
    expect(over24Percent).toBeLessThanOrEqual(0.2);
  });
});

test.each(characterNames)("%s packed takes less than 55 per cent of its bytes", (name) => {
  const json = readCharacter(name);
  // The build's quality, 11, takes five times as long, and the share is the same within 0.03.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const bytes = (value: unknown): number => brotliCompressSync(JSON.stringify(value), { params }).byteLength;
  expect(bytes(packCharacter(json))).toBeLessThan(bytes(json) * 0.55);
});

const streams = Array.from({ length: streamCount }, () => "#");

test.each([
  ["whose step is missing", { streams }, "packed.step"],
  ["of which a stream is missing", { step: 8, streams: ["#"] }, "packed.streams"],
  ["of which a stream ends too early", { step: 8, streams }, "packed.streams"],
  ["that lacks an earlier path", { step: 8, streams: streams.with(0, "$") }, "packed.streams"],
])("a packed file %s is refused", (_what, packed, path) => {
  expect(() => parseCharacter({ name: "x", d: "", packed })).toThrow(
    expect.objectContaining({ code: "INVALID_CHARACTER", path }),
  );
});

test("a file with an empty text cannot be packed", () => {
  expect(() => packCharacter({ name: "" })).toThrow("An empty text cannot be packed.");
});
