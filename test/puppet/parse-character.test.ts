import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCharacter, PuppetError } from "../../src/puppet/index.ts";
import { characterNames, readCharacter } from "./load-character.ts";

type Json = Record<string, unknown>;

/** A small valid character, in which a test breaks one thing. */
function smallest(): Json {
  const keys = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];
  const mouth = Object.fromEntries(
    [...keys, "smile", "concern"].map((key) => [key, { jaw: 1, d: { lips: "M240 300L270 300Z" } }]),
  );
  return {
    format: 1,
    name: "Small",
    viewBox: [0, 0, 512, 512],
    palette: { skin: "#aabbcc" },
    rig: {
      head: { cx: 256, cyc: 240, pivot: [256, 372], depthPx: 60, maxYaw: 22, maxPitch: 12, maxRoll: 9 },
    },
    layers: [
      { id: "head", z: 2, paths: [{ id: "skin", d: "M1 2l3 4c1 1 2 2 3 3Z", fill: "skin@.5" }] },
      { id: "mouth", z: 1, clip: "head#skin", paths: [{ mouth: "lips", fill: "#112233" }] },
    ],
    mouth: { keys: mouth },
  };
}

function failure(change: (character: Json) => void): PuppetError {
  const character = smallest();
  change(character);
  try {
    parseCharacter(character);
  } catch (error) {
    if (error instanceof PuppetError) return error;
    throw error;
  }
  throw new Error("the character was accepted");
}

const layer = (character: Json, index: number): Json => (character["layers"] as Json[])[index]!;
const path = (character: Json, index: number): Json => (layer(character, index)["paths"] as Json[])[0]!;

describe("reading a character", () => {
  it.each(characterNames)("accepts %s", (name) => {
    expect(parseCharacter(readCharacter(name)).layers.length).toBeGreaterThanOrEqual(30);
  });

  it("puts layers in paint order, resolves colours, links clips and makes points absolute", () => {
    const { layers } = parseCharacter(smallest());
    expect(layers.map(({ id }) => id)).toEqual(["mouth", "head"]);
    expect(layers[1]!.shapes[0]!.fill).toBe("rgba(170,187,204,0.5)");
    expect(layers[0]!.clips[0]!.shape).toBe(layers[1]!.shapes[0]);
    expect([...layers[1]!.shapes[0]!.outline.points]).toEqual([1, 2, 4, 6, 5, 7, 6, 8, 7, 9]);
  });

  it("takes a file without a format line, and no other format", () => {
    const unstamped = smallest();
    delete unstamped["format"];
    expect(parseCharacter(unstamped).name).toBe("Small");
    expect(failure((character) => (character["format"] = 2)).path).toBe("format");
  });

  /** Changes the character's first or second path. */
  const inPath = (index: number, fields: Json) => (character: Json) =>
    void Object.assign(path(character, index), fields);
  const inLayer = (index: number, fields: Json) => (character: Json) =>
    void Object.assign(layer(character, index), fields);
  const mouthKeys = (character: Json): Json => (character["mouth"] as { keys: Json }).keys;
  const inMouth = (fields: Json) => (character: Json) => void Object.assign(mouthKeys(character), fields);
  const blinks = { open: "M1 2L3 4", half: "M1 2", closed: "M1 2L3 4" };

  it.each<[string, string, (character: Json) => void]>([
    ["a missing name", "name", (character) => delete character["name"]],
    ["a wrong view box", "viewBox", (character) => (character["viewBox"] = [0, 0, 100, 100])],
    ["a palette that is no colour", "palette.skin", (character) => (character["palette"] = { skin: "red" })],
    ["a rig without head", "rig.head", (character) => (character["rig"] = {})],
    ["an unknown colour", "layers[0].paths[0].fill", inPath(0, { fill: "hair" })],
    ["a prototype's property as colour", "layers[0].paths[0].fill", inPath(0, { fill: "constructor" })],
    ["a broken path", "layers[0].paths[0].d", inPath(0, { d: "M1 2L3" })],
    ["an arc in a path", "layers[0].paths[0].d", inPath(0, { d: "M1 2A3 4 5 6 7 8 9" })],
    ["a path that does not start with M", "layers[0].paths[0].d", inPath(0, { d: "L1 2" })],
    ["two kinds of path in one", "layers[1].paths[0]", inPath(1, { d: "M1 2L3 4" })],
    ["an unknown clip", "layers[1].clip", inLayer(1, { clip: "head#nose" })],
    ["an unknown surface", "layers[0].surface", inLayer(0, { surface: "moon" })],
    ["an unknown driver", "layers[0].paths[0].vis", inPath(0, { vis: "mood" })],
    ["layers of one id", "layers", inLayer(1, { id: "head" })],
    ["other blink keys", "layers[0].paths[0].keys.half", inPath(0, { d: undefined, keys: blinks })],
    ["a missing mouth shape", "mouth.keys", (character) => delete mouthKeys(character)["ou"]],
    ["a mouth key of another structure", "mouth.keys.aa.d.lips", inMouth({ aa: { d: { lips: "M1 2" } } })],
  ])("refuses %s and says where", (_what, where, change) => {
    const error = failure(change);
    expect(error.code).toBe("INVALID_CHARACTER");
    expect(error.path).toBe(where);
    expect(error.message).toContain(where);
  });

  it("throws only its own error, for any input", () => {
    const attempt = (value: unknown): void => {
      try {
        parseCharacter(value);
      } catch (error) {
        expect(error).toBeInstanceOf(PuppetError);
      }
    };
    fc.assert(fc.property(fc.jsonValue(), attempt));
    const fields = Object.keys(smallest());
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, value) =>
        attempt({ ...smallest(), [field]: value }),
      ),
    );
  });
});
