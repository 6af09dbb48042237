import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import type { ModelStyle } from "../../../../src/protocol/catalogue.ts";
import { checkPhotoCharacter } from "../../../../src/service/administration/catalogue/character-checks.ts";
import { photoIdOf } from "../../../../src/service/administration/catalogue/photo-characters.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import { photoFilePath } from "../../../../src/service/pictures/photo-file.ts";
import { photoMina } from "../../../photo/photo-fixture.ts";

const png = (width: number, height = width): string =>
  `data:image/png;base64,${createCanvas(width, height).toBuffer("image/png").toString("base64")}`;

const mina = photoMina();
const { pictures, landmarks } = mina;

/** The field that a check of Mina with these changes names. */
function faultyField(changes: object): string | null | undefined {
  try {
    checkPhotoCharacter({ ...photoMina(), ...changes });
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.body.errors[0]?.attr;
  }
}

/** Landmarks of which one is where another one is. */
const moved = (one: number, to: number): object => ({
  landmarks: landmarks.toSpliced(3 * one, 3, ...landmarks.slice(3 * to, 3 * to + 3)),
});

/** A PNG whose header says that it moves. */
function animated(): string {
  const bytes = createCanvas(8, 8).toBuffer("image/png");
  const header = bytes.subarray(0, 33);
  return `data:image/png;base64,${Buffer.concat([header, Buffer.from("\0\0\0\x08acTL"), bytes.subarray(33)]).toString("base64")}`;
}

const encoded = (text: string, type: string) =>
  `data:image/${type};base64,${Buffer.from(text).toString("base64")}`;

describe("a photo character", () => {
  test("that the maker made is accepted", () => {
    expect(faultyField({})).toBeUndefined();
  });

  const huge = Array.from({ length: 1_200 }, () => [10, 234, 454]).flat();
  test.each<[what: string, field: string, changes: object]>([
    ["another format", "format", { format: "visavis-puppet" }],
    ["a later version", "version", { version: 2 }],
    ["a huge side", "size", { size: 100_000 }],
    ["too few landmarks", "landmarks", { landmarks: [0.5, 0.5, 0] }],
    ["a landmark elsewhere", "landmarks.0", { landmarks: landmarks.with(0, 9e9) }],
    ["landmarks that are no face", "landmarks", { landmarks: landmarks.map(() => 0.5) }],
    ["a mouth without corners", "landmarks", moved(308, 78)],
    ["an eye without corners", "landmarks", moved(133, 33)],
    ["a nose below its mouth", "landmarks", moved(2, 152)],
    ["triangles that would take seconds to draw", "triangles", { triangles: huge }],
    ["a triangle of nothing", "triangles.0", { triangles: [468, 0, 1] }],
    ["half a triangle", "triangles", { triangles: [0, 1, 2, 3] }],
    ["no pictures", "pictures", { pictures: undefined }],
    ["no origin", "origin", { origin: undefined }],
  ])("with %s is refused", (_, field, changes) => {
    expect(faultyField(changes)).toBe(field);
  });

  test.each([
    ["an address elsewhere", "https://pictures.example/face.webp"],
    ["a script", encoded("<svg/>", "svg+xml")],
    ["bytes that are no picture", encoded("nothing", "png")],
    ["a picture of another size", png(64)],
    ["a picture with too many pixels", png(4_000, 8)],
    ["an animation", animated()],
  ])("with %s as a layer is refused", (_, photo) => {
    expect(faultyField({ pictures: { ...pictures, photo } })).toBe("pictures.photo");
  });

  test("may have what was behind the person, as large as its picture", () => {
    const before = (background: string) => faultyField({ pictures: { ...pictures, background } });
    expect(before(png(mina.size))).toBeUndefined();
    expect(before(png(64))).toBe("pictures.background");
  });

  const place = { x: 10, y: 10, width: 80, height: 40 };
  test.each([
    [png(80, 40), place, undefined],
    [png(80, 41), place, "pictures.glasses"],
    [png(80, 40), undefined, "pictures.glasses"],
    [undefined, place, "pictures.glasses"],
  ])("has glasses with a picture and a place that fit: %#", (picture, glasses, field) => {
    expect(faultyField({ glasses, pictures: { ...pictures, glasses: picture } })).toBe(field);
  });
});

test("a model style tells whether it is made from a photograph", () => {
  const id = "13cf9abe-ed57-4f55-b601-d12eccf50167";
  const style = (file: string): ModelStyle => ({
    ...{ name: "a", model: "a", model_files: [], style: null, configs: [], model_file: null, file: null },
    ...{ platform_type: "webrtc", files: [{ name: "character", file }] },
  });
  expect(photoIdOf(style(photoFilePath(id, "character")))).toBe(id);
  expect(photoIdOf(style("/characters/mina.json"))).toBeNull();
  expect(photoIdOf(style("/api/v1/photo_character/../consent/"))).toBeNull();
});
