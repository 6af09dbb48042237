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

/** The field that a check names. */
function faultyField(
  change: (character: ReturnType<typeof photoMina>) => unknown,
): string | null | undefined {
  const character = photoMina();
  const changed = change(character) ?? character;
  try {
    checkPhotoCharacter(changed);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.body.errors[0]?.attr;
  }
}

/** A character one of whose landmarks is where another one is. */
function withLandmark(moved: number, to: number): unknown {
  const character = photoMina();
  const landmarks = [...character.landmarks];
  landmarks.splice(3 * moved, 3, ...landmarks.slice(3 * to, 3 * to + 3));
  return { ...character, landmarks };
}

describe("a photo character", () => {
  test("that the maker made is accepted", () => {
    expect(faultyField(() => undefined)).toBeUndefined();
  });

  test.each([
    ["another format", "format", () => ({ ...photoMina(), format: "visavis-puppet" })],
    ["a later version", "version", () => ({ ...photoMina(), version: 2 })],
    ["a huge side", "size", () => ({ ...photoMina(), size: 100_000 })],
    ["too few landmarks", "landmarks", () => ({ ...photoMina(), landmarks: [0.5, 0.5, 0] })],
    [
      "a landmark elsewhere",
      "landmarks.0",
      () => ({ ...photoMina(), landmarks: [9e9, ...photoMina().landmarks.slice(1)] }),
    ],
    [
      "landmarks that are no face",
      "landmarks",
      () => ({ ...photoMina(), landmarks: photoMina().landmarks.map(() => 0.5) }),
    ],
    ["a mouth without corners", "landmarks", () => withLandmark(308, 78)],
    ["an eye without corners", "landmarks", () => withLandmark(133, 33)],
    ["a nose below its mouth", "landmarks", () => withLandmark(2, 152)],
    [
      "triangles that would take seconds to draw",
      "triangles",
      () => ({ ...photoMina(), triangles: Array.from({ length: 1_200 }, () => [10, 234, 454]).flat() }),
    ],
    ["a triangle of nothing", "triangles.0", () => ({ ...photoMina(), triangles: [468, 0, 1] })],
    ["half a triangle", "triangles", () => ({ ...photoMina(), triangles: [0, 1, 2, 3] })],
    ["no pictures", "pictures", () => ({ ...photoMina(), pictures: undefined })],
    ["no origin", "origin", () => ({ ...photoMina(), origin: undefined })],
  ])("with %s is refused", (_, field, change) => {
    expect(faultyField(change)).toBe(field);
  });

  test("may have what was behind the person, as large as its picture", () => {
    const before = (background: string) => () => ({
      ...photoMina(),
      pictures: { ...photoMina().pictures, background },
    });
    expect(faultyField(before(png(photoMina().size)))).toBeUndefined();
    expect(faultyField(before(png(64)))).toBe("pictures.background");
  });

  const withPhoto = (photo: string) => () => ({
    ...photoMina(),
    pictures: { ...photoMina().pictures, photo },
  });
  test.each([
    ["an address elsewhere", "https://pictures.example/face.webp"],
    ["a script", `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`],
    ["bytes that are no picture", `data:image/png;base64,${Buffer.from("nothing").toString("base64")}`],
    ["a picture of another size", png(64)],
    ["a picture with too many pixels", png(4_000, 8)],
    ["an animation", animated()],
  ])("with %s as a layer is refused", (_, photo) => {
    expect(faultyField(withPhoto(photo))).toBe("pictures.photo");
  });
});

const glasses = { x: 10, y: 10, width: 80, height: 40 };

test("glasses need a picture and a place that fit", () => {
  const withGlasses = (picture: string | undefined, place: object | undefined) => () => ({
    ...photoMina(),
    glasses: place,
    pictures: { ...photoMina().pictures, glasses: picture },
  });
  expect(faultyField(withGlasses(png(80, 40), glasses))).toBeUndefined();
  expect(faultyField(withGlasses(png(80, 41), glasses))).toBe("pictures.glasses");
  expect(faultyField(withGlasses(png(80, 40), undefined))).toBe("pictures.glasses");
  expect(faultyField(withGlasses(undefined, glasses))).toBe("pictures.glasses");
});

/** A PNG whose header says that it moves. */
function animated(): string {
  const bytes = createCanvas(8, 8).toBuffer("image/png");
  const header = bytes.subarray(0, 33);
  return `data:image/png;base64,${Buffer.concat([header, Buffer.from("\0\0\0\x08acTL"), bytes.subarray(33)]).toString("base64")}`;
}

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
