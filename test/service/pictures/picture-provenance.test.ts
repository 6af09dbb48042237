import { createCanvas, loadImage, type Canvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { imageContentType } from "../../../src/protocol/characters/image-type.ts";
import { withProvenance } from "../../../src/service/pictures/picture-provenance.ts";

function drawn(): Canvas {
  const canvas = createCanvas(48, 32);
  const context = canvas.getContext("2d");
  context.fillStyle = "rgba(200, 40, 20, 0.5)";
  context.fillRect(0, 0, 24, 32);
  return canvas;
}

/** Width, height and a few pixels. */
async function looksOf(bytes: Uint8Array): Promise<unknown> {
  const image = await loadImage(Buffer.from(bytes));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return [image.width, image.height, ...canvas.getContext("2d").getImageData(4, 4, 2, 1).data];
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const statement = "digitalsourcetype/compositeSynthetic";

const pictures: [string, Uint8Array][] = [
  ["a WebP with transparency", drawn().toBuffer("image/webp", 80)],
  ["a WebP without loss", drawn().toBuffer("image/webp", 101)],
  ["a PNG", drawn().toBuffer("image/png")],
];

test.each(pictures)("%s says where it comes from, and looks the same", async (_, bytes) => {
  const marked = withProvenance(bytes);
  expect(text(marked)).toContain(statement);
  expect(imageContentType(marked)).toBe(imageContentType(bytes));
  expect(await looksOf(marked)).toEqual(await looksOf(bytes));
});

test("a WebP says it once, and loses what somebody else has written into it", () => {
  const [, webp] = pictures[0]!;
  const once = withProvenance(webp);
  const exif = Buffer.from("EXIF\x06\0\0\0secret", "latin1");
  const foreign = Buffer.concat([once, exif]);
  foreign.writeUInt32LE(foreign.length - 8, 4);
  const twice = withProvenance(foreign);
  expect(text(twice)).not.toContain("secret");
  expect(text(twice).split(statement)).toHaveLength(2);
  expect(twice).toEqual(once);
});

test("a damaged picture is returned as it is", () => {
  for (const bytes of [Buffer.from("RIFF\x04\0\0\0WEBPVP8 "), Buffer.from("\x89PNG")])
    expect(withProvenance(bytes)).toEqual(bytes);
});
