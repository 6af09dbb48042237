/** Photo characters and pictures of somebody who knows the formats. */
import { readFileSync } from "node:fs";
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { checkPhotoCharacter } from "../../../src/service/administration/catalogue/character-checks.ts";
import { collectGarbage } from "../../../src/service/collect-garbage.ts";
import { Fault } from "../../../src/service/faults/fault.ts";
import { PhotoDrawing } from "../../../src/service/media/photo/photo-drawing.ts";
import type { PhotoCharacter } from "../../../src/protocol/characters/photo-character.ts";
import { cpuMs } from "../../cpu-time.ts";
import { photoFile, photoMina } from "../../photo/photo-fixture.ts";

const mina = photoMina();
const address = (bytes: Uint8Array, type = "webp"): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`;

const chunk = (name: string, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
const riff = (...chunks: Buffer[]): Buffer =>
  chunk("RIFF", Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]));

/** The extended header: what the file says that its picture is. */
function extended(side: number, flags = 0): Buffer {
  const content = Buffer.alloc(10);
  content[0] = flags;
  content.writeUIntLE(side - 1, 4, 3);
  content.writeUIntLE(side - 1, 7, 3);
  return chunk("VP8X", content);
}

/** The header of a picture without loss, which is followed by nothing sensible. */
function lossless(side: number, content = Buffer.alloc(64, 0xa5)): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 0x2f;
  head.writeUInt32LE((((side - 1) << 14) | (side - 1)) >>> 0, 1);
  return chunk("VP8L", Buffer.concat([head, content]));
}

const whole = createCanvas(mina.size, mina.size).toBuffer("image/webp");

const pictures: [string, Uint8Array | string][] = [
  [
    "a picture of 268 million pixels in a file that claims a small one",
    riff(extended(mina.size), lossless(16_384)),
  ],
  ["a picture of 268 million pixels", riff(lossless(16_384))],
  ["the right size, and noise", riff(lossless(mina.size, Buffer.alloc(60_000, 0x5a)))],
  ["the right size, and nothing", riff(extended(mina.size, 0x10))],
  ["a half of a picture", whole.subarray(0, whole.length / 2)],
  ["an animation", riff(extended(mina.size, 0x02), chunk("ANIM", Buffer.alloc(6)))],
  ["a chunk that says it is longer", riff(Buffer.from("VP8L\xff\xff\xff\x7f/", "latin1"))],
  [
    "markup that is called a picture",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  ],
  ["an address elsewhere", "https://elsewhere.example/face.webp"],
  ["an address of this machine", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["another type", address(whole, "svg+xml")],
];

/** Whether it is refused, or drawn; both in a moment and without much memory. */
async function outcome(character: unknown): Promise<string> {
  const before = process.memoryUsage().rss;
  const grown = (): number => process.memoryUsage().rss - before;
  let result = "";
  const ms = await cpuMs(async () => {
    try {
      await PhotoDrawing.load(checkPhotoCharacter(character), 320);
      result = "drawn";
    } catch (error) {
      result = error instanceof Fault ? "refused" : "not drawn";
    }
  });
  expect(ms).toBeLessThan(5_000);
  // To collect takes longer than most cases.
  if (grown() >= 300e6) collectGarbage();
  expect(grown()).toBeLessThan(300e6);
  return result;
}

describe("a layer that is", () => {
  test.each(pictures)("%s is not drawn", async (_, picture) => {
    const given = typeof picture === "string" ? picture : address(picture);
    const character: PhotoCharacter = { ...mina, pictures: { ...mina.pictures, photo: given } };
    expect(["refused", "not drawn"]).toContain(await outcome(character));
  });
});

test.each([
  ["with markup behind it", Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")])],
  [
    "that says it is longer",
    Buffer.concat([Buffer.from("RIFF\xff\xff\xff\x7f", "latin1"), whole.subarray(8)]),
  ],
])("a picture %s is a picture, and nothing else", async (_, both) => {
  const character = { ...mina, pictures: { ...mina.pictures, photo: address(both) } };
  expect(["refused", "drawn"]).toContain(await outcome(character));
});

describe("a file with", () => {
  const text = readFileSync(photoFile, "utf8");
  test.each([
    ["a prototype", text.replace("{", '{"__proto__":{"isAdmin":true},')],
    ["a constructor", text.replace("{", '{"constructor":{"prototype":{"isAdmin":true}},')],
  ])("%s changes no other object", async (_, given) => {
    expect(await outcome(JSON.parse(given))).toBe("drawn");
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each([
    ["numbers beyond all", text.replace(/"landmarks":\[[^,]+/, '"landmarks":[1e999')],
    ["no numbers", text.replace(/"landmarks":\[[^,]+/, '"landmarks":[null')],
    ["a size that is no whole number", text.replace(/"size":\d+/, '"size":512.5')],
    ["a size below zero", text.replace(/"size":\d+/, '"size":-512')],
    ["a place far away", text.replace(/"eyes":\{"left":\{"x":[^,]+/, '"eyes":{"left":{"x":1e300')],
    ["a triangle of landmarks that are not there", text.replace(/"triangles":\[[^,]+/, '"triangles":[477')],
    ["a list for an object", `[${text}]`],
    ["nested lists", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["nested objects", `${'{"pictures":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ])("%s is refused", async (_, given) => {
    expect(given).not.toBe(text);
    expect(await outcome(JSON.parse(given))).toBe("refused");
  });
});
